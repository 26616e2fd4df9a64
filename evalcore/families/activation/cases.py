"""The queries of a suite as cases, each with one criterion: it activates, or it stays silent."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.activation.documents import RESULT
from evalcore.families.activation.queries import QUERIES, SHOULD, Block, named, squeezed
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow

KIND: Final = "expectation"
CRITERIA: Final = {True: "activates", False: "stays silent"}
MEANINGS: Final = {
    True: "The query activates the skill.",
    False: "The query does not activate the skill.",
}
EXPECTED: Final = {True: "should trigger", False: "should not trigger"}
TAGS: Final = RESULT.by_name["category"].names
SAME: Final = "Write the same expectation in both."
UNSTATED: Final = (
    "It is not stated whether this query should activate the skill, so it has no score."
)
DIGITS: Final = 8
LONGEST: Final = 60


@dataclass
class Case:
    """One query; `expected` is None where no document says what should happen."""

    case_id: str
    skill: str | None
    text: str
    expected: bool | None
    source: str
    pointer: str
    tags: dict[str, None] = field(default_factory=dict)


class Cases:
    """The queries of one suite, in the order in which its documents name them first."""

    def __init__(self, suite: str, reader: Reader, several: bool) -> None:
        """Begin without cases; with `several` skills, each query belongs to one of them."""
        self.suite = suite
        self.reader = reader
        self.several = several
        self.all: dict[str, Case] = {}
        self._by_text: dict[str, list[Case]] = {}

    def read(self, path: str, block: Block) -> Iterator[tuple[Node, Case, bool]]:
        """Yield the items of a list that are queries, each with its case, and if it is met again.

        What is none is noted, and so is what contradicts a case that is known.
        """
        met: set[str] = set()
        for place, (value, text, expected, named_skill) in zip(
            block.places, block.queries, strict=True
        ):
            item = Node(self.reader, path, value, f"{block.at}/{place}", self.suite)
            if text is None:
                if not isinstance(value, dict):
                    item.type_problem("an object")
                elif (other := named(value, QUERIES)) is not None:
                    item.wrong(other, "a text")
                else:
                    hint = 'Write it as "query".'
                    item.note("error", "missing-query", "This item has no query.", hint)
                continue
            skill = named_skill or block.about.skill
            same_text = self._by_text.setdefault(squeezed(text), [])
            found = [
                case
                for case in same_text
                if not self.several or None in (skill, case.skill) or skill == case.skill
            ]
            if found:
                # Of several skills' queries the one with the same expectation is meant.
                case = next((each for each in found if each.expected == expected), found[0])
                if case.expected is None:
                    case.expected = expected
                elif expected is not None and case.expected is not expected:
                    is_in = f"{EXPECTED[case.expected]} in {case.source}"
                    said = f"The same query {is_in}, which counts."
                    item.note("warning", "expectation-differs", said, SAME)
            else:
                if expected is None and (name := named(value, SHOULD)) is not None:
                    item.wrong(name, "true or false")
                elif expected is None:
                    hint = 'Write "should_trigger": true or false.'
                    item.note("warning", "missing-expectation", UNSTATED, hint)
                case = Case(self._id(value, skill, text), skill, text, expected, path, item.at)
                self.all[case.case_id] = case
                same_text.append(case)
            if block.about.split is not None:
                case.tags[block.about.split] = None
            for name in TAGS if isinstance(value, dict) else ():
                tags = value.get(name)
                for tag in tags if isinstance(tags, list) else [tags]:
                    if isinstance(tag, str) and tag.strip():
                        case.tags[_short(tag)] = None
            yield item, case, case.case_id in met
            met.add(case.case_id)

    def add_rows(self, rows: Rows) -> None:
        """Add all cases and their criteria."""
        for case in self.all.values():
            expected = None if case.expected is None else EXPECTED[case.expected]
            own = case.skill if self.several else None
            tags = list(dict.fromkeys(filter(None, [expected, own, *case.tags])))
            rows.add(
                CaseRow(
                    suite=self.suite,
                    case_id=case.case_id,
                    name=_short(case.text),
                    prompt=case.text,
                    expected=expected,
                    tags=json.dumps(tags, ensure_ascii=False) if tags else None,
                    status="active",
                    source=case.source,
                    pointer=case.pointer,
                )
            )
            if case.expected is not None:
                rows.add(
                    CriterionRow(
                        suite=self.suite,
                        case_id=case.case_id,
                        kind=KIND,
                        criterion=CRITERIA[case.expected],
                        description=MEANINGS[case.expected],
                        min_score=0,
                        max_score=1,
                        position=0,
                        source=case.source,
                        pointer=case.pointer,
                    )
                )

    def _id(self, item: Json, skill: str | None, text: str) -> str:
        """Return the item's own id where it is free, else one from a digest of the query."""
        own = item.get("id") if isinstance(item, dict) else None
        if type(own) in (int, str) and str(own).strip() and str(own).strip() not in self.all:
            return str(own).strip()
        digest = hashlib.sha256(f"{skill if self.several else ''}\0{text}".encode()).hexdigest()
        length = DIGITS
        while f"q-{digest[:length]}" in self.all and length < len(digest):
            length += DIGITS
        return f"q-{digest[:length]}"


def _short(text: str) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
