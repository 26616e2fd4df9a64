"""Read the results of a grading: one score of 1 to 5 for each criterion."""

import math
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.improve.definitions import MAX_SCORE, PASS_AT, Case, Definitions, numbered
from evalcore.numbers import at_least, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import JudgmentRow

Scores = dict[str, int | float | None]
"""Criterion to score, None where the grading has no valid one."""

_POINTERS: Final = tuple(f"/results/{index}" for index in range(256))


class Outcome(NamedTuple):
    """What the scores of one run come to; None is what they do not tell."""

    mean: float | None
    required: float | None
    passed: bool | None
    judged: int
    met: int


class Results:
    """Adds the judgments of every grading of one suite."""

    def __init__(self, suite: str, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = suite
        self.reader = reader
        self.definitions = definitions
        self._unknown: dict[tuple[str, str], str] = {}
        self._add = rows.tables["judgments"].add

    def read(self, path: str, results: list[Json], case_id: str, case: Case, key: str) -> Outcome:
        """Add the judgments of one grading and return what they come to."""
        scores = self._scores(path, results, key)
        if scores.keys() != case.expected.keys():
            self._complete(path, case_id, case, scores, key)
        return outcome(case, scores)

    def finish(self) -> None:
        """Say once for all gradings which criteria the test cases do not know."""
        for (case_id, name), path in self._unknown.items():
            self.reader.problem(
                path, "/results", "warning", "unknown-criterion",
                f"The case {case_id!r} has no criterion {name!r}, so it counts as not required.",
                "Add it to the case in evals.json, or mend its name.", self.suite,
            )  # fmt: skip

    def _scores(self, path: str, results: list[Json], key: str) -> Scores:
        """Add a judgment for each result and return the scores."""
        scores: Scores = {}
        add = self._add
        # Half the cost of JudgmentRow(...), for the rows that come in millions.
        make = tuple.__new__
        for index, item in enumerate(results):
            pointer = _POINTERS[index] if index < len(_POINTERS) else f"/results/{index}"
            if type(item) is dict:
                label, score, text = item.get("criterion"), item.get("score"), item.get("reasoning")
                if (
                    type(score) is int and 1 <= score <= MAX_SCORE and type(label) is str
                    and type(text) is str and label not in scores and label
                    and item.get("passed") is (score >= PASS_AT)
                ):  # fmt: skip
                    scores[label] = score
                    add(
                        make(
                            JudgmentRow,
                            (key, "expectation", label, None, "llm", score, 1, MAX_SCORE, score
                             / MAX_SCORE, score >= PASS_AT, None, None, None, "scored", path,
                             pointer, text or None, None),
                        )
                    )  # fmt: skip
                    continue
            self._odd_result(Node(self.reader, path, item, pointer, self.suite), scores, key)
        return scores

    def _odd_result(self, node: Node, scores: Scores, key: str) -> None:
        """Add the judgment of a result that is not quite as it should be, saying why."""
        if not isinstance(node.value, dict):
            node.wrong_here("an object")
            return
        label = node.text("criterion")
        if not label:
            node.note(
                "error",
                "missing-label",
                "This result names no criterion.",
                'Write the label from evals.json under "criterion".',
            )
            return
        name = numbered(label, scores)
        if name != label:
            node.note(
                "warning",
                "duplicate-criterion",
                f"{label!r} is scored twice; this one is shown as {name!r}.",
                "Give each criterion its own label.",
                "criterion",
            )
        score = _score(node)
        passed = None if score is None else at_least(score, PASS_AT)
        scores[name] = score
        stated = node.flag("passed")
        if passed is not None and stated is not None and stated is not passed:
            node.note(
                "warning",
                "derived-mismatch",
                f"passed is {str(stated).lower()}, but the "
                f"score {score} gives {str(passed).lower()}: {PASS_AT} or more passes.",
                "Derive passed from the score.",
                "passed",
            )
        self._add(
            JudgmentRow(key, "expectation", name, None, "llm", score, 1, MAX_SCORE,
                        None if score is None else score / MAX_SCORE, passed, None, None, None,
                        "unscored" if score is None else "scored", node.path, node.at,
                        node.text("reasoning") or None, None)
        )  # fmt: skip

    def _complete(self, path: str, case_id: str, case: Case, scores: Scores, key: str) -> None:
        """Take in criteria that only this grading names, and those it has no result for."""
        for index, name in enumerate(scores):
            if name in case.expected or name in case.extra:
                continue
            if case.expected:
                self._unknown.setdefault((case_id, name), path)
            self.definitions.extend(case_id, name, path, f"/results/{index}")
        for name, required in case.expected.items():
            if name in scores:
                continue
            what = f"The required criterion {name!r}" if required else f"The criterion {name!r}"
            self.reader.problem(
                path, "/results", "warning" if required else "info", "incomplete",
                f"{what} has no result" + (", so the run did not pass." if required else "."),
                "Grade the run again, or add the result.", self.suite,
            )  # fmt: skip
            self._add(
                JudgmentRow(key, "expectation", name, None, "llm", None, 1, MAX_SCORE, None, None,
                            None, None, None, "unscored", path, "/results", None, None)
            )  # fmt: skip


def outcome(case: Case, scores: Scores) -> Outcome:
    """Return what scores come to; a required criterion without a score is not passed."""
    present = [score for score in scores.values() if score is not None]
    met = [score for score in present if _passes(score)]
    overall = math.fsum(present) / len(present) if present else None
    needed = [scores.get(name) for name in case.required]
    passed: bool | None = None
    if not all(score is not None and _passes(score) for score in needed):
        passed = False
    elif case.decided:
        passed = True
    required = mean(needed) if case.decided else None
    return Outcome(overall, required, passed, len(present), len(met))


def _passes(score: float) -> bool:
    # A whole number needs no second look at its decimals.
    return score >= PASS_AT if type(score) is int else at_least(score, PASS_AT)


def _score(node: Node) -> float | None:
    """Return a score of 1 to 5, or None after noting why there is none."""
    score = node.number("score")
    if score is None:
        if not node.has("score"):
            node.note(
                "warning",
                "missing-score",
                "There is no score, so this counts as not judged, whatever passed says.",
                "Write a score of 1 to 5.",
            )
        return None
    if not 1 <= score <= MAX_SCORE:
        node.note(
            "warning",
            "score-out-of-range",
            f"The score {score} is not between 1 and {MAX_SCORE}, so this counts as not judged.",
            "Write a score of 1 to 5.",
            "score",
        )
        return None
    if score != int(score):
        node.note(
            "warning",
            "score-not-whole",
            f"The score {score} is not a whole number; it is used as it is.",
            "Write 1, 2, 3, 4 or 5.",
            "score",
        )
    return score
