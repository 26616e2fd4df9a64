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
        value, path, field = doc.value, doc.path, self._remarks.claims
        held = value.get(field) if field else None
        if held and not isinstance(held, list):
            doc.wrong(field or "", "a list")
        base = f"{doc.at}/{field}/"
        for index, claim in enumerate(held if isinstance(held, list) else ()):
            at = f"{base}{index}"
            if isinstance(claim, str):
                self._claims.add((about.run_id, claim, None, None, None, path, at))
                continue
            if not isinstance(claim, dict):
                Node(doc.reader, path, claim, at, doc.suite).type_problem("an object")
                continue
            text, kind = claim.get("claim"), claim.get("type")
            holds, evidence = claim.get("verified"), claim.get("evidence")
            # Asked one by one, which notes values of another type, reading takes 6 % longer.
            if (type(text), type(kind), type(holds), type(evidence)) not in _USUAL:
                node = Node(doc.reader, path, claim, at, doc.suite)
                text, kind = node.text("claim"), node.text("type")
                holds, evidence = node.flag("verified"), node.text("evidence")
            self._claims.add((about.run_id, text, kind, holds, evidence or None, path, at))
        for field, stated in self._remarks.notes.items():
            if value.get(field):
                remarks = _by_kind(value[field], doc.at + _pointer(field), stated, NOTE_KINDS)
                for kind, name, text, _, at in remarks:
                    self.note(path, at, about, kind, text, name)
        for field in self._remarks.feedback:
            said, kinds = value.get(field), self._remarks.feedback_kinds
            if isinstance(said, dict) and "overall" in said:
                # What is said of the whole comes first.
                said = {"overall": said["overall"], **said}
            stated = "overall" if not isinstance(said, (dict, list)) else "suggestion"
            base = doc.at + _pointer(field)
            for kind, name, text, target, at in _by_kind(said, base, stated, kinds) if said else ():
                # A vague assertion is quoted word for word, so the text is also its target.
                criterion = text if kind == "vague" else target or name
                self._feedback.add((*about, kind, criterion, text, path, at))

    def note(
        self, path: str, at: str, about: About, kind: str, text: str, target: str | None = None
    ) -> None:
        """Take one note of a document."""
        self._notes.add((about.run_id, about.version, kind, target, text, path, at))

    def flush(self) -> None:
        """Add the rows of all remarks taken so far."""
        for table in (self._claims, self._notes, self._feedback):
            table.flush()


_USUAL: Final = frozenset(((str, str, bool, str), (str, type(None), bool, str)))

# A few names are in every document.
_pointer = lru_cache(maxsize=256)(pointer)


def _by_kind(
    value: Any, at: str, kind: str, kinds: Mapping[str, str]
) -> Iterator[tuple[str, str | None, str, str | None, str]]:
    """Yield kind, name, text, criterion and pointer of each remark of a field.

    They are texts, objects or lists of either, perhaps under the names of kinds; a name that is
    none of `kinds` comes with the remark. Other values are remarks as JSON.
    """
    groups: list[tuple[str, str | None, str, Any]] = [(kind, None, at, value)]
    if isinstance(value, dict):
        groups = [
            (kinds.get(name, kind), None if name in kinds else name, at + _pointer(name), inner)
            for name, inner in value.items()
            if inner
        ]
    for of, name, place, inner in groups:
        pairs = [(place, inner)]
        if isinstance(inner, list):
            pairs = [(f"{place}/{index}", item) for index, item in enumerate(inner)]
        for where, item in pairs:
            if isinstance(item, str) and item:
                yield of, name, item, None, where
            elif item:
                text = _first_text(item, "reason", "text") or json.dumps(item, ensure_ascii=False)
                yield of, name, text, _first_text(item, "assertion", "criterion"), where


def _first_text(value: Any, *names: str) -> str | None:
    """Return the first of some fields of an object that holds a text which is not empty."""
    if not isinstance(value, dict):
        return None
    texts = (value.get(name) for name in names)
    return next((text for text in texts if text and isinstance(text, str)), None)
