"""Read what stands beside the scores of a grading: claims, notes and feedback on the test cases."""

import json
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.improve.identity import Identity
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ClaimRow, FeedbackRow, NoteRow

_POINTERS: Final = tuple(f"/claims/{index}" for index in range(64))
_NOTE_KINDS: Final = {
    "uncertainties": "uncertainty",
    "needs_review": "needs_review",
    "workarounds": "workaround",
}


class Asides:
    """Adds claims, notes and feedback of every grading of one suite."""

    def __init__(self, suite: str, reader: Reader, rows: Rows) -> None:
        self.suite = suite
        self.reader = reader
        self.rows = rows

    def read(self, path: str, value: dict[str, Json], identity: Identity, key: str) -> None:
        """Add what stands beside the scores of one grading."""
        if claims := value.get("claims"):
            self._claims(path, claims, key)
        if notes := value.get("user_notes_summary"):
            node = Node(self.reader, path, notes, "/user_notes_summary", self.suite)
            self._notes(node, identity.label, key)
        if feedback := value.get("eval_feedback"):
            node = Node(self.reader, path, feedback, "/eval_feedback", self.suite)
            self._feedback(node, identity, key)

    def _claims(self, path: str, claims: Json, key: str) -> None:
        if type(claims) is not list:
            Node(self.reader, path, claims, "/claims", self.suite).wrong_here("a list")
            return
        for index, item in enumerate(claims):
            at = _POINTERS[index] if index < len(_POINTERS) else f"/claims/{index}"
            if type(item) is dict:
                claim, verified = item.get("claim"), item.get("verified")
                evidence = item.get("evidence")
                if type(claim) is str and type(verified) is bool and type(evidence) is str:
                    self.rows.add(ClaimRow(key, claim, None, verified, evidence or None, path, at))
                    continue
            self._odd_claim(Node(self.reader, path, item, at, self.suite), key)

    def _odd_claim(self, node: Node, key: str) -> None:
        if isinstance(node.value, str):
            self.rows.add(ClaimRow(key, node.value, None, None, None, node.path, node.at))
        elif isinstance(node.value, dict):
            self.rows.add(
                ClaimRow(key, node.text("claim"), node.text("type"), node.flag("verified"),
                         node.text("evidence") or None, node.path, node.at)
            )  # fmt: skip
        else:
            node.wrong_here("an object")

    def _notes(self, node: Node, label: str, key: str) -> None:
        if isinstance(node.value, str):
            self._note(node, label, key, "user_notes", None, node.value)
        elif isinstance(node.value, list):
            for item in node.all_items():
                self._note(item, label, key, "user_notes", None, _written(item.value))
        elif isinstance(node.value, dict):
            for name, field in node.fields():
                kind = _NOTE_KINDS.get(name, "user_notes")
                target = None if name in _NOTE_KINDS else name
                many = isinstance(field.value, list)
                for item in field.all_items() if many else (field,):
                    self._note(item, label, key, kind, target, _written(item.value))
        else:
            node.wrong_here("a text or an object")

    def _note(
        self, node: Node, label: str, key: str, kind: str, target: str | None, text: str | None
    ) -> None:
        if text:
            self.rows.add(NoteRow(self.suite, key, label, kind, target, text, node.path, node.at))

    def _feedback(self, node: Node, identity: Identity, key: str) -> None:
        if isinstance(node.value, str):
            self._say(node, identity, key, "suggestion", None, node.value)
        elif isinstance(node.value, list):
            self._suggestions(node, identity, key)
        elif isinstance(node.value, dict):
            for name, field in node.fields():
                if name == "suggestions" and isinstance(field.value, list):
                    self._suggestions(field, identity, key)
                else:
                    kind = "overall" if name == "overall" else "suggestion"
                    target = None if name in ("overall", "suggestions") else name
                    self._say(field, identity, key, kind, target, _written(field.value))
        else:
            node.wrong_here("a text or an object")

    def _suggestions(self, node: Node, identity: Identity, key: str) -> None:
        for item in node.all_items():
            if not isinstance(item.value, dict):
                self._say(item, identity, key, "suggestion", None, _written(item.value))
                continue
            target = item.text("assertion") or item.text("criterion")
            text = item.text("reason") or item.text("text") or _written(item.value)
            self._say(item, identity, key, "suggestion", target, text)

    def _say(
        self, node: Node, identity: Identity, key: str, kind: str, target: str | None,
        text: str | None,
    ) -> None:  # fmt: skip
        if text:
            self.rows.add(
                FeedbackRow(self.suite, key, identity.case_id, identity.label, kind, target, text,
                            None, None, None, None, node.path, node.at)
            )  # fmt: skip


def _written(value: Json) -> str | None:
    """Return a value as text: a text as it is, anything else as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
