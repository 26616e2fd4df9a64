"""The sets of criteria that cases were judged by, and the cases whose sets differ between sides."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.comparing.alike import likeness, paired
from evalcore.comparing.model import Side
from evalcore.comparing.skill_cases import skill_cases
from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Coded, Numbers, coded, distinct, numbered
from evalcore.counting.joined import counting, judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.tables.rows import CriterionRow
from evalcore.workspace.opened import Workspace

_HALF: Final = 26
_LOW: Final = (1 << _HALF) - 1
REWORDED: Final = 0.5
"""Share of letter triples from which a description is taken for touched up, not changed."""


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
    run, kind, mark, size = _by_run(ws, runs, kinds)
    chosen = _most(case_of[run] * kinds.width + kind, mark, run)
    ids, words = found.cases["case_id"].tolist(), kinds.words
    sets: dict[str, dict[str, CriteriaSet]] = {}
    for at in chosen.tolist():
        row = int(run[at])
        of_case = sets.setdefault(str(ids[int(case_of[row])]), {})
        of_case[words[int(kind[at])]] = CriteriaSet(int(mark[at]), int(size[at]), row)
    return sets


def _by_run(
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


def other_criteria(a: Side, b: Side, cases: Iterable[str]) -> tuple[set[str], int]:
    """Return the cases judged by different criteria, and the number of cases compared.

    Only kinds that both sides judged are compared, as a run stopped by its gate has no rubric. A
    similar wording is the same criterion; within one version any wording is, if there are equally
    many. Between two suites or workspaces, shared criteria must also have the same definition, and
    so must those of the skills saved with two versions.
    """
    one, two = (criteria_sets(side.ws, side.suite, side.column) for side in (a, b))
    compared = [case for case in cases if case in one and case in two]
    unequal = [case for case in compared if not _same(one[case], two[case])]
    found = set(_changed(a, b, one, two, unequal))
    same = set(compared) - found
    if (a.ws, a.suite) != (b.ws, b.suite):
        found |= _redefined(a, b, same)
    return found | _rewritten(a, b, same), len(compared)


def _same(a: Mapping[str, CriteriaSet], b: Mapping[str, CriteriaSet]) -> bool:
    both = a.keys() & b.keys()
    return bool(both) and all(a[kind].mark == b[kind].mark for kind in both)


def _changed(
    a: Side, b: Side, one: CriteriaSets, two: CriteriaSets, cases: Iterable[str]
) -> Iterable[str]:
    alone = a.ws is b.ws and a.suite == b.suite and a.column.version == b.column.version
    for case in cases:
        both = one[case].keys() & two[case].keys()
        lists = ((one[case][kind], two[case][kind], kind) for kind in both)
        if not both or any(
            not _reworded(a, b, first, second, kind, alone=alone) for first, second, kind in lists
        ):
            yield case


def _reworded(
    a: Side, b: Side, first: CriteriaSet, second: CriteriaSet, kind: str, *, alone: bool
) -> bool:
    """Return whether two lists of criteria differ only in wording."""
    if first.size != second.size:
        return False
    if alone or first.mark == second.mark:
        return True
    words = [_words(side.ws, of.run, kind) for side, of in ((a, first), (b, second))]
    return len(paired(*words)) == first.size


def _words(ws: Workspace, run: int, kind: str) -> list[str]:
    """Return the criteria of one kind that a run was judged by."""
    rows = judgments_of(ws, [run])
    kinds, criteria = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    rows = rows[counting(ws)[rows] & (kinds.codes[rows] == kinds.places([kind])[0])]
    return list(dict.fromkeys(criteria.words[code] for code in criteria.keys_of(rows).tolist()))


def _redefined(a: Side, b: Side, cases: set[str]) -> set[str]:
    """Return the cases in which two workspaces define a shared criterion differently."""
    one, two = (definition_marks(side.ws, side.suite) for side in (a, b))
    unequal = {case for case in cases & one.keys() & two.keys() if one[case] != two[case]}
    if not unequal:
        return set()
    first, second = (_definitions(side.ws, side.suite, unequal) for side in (a, b))
    return {
        case
        for case in unequal
        if any(
            not _same_definition(row, second[case][key])
            for key, row in first[case].items()
            if key in second[case]
        )
    }


def _rewritten(a: Side, b: Side, cases: Iterable[str]) -> set[str]:
    """Return the cases in which the skills of two versions define a label differently."""
    one, two = (skill_cases(side.ws, side.suite, side.column.version) for side in (a, b))
    found = set()
    for case in one.keys() & two.keys() & set(cases):
        first, second = _expected(one[case]), _expected(two[case])
        both = [(first[label], second[label]) for label in first.keys() & second.keys()]
        if any(was[1] != now[1] or not _alike(was[0], now[0]) for was, now in both):
            found.add(case)
    return found


def _expected(definition: Mapping[str, Any]) -> dict[str, tuple[str | None, bool | None]]:
    """Return the description, and whether it is required, of each criterion of a version's case."""
    expected = definition.get("expectations")
    found: dict[str, tuple[str | None, bool | None]] = {}
    for each in expected if isinstance(expected, list) else ():
        label = each.get("criterion") if isinstance(each, dict) else None
        if isinstance(label, str):
            words, required = each.get("description"), each.get("required")
            found[label] = (
                words if isinstance(words, str) else None,
                required if isinstance(required, bool) else None,
            )
    return found


@memoize_per_workspace
def definition_marks(ws: Workspace, suite: str) -> Mapping[str, int]:
    """Return a digest of each case's definitions, the same in any workspace."""
    rows = where(ws, "criteria", suite=suite)
    frame = ws.tables.criteria.iloc[rows]
    frame = frame[(frame["kind"] != "convention").to_numpy(bool)]
    columns = frame[[name for name in CriterionRow._fields if name not in _PLACES]].astype(str)
    marks = pd.util.hash_pandas_object(columns, index=False).astype(np.int64)
    sums = marks.groupby(frame["case_id"].astype(str).to_numpy()).sum()
    return {str(case): int(mark) for case, mark in sums.items()}


_PLACES: Final = frozenset({"suite", "position", "source", "pointer"})
_RULES: Final = ("required", "weight", "min_score", "max_score", "pass_at", "guide")


def _definitions(
    ws: Workspace, suite: str, cases: set[str]
) -> dict[str, dict[tuple[str | None, str | None], CriterionRow]]:
    found: dict[str, dict[tuple[str | None, str | None], CriterionRow]] = {}
    rows = where(ws, "criteria", suite=suite)
    mine = coded(ws, "criteria", "case_id").among(cases)[rows]
    for row in typed(ws, "criteria", CriterionRow, rows[mine].tolist()):
        if row.kind != "convention":
            found.setdefault(row.case_id or "", {})[row.kind, row.criterion] = row
    return found


def _same_definition(one: CriterionRow, two: CriterionRow) -> bool:
    if any(getattr(one, name) != getattr(two, name) for name in _RULES):
        return False
    return _alike(one.description, two.description)


def _alike(one: str | None, two: str | None) -> bool:
    return one is None or two is None or one == two or likeness(one, two) >= REWORDED
