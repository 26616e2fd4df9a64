"""Read gradings by the thousand: the standard ones by column, all others one by one."""

from collections.abc import Iterable
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE, PASS_AT, Case
from evalcore.families.improve.gradings import Gradings, agrees
from evalcore.families.improve.identity import Identity
from evalcore.families.improve.results import Outcome
from evalcore.families.improve.standard import Standard, decode
from evalcore.tables.builder import Partial, Rows, Same, TableBuilder
from evalcore.tables.columns import Array, CodeColumn

FEW: Final = 64
"""So many gradings are read one by one; columns are worth their while above."""

_BLOCK: Final = 64
"""Small enough that what was decoded is still at hand when its columns are made."""

_RUNS: Final = 1024
"""The rows of runs are few and short: they may gather for longer."""

_KEPT: Final = len(CONVENTIONS)


def read_gradings(gradings: Gradings, paths: list[str]) -> None:
    """Read all gradings of a suite; the rows are those that `Gradings.read` gives, in order."""
    if len(paths) <= FEW:
        for path in paths:
            gradings.read(path)
    else:
        _Bulk(gradings).read(paths)


class _Shape(NamedTuple):
    """What gradings of one case with the same criteria have in common."""

    required: tuple[int, ...]  # positions of the criteria that decide
    decided: bool
    judgments: int
    kinds: Array
    criteria: Array
    pointers: Array
    kept: Array  # whether a judgment is that of a convention


class _Bulk:
    def __init__(self, gradings: Gradings) -> None:
        self.gradings = gradings
        self.root = gradings.reader.root
        self.judgments = _Judgments(gradings.rows.tables["judgments"])
        self.runs = _Runs(gradings.rows, gradings.plan.suite)
        self._shapes: dict[tuple[str, ...], _Shape | None] = {}

    def read(self, paths: Iterable[str]) -> None:
        for path in paths:
            found = decode(f"{self.root}/{path}")
            if found is None or not self._add(path, found):
                self._flush()
                self.gradings.read(path)
            elif len(self.judgments.runs) >= _BLOCK:
                self.judgments.flush()
        self._flush()

    def _flush(self) -> None:
        self.judgments.flush()
        self.runs.flush()

    def _add(self, path: str, found: Standard) -> bool:
        """Take in one grading; False, with nothing done, when something about it is not usual."""
        gradings = self.gradings
        identity = gradings.named(path, found.case_id, found.version, found.run)
        shape = self._shape(found) if identity is not None else None
        if identity is None or shape is None:
            return False
        result = _outcome(found, shape)
        if result is None or not _agree(found, result) or not gradings.claim(path, identity):
            return False
        key = gradings.key(identity)
        gradings.remember(path, identity, result)
        if found.execution_metrics:
            self.runs.flush()
            count = len(found.results)
            gradings.document(path, count)
            gradings.add_run(path, found.execution_metrics, identity, result, count)
        else:
            self.runs.add(path, key, identity, result, gradings.outputs(identity))
        self.runs.add_beside(path, key, identity, found)
        self.judgments.add(key, path, shape, found)
        return True

    def _shape(self, found: Standard) -> _Shape | None:
        labels = (found.case_id, *[result.criterion for result in found.results])
        if labels not in self._shapes:
            case = self.gradings.definitions.cases.get(found.case_id)
            usual = case is not None and sorted(case.expected) == sorted(labels[1:])
            self._shapes[labels] = (
                self.judgments.shape(case, labels[1:]) if usual and case is not None else None
            )
        return self._shapes[labels]


def _outcome(found: Standard, shape: _Shape) -> Outcome | None:
    """Return what whole scores come to, as `results.outcome` does; None if `passed` denies it."""
    scores = [result.score for result in found.results]
    passing = [score >= PASS_AT for score in scores]
    if passing != [result.passed for result in found.results]:
        return None
    needed = [scores[at] for at in shape.required]
    passed = True if shape.decided else None
    if needed and min(needed) < PASS_AT:
        passed = False
    required = sum(needed) / len(needed) if needed and shape.decided else None
    return Outcome(sum(scores) / len(scores), required, passed, len(scores), sum(passing))


def _agree(found: Standard, result: Outcome) -> bool:
    """Say whether the derived values of a grading are the recomputed ones."""
    verdict = "pass" if result.passed else "fail"
    return (
        found.overall in (verdict, None)
        and agrees(found.overall_score, result.mean)
        and agrees(found.required_score, result.required)
    )


