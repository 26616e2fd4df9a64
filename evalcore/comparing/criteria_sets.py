"""The sets of criteria that the cases of one side were judged by."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.coded import Coded, Numbers, coded, distinct, numbered
from evalcore.counting.joined import counting, judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.workspace.opened import Workspace

_HALF: Final = 26
_LOW: Final = (1 << _HALF) - 1


class CriteriaSet(NamedTuple):
    """The criteria of one kind that most runs of a case were judged by.

    `mark` is a digest of the set, the same in any workspace; `size` is the number of criteria and
    `run` the position of the first run judged by them.
    """

    mark: int
    size: int
    run: int


CriteriaSets = Mapping[str, Mapping[str, CriteriaSet]]


@memoize_per_workspace
def criteria_sets(ws: Workspace, suite: str, column: Column) -> CriteriaSets:
    """Return the criteria of a column's runs by case and kind, without conventions.

    Graders sometimes reword a criterion in a run, so the set that most runs have counts. Cases
    without a judgment are missing.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    runs = found.runs.index.to_numpy()[found.runs["column"].to_numpy() == place]
    case_of = np.full(len(coded(ws, "runs", "run_id").codes), -1, np.int64)
    case_of[runs] = found.runs["case"].to_numpy()[found.runs["column"].to_numpy() == place]
    kinds = coded(ws, "judgments", "kind")
    run, kind, mark, size = sets_by_run(ws, runs, kinds)
    chosen = _most(case_of[run] * kinds.width + kind, mark, run)
    ids, words = found.cases["case_id"].tolist(), kinds.words
    sets: dict[str, dict[str, CriteriaSet]] = {}
    for at in chosen.tolist():
        row = int(run[at])
        of_case = sets.setdefault(str(ids[int(case_of[row])]), {})
        of_case[words[int(kind[at])]] = CriteriaSet(int(mark[at]), int(size[at]), row)
    return sets


def sets_by_run(
    ws: Workspace, runs: Numbers, kinds: Coded
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return run (position), kind, mark and size of each run's sets of criteria."""
    rows = judgments_of(ws, runs) if len(runs) else np.zeros(0, np.int64)
    rows = rows[counting(ws)[rows]]
    criteria = coded(ws, "judgments", "criterion")
    run, criterion = judged_run(ws)[rows].astype(np.int64), criteria.keys_of(rows)
    slot = run * kinds.width + kinds.keys_of(rows)
    judge = coded(ws, "judgments", "judge").codes[rows]
    if len(rows) and judge.min() != judge.max():  # one criterion may stand there for each judge
        pairs = np.unique(slot * criteria.width + criterion)
        slot, criterion = pairs // criteria.width, pairs % criteria.width
    sets, slot, _ = numbered(slot, (int(runs.max(initial=0)) + 1) * kinds.width)
    marks = _marks(criteria, criterion)
    low, high = (
        np.bincount(slot, half, len(sets)).astype(np.int64)
        for half in (marks & _LOW, marks >> _HALF)
    )
    size = np.bincount(slot, minlength=len(sets))
    return sets // kinds.width, sets % kinds.width, low ^ (high << _HALF), size


def _marks(criteria: Coded, used: Numbers) -> Numbers:
    """Return a 52-bit digest for the word of each code."""
    marks = np.zeros(criteria.width, np.int64)
    codes = distinct(used, criteria.width)
    words = np.array([criteria.words[code] for code in codes.tolist()], object)
    hashed = pd.util.hash_array(words, categorize=False) >> np.uint64(64 - 2 * _HALF)
    marks[codes] = hashed.astype(np.int64)
    found: Numbers = marks[used]
    return found


def _most(group: Numbers, mark: Numbers, run: Numbers) -> Numbers:
    """Return for each group the position of the first row with its most common mark."""
    if not len(group):
        return group
    order = np.lexsort((run, mark, group))
    group, mark = group[order], mark[order]
    starts = np.append(True, (group[1:] != group[:-1]) | (mark[1:] != mark[:-1]))
    first = np.flatnonzero(starts)
    size = np.diff(np.append(first, len(group)))
    best = np.lexsort((run[order][first], -size, group[first]))
    keep = np.append(True, group[first][best][1:] != group[first][best][:-1])
    chosen: Numbers = order[first[best[keep]]]
    return chosen


def words_of(ws: Workspace, run: int, kind: str) -> list[str]:
    """Return the criteria of one kind that a run was judged by."""
    rows = judgments_of(ws, [run])
    kinds, criteria = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    rows = rows[counting(ws)[rows] & (kinds.codes[rows] == kinds.places([kind])[0])]
    return list(dict.fromkeys(criteria.words[code] for code in criteria.keys_of(rows).tolist()))
