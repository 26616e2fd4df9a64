"""The queries of a suite as cases, each with one criterion: it activates, or it stays silent."""

import hashlib
import json
from typing import Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.disk.values import Node
from evalcore.families.activation.blocks import Block
from evalcore.families.activation.items import (
    QUERIES,
    SHOULD,
    SKILLS,
    TAGS,
    expected_name,
    named,
    query_name,
    squeezed,
    text_of,
)
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow

KIND: Final = "expectation"
CRITERIA: Final = {True: "activates", False: "stays silent"}
_MEANINGS: Final = {
    True: "The query activates the skill.",
    False: "The query does not activate the skill.",
}
_EXPECTED: Final = {True: "should trigger", False: "should not trigger"}
_DIGITS: Final = 8
_LONGEST: Final = 60
_MAX_TAG: Final = 60


class Case(NamedTuple):
    """One query; `expected` is None where no document says what should happen."""

    case_id: str
    skill: str | None
    text: str
    expected: bool | None
    tags: dict[str, None]
    source: str
    pointer: str


class Cases:
    """The queries of one suite, in the order in which its documents name them first."""

    def __init__(self, suite: str, several: bool) -> None:
        """Begin without cases; with `several` skills, each query belongs to one of them."""
        self.suite = suite
        self.several = several
        self.all: dict[str, Case] = {}
        self._by_text: dict[str, list[Case]] = {}

    def read(self, block: Block, item: Node) -> Case | None:
        """Return the case of an item, which may be a new one; None after noting why not."""
        text, should = _asked(block, item)
        if text is None:
            return None
        skill = text_of(item.value, SKILLS) or block.about.skill
        case = self.find(skill, text, should)
        if case is None:
            if should is None:
                _note_expectation(item)
            return self._add(block, item, skill, text, should)
        self._tag(case, block, item.value)
        if None not in (case.expected, should) and case.expected is not should:
            _note_other(item, case)
        return self._known(case, should)

    def _known(self, case: Case, should: bool | None) -> Case:
        """Return a case with what a later document expects, where none did so far."""
        if case.expected is not None or should is None:
            return case
        known = case._replace(expected=should)
        same = self._by_text[squeezed(case.text)]
        same[same.index(case)] = self.all[case.case_id] = known
        return known

    def find(self, skill: str | None, text: str, expected: bool | None = None) -> Case | None:
        """Return the case of a query; of several skills' the one with the same expectation."""
        found = [
            case
            for case in self._by_text.get(squeezed(text), ())
            if not self.several or None in (skill, case.skill) or skill == case.skill
        ]
        same = (case for case in found if case.expected == expected)
        return next(same, found[0] if found else None)

    def add_rows(self, rows: Rows) -> None:
        """Add all cases and their criteria."""
        for case in self.all.values():
            words = [] if case.expected is None else [_EXPECTED[case.expected]]
            own = [case.skill] if self.several and case.skill else []
            tags = list(dict.fromkeys([*words, *own, *case.tags]))
            rows.add(
                CaseRow(
                    suite=self.suite,
                    case_id=case.case_id,
                    name=_short(case.text),
                    prompt=case.text,
                    expected=words[0] if words else None,
                    tags=json.dumps(tags, ensure_ascii=False) if tags else None,
                    status="active",
                    source=case.source,
                    pointer=case.pointer,
                )
            )
            if case.expected is not None:
                rows.add(_criterion(self.suite, case, case.expected))

    def _add(
        self, block: Block, item: Node, skill: str | None, text: str, should: bool | None
    ) -> Case:
        case = Case(self._id(item.value, skill, text), skill, text, should, {}, item.path, item.at)
        self.all[case.case_id] = case
        self._by_text.setdefault(squeezed(text), []).append(case)
        self._tag(case, block, item.value)
        return case

    def _id(self, item: Json, skill: str | None, text: str) -> str:
        """Return the item's own id where it is free, else one from a digest of the query."""
        own = item.get("id") if isinstance(item, dict) else None
        if type(own) in (int, str) and str(own).strip() and str(own).strip() not in self.all:
            return str(own).strip()
        digest = hashlib.sha256(f"{skill if self.several else ''}\0{text}".encode()).hexdigest()
        length = _DIGITS
        while f"q-{digest[:length]}" in self.all and length < len(digest):
            length += _DIGITS
        return f"q-{digest[:length]}"

    def _tag(self, case: Case, block: Block, item: Json) -> None:
        if block.about.split is not None:
            case.tags[block.about.split] = None
        if not isinstance(item, dict):
            return
        for name in TAGS:
            value = item.get(name)
            for tag in value if isinstance(value, list) else [value]:
                if isinstance(tag, str) and tag.strip():
                    case.tags[_short(tag, _MAX_TAG)] = None


def _asked(block: Block, item: Node) -> tuple[str | None, bool | None]:
    """Return the text of an item's query and what is expected; no text after noting why."""
    if isinstance(item.value, str) and block.expected is not None and item.value.strip():
        return item.value.strip(), block.expected
    if not isinstance(item.value, dict):
        item.type_problem("an object")
        return None, None
    name = query_name(item.value)
    if name is None:
        if (other := named(item.value, QUERIES)) is not None:
            item.wrong(other, "a text")
        else:
            item.note("error", "missing-query", "This item has no query.", 'Write it as "query".')
        return None, None
    should = expected_name(item.value)
    return item.value[name].strip(), None if should is None else item.value[should]


def _note_expectation(item: Node) -> None:
    if (name := named(item.value, SHOULD)) is not None:
        item.wrong(name, "true or false")
        return
    item.note(
        "warning",
        "missing-expectation",
        "It is not stated whether this query should activate the skill, so it has no score.",
        'Write "should_trigger": true or false.',
    )


def _note_other(item: Node, case: Case) -> None:
    item.note(
        "warning",
        "expectation-differs",
        f"The same query {_EXPECTED[case.expected is True]} in {case.source}, which counts.",
        "Write the same expectation in both.",
    )


def _criterion(suite: str, case: Case, expected: bool) -> CriterionRow:
    return CriterionRow(
        suite=suite,
        case_id=case.case_id,
        kind=KIND,
        criterion=CRITERIA[expected],
        description=_MEANINGS[expected],
        min_score=0,
        max_score=1,
        position=0,
        source=case.source,
        pointer=case.pointer,
    )


def _short(text: str, longest: int = _LONGEST) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