class _Judgments:
    """The judgments of some gradings, on their way into the table."""

    def __init__(self, table: TableBuilder) -> None:
        self.table = table
        self.runs: list[str] = []
        self._paths: list[str] = []
        self._shapes: list[_Shape] = []
        self._scores: list[list[int]] = []
        self._texts: list[list[str]] = []

    def shape(self, case: Case, labels: tuple[str, ...]) -> _Shape:
        """Return what the judgments of these criteria and of the conventions have in common."""
        at = [f"/results/{index}" for index in range(len(labels))]
        kept = [f"/convention_compliance/{name}" for name in CONVENTIONS]
        rows = len(labels) + _KEPT
        return _Shape(
            tuple(labels.index(name) for name in case.required),
            case.decided,
            rows,
            self._codes("kind", ["expectation"] * len(labels) + ["convention"] * _KEPT),
            self._codes("criterion", [*labels, *CONVENTIONS]),
            self._codes("pointer", [*at, *kept]),
            np.arange(rows) >= len(labels),
        )

    def _codes(self, name: str, words: list[str]) -> Array:
        column = self.table.columns[name]
        assert isinstance(column, CodeColumn)
        return np.fromiter(map(column.codes.__getitem__, words), np.int32, len(words))

    def add(self, run: str, path: str, shape: _Shape, found: Standard) -> None:
        """Take in one grading."""
        kept = found.convention_compliance.values()
        self.runs.append(run)
        self._paths.append(path)
        self._shapes.append(shape)
        self._scores.append([result.score for result in found.results])
        self._scores.append([each.passed for each in kept])
        self._texts.append([result.reasoning for result in found.results])
        self._texts.append([each.details for each in kept])

    def flush(self) -> None:
        """Move what was taken in to the table."""
        if not self.runs:
            return
        shapes = self._shapes
        counts = [shape.judgments for shape in shapes]
        kept = np.concatenate([shape.kept for shape in shapes])
        scores = np.fromiter(chain.from_iterable(self._scores), np.int8, len(kept))
        top = np.where(kept, 1, MAX_SCORE).astype(np.int8)
        self.table.extend(
            len(kept),
            {
                "run_id": np.repeat(self._codes("run_id", self.runs), counts),
                "kind": np.concatenate([shape.kinds for shape in shapes]),
                "criterion": np.concatenate([shape.criteria for shape in shapes]),
                "judge_type": Same("llm"),
                "score": scores,
                "min_score": (~kept).astype(np.int8),
                "max_score": top,
                "fraction": scores / top,
                "passed": np.where(kept, scores, scores >= PASS_AT).astype(np.int8),
                "status": Same("scored"),
                "source": np.repeat(self._codes("source", self._paths), counts),
                "pointer": np.concatenate([shape.pointers for shape in shapes]),
                "rationale": [text or None for texts in self._texts for text in texts],
            },
        )
        for gathered in (self.runs, self._paths, shapes, self._scores, self._texts):
            gathered.clear()


class _Runs:
    """The rows of runs, and of what stands beside their scores, on their way into the tables."""

    def __init__(self, rows: Rows, suite: str) -> None:
        tables = rows.tables
        self._runs = Partial(
            tables["runs"],
            ("run_id", "case_id", "version", "run", "passed", "score", "fraction", "checks_passed",
             "checks_total", "required_score", "outputs", "source"),
            {"suite": suite, "configuration": "-", "origin": "grading", "status": "completed",
             "max_score": MAX_SCORE, "judge_type": "llm", "pointer": ""},
        )  # fmt: skip
        self._scores = Partial(
            tables["run_scores"],
            ("run_id", "score", "passed", "judged", "expected"),
            {"judge_type": "llm", "max_score": MAX_SCORE},
        )
        self._documents = Partial(
            tables["documents"],
            ("path", "records"),
            {"family": "improve", "kind": "grading", "suite": suite},
        )
        self._claims = Partial(
            tables["claims"], ("run_id", "claim", "verified", "evidence", "source", "pointer"), {}
        )
        self._notes = Partial(
            tables["notes"],
            ("run_id", "version", "text", "source"),
            {"suite": suite, "kind": "user_notes", "pointer": "/user_notes_summary"},
        )
        self._feedback = Partial(
            tables["feedback"],
            ("run_id", "case_id", "version", "text", "source"),
            {"suite": suite, "kind": "suggestion", "pointer": "/eval_feedback"},
        )

    def add(
        self, path: str, key: str, identity: Identity, result: Outcome, outputs: str | None
    ) -> None:
        """Take in a run that nothing was measured of."""
        score, required, passed, judged, met = result
        share = None if score is None else score / MAX_SCORE
        if len(self._documents) >= _RUNS:
            self.flush()
        self._documents.add((path, judged))
        self._runs.add((key, identity.case_id, identity.label, identity.run, passed, score, share,
                        met, judged, required, outputs, path))  # fmt: skip
        self._scores.add((key, score, passed, judged, judged))

    def add_beside(self, path: str, key: str, identity: Identity, found: Standard) -> None:
        """Take in claims, notes and feedback."""
        for index, claim in enumerate(found.claims):
            self._claims.add((key, claim.claim, claim.verified, claim.evidence or None, path,
                              f"/claims/{index}"))  # fmt: skip
        if found.user_notes_summary:
            self._notes.add((key, identity.label, found.user_notes_summary, path))
        if found.eval_feedback:
            self._feedback.add((key, identity.case_id, identity.label, found.eval_feedback, path))

    def flush(self) -> None:
        """Move what was taken in to the tables."""
        for part in (self._runs, self._scores, self._documents, self._claims, self._notes,
                     self._feedback):  # fmt: skip
            part.flush()
