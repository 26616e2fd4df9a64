"""The rule of drops: a benchmark run whose pass rate is lower than that of the one before."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from evalcore.benchmarks.members import members, pass_rates
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import run_outcomes, several_prompts, version_orders
from evalcore.counting.rates import ASIDE, valued
from evalcore.counting.tally import FAIL
from evalcore.statistics.trend import LARGE, Drop, drop
from evalcore.tables.arrays import NO_INT
from evalcore.workspace.opened import Workspace

FIRST: Final = "there is no earlier run of this benchmark and configuration"
UNDATED: Final = "it has no date, so what came before it is not known"
_NEAR: Final = 1e-6
"""Floats that are this near to a threshold are decided exactly."""


class Step(NamedTuple):
    """A benchmark run and the one before it, rows of their table; None before the first.

    `drop` says how far the pass rate fell; its `why`, why that cannot be said: also that an older
    version was run later. `newly_failing` are the failed test runs (positions) whose case had no
    failed run before.
    """

    row: int
    previous: int | None
    before: float | None
    now: float | None
    drop: Drop
    newly_failing: tuple[int, ...]


class Order(NamedTuple):
    """The benchmark runs of a suite (rows), each after those of its benchmark and configuration.

    They are by date. `later` is the row of an earlier date whose version is a later one, else -1:
    such a run stands in no sequence, so that nothing falls at it, nor from it. `previous` is the
    row before, -1 for the first; `newest` says that none is later. Rows without a benchmark are
    missing, those without a date are in `undated`.
    """

    row: Numbers
    previous: Numbers
    newest: Numbers
    later: Numbers
    undated: Numbers


@memoize_per_workspace
def order_of(ws: Workspace, suite: str) -> Order:
    """Return the benchmark runs of a suite in the order of their dates, equal ones of their ids."""
    keys = {name: coded(ws, "benchmark_runs", name) for name in ("benchmark", "configuration")}
    mine = coded(ws, "benchmark_runs", "suite").among({suite}) & (keys["benchmark"].codes >= 0)
    rows = np.flatnonzero(mine)
    when = values(ws, "benchmark_runs", "ran_at")
    dated, undated = rows[when[rows] != NO_INT], rows[when[rows] == NO_INT]
    benchmark, configuration = (keys[name].keys_of(dated) for name in keys)
    ids = coded(ws, "benchmark_runs", "benchmark_run")
    rank = np.argsort(np.argsort(np.array(ids.words[:-1], object))) if len(ids.strings) else None
    name = np.zeros(len(dated), np.int64) if rank is None else rank[ids.codes[dated]]
    order = np.lexsort((name, when[dated], configuration, benchmark))
    group = (benchmark * keys["configuration"].width + configuration)[order]
    dated = dated[order]
    previous, later = np.full((2, len(dated)), -1)
    version, places = coded(ws, "benchmark_runs", "version"), version_orders(ws).get(suite, {})
    several = several_prompts(places)  # which have no order between them
    last: dict[int, int] = {}
    highest: dict[tuple[int, str], tuple[int, int]] = {}
    for at, (row, of) in enumerate(zip(dated.tolist(), group.tolist(), strict=True)):
        name = version.words[version.codes[row]] or ""
        line = of, name.rpartition("@")[0] if several else ""
        place, (top, later[at]) = places.get(name, -1), highest.get(line, (-1, -1))
        if 0 <= place < top:
            continue
        previous[at], later[at], last[of] = last.get(of, -1), -1, row
        highest[line] = max((place, row), highest.get(line, (-1, -1)))
    return Order(dated, previous, np.isin(dated, list(last.values())), later, undated)


@memoize_per_workspace
def runs_of_older_versions(ws: Workspace, suite: str) -> frozenset[str]:
    """Return the benchmark runs of a version earlier than one that was run before them.

    They say nothing of how quality went on.
    """
    found, ids = order_of(ws, suite), coded(ws, "benchmark_runs", "benchmark_run")
    codes = ids.codes[found.row[found.later >= 0]]
    return frozenset(ids.words[code] for code in codes.tolist())


@memoize_per_workspace
def newest_steps(ws: Workspace, suite: str) -> tuple[Step, ...]:
    """Return the newest benchmark run of each benchmark and configuration, the latest first."""
    found = order_of(ws, suite)
    when = values(ws, "benchmark_runs", "ran_at")[found.row]
    last = np.flatnonzero(found.newest)
    last = last[np.argsort(-when[last], kind="stable")]
    return tuple(_step(ws, found, at) for at in last.tolist())


@memoize_per_workspace
def drops(ws: Workspace, suite: str) -> tuple[Step, ...]:
    """Return the benchmark runs of a suite at which the rule fires, by benchmark and date."""
    found = order_of(ws, suite)
    rate = np.append(pass_rates(ws), np.nan)
    fell = rate[found.previous] - rate[found.row]
    likely = np.flatnonzero(fell > float(LARGE) - _NEAR)
    steps = (_step(ws, found, at) for at in likely.tolist())
    return tuple(step for step in steps if step.drop.level == "critical")


def step_of(ws: Workspace, row: int) -> Step:
    """Return a benchmark run (a row of its table) with the one before it."""
    suite = coded(ws, "benchmark_runs", "suite")
    found = order_of(ws, suite.words[suite.codes[row]])
    at = np.flatnonzero(found.row == row)
    if len(at):
        return _step(ws, found, int(at[0]))
    why = UNDATED if row in found.undated else "it names no benchmark"
    return _first(ws, row, why)


def failed_runs(ws: Workspace, row: int) -> Numbers:
    """Return the test runs of a benchmark run that failed, without those of draft cases."""
    runs = members(ws).of(row)
    failed = run_outcomes(ws)[runs] == FAIL
    found: Numbers = runs[failed & (valued(ws)["end"][runs] != ASIDE)]
    return found


def newly_failing(ws: Workspace, row: int, previous: int) -> Iterator[int]:
    """Yield the failed test runs of a benchmark run whose case had no failed run in another."""
    case = coded(ws, "runs", "case_id").codes
    before = set(case[failed_runs(ws, previous)].tolist())
    yield from (run for run in failed_runs(ws, row).tolist() if int(case[run]) not in before)


def _step(ws: Workspace, found: Order, at: int) -> Step:
    row, previous, later = (int(of[at]) for of in (found.row, found.previous, found.later))
    if later >= 0:
        version = coded(ws, "benchmark_runs", "version")
        mine, others = (version.words[version.codes[each]] for each in (row, later))
        return _first(ws, row, f"{mine} is earlier than {others}, so this is no regression")
    if previous < 0:
        return _first(ws, row, FIRST)
    rate = pass_rates(ws)
    before, now = _known(rate[previous]), _known(rate[row])
    fell = drop(before, now)
    return Step(row, previous, before, now, fell, tuple(newly_failing(ws, row, previous)))


def _first(ws: Workspace, row: int, why: str) -> Step:
    """Return a benchmark run that has none before it, and why."""
    now = _known(pass_rates(ws)[row])
    return Step(row, None, None, now, Drop(None, None, None, why), ())


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
