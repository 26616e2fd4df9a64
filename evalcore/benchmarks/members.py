"""The test runs of each benchmark run."""

from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Coded, Numbers, coded, positions, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.registry import FAMILIES
from evalcore.workspace.opened import Workspace

AGGREGATES: Final = ("benchmark-run", "aggregates", "test-run")
BENCHMARK_RUN: Final = ("benchmark_runs", "benchmark_run")
_KEY: Final = ("source_type", "relation", "target_type")


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
    total = len(values(ws, "runs", "passed"))
    rows, runs = zip(_named(ws), _aggregated(ws), strict=True)
    row, run = np.concatenate(rows), np.concatenate(runs)
    known = (row >= 0) & (run >= 0)
    pairs = np.unique(row[known] * np.int64(total) + run[known])
    return Members(*np.divmod(pairs, max(total, 1)))


def row_of(ws: Workspace, suite: str, benchmark_run: str) -> int | None:
    """Return the row of a benchmark run of a suite in its table; None if there is none."""
    there = coded(ws, "benchmark_runs", "suite").among({suite})
    there &= coded(ws, *BENCHMARK_RUN).among({benchmark_run})
    rows = np.flatnonzero(there)
    return int(rows[0]) if len(rows) else None


def _named(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return for each test run the benchmark run that its own row names; -1 without one."""
    runs = np.arange(len(values(ws, "runs", "passed")))
    return _looked_up(ws, "runs", "benchmark_run", runs, BENCHMARK_RUN), runs


def _aggregated(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return both ends of each relation between a benchmark run and a test run; -1 if unknown."""
    kinds = zip(_KEY, AGGREGATES, strict=True)
    mine = [coded(ws, "relations", column).among({word}) for column, word in kinds]
    rows = np.flatnonzero(np.logical_and.reduce(mine))
    row = _looked_up(ws, "relations", "source_id", rows, BENCHMARK_RUN)
    run, record = (
        _looked_up(ws, "relations", "target_id", rows, ("runs", column))
        for column in ("run_id", "run")
    )
    in_store = coded(ws, "relations", "suite").among(_stores(ws))[rows]
    return row, np.where(run >= 0, run, np.where(in_store, record, -1))


def _stores(ws: Workspace) -> list[str]:
    """Return the suites that are a store."""
    families = {each.name for each in FAMILIES if each.is_store}
    pairs = zip(*(coded(ws, "suites", of).column() for of in ("suite", "family")), strict=True)
    return [suite for suite, family in pairs if family in families]


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
