"""The runs that each side lost, by reason, on Compare."""

from collections.abc import Sequence

from evalcore.comparing.model import Comparison, Lost
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.verdict.differences import between
from evalcore.views.verdict.lost import lost_words

Kind = tuple[str, str]
"""What was lost, and why."""


def lost_blocks(found: Comparison) -> list[Block]:
    """Describe what each side lost; nothing if neither lost any."""
    kinds = dict.fromkeys((one.what, one.why) for one in (*found.lost.a, *found.lost.b))
    if not kinds:
        return []
    head = [("", False), ("A", True), ("B", True)]
    rows = [_row(kind, found) for kind in kinds]
    return [
        Heading("Lost runs", "of the cases that both sides ran"),
        Table("Lost runs", head, rows),
        Say(_bounds(found), quiet=True),
    ]


def _row(kind: Kind, found: Comparison) -> Row:
    sides = (found.lost.a, found.lost.b)
    words = next(lost_words(one, found.scores) for of in sides for one in of if _is(one, kind))
    return Row([Cell(words), *(_cell(of, kind) for of in sides)])


def _cell(lost: Sequence[Lost], kind: Kind) -> Cell:
    one = next((each for each in lost if _is(each, kind)), None)
    if one is None:
        return Cell("none", num=True, quiet=True)
    return Cell(f"{one.n:,} of {one.of:,}", num=True)


def _is(one: Lost, kind: Kind) -> bool:
    return (one.what, one.why) == kind


def _bounds(found: Comparison) -> str:
    """Return what the lost runs could change; those that timed out count already."""
    if all(one.why == "timed out" for one in (*found.lost.a, *found.lost.b)):
        return "They count as failed, so the difference is compared as it is."
    if not found.lost.unequal:
        return "Both sides lost equal shares, so the difference is compared as it is."
    if found.lost.low is None or found.lost.high is None:
        return "The sides lost unequal shares."
    around = between(found.lost.low, found.lost.high, found.headline)
    return (
        f"The sides lost unequal shares. Counted once against B and once for it, the difference is "
        f"{around}; better or worse is told only if both agree."
    )
