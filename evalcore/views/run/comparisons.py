"""Describe comparisons of two outputs or versions, and the analyses that explain them."""

from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.comparing.skill_places import unfounded
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow
from evalcore.views.blocks.base import Block, Labelled
from evalcore.views.blocks.evidence import Note
from evalcore.views.blocks.page import Heading
from evalcore.views.chains.block import chain_blocks
from evalcore.views.run.evidence import rows_of
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

KIND_WORDS: Final = {
    "strength": "strength of the winner",
    "weakness": "weakness of the loser",
    "suggestion": "suggestion",
    "differentiator": "what made the difference",
    "finding": "finding",
}


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
    return [Heading(title), *blocks] if blocks else []


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
