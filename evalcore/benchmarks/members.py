"""The test runs of each benchmark run, its values by them, and whether they improve on others."""

from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.coded import Coded, Numbers, coded, positions, slots, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.rates import EFFICIENCY, OTHER, measured_by, on_scale, valued
from evalcore.counting.tally import mean
from evalcore.families.registry import FAMILIES
from evalcore.numbers import printed
from evalcore.shapes.relations import AGGREGATES
from evalcore.statistics.trend import PLACES
from evalcore.workspace.opened import Workspace

BENCHMARK_RUN: Final = ("benchmark_runs", "benchmark_run")
Improvement = Literal["better", "same", "worse", "unknown"]


class Members(NamedTuple):
    """Pairs of a benchmark run (a row of its table) and one of its test runs (a position).

    They are in the order of the rows. A test run may be in several benchmark runs.
    """

    row: Numbers
    run: Numbers

    def of(self, row: int) -> Numbers:
        """Return the test runs of one benchmark run."""
        first, last = np.searchsorted(self.row, (row, row + 1))
        return self.run[first:last]


@memoize_per_workspace
def members(ws: Workspace) -> Members:
    """Return which test runs each benchmark run has: those that name it, and those it aggregates.

    A relation names a test run by its run id, in a store also by the id of its record.
    """
    runs = np.arange(len(values(ws, "runs", "passed")))
    naming = _looked_up(ws, "runs", "benchmark_run", runs, BENCHMARK_RUN)
    kinds = zip(("source_type", "relation", "target_type"), AGGREGATES[:3], strict=True)
    mine = [coded(ws, "relations", column).among({word}) for column, word in kinds]
    rows = np.flatnonzero(np.logical_and.reduce(mine))
    aggregating = _looked_up(ws, "relations", "source_id", rows, BENCHMARK_RUN)
    own, record = (
        _looked_up(ws, "relations", "target_id", rows, ("runs", column))
        for column in ("run_id", "run")
    )
    stores = {each.name for each in FAMILIES if each.is_store}
    suites = zip(*(coded(ws, "suites", of).column() for of in ("suite", "family")), strict=True)
    names = [suite for suite, family in suites if family in stores]
    in_store = coded(ws, "relations", "suite").among(names)[rows]
    aggregated = np.where(own >= 0, own, np.where(in_store, record, -1))
    row, run = np.append(naming, aggregating), np.append(runs, aggregated)
    known = (row >= 0) & (run >= 0)
    pairs = np.unique(row[known] * np.int64(len(runs)) + run[known])
    return Members(*np.divmod(pairs, max(len(runs), 1)))


def row_of(ws: Workspace, suite: str, benchmark_run: str) -> int | None:
    """Return the row of a benchmark run of a suite in its table; None if there is none."""
    there = coded(ws, "benchmark_runs", "suite").among({suite})
    there &= coded(ws, *BENCHMARK_RUN).among({benchmark_run})
    rows = np.flatnonzero(there)
    return int(rows[0]) if len(rows) else None


def _looked_up(
    ws: Workspace, table: str, column: str, rows: Numbers, among: tuple[str, str]
) -> Numbers:
    """Return for some rows the first row of another table with their suite and word; else -1.

    `among` is that table, and its column of words.
    """
    suite, word = coded(ws, among[0], "suite"), coded(ws, *among)
    known = suite.keys.astype(np.int64) * word.width + word.keys
    if not len(known):
        return np.full(len(rows), -1)
    of_suite = _translated(coded(ws, table, "suite"), suite, rows)
    of_word = _translated(coded(ws, table, column), word, rows)
    key = of_suite * word.width + of_word
    order = np.argsort(known, kind="stable")
    found = order[np.minimum(np.searchsorted(known[order], key), len(order) - 1)]
    same = (known[found] == key) & (of_suite >= 0) & (of_word >= 0)
    return np.where(same, found, -1)


def _translated(column: Coded, into: Coded, rows: Numbers) -> Numbers:
    """Return the words of some rows as codes of another column; -1 if missing or unknown there."""
    place = np.append(positions(column.strings, into.strings), -1)
    return place[column.codes[rows]].astype(np.int64)


@memoize_per_workspace
def pass_rates(ws: Workspace) -> Numbers:
    """Return the pass rate (0 to 1) of each benchmark run (a row of its table), NaN if unknown.

    It is the mean over cases of each case's mean over the runs that count: of the suite's headline
    by recorded scores, or of the score where that is no rate of runs or checks. Where no test run
    has a value, it is the one that the document states.
    """
    row, run = members(ws)
    known = valued(ws)
    top = np.where(known["max_score"] > 0, known["max_score"], np.nan)
    scores = on_scale(known["score"] / top)
    value = np.where(measured_by(ws, EFFICIENCY), scores, known["value"])
    counts = known["end"][run] >= OTHER
    row, run = row[counts], run[counts]
    total = len(values(ws, "benchmark_runs", "pass_rate"))
    width = int(known["case"].max(initial=0)) + 1
    cells, cell = slots(row * width + known["case"][run], total * width)
    found = mean(mean(value[run], cell, len(cells)), cells // width, total)
    return np.where(np.isnan(found), values(ws, "benchmark_runs", "pass_rate"), found)


def values_of(ws: Workspace, row: int) -> tuple[float | None, float | None]:
    """Return the pass rate of a benchmark run (a row), and the overall score that it states."""
    found = (pass_rates(ws)[row], values(ws, "benchmark_runs", "overall_score")[row])
    rate, score = (None if np.isnan(each) else float(each) for each in found)
    return rate, score


def improvement(ws: Workspace, before: int, now: int) -> Improvement:
    """Compare two benchmark runs (rows): better is one value higher and neither lower.

    Values are compared as decimals: the order in which scores were added up is no difference.
    """
    pairs = zip(values_of(ws, before), values_of(ws, now), strict=True)
    known = [
        (printed(old, PLACES), printed(new, PLACES))
        for old, new in pairs
        if old is not None and new is not None
    ]
    if not known:
        return "unknown"
    if any(new < old for old, new in known):
        return "worse"
    return "better" if any(new > old for old, new in known) else "same"
