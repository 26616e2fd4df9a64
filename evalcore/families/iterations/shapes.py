"""What runs of one case that are judged by the same criteria have in common."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from evalcore.families.iterations.case import Case, Criterion, numbered
from evalcore.families.iterations.checks import KIND, label_of
from evalcore.families.iterations.runs import RUBRIC_MAX, Desk, Place
from evalcore.families.iterations.standard import Grading, Structural
from evalcore.problems import pointer
from evalcore.tables.columns import Array, CodeColumn

_NOBODY: Final = (None, "llm")
_RULE: Final = (None, "heuristic")


KINDS: Final = ("kind", "criterion", "judge", "judge_type", "pointer")
"""The columns of judgments whose codes a shape has, in order."""

Shape = Array
"""The judgments of a run but for what was judged, one column a judgment.

The rows are codes of words, those of `KINDS`, and whether it is a score of the rubric.
"""


class Shapes:
    """Finds the shape of a run, adding its criteria to its case when they are new."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._columns = desk.rows.tables["judgments"].columns
        self._known: dict[tuple[tuple[str, ...], ...], Shape] = {}

    def of(
        self,
        place: Place,
        paths: tuple[str | None, str | None],
        grading: Grading | None,
        checks: Structural | None,
    ) -> Shape:
        """Return the shape of a run; `paths` are those of its two documents."""
        case = place.case
        texts = [item.text for item in grading.expectations] if grading else ()
        ids = [item.id for item in checks.expectations] if checks else ()
        scores = (grading and grading.rubric_scores) or ()
        key = ((case.case_id,), tuple(texts), tuple(ids), tuple(scores))
        shape = self._known.get(key)
        if shape is None:
            rows = [
                *self._items(case, paths[0] or "", texts),
                *self._checks(case, paths[1] or "", checks),
                *self._dimensions(place, paths[0] or "", key[3]),
            ]
            shape = self._known[key] = self._shape(rows)
        return shape

    def _items(self, case: Case, path: str, texts: Sequence[str]) -> "list[_Row]":
        seen: dict[str, int] = {}
        ats = [f"/expectations/{index}" for index in range(len(texts))]
        return [
            _Row(KIND, label_of(self.desk, case, text, seen, path, at), *_NOBODY, at)
            for text, at in zip(texts, ats, strict=True)
        ]

    def _checks(self, case: Case, path: str, checks: Structural | None) -> "list[_Row]":
        rows = []
        seen: dict[str, int] = {}
        for index, item in enumerate(checks.expectations if checks else ()):
            name, at = numbered(item.id, seen), f"/expectations/{index}"
            known = Criterion("structural", name, item.text, critical=item.critical)
            case.add(self.desk.suite, known, path, at)
            rows.append(_Row("structural", name, *_RULE, at))
        return rows

    def _dimensions(self, place: Place, path: str, names: Sequence[str]) -> "list[_Row]":
        rows = []
        for name in names:
            at = f"/rubric_scores{pointer(name)}"
            known = Criterion("rubric", name, name, scale=(1.0, RUBRIC_MAX))
            place.case.add(self.desk.suite, known, path, at)
            rows.append(_Row("rubric", name, place.judge, "llm", at))
        return rows

    def _shape(self, rows: "list[_Row]") -> Shape:
        columns = list(zip(*rows, strict=True))
        coded = [self.codes(name, words) for name, words in zip(KINDS, columns, strict=True)]
        scaled = np.array([row.kind == "rubric" for row in rows], np.int32)
        return np.stack([*coded, scaled])

    def codes(self, name: str, words: Sequence[str | None]) -> Array:
        """Return the codes that words have in a column of the judgments."""
        column = self._columns[name]
        assert isinstance(column, CodeColumn)
        return np.fromiter(map(column.codes.__getitem__, words), np.int32, len(words))


class _Row(NamedTuple):
    """The words of one judgment."""

    kind: str
    criterion: str
    judge: str | None
    judge_type: str
    pointer: str
