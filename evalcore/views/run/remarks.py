"""Describe remarks beside the scores: claims, notes, feedback, failures, stored numbers."""

from collections.abc import Iterable
from typing import Final

from evalcore.counting.cells import typed, where
from evalcore.counting.failure_rows import ids_in
from evalcore.judging.storing.names import person
from evalcore.tables.rows import BenchmarkRow, ClaimRow, FailureRow, FeedbackRow, NoteRow, RunRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, Note, note
from evalcore.views.blocks.page import Heading
from evalcore.views.run.stored_values import Stored, Value
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

NOTE_WORDS: Final = {
    "user_notes": "note of the executor",
    "uncertainty": "uncertain",
    "needs_review": "needs review",
    "workaround": "workaround",
    "factual_issue": "factual issue",
    "assertion": "note on an assertion",
    "benchmark": "note on the benchmark",
    "timing": "note on the timing",
    "comparison": "note on the comparison",
    "feedback": "note on the review",
    "note": "somebody's note",
}
FEEDBACK_WORDS: Final = {
    "review": "reviewer",
    "overall": "about the evaluation",
    "suggestion": "suggestion",
    "vague": "vague assertion",
    "missing": "missing coverage",
    "suggested": "suggested assertion",
    "aggregate": "collected suggestion",
    "asked": "criterion that a person asks for",
    "accepted": "accepted suggestion",
    "rejected": "rejected suggestion",
}


def claim_blocks(claims: Iterable[ClaimRow]) -> list[Block]:
    """Describe the executor's claims, the refuted ones first."""
    order = (False, None, True)
    rows = sorted(claims, key=lambda row: order.index(row.verified))
    if not rows:
        return []
    marks = {True: "pass", False: "fail", None: "unscored"}
    words = {True: "verified", False: "not verified", None: "not checked"}
    counted = [
        f"{n} {words[held]}" for held in order if (n := sum(r.verified is held for r in rows))
    ]
    blocks: list[Block] = [Heading(f"Claims · {', '.join(counted)}")]
    for row in rows:
        about = (marks[row.verified], words[row.verified], [row.type])
        blocks.append(note(row.claim or "no text", row.evidence, *about))
    return blocks


def note_blocks(notes: Iterable[NoteRow], title: str = "Notes") -> list[Block]:
    """Describe remarks as they were written."""
    blocks = [
        note(
            row.text or "no text",
            None,
            tags=[
                NOTE_WORDS.get(row.kind or "", row.kind),
                row.target,
                row.author and person(row.author),
                None if row.created_at is None else wording.moment(row.created_at),
            ],
        )
        for row in notes
    ]
    return [Heading(title), *blocks] if blocks else []


def feedback_blocks(rows: Iterable[FeedbackRow], title: str) -> list[Block]:
    """Describe feedback about a run or about the evaluation itself."""
    blocks = [_feedback(row) for row in rows]
    return [Heading(title), *blocks] if blocks else []


def _feedback(row: FeedbackRow) -> Note:
    often = f"said {wording.count(row.frequency, 'time')}" if row.frequency else None
    when = wording.moment(row.created_at) if row.created_at is not None else None
    kind = FEEDBACK_WORDS.get(row.kind or "", row.kind)
    silent = "no complaints" if row.kind == "review" else "no text"
    return note(row.text or silent, row.action, tags=[kind, row.target, often, row.author, when])


def failure_blocks(rows: Iterable[FailureRow]) -> list[Block]:
    """Describe why a run failed, as somebody analysed it."""
    blocks = []
    for row in rows:
        resolved = row.resolved_at is not None
        state = f"resolved {wording.moment(row.resolved_at)}" if resolved else "open"
        tags = [row.failure_type, row.severity, *ids_in(row.criteria), row.resolution_notes]
        title = row.description or row.failure_type or "no text"
        blocks.append(note(title, row.root_cause, "pass" if resolved else "fail", state, tags))
    return [Heading("Failure analysis"), *blocks] if blocks else []


def stored_blocks(stored: Iterable[Stored]) -> list[Block]:
    """Describe stored values that differ from the computed ones."""
    wrong = [
        (row.field, f"stored {_value(row.stored)}, ours {_value(row.computed)}", True)
        for row in stored
        if row.agrees is False
    ]
    return [Heading("Stored numbers that differ from ours"), Facts(wrong)] if wrong else []


def benchmark_blocks(ws: Workspace, run: RunRow) -> list[Block]:
    """Describe a benchmark's numbers for this run's case, under its own names."""
    side = None if run.configuration == "-" else run.configuration
    found = where(
        ws,
        "benchmarks",
        suite=run.suite,
        version=run.version,
        case_id=run.case_id,
        configuration=side,
    )
    rows = typed(ws, "benchmarks", BenchmarkRow, found) if run.case_id is not None else []
    if run.origin == "benchmark":
        own = f"{run.pointer or ''}/"
        rows = [r for r in rows if r.source == run.source and f"{r.pointer}/".startswith(own)]
    facts = [
        (row.metric or "no name", row.text or wording.number(row.mean, 4), True) for row in rows
    ]
    return [Heading("In the benchmark"), Facts(facts)] if facts else []


def _value(value: Value) -> str:
    return wording.verdict(value) if isinstance(value, bool) else wording.number(value, 4)
