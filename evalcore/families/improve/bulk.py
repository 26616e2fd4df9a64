"""Read gradings by the thousand: the standard ones by column, all others one by one."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from evalcore.disk.values import Node
from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE, PASS_AT, Case
from evalcore.families.improve.gradings import Gradings
from evalcore.families.improve.identity import Identity
from evalcore.families.improve.metrics import NOTHING, Measured, measured
from evalcore.families.improve.standard import Standard, decode
from evalcore.families.improve.together import Outcomes, agree, outcomes
from evalcore.tables.builder import Same
from evalcore.tables.columns import Array, CodeColumn

FEW: Final = 64
"""So many gradings are read one by one; columns are worth their while above."""

_BLOCK: Final = 64
"""Small enough that what was decoded is still at hand when its columns are made."""

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

    needed: Array  # whether a criterion decides
    decided: bool
    judgments: int
    kinds: Array
    criteria: Array
    pointers: Array
    kept: Array  # whether a judgment is that of a convention


class _Block(NamedTuple):
    """Some gradings that are all as they should be."""

    paths: Sequence[str]
    found: Sequence[Standard]
    identities: Sequence[Identity]
    shapes: Sequence[_Shape]
    scores: Array  # of all criteria, one grading after the other
    came_to: Outcomes
    keys: list[str]


class _Bulk:
    def __init__(self, gradings: Gradings) -> None:
        self.gradings = gradings
        self.files = gradings.reader.files
        self.tables = gradings.rows.tables
        self.suite = gradings.plan.suite
        self._shapes: dict[tuple[str, ...], _Shape | None] = {}

    def read(self, paths: Iterable[str]) -> None:
        names: list[str] = []
        found: list[Standard] = []
        for path in paths:
            standard = decode(self.files, path)
            if standard is not None:
                names.append(path)
                found.append(standard)
            if found and (standard is None or len(found) >= _BLOCK):
                self._take(names, found)
                names.clear()
                found.clear()
            if standard is None:
                self.gradings.read(path)
        self._take(names, found)

    def _take(self, paths: Sequence[str], found: Sequence[Standard]) -> None:
        """Take in gradings in order: together as far as they are usual, else one by one."""
        if not found:
            return
        block = self._block(paths, found)
        if block is not None:
            self._add(block)
        elif len(found) == 1:
            self.gradings.read(paths[0])
        else:
            middle = len(found) // 2
            self._take(paths[:middle], found[:middle])
            self._take(paths[middle:], found[middle:])

    def _block(self, paths: Sequence[str], found: Sequence[Standard]) -> _Block | None:
        """Return gradings as a block; None, with nothing done, when one of them is not usual."""
        named, key, seen = self.gradings.named, self.gradings.key, self.gradings.seen
        identities = [
            named(path, each.case_id, each.version, each.run)
            for path, each in zip(paths, found, strict=True)
        ]
        shapes = [self._shape(each) for each in found]
        fine = [identity for identity in identities if identity is not None]
        usual = [shape for shape in shapes if shape is not None]
        if len(fine) < len(found) or len(usual) < len(found):
            return None
        scores = np.array([r.score for each in found for r in each.results], np.int8)
        passed = np.array([r.passed for each in found for r in each.results], bool)
        counts = [len(each.results) for each in found]
        came_to = outcomes(
            scores, counts, np.concatenate([shape.needed for shape in usual]),
            np.array([shape.decided for shape in usual]),
        )  # fmt: skip
        if not ((scores >= PASS_AT) == passed).all() or not agree(found, came_to):
            return None
        keys = [key(identity) for identity in fine]
        if len(set(keys)) < len(keys) or not seen.keys().isdisjoint(keys):
            return None
        return _Block(paths, found, fine, usual, scores, came_to, keys)

    def _shape(self, found: Standard) -> _Shape | None:
        labels = (found.case_id, *[result.criterion for result in found.results])
        shape = self._shapes.get(labels)
        if shape is None and labels not in self._shapes:
            case = self.gradings.definitions.cases.get(found.case_id)
            usual = case is not None and sorted(case.expected) == sorted(labels[1:])
            shape = self._new_shape(case, labels[1:]) if usual and case is not None else None
            self._shapes[labels] = shape
        return shape

    def _new_shape(self, case: Case, labels: tuple[str, ...]) -> _Shape:
        """Return what the judgments of these criteria and of the conventions have in common."""
        at = [f"/results/{index}" for index in range(len(labels))]
        kept = [f"/convention_compliance/{name}" for name in CONVENTIONS]
        rows = len(labels) + _KEPT
        return _Shape(
            np.array([label in case.required for label in labels]),
            case.decided,
            rows,
            self._codes("kind", ["expectation"] * len(labels) + ["convention"] * _KEPT),
            self._codes("criterion", [*labels, *CONVENTIONS]),
            self._codes("pointer", [*at, *kept]),
            np.arange(rows) >= len(labels),
        )

    def _codes(self, name: str, words: Sequence[str]) -> Array:
        column = self.tables["judgments"].columns[name]
        assert isinstance(column, CodeColumn)
        return np.fromiter(map(column.codes.__getitem__, words), np.int32, len(words))

    def _add(self, block: _Block) -> None:
        gradings, came_to = self.gradings, block.came_to
        gradings.seen.update(zip(block.keys, block.paths, strict=True))
        means = came_to.mean.tolist()
        for path, identity, score in zip(block.paths, block.identities, means, strict=True):
            gradings.remember(path, identity, score)
        self._add_judgments(block)
        self._add_runs(block)
        self._add_claims(block)
        self._add_remarks(block)

    def _add_judgments(self, block: _Block) -> None:
        shapes, found = block.shapes, block.found
        counts = [shape.judgments for shape in shapes]
        kept = np.concatenate([shape.kept for shape in shapes])
        compliance = [list(each.convention_compliance.values()) for each in found]
        scores = np.empty(len(kept), np.int8)
        scores[~kept] = block.scores
        scores[kept] = [each.passed for several in compliance for each in several]
        top = np.where(kept, 1, MAX_SCORE).astype(np.int8)
        texts: list[str] = []
        for each, several in zip(found, compliance, strict=True):
            texts += [result.reasoning for result in each.results]
            texts += [convention.details for convention in several]
        self.tables["judgments"].extend(
            len(kept),
            {
                "run_id": np.repeat(self._codes("run_id", block.keys), counts),
                "kind": np.concatenate([shape.kinds for shape in shapes]),
                "criterion": np.concatenate([shape.criteria for shape in shapes]),
                "judge_type": Same("llm"),
                "score": scores,
                "min_score": (~kept).astype(np.int8),
                "max_score": top,
                "fraction": scores / top,
                "passed": np.where(kept, scores, scores >= PASS_AT).astype(np.int8),
                "status": Same("scored"),
                "source": np.repeat(self._codes("source", block.paths), counts),
                "pointer": np.concatenate([shape.pointers for shape in shapes]),
                "rationale": [text or None for text in texts],
            },
        )

    def _add_runs(self, block: _Block) -> None:
        came_to, identities, rows = block.came_to, block.identities, len(block.paths)
        outputs = [self.gradings.outputs(identity) for identity in identities]
        self.tables["documents"].extend(
            rows,
            {"path": list(block.paths), "family": Same("improve"), "kind": Same("grading"),
             "suite": Same(self.suite), "records": came_to.judged},
        )  # fmt: skip
        self.tables["runs"].extend(
            rows,
            {
                "run_id": block.keys,
                "suite": Same(self.suite),
                "case_id": [identity.case_id for identity in identities],
                "version": [identity.label for identity in identities],
                "configuration": Same("-"),
                "run": [identity.run for identity in identities],
                "origin": Same("grading"),
                "status": Same("completed"),
                "passed": came_to.passed,
                "score": came_to.mean,
                "max_score": Same(MAX_SCORE),
                "fraction": came_to.mean / MAX_SCORE,
                "checks_passed": came_to.met,
                "checks_total": came_to.judged,
                "required_score": came_to.required,
                "judge_type": Same("llm"),
                "outputs": outputs,
                "source": list(block.paths),
                "pointer": Same(""),
                **self._measured(block),
            },
        )
        self.tables["run_scores"].extend(
            rows,
            {"run_id": block.keys, "judge_type": Same("llm"), "score": came_to.mean,
             "max_score": Same(MAX_SCORE), "passed": came_to.passed, "judged": came_to.judged,
             "expected": came_to.judged},
        )  # fmt: skip

    def _measured(self, block: _Block) -> dict[str, list[Any]]:
        """Return the columns of what the executor measured, where it measured anything."""
        if not any(each.execution_metrics for each in block.found):
            return {}
        used = [
            self._one_measured(path, each.execution_metrics) if each.execution_metrics else NOTHING
            for path, each in zip(block.paths, block.found, strict=True)
        ]
        return {name: [getattr(each, name) for each in used] for name in Measured._fields}

    def _one_measured(self, path: str, metrics: dict[str, Any]) -> Measured:
        node = Node(self.gradings.reader, path, metrics, "/execution_metrics", self.suite)
        return measured(node)

    def _add_claims(self, block: _Block) -> None:
        claims = [
            (key, path, at, claim)
            for key, path, each in zip(block.keys, block.paths, block.found, strict=True)
            for at, claim in enumerate(each.claims)
        ]
        if claims:
            self.tables["claims"].extend(
                len(claims),
                {
                    "run_id": [key for key, _, _, _ in claims],
                    "claim": [claim.claim for _, _, _, claim in claims],
                    "verified": [claim.verified for _, _, _, claim in claims],
                    "evidence": [claim.evidence or None for _, _, _, claim in claims],
                    "source": [path for _, path, _, _ in claims],
                    "pointer": [f"/claims/{at}" for _, _, at, _ in claims],
                },
            )

    def _add_remarks(self, block: _Block) -> None:
        """Take in the notes of users and the feedback on the evaluation."""
        for name, field, kind in (
            ("notes", "user_notes_summary", "user_notes"),
            ("feedback", "eval_feedback", "suggestion"),
        ):
            said = [(at, text) for at, each in enumerate(block.found)
                    if (text := getattr(each, field))]  # fmt: skip
            if not said:
                continue
            self.tables[name].extend(
                len(said),
                {
                    "suite": Same(self.suite),
                    "run_id": [block.keys[at] for at, _ in said],
                    "version": [block.identities[at].label for at, _ in said],
                    "case_id": [block.identities[at].case_id for at, _ in said],
                    "kind": Same(kind),
                    "text": [text for _, text in said],
                    "source": [block.paths[at] for at, _ in said],
                    "pointer": Same(f"/{field}"),
                },
            )
