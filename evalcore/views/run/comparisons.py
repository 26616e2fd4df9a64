"""Describe comparisons of two outputs or versions, and the analyses that explain them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evalcore.comparing.skill_places import unfounded
from evalcore.counting.cells import typed, where
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow
from evalcore.views.blocks.base import Block, Labelled
from evalcore.views.blocks.evidence import Note
from evalcore.views.blocks.page import Heading
from evalcore.views.chains.block import chain_blocks
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

KIND_WORDS: Final = {
    "strength": "strength of the winner",
    "weakness": "weakness of the loser",
    "suggestion": "suggestion",
    "differentiator": "what made the difference",
    "finding": "finding",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison with its scores by criterion and its analyses."""

    row: ComparisonRow
    scores: tuple[ComparisonScoreRow, ...]
    analyses: tuple[AnalysisRow, ...]


def compared(ws: Workspace, row: ComparisonRow) -> Compared:
    """Return a comparison with everything that belongs to it."""
    scores = where(ws, "comparison_scores", comparison_id=row.comparison_id)
    analyses = where(ws, "analyses", suite=row.suite, comparison_id=row.comparison_id)
    return Compared(
        row,
        tuple(typed(ws, "comparison_scores", ComparisonScoreRow, scores)),
        tuple(typed(ws, "analyses", AnalysisRow, analyses)),
    )


def comparison_blocks(ws: Workspace, rows: Iterable[ComparisonRow], title: str) -> list[Block]:
    """Describe comparisons, each with the analysis of why its winner won."""
    found = [compared(ws, row) for row in rows]
    if not found:
        return []
    blocks: list[Block] = [Heading(title)]
    for pair in found:
        blocks.append(_comparison(pair))
        blocks += [analysis_block(ws, row) for row in pair.analyses]
        blocks += chain_of_comparison(ws, pair.row)
    return blocks


def chain_of_comparison(ws: Workspace, row: ComparisonRow) -> list[Block]:
    """Describe the benchmark runs that a comparison refers to, and what it led to."""
    return chain_blocks(ws, row.suite or "", "prompt-comparison", row.comparison_id or "", title="")


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


def _comparison(pair: Compared) -> Note:
    row = pair.row
    texts = [Labelled("", row.summary)] if row.summary else []
    texts += map(_score, pair.scores)
    return Note(_sides(row), texts, word=_winner(row), tags=list(_tags(row)))


def _sides(row: ComparisonRow) -> str:
    if row.version_a is None or row.version_b is None:
        return "A against B; which versions these are is not recorded"
    return f"A {row.version_a} against B {row.version_b}"


def _winner(row: ComparisonRow) -> str:
    if row.winner not in ("A", "B"):
        return "tie" if row.winner == "tie" else "no winner recorded"
    version = row.version_a if row.winner == "A" else row.version_b
    return f"{row.winner} won" if version is None else f"{row.winner}, {version}, won"


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


def _score(score: ComparisonScoreRow) -> Labelled:
    of = f" of {wording.number(score.max_score)}" if score.max_score is not None else ""
    numbers = f"A {_number(score.score_a)}, B {_number(score.score_b)}{of}"
    reasons = (("A", score.justification_a), ("B", score.justification_b))
    text = "\n".join(f"{side}: {reason}" for side, reason in reasons if reason)
    return Labelled(f"{score.criterion or 'no name'} · {numbers}", text)


def _number(value: float | None) -> str:
    return wording.NOT_SCORED if value is None else wording.number(value, 3)
