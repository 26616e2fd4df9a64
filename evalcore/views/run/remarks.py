"""Describe what stands beside the scores: remarks, failures, stored numbers, comparisons."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from evalcore.comparing.skill_places import unfounded
from evalcore.counting.cells import family_of
from evalcore.counting.failure_rows import ids_in
from evalcore.errors import EvalcoreError
from evalcore.judging.storing.names import person
from evalcore.numbers import disagrees
from evalcore.tables.held import record_pointer
from evalcore.tables.rows import (
    AnalysisRow,
    BenchmarkRow,
    ClaimRow,
    ComparisonRow,
    ComparisonScoreRow,
    FailureRow,
    FeedbackRow,
    NoteRow,
    RunRow,
)
from evalcore.views.blocks.base import Block, Labelled
from evalcore.views.blocks.evidence import Facts, Note, note
from evalcore.views.blocks.page import titled
from evalcore.views.chains.block import chain_blocks
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
KIND_WORDS: Final = {
    "strength": "strength of the winner",
    "weakness": "weakness of the loser",
    "suggestion": "suggestion",
    "differentiator": "what made the difference",
    "finding": "finding",
}
_CHECKED: Final = (
    (False, "fail", "not verified"),
    (None, "unscored", "not checked"),
    (True, "pass", "verified"),
)


def claim_blocks(claims: Iterable[ClaimRow]) -> list[Block]:
    """Describe the executor's claims, the refuted ones first."""
    rows, counted, blocks = list(claims), list[str](), list[Block]()
    for verified, mark, word in _CHECKED:
        held = [row for row in rows if row.verified is verified]
        counted += [f"{len(held)} {word}"] if held else []
        blocks += [note(r.claim or "no text", r.evidence, mark, word, [r.type]) for r in held]
    return titled(f"Claims · {', '.join(counted)}", blocks)


def note_blocks(notes: Iterable[NoteRow], title: str = "Notes") -> list[Block]:
    """Describe remarks as they were written."""
    blocks = []
    for row in notes:
        author, when = row.author and person(row.author), _when(row.created_at)
        tags = [NOTE_WORDS.get(row.kind or "", row.kind), row.target, author, when]
        blocks.append(note(row.text or "no text", None, tags=tags))
    return titled(title, blocks)


def feedback_blocks(rows: Iterable[FeedbackRow], title: str) -> list[Block]:
    """Describe feedback about a run or about the evaluation itself."""
    blocks = []
    for row in rows:
        often = f"said {wording.count(row.frequency, 'time')}" if row.frequency else None
        kind = FEEDBACK_WORDS.get(row.kind or "", row.kind)
        text = row.text or ("no complaints" if row.kind == "review" else "no text")
        tags = [kind, row.target, often, row.author, _when(row.created_at)]
        blocks.append(note(text, row.action, tags=tags))
    return titled(title, blocks)


def failure_blocks(rows: Iterable[FailureRow]) -> list[Block]:
    """Describe why a run failed, as somebody analysed it."""
    blocks = []
    for row in rows:
        resolved = row.resolved_at is not None
        state = f"resolved {wording.moment(row.resolved_at)}" if resolved else "open"
        tags = [row.failure_type, row.severity, *ids_in(row.criteria), row.resolution_notes]
        title = row.description or row.failure_type or "no text"
        blocks.append(note(title, row.root_cause, "pass" if resolved else "fail", state, tags))
    return titled("Failure analysis", blocks)


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
    computed: dict[str, Value] = run._asdict() | {
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
    return titled("Stored numbers that differ from ours", [Facts(wrong)] if wrong else [])


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
    return titled("In the benchmark", [Facts(facts)] if facts else [])


def _when(time: datetime | None) -> str | None:
    return None if time is None else wording.moment(time)


def comparison_blocks(ws: Workspace, rows: Iterable[ComparisonRow], title: str) -> list[Block]:
    """Describe comparisons, each with its scores, why its winner won, and what it led to."""
    blocks: list[Block] = []
    for row in rows:
        suite, name = row.suite, row.comparison_id
        scores = rows_of(ws, "comparison_scores", ComparisonScoreRow, comparison_id=name)
        texts = [Labelled("", row.summary)] if row.summary else []
        for score in scores:
            a, b = (
                wording.NOT_SCORED if value is None else wording.number(value, 3)
                for value in (score.score_a, score.score_b)
            )
            of = f" of {wording.number(score.max_score)}" if score.max_score is not None else ""
            reasons = (("A", score.justification_a), ("B", score.justification_b))
            text = "\n".join(f"{side}: {reason}" for side, reason in reasons if reason)
            texts.append(Labelled(f"{score.criterion or 'no name'} · A {a}, B {b}{of}", text))
        sides = "A against B; which versions these are is not recorded"
        if row.version_a is not None and row.version_b is not None:
            sides = f"A {row.version_a} against B {row.version_b}"
        won = "tie" if row.winner == "tie" else "no winner recorded"
        if row.winner in ("A", "B"):
            version = row.version_a if row.winner == "A" else row.version_b
            won = f"{row.winner} won" if version is None else f"{row.winner}, {version}, won"
        blocks.append(Note(sides, texts, word=won, tags=list(_tags(row))))
        analyses = rows_of(ws, "analyses", AnalysisRow, suite=suite, comparison_id=name)
        blocks += [analysis_block(ws, each) for each in analyses]
        blocks += chain_blocks(ws, suite or "", "prompt-comparison", name or "", title="")
    return titled(title, blocks)


def analysis_block(ws: Workspace, row: AnalysisRow) -> Note:
    """Describe one finding; a suggestion with the words before and after, and if they are there."""
    texts = [
        Labelled(label, text)
        for label, text in (("before", row.before), ("after", row.after))
        if text
    ]
    title = row.reasoning or row.area or "no text"
    area = row.area if row.area != title else None
    sides = f"{row.winner_version} over {row.loser_version}" if row.winner_version else None
    kind = KIND_WORDS.get(row.kind or "", row.kind)
    flag = (unfounded(ws, row) or "").rstrip(".")
    return Note(title, texts, tags=[tag for tag in (kind, area, sides, flag) if tag])


def _tags(row: ComparisonRow) -> Iterator[str]:
    if row.total_a is not None and row.total_b is not None:
        of = f" of {wording.number(row.max_total)}" if row.max_total is not None else ""
        yield f"A {wording.number(row.total_a, 3)}, B {wording.number(row.total_b, 3)}{of}"
    if row.sample_size is not None:
        yield wording.count(row.sample_size, "case")
    if row.judge or row.judge_type:
        yield f"judge {wording.judge(row.judge, row.judge_type)}"
    if row.blinded:
        yield "blind"
    if row.versions_from == "analysis":
        yield "versions known from the analysis"
    if row.confidence_level:
        yield f"confidence {row.confidence_level}"
    if row.compared_at is not None:
        yield wording.moment(row.compared_at)
    if row.source:
        yield row.source
