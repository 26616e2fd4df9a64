"""What a decision on a version says, in sentences."""

from collections.abc import Sequence
from typing import Final

from evalcore.approvals.standing import IN_FORCE, Decision, State
from evalcore.judging.storing.names import person
from evalcore.memory.evidence import Evidence
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


def decision_words(found: Decision) -> str:
    """Return what was decided on a version, and whether it still holds, in a sentence."""
    row = found.row
    over = f" in place of {row.baseline}" if row.baseline else ""
    reason = (row.reason or "").strip()
    was = _WAS.get(row.decision or "", "was approved")
    if not found.current and found.state in IN_FORCE:
        return f"{row.version} {was}{over}, and was decided on again since. {reason}".strip()
    match found.state:
        case "approved":
            told = f"{row.version} is approved{over}. {reason}"
        case "waived":
            until = f" until {moment(row.expires_at)}" if row.expires_at else ""
            owner = row.owner or "not named"
            told = f"{row.version} has a waiver{over}{until}, owner {owner}: {reason}"
        case "lapsed":
            told = f"{row.version} {was}{over}, which has lapsed: {found.why}"
        case "refused":
            told = f"{row.version} was refused{over}: {reason}"
        case "withdrawn":
            told = f"The approval of {row.version}{over} was withdrawn: {reason}"
        case _:
            told = f"What was decided on {row.version} cannot be read."
    more = f" {found.why}" if found.why and found.state != "lapsed" else ""
    return f"{told.strip()}{more}"


def decision_blocks(
    pair: tuple[str, str], found: Decision | None, evidence: Evidence | None
) -> list[Block]:
    """Describe whether a version may replace another, and what the evidence shows if undecided."""
    version, baseline = pair
    if found is not None:
        head = Heading("Approval", STATES[found.state], MARKS[found.state])
        return [head, Say(decision_words(found))]
    shown = evidence.refusal or evidence.seen if evidence is not None else ""
    return [
        Heading("Approval", "none yet"),
        Say(f"Nobody has decided on {version} in place of {baseline}. {shown}".strip()),
    ]


def history_blocks(history: Sequence[Decision]) -> list[Block]:
    """Describe the decisions on a version, the newest first, each with the file behind it."""
    if not history:
        return []
    head = [("When", False), ("Decision", False), ("Reason", False), ("By", False)]
    rows = [Row(_cells(each)) for each in history[:LISTED]]
    title = Heading("Decisions", f"on {history[0].row.version}")
    return [title, Table("Decisions", head, rows, fold=FOLD)]


def _cells(found: Decision) -> list[Cell]:
    row = found.row
    over = f"in place of {row.baseline}" if row.baseline else ""
    there = link("data", dview="files", file=row.source) if row.source else None
    earlier = "" if row.decision == "refused" else ", earlier"
    word = STATES[found.state] if found.current else f"{row.decision or 'not readable'}{earlier}"
    why = " ".join(filter(None, ((row.reason or "").strip(), found.why)))
    return [
        Cell(moment(row.created_at), keep=True, link=there),
        Cell(word, sub=over, mark=MARKS[found.state] if found.current else None),
        Cell(why, clamp=True, title=why),
        Cell(person(row.author or "not named"), quiet=row.author is None, keep=True),
    ]
