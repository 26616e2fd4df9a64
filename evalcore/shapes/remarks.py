"""Read what a grading holds beside its scores: claims, notes, and feedback on the test cases."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered

CLAIMS: Final = "claims"
NOTE_KINDS: Final = {
    "uncertainties": "uncertainty",
    "needs_review": "needs_review",
    "workarounds": "workaround",
}
FEEDBACK_KINDS: Final = {"suggestions": "suggestion", "overall": "overall"}


class Remarks(NamedTuple):
    """Which fields of a document hold remarks.

    `notes` maps fields to the kind of their notes. `feedback` names the fields of feedback;
    `feedback_kinds` maps the fields inside to kinds. `claims` is None where there are none.
    """

    notes: Mapping[str, str]
    feedback: tuple[str, ...]
    feedback_kinds: Mapping[str, str] = FEEDBACK_KINDS
    claims: str | None = CLAIMS

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields with remarks."""
        return (*((self.claims,) if self.claims else ()), *self.notes, *self.feedback)


class About(NamedTuple):
    """The run that remarks are about."""

    run_id: str
    case_id: str
    version: str


class _Remark(NamedTuple):
    """One remark: its text, the criterion it names, and its pointer."""

    text: str
    target: str | None
    at: str


class RemarkColumns:
    """Takes the remarks of the gradings of one suite; they reach the tables at `flush`."""

    def __init__(self, suite: str, rows: Rows, remarks: Remarks) -> None:
        self._remarks = remarks
        self._claims = Gathered(
            rows.tables["claims"],
            ("run_id", "claim", "type", "verified", "evidence", "source", "pointer"),
        )
        self._notes = Gathered(
            rows.tables["notes"],
            ("run_id", "version", "kind", "target", "text", "source", "pointer"),
            suite=suite,
        )
        self._feedback = Gathered(
            rows.tables["feedback"],
            ("run_id", "case_id", "version", "kind", "target", "text", "source", "pointer"),
            suite=suite,
        )

    def add(self, doc: Node, about: About) -> None:
        """Take all remarks of a document, which is an object."""
        value, claims = doc.value, self._remarks.claims
        if claims and value.get(claims):
            self._add_claims(doc, about)
        for field, kind in self._remarks.notes.items():
            if value.get(field):
                self._add_notes(doc, about, field, kind)
        for field in self._remarks.feedback:
            if value.get(field):
                self._add_feedback(doc, about, field)

    def note(
        self, path: str, at: str, about: About, kind: str, text: str, target: str | None = None
    ) -> None:
        """Take one note of a document."""
        self._notes.add((about.run_id, about.version, kind, target, text, path, at))

    def flush(self) -> None:
        """Add the rows of all remarks taken so far."""
        for table in (self._claims, self._notes, self._feedback):
            table.flush()

    def _add_claims(self, doc: Node, about: About) -> None:
        claims, add, run_id, path = doc.value[CLAIMS], self._claims.add, about.run_id, doc.path
        if not isinstance(claims, list):
            doc.wrong(CLAIMS, "a list")
            return
        base = f"{doc.at}/{CLAIMS}/"
        for index, claim in enumerate(claims):
            at = base + str(index)
            if type(claim) is dict:
                get = claim.get
                text, kind, holds, evidence = (
                    get("claim"),
                    get("type"),
                    get("verified"),
                    get("evidence"),
                )
                usual = type(text) is type(evidence) is str and type(holds) is bool
                if not usual or type(kind) not in _TEXT:
                    text, kind, holds, evidence = _odd_claim(doc, claim, at)
                add((run_id, text, kind, holds, evidence or None, path, at))
            elif isinstance(claim, str):
                add((run_id, claim, None, None, None, path, at))
            else:
                Node(doc.reader, path, claim, at, doc.suite).type_problem("an object")

    def _add_notes(self, doc: Node, about: About, field: str, kind: str) -> None:
        """Take the notes of one field: a text, a list, or either under the names of kinds."""
        at, value = doc.at + _pointer(field), doc.value[field]
        if isinstance(value, str):
            self._notes.add((about.run_id, about.version, kind, None, value, doc.path, at))
            return
        if not isinstance(value, dict):
            self._note(doc, about, kind, None, _remarks(value, at))
            return
        for name, inner in value.items():
            known = NOTE_KINDS.get(name)
            remarks = _remarks(inner, at + _pointer(name))
            self._note(doc, about, known or kind, None if known else name, remarks)

    def _note(
        self, doc: Node, about: About, kind: str, target: str | None, remarks: Iterator[_Remark]
    ) -> None:
        add, path, (run_id, _, version) = self._notes.add, doc.path, about
        for text, _, at in remarks:
            add((run_id, version, kind, target, text, path, at))

    def _add_feedback(self, doc: Node, about: About, field: str) -> None:
        """Take the feedback of one field: a text, a list, or either under the names of kinds.

        What is said of the whole comes first.
        """
        at, value, kinds = doc.at + _pointer(field), doc.value[field], self._remarks.feedback_kinds
        if not isinstance(value, dict):
            kind = "suggestion" if isinstance(value, list) else "overall"
            self._say(doc, about, kind, None, _remarks(value, at))
            return
        names = sorted(value, key=_is_overall, reverse=True) if "overall" in value else value
        for name in names:
            kind = kinds.get(name, "suggestion")
            target = None if name in kinds else name
            if value[name]:
                remarks = _remarks(value[name], at + _pointer(name))
                self._say(doc, about, kind, target, remarks)

    def _say(
        self, doc: Node, about: About, kind: str, name: str | None, remarks: Iterator[_Remark]
    ) -> None:
        for text, target, at in remarks:
            # A vague assertion is quoted as it stands, so the text is also what it speaks of.
            speaks_of = text if kind == "vague" else target or name
            self._feedback.add((*about, kind, speaks_of, text, doc.path, at))


def _is_overall(name: str) -> bool:
    return name == "overall"


# A few names stand in every document.
_pointer = lru_cache(maxsize=256)(pointer)

_Claim = tuple[str | None, str | None, bool | None, str | None]


def _odd_claim(doc: Node, claim: dict[str, Any], at: str) -> _Claim:
    """Return claim, type, verified and evidence; values of another type are noted."""
    node = Node(doc.reader, doc.path, claim, at, doc.suite)
    return node.text("claim"), node.text("type"), node.flag("verified"), node.text("evidence")


_TEXT: Final = (str, type(None))


def _remarks(value: Any, at: str) -> Iterator[_Remark]:
    """Yield the remarks in a text, an object or a list of either; other values as JSON."""
    if not isinstance(value, list):
        if value:
            yield _remark(value, at)
        return
    for index, item in enumerate(value):
        if item:
            yield _remark(item, f"{at}/{index}")


def _remark(value: Any, at: str) -> _Remark:
    if isinstance(value, str):
        return _Remark(value, None, at)
    if not isinstance(value, dict):
        return _Remark(json.dumps(value, ensure_ascii=False), None, at)
    text = _first_text(value, "reason", "text") or json.dumps(value, ensure_ascii=False)
    return _Remark(text, _first_text(value, "assertion", "criterion"), at)


def _first_text(value: dict[str, Any], *names: str) -> str | None:
    """Return the first of some fields that holds a text which is not empty."""
    for name in names:
        text = value.get(name)
        if text and isinstance(text, str):
            return text
    return None
