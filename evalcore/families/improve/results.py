"""Read what a grading scores: its criteria from 1 to 5, and the five conventions."""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.improve.definitions import (
    CONVENTIONS,
    MAX_SCORE,
    PASS_AT,
    Case,
    Definitions,
)
from evalcore.families.improve.documents import CONVENTION, RESULT
from evalcore.numbers import at_least, mean
from evalcore.problems import pointer
from evalcore.shapes.judged import Items, Subject, judgment, label_of, numbered, unscored
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows

_SCALE: Final = {"min_score": 1, "max_score": MAX_SCORE, "pass_at": PASS_AT}
RESULTS: Final = Items(
    "results", "expectation", RESULT, passes_at=PASS_AT, defined="the label from evals.json"
)
COMPLIANCE: Final = Items("convention_compliance", "convention", CONVENTION)

Scores = dict[str, int | float | None]
"""Criterion to score, None where the grading has no valid one."""


class Outcome(NamedTuple):
    """What the scores of one run add up to; None is what they do not tell."""

    mean: float | None
    required: float | None
    passed: bool | None
    judged: int
    met: int


class Results:
    """Adds the judgments of gradings that are not quite as documented."""

    def __init__(self, suite: str, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = suite
        self.reader = reader
        self.definitions = definitions
        self._unknown: dict[tuple[str, str], str] = {}
        self._unknown_conventions: dict[str, str] = {}
        self._add = rows.tables["judgments"].add

    def read(
        self, path: str, results: list[Json], case_id: str, case: Case, subject: Subject
    ) -> Outcome:
        """Add the judgments of one grading's criteria and return what they add up to."""
        scores: Scores = {}
        for index, item in enumerate(results):
            node = Node(self.reader, path, item, f"/results/{index}", self.suite)
            label = label_of(node, RESULTS)
            if label is not None:
                name = numbered(label, scores)
                if name != label:
                    _note_duplicate(node, label, name)
                note_restated(node, {"required": case.expected.get(name), **_SCALE})
                row = judgment(node, RESULTS, name, subject)
                scores[name] = row.score
                self._add(row)
        if scores.keys() != case.expected.keys():
            self._complete(path, case_id, case, scores, subject)
        needed = [scores.get(name) for name in case.required]
        return outcome(scores.values(), needed, case.decided)

    def read_conventions(self, path: str, value: Json, case_id: str, subject: Subject) -> None:
        """Add one judgment for each convention of one grading."""
        at = "/convention_compliance"
        if not isinstance(value, dict):
            Node(self.reader, path, value, at, self.suite).type_problem("an object")
            return
        for name, item in value.items():
            if name not in CONVENTIONS:
                self._unknown_conventions.setdefault(name, path)
                self.definitions.conventions(case_id, {name: None}, path)
            held = {"passed": item} if isinstance(item, bool) else item
            node = Node(self.reader, path, held, at + pointer(name), self.suite)
            if isinstance(held, dict):
                self._add(judgment(node, COMPLIANCE, name, subject))
                continue
            if item is not None:
                node.type_problem("an object")
            self._add(unscored(path, node.at, COMPLIANCE, name, subject))
        for name in CONVENTIONS:
            if name not in value:
                self._add(unscored(path, at, COMPLIANCE, name, subject))

    def finish(self) -> None:
        """Note once for all gradings which criteria and conventions are not known."""
        for (case_id, name), path in self._unknown.items():
            self.reader.problem(
                path,
                "/results",
                "warning",
                "unknown-criterion",
                f"The case {case_id!r} has no criterion {name!r}, so it counts as not required.",
                "Add it to the case in evals.json, or correct its name.",
                self.suite,
            )
        for name, path in self._unknown_conventions.items():
            self.reader.problem(
                path,
                "/convention_compliance" + pointer(name),
                "warning",
                "unknown-convention",
                f"{name!r} is not one of the five conventions; it is kept as an extra one.",
                f"The five are {', '.join(CONVENTIONS)}.",
                self.suite,
            )

    def _complete(
        self, path: str, case_id: str, case: Case, scores: Scores, subject: Subject
    ) -> None:
        """Take in criteria that only this grading names, and those it has no result for."""
        for index, name in enumerate(scores):
            if name in case.expected or name in case.extra:
                continue
            if case.expected:
                self._unknown.setdefault((case_id, name), path)
            self.definitions.extend(case_id, name, path, f"/results/{index}")
        for name, required in case.expected.items():
            if name not in scores:
                self._note_missing(path, name, required)
                self._add(unscored(path, "/results", RESULTS, name, subject))

    def _note_missing(self, path: str, name: str, required: bool | None) -> None:
        what = f"The required criterion {name!r}" if required else f"The criterion {name!r}"
        self.reader.problem(
            path,
            "/results",
            "warning" if required else "info",
            "incomplete",
            f"{what} has no result" + (", so the run did not pass." if required else "."),
            "Grade the run again, or add the missing result.",
            self.suite,
        )


def _note_duplicate(node: Node, label: str, name: str) -> None:
    node.note(
        "warning",
        "duplicate-criterion",
        f"{label!r} is scored twice; this one is shown as {name!r}.",
        "Give each criterion its own label.",
        "criterion",
    )


def outcome(
    scores: Iterable[float | None], needed: Sequence[float | None], decided: bool
) -> Outcome:
    """Return what scores add up to; a required criterion without a score is not passed.

    `needed` are the scores of the required criteria; `decided` says that it is known which are.
    """
    present = [score for score in scores if score is not None]
    met = len([score for score in present if passes(score)])
    passed = True if decided else None
    if any(score is None or not passes(score) for score in needed):
        passed = False
    required = mean(needed) if decided else None
    overall = math.fsum(present) / len(present) if present else None
    return Outcome(overall, required, passed, len(present), met)


def passes(score: float) -> bool:
    """Say whether a score of 1 to 5 passes."""
    # Only a score just below the pass mark needs a second look at its decimals.
    return score >= PASS_AT or (type(score) is float and at_least(score, PASS_AT))
