"""Compare two texts: pure functions of text, bounded in time for any input."""

from evalcore.texts.lines import Diff, Fold, Row, diff, folded, rows
from evalcore.texts.words import Piece, Words, most_parts, words

__all__ = ["Diff", "Fold", "Piece", "Row", "Words", "diff", "folded", "most_parts", "rows", "words"]
