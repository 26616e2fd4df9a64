"""Read what stands beside the assertions: factual issues, and the critique of the test cases."""

from typing import Final

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.descriptions.assertions import Subject
from evalcore.tables.builder import Rows
from evalcore.tables.rows import FeedbackRow, NoteRow

_CRITIQUE: Final = {
    "vague_assertions": "vague",
    "missing_coverage": "missing",
    "suggested_assertions": "suggested",
}


class Remarks:
    """Adds the remarks of every grading of one suite."""

    def __init__(self, suite: str, reader: Reader, rows: Rows) -> None:
        self.suite = suite
        self.reader = reader
        self.rows = rows

    def read(self, node: Node, subject: Subject) -> None:
        """Add the remarks of one grading."""
        if node.get("factual_issues"):
            for text, at in node.texts("factual_issues"):
                self.rows.add(
                    NoteRow(self.suite, subject.key, subject.version, "factual_issue", None, text,
                            subject.path, at)
                )  # fmt: skip
        critique = node.get("eval_critique")
        if isinstance(critique, dict):
            if any(critique.values()):
                self._critique(node.child("eval_critique"), subject)
        elif isinstance(critique, str):
            self._say(subject, "suggestion", critique, "/eval_critique")
        elif critique is not None:
            node.wrong("eval_critique", "an object")

    def _critique(self, critique: Node, subject: Subject) -> None:
        for key, field in critique.fields():
            kind = _CRITIQUE.get(key)
            if kind is None:
                continue
            for text, at in critique.texts(key) if field.value else ():
                self._say(subject, kind, text, at)

    def _say(self, subject: Subject, kind: str, text: str, at: str) -> None:
        # A vague assertion is quoted as it stands, so the text is also what it speaks of.
        target = text if kind == "vague" else None
        if text:
            self.rows.add(
                FeedbackRow(self.suite, subject.key, subject.case_id, subject.version, kind,
                            target, text, None, None, None, None, subject.path, at)
            )  # fmt: skip
