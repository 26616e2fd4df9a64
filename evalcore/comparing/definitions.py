"""Criteria of the same name whose definitions differ between two sides."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from evalcore.comparing.alike import likeness
from evalcore.comparing.model import Side
from evalcore.comparing.skill_cases import skill_cases
from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.rows import CriterionRow
from evalcore.texts.meaning import changed_meaning
from evalcore.workspace.opened import Workspace

Key = tuple[str, str]
"""(kind, criterion)"""
Redefined = Mapping[str, Mapping[Key, tuple[str, str]]]
"""By case and criterion: its definition on each side, in words."""

REWORDED: Final = 0.5
"""Share of letter triples from which a description is taken for touched up, not changed."""
_PLACES: Final = frozenset({"suite", "position", "source", "pointer"})
_RULES: Final = ("required", "weight", "min_score", "max_score", "pass_at", "guide")


def redefined(a: Side, b: Side, cases: Iterable[str]) -> Redefined:
    """Return the criteria of the same name that two sides define differently.

    Between two suites or workspaces these are the definitions of each; between two versions of a
    suite, those in the skills saved with them.
    """
    wanted = set(cases)
    found: dict[str, dict[Key, tuple[str, str]]] = {}
    if (a.ws, a.suite) != (b.ws, b.suite):
        found = _of_suites(a, b, wanted)
    for case, keys in _of_skills(a, b, wanted).items():
        found.setdefault(case, {}).update(keys)
    return found


def _of_suites(a: Side, b: Side, cases: set[str]) -> dict[str, dict[Key, tuple[str, str]]]:
    one, two = (definition_marks(side.ws, side.suite) for side in (a, b))
    unequal = {case for case in cases & one.keys() & two.keys() if one[case] != two[case]}
    if not unequal:
        return {}
    first, second = (_definitions(side.ws, side.suite, unequal) for side in (a, b))
    return {case: keys for case in unequal if (keys := _apart(first[case], second[case]))}


def _apart(
    one: Mapping[Key, CriterionRow], two: Mapping[Key, CriterionRow]
) -> dict[Key, tuple[str, str]]:
    return {
        key: (_rule(row), _rule(two[key]))
        for key, row in one.items()
        if key in two and not _same_definition(row, two[key])
    }


def _rule(row: CriterionRow) -> str:
    """Return a definition as one text."""
    rules = (f"{name} {value}" for name in _RULES if (value := getattr(row, name)) is not None)
    return "; ".join([(row.description or row.criterion or "").rstrip("."), *rules])


def _of_skills(a: Side, b: Side, cases: set[str]) -> dict[str, dict[Key, tuple[str, str]]]:
    """Compare the definitions in the skills of two versions."""
    one, two = (skill_cases(side.ws, side.suite, side.column.version) for side in (a, b))
    found: dict[str, dict[Key, tuple[str, str]]] = {}
    for case in one.keys() & two.keys() & cases:
        first, second = _expected(one[case]), _expected(two[case])
        for label in first.keys() & second.keys():
            was, now = first[label], second[label]
            if was[1] != now[1] or not alike(was[0], now[0]):
                words = was[0] or label, now[0] or label
                found.setdefault(case, {})["expectation", label] = words
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


def _definitions(ws: Workspace, suite: str, cases: set[str]) -> dict[str, dict[Key, CriterionRow]]:
    found: dict[str, dict[Key, CriterionRow]] = {}
    rows = where(ws, "criteria", suite=suite)
    mine = coded(ws, "criteria", "case_id").among(cases)[rows]
    for row in typed(ws, "criteria", CriterionRow, rows[mine].tolist()):
        if row.kind != "convention":
            found.setdefault(row.case_id or "", {})[row.kind or "", row.criterion or ""] = row
    return found


def _same_definition(one: CriterionRow, two: CriterionRow) -> bool:
    if any(getattr(one, name) != getattr(two, name) for name in _RULES):
        return False
    return alike(one.description, two.description)


def alike(one: str | None, two: str | None) -> bool:
    """Return whether two descriptions mean the same as far as known."""
    if one is None or two is None or one == two:
        return True
    return likeness(one, two) >= REWORDED and changed_meaning(one, two) is None
