"""Describe remarks beside the scores: claims, notes, feedback, failures, stored numbers."""

from collections.abc import Iterable
from typing import Final

from evalcore.counting.cells import family_of
from evalcore.counting.failure_rows import ids_in
from evalcore.errors import EvalcoreError
from evalcore.families.base import Computed
from evalcore.judging.storing.names import person
from evalcore.numbers import disagrees
from evalcore.tables.held import record_pointer
from evalcore.tables.rows import (
    BenchmarkRow,
    ClaimRow,
    FailureRow,
    FeedbackRow,
    NoteRow,
    RunRow,
)
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, note
from evalcore.views.blocks.page import Heading
from evalcore.views.run.evidence import rows_of
from evalcore.views.run.items import Item
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MAX_BYTES: Final = 8 * 1024 * 1024
Value = float | bool | None
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
    said: dict[bool | None, tuple[str, str]] = {
        False: ("fail", "not verified"),
        None: ("unscored", "not checked"),
        True: ("pass", "verified"),
    }
    rows = list(claims)
    counted, blocks = [], list[Block]()
    for verified, (mark, word) in said.items():
        held = [row for row in rows if row.verified is verified]
        counted += [f"{len(held)} {word}"] if held else []
        for row in held:
            blocks.append(note(row.claim or "no text", row.evidence, mark, word, [row.type]))
    return [Heading(f"Claims · {', '.join(counted)}"), *blocks] if rows else []


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
    blocks = []
    for row in rows:
        often = f"said {wording.count(row.frequency, 'time')}" if row.frequency else None
        when = wording.moment(row.created_at) if row.created_at is not None else None
        kind = FEEDBACK_WORDS.get(row.kind or "", row.kind)
        text = row.text or ("no complaints" if row.kind == "review" else "no text")
        blocks.append(note(text, row.action, tags=[kind, row.target, often, row.author, when]))
    return [Heading(title), *blocks] if blocks else []


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


def stored_blocks(ws: Workspace, run: RunRow, items: Iterable[Item]) -> list[Block]:
    """Describe the derived values stored in a run's document that differ from the computed ones."""
    fields = family_of(ws, run.suite).stored
    try:
        path = ws.root / (run.source or "")
        if not run.source or not fields or path.stat().st_size > MAX_BYTES:
            return []
        document = ws.raw(run.source, record_pointer(run))
    except (EvalcoreError, OSError, ValueError):
        return []
    own = ("expectation", "assertion")
    judged = [item for item in items if item.source == run.source and item.kind in own]
    decided = [item for item in judged if item.mark in ("pass", "fail")]
    passed = sum(item.mark == "pass" for item in decided)
    computed: dict[Computed, Value] = {
        "score": run.score,
        "max_score": run.max_score,
        "required_score": run.required_score,
        "fraction": run.fraction,
        "passed": run.passed,
        "items_passed": passed if judged else None,
        "items_total": len(judged) if judged else None,
        "items_rate": passed / len(decided) if decided else None,
    }
    wrong = []
    for pointer, column in fields.items():
        stored, ours = _stored_value(document, pointer), computed[column]
        if stored is None or ours is None:
            continue
        exact = isinstance(ours, int) or isinstance(stored, bool)  # a verdict or a count
        if stored != ours if exact else disagrees(stored, ours):
            stored_words, our_words = (
                wording.verdict(value) if isinstance(value, bool) else wording.number(value, 4)
                for value in (stored, ours)
            )
            wrong.append((pointer[1:], f"stored {stored_words}, ours {our_words}", True))
    return [Heading("Stored numbers that differ from ours"), Facts(wrong)] if wrong else []


def _stored_value(document: object, pointer: str) -> Value:
    """Return a number or a verdict of a document; None where it has none there."""
    value = document
    for part in pointer[1:].split("/"):
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, str):
        return {"pass": True, "fail": False}.get(value.lower())
    return value if isinstance(value, bool) or wording.known(value) else None


def benchmark_blocks(ws: Workspace, run: RunRow) -> list[Block]:
    """Describe a benchmark's numbers for this run's case, under its own names."""
    if run.case_id is None:
        return []
    side = None if run.configuration == "-" else run.configuration
    wanted = {"suite": run.suite, "version": run.version, "case_id": run.case_id}
    rows = rows_of(ws, "benchmarks", BenchmarkRow, **wanted, configuration=side)
    if run.origin == "benchmark":
        own = f"{run.pointer or ''}/"
        rows = [r for r in rows if r.source == run.source and f"{r.pointer}/".startswith(own)]
    facts = [
        (row.metric or "no name", row.text or wording.number(row.mean, 4), True) for row in rows
    ]
    return [Heading("In the benchmark"), Facts(facts)] if facts else []
