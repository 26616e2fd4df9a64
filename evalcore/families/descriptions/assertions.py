"""Read the assertions of a grading: each passed or failed, with a confidence in words."""

from datetime import datetime
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.descriptions.definitions import Case, Definitions, numbered
from evalcore.tables.builder import Rows
from evalcore.tables.rows import JudgmentRow, NoteRow

CONFIDENCE: Final = ("high", "medium", "low")
_PASSED: Final = {"pass": True, "fail": False}
_SAID_OTHERWISE: Final = {"passed": True, "failed": False, "true": True, "false": False}
_POINTERS: Final = tuple(f"/assertions/{index}" for index in range(256))


class Outcome(NamedTuple):
    """What the assertions of one grading come to."""

    passed: int
    judged: int

    @property
    def fraction(self) -> float | None:
        """The fraction of passing assertions; None where none was judged."""
        return self.passed / self.judged if self.judged else None


class Subject(NamedTuple):
    """The grading that is being read."""

    path: str
    key: str
    case_id: str
    version: str
    judged_at: datetime | None


class Assertions:
    """Adds the judgments of every grading of one suite."""

    def __init__(self, suite: str, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self._unknown: dict[tuple[str, str], str] = {}
        self._add = rows.tables["judgments"].add

    def read(self, subject: Subject, items: list[Json], case: Case) -> Outcome:
        """Add the judgments of one grading and return what they come to."""
        results: dict[str, bool | None] = {}
        path, key, judged_at, add = subject.path, subject.key, subject.judged_at, self._add
        # Half the cost of JudgmentRow(...), for the rows that come in millions.
        make = tuple.__new__
        for index, item in enumerate(items):
            at = _POINTERS[index] if index < len(_POINTERS) else f"/assertions/{index}"
            if type(item) is dict:
                text, result = item.get("assertion"), item.get("result")
                sure, evidence = item.get("confidence"), item.get("evidence")
                if (
                    (result == "pass" or result == "fail") and type(text) is str  # noqa: PLR1714
                    and text and text not in results and type(evidence) is str
                    and type(sure) is str and sure in CONFIDENCE and not item.get("notes")
                ):  # fmt: skip
                    passed = result == "pass"
                    results[text] = passed
                    score = 1.0 if passed else 0.0
                    add(
                        make(
                            JudgmentRow,
                            (key, "assertion", text, None, "llm", score, 0, 1, score, passed,
                             None, sure, judged_at, "scored", path, at, None, evidence or None),
                        )
                    )  # fmt: skip
                    continue
            self._odd(Node(self.reader, path, item, at, self.suite), subject, results)
        if results.keys() != case.expected:
            self._complete(subject, case, results)
        met = sum(1 for passed in results.values() if passed)
        return Outcome(met, sum(1 for passed in results.values() if passed is not None))

    def finish(self) -> None:
        """Say once for all gradings which assertions the test cases do not know."""
        for (case_id, name), path in self._unknown.items():
            self.reader.problem(
                path,
                "/assertions",
                "warning",
                "unknown-criterion",
                f"The test case {case_id!r} has no assertion {name!r}.",
                "Add it to eval_metadata.json, or write it word for word.",
                self.suite,
            )

    def _odd(self, node: Node, subject: Subject, results: dict[str, bool | None]) -> None:
        """Add the judgment of an assertion with a note, or one not quite as it should be."""
        if not isinstance(node.value, dict):
            node.wrong_here("an object")
            return
        text = node.text("assertion")
        if not text:
            node.note(
                "error",
                "missing-label",
                "This result names no assertion.",
                'Write the text from eval_metadata.json under "assertion".',
            )
            return
        name = numbered(text, results)
        passed = results[name] = _result(node)
        note = node.text("notes") or None
        level, confidence = _confidence(node)
        score = None if passed is None else float(passed)
        self._add(
            JudgmentRow(subject.key, "assertion", name, None, "llm", score, 0, 1, score, passed,
                        confidence, level, subject.judged_at,
                        "unscored" if passed is None else "scored", node.path, node.at, note,
                        node.text("evidence") or None)
        )  # fmt: skip
        if note:
            self.rows.add(
                NoteRow(self.suite, subject.key, subject.version, "assertion", name, note,
                        node.path, node.at + "/notes")
            )  # fmt: skip

    def _complete(self, subject: Subject, case: Case, results: dict[str, bool | None]) -> None:
        """Take in assertions that only this grading names, and those it has no result for."""
        path, case_id = subject.path, subject.case_id
        for index, name in enumerate(results):
            if name in case.expected or name in case.extra:
                continue
            if case.expected:
                self._unknown.setdefault((case_id, name), path)
            self.definitions.extend(case_id, name, path, f"/assertions/{index}")
        missing = [name for name in case.order if name not in results]
        for name in missing:
            self._add(
                JudgmentRow(subject.key, "assertion", name, None, "llm", None, 0, 1, None, None,
                            None, None, subject.judged_at, "unscored", path, "/assertions", None,
                            None)
            )  # fmt: skip
        if missing:
            self.reader.problem(
                path,
                "/assertions",
                "warning",
                "incomplete",
                f"{len(missing)} of {len(case.order)} assertions of {case_id!r} have no result: "
                f"{missing[0]!r}{' and others' if len(missing) > 1 else ''}.",
                "Grade the run again, or add the results.",
                self.suite,
            )


def _result(node: Node) -> bool | None:
    value = node.get("result")
    if isinstance(value, str):
        word = value.strip().lower()
        known = _PASSED.get(word)
        if known is None and (known := _SAID_OTHERWISE.get(word)) is not None:
            node.note(
                "info",
                "odd-result",
                f"The result {value!r} was read as {'pass' if known else 'fail'}.",
                'Write "pass" or "fail".',
                "result",
            )
        if known is not None:
            return known
    node.note(
        "warning",
        "unknown-result",
        "The result is neither pass nor fail, so this counts as not judged.",
        'Write "pass" or "fail".',
        "result" if value is not None else None,
    )
    return None


def _confidence(node: Node) -> tuple[str | None, float | None]:
    """Return the confidence as a word, or as a number where one is written."""
    value = node.get("confidence")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return None, node.number("confidence")
    word = node.text("confidence")
    if word and word.strip().lower() in CONFIDENCE:
        return word.strip().lower(), None
    if word:
        node.note(
            "info",
            "unknown-confidence",
            f"The confidence {word!r} is none of {', '.join(CONFIDENCE)}; it is kept as written.",
            "Write one of the three words.",
            "confidence",
        )
    return word or None, None
