"""Which benchmark runs are alike, without comparing each with another."""

from typing import Final

import numpy as np

from evalcore.benchmarks.members import members
from evalcore.comparing.criteria_sets import sets_by_run
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import counting, judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.workspace.opened import Workspace

_MADE_BY: Final = ("case_id", "model", "executor", "judge")
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)


@memoize_per_workspace
def benchmark_marks(ws: Workspace) -> Numbers:
    """Return a digest of each benchmark run; those of one version with the same one are alike.

    Their cases have the same executors, models, judges and criteria. Two with different digests may
    be alike too.
    """
    row, run = members(ws)
    of_run = _marks_of_runs(ws, run)[run]
    order = np.lexsort((of_run, row))
    row, of_run = row[order], of_run[order]
    # Several runs of a case that are alike count once.
    first = np.append(True, (row[1:] != row[:-1]) | (of_run[1:] != of_run[:-1]))[: len(row)]
    found = np.zeros(len(values(ws, "benchmark_runs", "pass_rate")), np.uint64)
    np.add.at(found, row[first], _mixed(of_run[first]))
    return found


def _marks_of_runs(ws: Workspace, runs: Numbers) -> Numbers:
    """Return a digest of each run: its case, who made and judged it, and by which criteria."""
    kinds, total = coded(ws, "judgments", "kind"), len(values(ws, "runs", "passed"))
    run, kind, mark, _ = sets_by_run(ws, np.unique(runs), kinds)
    criteria = np.zeros(total, np.uint64)
    np.add.at(criteria, run, _mixed(kind, mark))
    judge = np.full(total, -1, np.int64)
    judged = counting(ws)
    judge[judged_run(ws)[judged]] = coded(ws, "judgments", "judge").codes[judged]
    own = (coded(ws, "runs", name).codes for name in _MADE_BY)
    return _mixed(*own, judge, criteria)


def _mixed(*columns: Numbers) -> Numbers:
    """Return one digest of the numbers of each row."""
    found = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        found = (found ^ column.astype(np.uint64)) * _FACTOR
        found ^= found >> _SHIFT
    return found
