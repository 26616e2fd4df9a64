"""The items of a list: each query as a case with one criterion, and what came of its runs."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.activation.documents import RESULT
from evalcore.families.activation.queries import (
    ERROR,
    QUERIES,
    RATE,
    RUNS,
    SHOULD,
    TRIGGERED,
    TRIGGERS,
    Block,
    decision,
    has_outcome,
    named,
    squeezed,
)
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow

KIND: Final = "expectation"
CRITERIA: Final = {True: "activates", False: "stays silent"}
MEANINGS: Final = {
    True: "The query activates the skill.",
    False: "The query does not activate the skill.",
}
EXPECTED: Final = {True: "should trigger", False: "should not trigger"}
DIGITS: Final = 8
LONGEST: Final = 60
MOST: Final = 200
"""So many runs of one query are read at most."""
PASSES: Final = RESULT.by_name["pass"].names
_TAGS: Final = RESULT.by_name["category"].names
_ERRORED: Final = RESULT.by_name["errored"].names
_REASONS: Final = RESULT.by_name["reasons"].names
_NEAR: Final = 1e-6


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
                    hint = "Write the same expectation in both."
                    item.note("warning", "expectation-differs", said, hint)
            else:
                if expected is None and (name := named(value, SHOULD)) is not None:
                    item.wrong(name, "true or false")
                elif expected is None:
                    said = (
                        "It is not stated whether this query should activate the skill, so it has "
                        "no score."
                    )
                    hint = 'Write "should_trigger": true or false.'
                    item.note("warning", "missing-expectation", said, hint)
                case = Case(self._id(value, skill, text), skill, text, expected, path, item.at)
                self.all[case.case_id] = case
                same_text.append(case)
            if block.about.split is not None:
                case.tags[block.about.split] = None
            for name in _TAGS if isinstance(value, dict) else ():
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


class Run(NamedTuple):
    """One run of a query: whether it activated the skill, with its reason and place.

    `activated` is None for a run that crashed, and for the one that stands for all runs of a query
    of which only the `rate` is stated, and what the document calls it (`passed`).
    """

    activated: bool | None
    rationale: str | None
    source: str
    pointer: str
    rate: float | None = None
    passed: bool | None = None

    @property
    def crashed(self) -> bool:
        """Whether it ended with an error, before it could be seen what it activates."""
        return self.activated is None and self.rate is None


def finished(runs: Iterable[Run]) -> list[bool]:
    """Return for each run that came to an end whether it activated the skill."""
    return [run.activated for run in runs if run.activated is not None]


def runs_of(item: Node, repeats: int | None) -> list[Run]:
    """Return the runs of an item, none after noting why; `repeats` are the runs of every query.

    Where only counts are given, the first runs are those that activated the skill, and the last
    ones those that crashed.
    """
    if not has_outcome(item.value):
        return []
    # An item may list its runs one by one, or be one itself; others only count them.
    lists = (item.value.get(name) for name in (*TRIGGERED, *RUNS))
    flags = (_flags(each) for each in lists if isinstance(each, list) and each)
    listed = next((each for each in flags if each is not None), None)
    if listed is None and not item.has(*TRIGGERS, RATE, *RUNS):
        listed = _flags([item.value])
    if listed is None and repeats is None and item.has(RATE) and not item.has(*RUNS, *TRIGGERS):
        rate = item.number(RATE)
        if rate is None:
            return []
        said = (
            "A trigger rate is stated, but not of how many runs: it is shown as stated, and stands "
            "outside every rate and comparison."
        )
        hint = 'Write "runs_per_query" beside the list, or "runs" and "triggers" into each query.'
        item.note("info", "runs-unknown", said, hint)
        name = named(item.value, PASSES)
        passed = item.flag(name) if name is not None else None
        return [Run(None, None, item.path, item.at, rate, passed)]
    if listed is None:
        counts = _counted(item, repeats)
    else:
        counts = listed.count(True), listed.count(None), len(listed)
    if counts is None:
        return []
    triggers, crashed, runs = counts
    if runs > MOST:
        said = f"{runs:,} runs of one query are too many to read; the limit is {MOST:,}."
        item.note("error", "too-many-runs", said, "Split them into several files.")
        return []
    if runs == 0:
        item.note("info", "no-runs", "This query was not asked in any run, so it has no score.")
    name = named(item.value, _REASONS)
    texts = [text for text, _ in item.texts(name)] if name is not None else []
    reasons: list[str | None] = [*texts]
    ordered = listed is not None or (triggers in (0, runs) and not crashed)
    if not ordered or len(texts) != runs:
        # Nothing says whose reasons they are, so each run has them all.
        reasons = ["\n".join(texts) or None] * runs
    counted = [True] * triggers + [False] * (runs - triggers - crashed) + [None] * crashed
    found = zip(counted if listed is None else listed, reasons, strict=True)
    return [Run(flag, reason, item.path, item.at) for flag, reason in found]


def _flags(runs: list[Any]) -> list[bool | None] | None:
    """Return for each run whether it activated the skill, None for a crashed one.

    The whole is None where one of the runs says neither.
    """
    flags: list[bool | None] = []
    for run in runs:
        fields = run if isinstance(run, dict) else {}
        crashed = bool(fields.get(ERROR)) or any(fields.get(name) is True for name in _ERRORED)
        told = run if isinstance(run, bool) else decision(fields)
        if told is None and not crashed:
            return None
        flags.append(None if crashed else told)
    return flags


def _counted(item: Node, repeats: int | None) -> tuple[int, int, int] | None:
    """Return how many runs activated the skill, how many crashed, and how many there are.

    None after noting why that is unknown.
    """
    runs_name, triggers_name = named(item.value, RUNS), named(item.value, TRIGGERS)
    runs = item.whole(runs_name) if runs_name is not None else repeats
    crashed_name = named(item.value, _ERRORED)
    crashed = (item.whole(crashed_name) or 0) if crashed_name is not None else 0
    if triggers_name is not None:
        triggers = item.whole(triggers_name)
    else:
        rate, triggers = item.number(RATE), None
        if rate is not None and runs is not None and 0 <= rate <= 1:
            share = rate * (runs - crashed)
            # That of a whole number of runs, as tools round it.
            near = abs(share - round(share)) <= max(0.005 * (runs - crashed), _NEAR)
            triggers = round(share) if near else None
    if runs is None or triggers is None:
        # One of another type is noted already.
        written = (item.get(name) for name in (runs_name, triggers_name) if name is not None)
        if all(type(value) in (int, float) for value in written):
            said = (
                "The number of runs of this query, or how many of them activated the skill, is "
                "missing, so it has no score."
            )
            item.note("warning", "runs-unknown", said, 'Write both as "runs" and "triggers".')
        return None
    if min(triggers, crashed) < 0 or triggers + crashed > runs:
        and_crashed = f" and {crashed:,} crashed ones" if crashed else ""
        of_all = f"{triggers:,}{and_crashed} of {runs:,} runs"
        said = f"{of_all} is not possible; the query counts as not run."
        hint = 'Write in "triggers" how many of the "runs" activated the skill.'
        item.note("warning", "impossible-count", said, hint, triggers_name)
        return None
    rate = item.number(RATE)
    # Two decimals are what tools that round leave of a rate; some count crashed runs in it.
    shares = [triggers / of for of in (runs - crashed, runs) if of]
    if rate is not None and shares and all(abs(rate - of) > 0.005 + _NEAR for of in shares):
        found = f"{triggers:,} of {runs - crashed:,} runs give {shares[0]:.3g}"
        said = f"The trigger rate is {rate:g}, but {found}."
        item.note("warning", "derived-mismatch", said, "Recompute the rate from the counts.", RATE)
    return triggers, crashed, runs
