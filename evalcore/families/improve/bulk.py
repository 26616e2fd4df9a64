"""Read gradings by the thousand: the standard ones by column, all others one by one."""

from collections.abc import Iterable
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from evalcore.families.improve.asides import Plain
from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE, PASS_AT, Case
from evalcore.families.improve.gradings import Gradings, agrees
from evalcore.families.improve.identity import Identity
from evalcore.families.improve.results import Outcome, Scores, outcome
from evalcore.families.improve.standard import Standard, decode
from evalcore.tables.builder import Same, TableBuilder
from evalcore.tables.columns import Array, CodeColumn

FEW: Final = 64
"""So many gradings are read one by one; columns are worth their while above."""

_BLOCK: Final = 512
_KEPT: Final = len(CONVENTIONS)


def read_gradings(gradings: Gradings, paths: list[str]) -> None:
    """Read all gradings of a suite; the rows are those that `Gradings.read` gives, in order."""
    if len(paths) <= FEW:
        for path in paths:
            gradings.read(path)
        return
    _Bulk(gradings).read(paths)


class _Shape(NamedTuple):
    """What the judgments of gradings with the same criteria have in common, as codes."""

    rows: int
    kinds: Array
    criteria: Array
    pointers: Array
    kept: Array  # 1 for a convention, 0 for a criterion


class _Bulk:
    def __init__(self, gradings: Gradings) -> None:
        self.gradings = gradings
        self.root = gradings.reader.root
        self.block = _Block(gradings.rows.tables["judgments"])
        self._shapes: dict[tuple[str, ...], _Shape] = {}

    def read(self, paths: Iterable[str]) -> None:
        for path in paths:
            found = decode(f"{self.root}/{path}")
            if found is None or not self._add(path, found):
                self.block.flush()
                self.gradings.read(path)
            elif len(self.block.runs) >= _BLOCK:
                self.block.flush()
        self.block.flush()

    def _add(self, path: str, found: Standard) -> bool:
        """Take in one grading; False, with nothing done, when something about it is not usual."""
        gradings = self.gradings
        identity = gradings.named(path, found.case_id, found.version, found.run)
        case = gradings.definitions.cases.get(found.case_id)
        if identity is None or case is None:
            return False
        scores: Scores = {result.criterion: result.score for result in found.results}
        if len(scores) != len(found.results) or scores.keys() != case.expected.keys():
            return False
        result = outcome(case, scores)
        verdict = "pass" if result.passed else "fail"
        if (
            not agrees(found.overall_score, result.mean)
            or not agrees(found.required_score, result.required)
            or found.overall not in (verdict, None)
            or not gradings.claim(path, identity)
        ):
            return False
        self._emit(path, found, identity, result, case)
        self.block.add(gradings.key(identity), path, self._shape(tuple(scores)), found)
        return True

    def _emit(
        self, path: str, found: Standard, identity: Identity, result: Outcome, case: Case
    ) -> None:
        gradings = self.gradings
        gradings.document(path, len(found.results))
        gradings.add_run(path, found.execution_metrics, identity, result, len(case.expected))
        claims = [(each.claim, each.verified, each.evidence) for each in found.claims]
        beside = Plain(claims, found.user_notes_summary, found.eval_feedback)
        gradings.asides.read_plain(path, beside, identity, gradings.key(identity))

    def _shape(self, labels: tuple[str, ...]) -> _Shape:
        shape = self._shapes.get(labels)
        if shape is None:
            shape = self._shapes[labels] = self.block.shape(labels)
        return shape


class _Block:
    """The judgments of some hundred gradings, on their way into the table."""

    def __init__(self, table: TableBuilder) -> None:
        self.table = table
        self.runs: list[str] = []
        self._paths: list[str] = []
        self._shapes: list[_Shape] = []
        self._found: list[Standard] = []

    def shape(self, labels: tuple[str, ...]) -> _Shape:
        """Return the codes that the judgments of these criteria and the conventions have."""
        at = [f"/results/{index}" for index in range(len(labels))]
        kept = [f"/convention_compliance/{name}" for name in CONVENTIONS]
        rows = len(labels) + _KEPT
        return _Shape(
            rows,
            self._codes("kind", ["expectation"] * len(labels) + ["convention"] * _KEPT),
            self._codes("criterion", [*labels, *CONVENTIONS]),
            self._codes("pointer", [*at, *kept]),
            np.arange(rows) >= len(labels),
        )

    def _codes(self, name: str, words: list[str]) -> Array:
        column = self.table.columns[name]
        assert isinstance(column, CodeColumn)
        return np.array([column.codes[word] for word in words], np.int32)

    def add(self, run: str, path: str, shape: _Shape, found: Standard) -> None:
        """Take in one grading."""
        self.runs.append(run)
        self._paths.append(path)
        self._shapes.append(shape)
        self._found.append(found)

    def flush(self) -> None:
        """Move what was taken in to the table."""
        if not self.runs:
            return
        shapes = self._shapes
        counts = [shape.rows for shape in shapes]
        kept = np.concatenate([shape.kept for shape in shapes])
        scores = np.fromiter(chain.from_iterable(map(_scores, self._found)), np.float64, len(kept))
        top = np.where(kept, 1.0, float(MAX_SCORE))
        texts = [text or None for found in self._found for text in _texts(found)]
        missing = Same(None)
        self.table.extend(
            len(kept),
            {
                "run_id": np.repeat(self._codes("run_id", self.runs), counts),
                "kind": np.concatenate([shape.kinds for shape in shapes]),
                "criterion": np.concatenate([shape.criteria for shape in shapes]),
                "judge": missing,
                "judge_type": Same("llm"),
                "score": scores,
                "min_score": np.where(kept, 0.0, 1.0),
                "max_score": top,
                "fraction": scores / top,
                "passed": np.where(kept, scores, scores >= PASS_AT).astype(np.int8),
                "confidence": missing,
                "confidence_level": missing,
                "judged_at": missing,
                "status": Same("scored"),
                "source": np.repeat(self._codes("source", self._paths), counts),
                "pointer": np.concatenate([shape.pointers for shape in shapes]),
                "rationale": texts,
                "evidence": missing,
            },
        )
        for gathered in (self.runs, self._paths, self._shapes, self._found):
            gathered.clear()


def _scores(found: Standard) -> list[int]:
    kept = found.convention_compliance.values()
    return [*[result.score for result in found.results], *[each.passed for each in kept]]


def _texts(found: Standard) -> list[str]:
    kept = found.convention_compliance.values()
    return [*[result.reasoning for result in found.results], *[each.details for each in kept]]
