"""What models said of the cases of two versions when they compared them blind, on Compare."""

from collections import Counter
from typing import Final

from evalcore.comparing.model import Comparison, Side
from evalcore.counting.cells import typed, where
from evalcore.shapes.judge import MODEL
from evalcore.tables.rows import ComparisonRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.words import wording

LISTED: Final = 200
FOLD: Final = 8
MAX_TEXT: Final = 300


def model_comparison_blocks(found: Comparison, a: Side, b: Side) -> list[Block]:
    """Describe the comparisons of models of A and B, newest documents last; nothing without any."""
    if a.ws is not b.ws or a.suite != b.suite:
        return []
    rows = _rows(a, b)
    if not rows:
        return []
    won = [_winner(row, found) for row in rows]
    n = Counter(won)
    counted = f"B won {n['B won']:,}, A won {n['A won']:,}, {wording.count(n['tie'], 'tie')}"
    judges = ", ".join(dict.fromkeys(row.judge or "a model that is not named" for row in rows))
    comparisons = wording.count(len(rows), "comparison")
    return [
        Heading("Compared by a model", judges),
        Say(f"{counted}, of {comparisons}. This is no part of the verdict above."),
        Table(
            "Compared by a model",
            (("Case", False), ("Better", False)),
            [_row(row, word) for row, word in zip(rows, won, strict=True)][:LISTED],
            fold=FOLD,
        ),
    ]


def _rows(a: Side, b: Side) -> list[ComparisonRow]:
    both = {a.column.version, b.column.version}
    every = typed(a.ws, "comparisons", ComparisonRow, where(a.ws, "comparisons", suite=a.suite))
    return [
        row for row in every if row.judge_type == MODEL and {row.version_a, row.version_b} == both
    ]


def _winner(row: ComparisonRow, found: Comparison) -> str:
    """Return which side of the page won: a document's own A is the side that chance put there."""
    version = {"A": row.version_a, "B": row.version_b}.get(row.winner or "")
    if version is None:
        return "tie" if row.winner == "tie" else "no winner"
    return "B won" if version == found.b.column.version else "A won"


def _row(row: ComparisonRow, word: str) -> Row:
    said = row.summary or ""
    short = said if len(said) <= MAX_TEXT else f"{said[: MAX_TEXT - 1]}…"
    return Row([Cell(row.case_id or "not known", id=row.comparison_id), Cell(word, sub=short)])
