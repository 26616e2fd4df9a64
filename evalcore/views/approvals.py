"""Decisions on versions in words, and what can be decided next on the version of a comparison."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Final, NamedTuple

from evalcore.approvals.standing import IN_FORCE, Decision, State, decisions, to_withdraw
from evalcore.comparing.model import Side
from evalcore.counting.cells import where
from evalcore.errors import EvalcoreError
from evalcore.judging.storing.names import person
from evalcore.memory.evidence import Evidence, evidence_of, shared_benchmarks
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.words.wording import moment

STATES: Final[dict[State, str]] = {
    "approved": "approved",
    "waived": "waived",
    "refused": "refused",
    "withdrawn": "withdrawn",
    "lapsed": "lapsed",
    "undecided": "not readable",
}
MARKS: Final[dict[State, str]] = {"approved": "pass", "waived": "warn", "lapsed": "warn",
                                  "refused": "fail", "withdrawn": "unscored",
                                  "undecided": "unscored"}  # fmt: skip
LISTED: Final = 50
FOLD: Final = 4
_WAS: Final = {"approved": "was approved", "waived": "had a waiver"}


class Offered(NamedTuple):
    """The decision on B in place of A: the current one, the evidence, or why there is none.

    `evidence` is None where it cannot be told, which `why` says. `to_withdraw` says that there is
    something to take back. `history` are all decisions on B.
    """

    suite: str
    version: str
    baseline: str
    to_withdraw: bool
    evidence: Evidence | None
    why: str
    blocks: tuple[Block, ...]
    history: tuple[Block, ...]


def benchmarks_to_choose(a: Side, b: Side) -> dict[str, str]:
    """Return the names of the benchmarks by which B can be decided on, by their ids."""
    return shared_benchmarks(b.ws, b.suite, b.column.version, a.column.version)


def offered(a: Side, b: Side, benchmark: str | None = None) -> Offered | None:
    """Return what can be decided on B; None in a suite without benchmarks and decisions.

    The sides are two versions of one suite.
    """
    ws, suite = b.ws, b.suite
    version, baseline = b.column.version, a.column.version
    if a.ws is not ws or a.suite != suite or version == baseline or ws.hidden:
        return None
    history = tuple(each for each in decisions(ws, suite) if each.row.version == version)
    if not history and not len(where(ws, "benchmark_definitions", suite=suite)):
        return None
    try:
        evidence, why = evidence_of(ws, suite, version, baseline, benchmark), ""
    except EvalcoreError as fault:
        evidence, why = None, str(fault)
    current = (each for each in history if each.current and each.row.baseline == baseline)
    found = next(current, None)
    if found is not None:
        head = Heading("Approval", STATES[found.state], MARKS[found.state])
        blocks = (head, Say(decision_words(found)))
    else:
        shown = evidence.refusal or evidence.seen if evidence is not None else ""
        open_ = f"Nobody has decided on {version} in place of {baseline}. {shown}".strip()
        blocks = (Heading("Approval", "none yet"), Say(open_))
    granted = any(each.baseline == baseline for each in to_withdraw(ws, suite, version))
    told = _history(history)
    return Offered(suite, version, baseline, granted, evidence, why, blocks, told)


def decision_words(found: Decision) -> str:
    """Return what was decided on a version, and whether it still holds, in a sentence."""
    row = found.row
    over = f" in place of {row.baseline}" if row.baseline else ""
    reason = (row.reason or "").strip()
    was = _WAS.get(row.decision or "", "was approved")
    until = f" until {_last(row.expires_at)}" if row.expires_at else ""
    if not found.current and found.state in IN_FORCE:
        return f"{row.version} {was}{over}, and was decided on again since. {reason}".strip()
    match found.state:
        case "approved":
            told = f"{row.version} is approved{over}. {reason}"
        case "waived":
            owner = row.owner or "not named"
            told = f"{row.version} has a waiver{over}{until}, owner {owner}: {reason}"
        case "lapsed":
            told = f"{row.version} {was}{over}{until}, which has lapsed: {found.why}"
        case "refused":
            told = f"{row.version} was refused{over}: {reason}"
        case "withdrawn":
            told = f"The approval of {row.version}{over} was withdrawn: {reason}"
        case _:
            told = f"What was decided on {row.version} cannot be read."
    more = f" {found.why}" if found.why and found.state != "lapsed" else ""
    return f"{told.strip()}{more}"


def _last(ends: datetime) -> str:
    """Return the end of a waiver: its last day, where it ends with a day as one of a date does."""
    day, _, _ = moment(ends).partition(", ")
    whole = ends.astimezone(UTC).time().replace(microsecond=0) == time(23, 59, 59)
    return f"the end of {day} (UTC)" if whole else moment(ends)


def _history(history: Sequence[Decision]) -> tuple[Block, ...]:
    """Describe the decisions on a version, the newest first, each with the file behind it."""
    rows = []
    for found in history[:LISTED]:
        row, mark = found.row, MARKS[found.state] if found.current else None
        over = f"in place of {row.baseline}" if row.baseline else ""
        until = f"until {_last(row.expires_at)}" if row.expires_at else ""
        there = link("data", dview="files", file=row.source) if row.source else None
        earlier = "" if row.decision == "refused" else ", earlier"
        decided = f"{row.decision or 'not readable'}{earlier}"
        word = STATES[found.state] if found.current else decided
        why = " ".join(filter(None, ((row.reason or "").strip(), found.why)))
        author = Cell(person(row.author or "not named"), quiet=row.author is None, keep=True)
        cells = [
            Cell(moment(row.created_at), keep=True, link=there),
            Cell(word, sub=", ".join(filter(None, (over, until))), mark=mark),
            Cell(why, clamp=True, title=why),
            author,
        ]
        rows.append(Row(cells))
    if not rows:
        return ()
    head = [("When", False), ("Decision", False), ("Reason", False), ("By", False)]
    title = Heading("Decisions", f"on {history[0].row.version}")
    return title, Table("Decisions", head, rows, fold=FOLD)
