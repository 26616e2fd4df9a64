"""Differences of two texts as rows for a side-by-side view, in portions."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from evalcore.texts import Diff, Fold, Piece, Row, folded, most_parts, words
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import escaped
from evalcore.views.files.portions import MAX_PORTION
from evalcore.views.words.wording import count

MAX_PIECE: Final = 3_000
"""Characters of one part of a line that are shown; the middle of a longer one is left out."""
_KEPT: Final = 600
_ROW: Final = 44  # bytes of a row beside its texts
_PART: Final = 4  # and of a part of one


def diff_portions(diff: Diff) -> int:
    """Return how many portions the differences have; those of equal texts have one."""
    return len(_cuts(diff))


def diff_block(diff: Diff, label: str, a: str = "A", b: str = "B", portion: int = 1) -> PanelData:
    """Return one portion of the differences, counted from 1, as the diff panel takes it.

    `a` and `b` name the sides, `label` the thing that is compared. A row is `[kind, number in A,
    number in B, A's text, B's text]`, a text a list of parts that are in turn the same and changed;
    a fold is `["fold", first in A, first in B, lines, texts]`, its texts where they fit.
    """
    cuts = _cuts(diff)
    number = min(max(portion, 1), len(cuts))
    start, end, used = cuts[number - 1]
    parts = _parts(diff)[start:end]
    return {
        "label": label,
        "a": a,
        "b": b,
        "summary": diff_words(diff, a, b),
        "notes": notes(diff, a, b),
        "rows": list(_rows(diff, parts, MAX_PORTION - used)),
        "portion": number,
        "portions": len(cuts),
    }


def diff_words(diff: Diff, a: str = "A", b: str = "B") -> str:
    """Return a sentence on the size of the difference."""
    if diff.equal:
        same = f"{a} and {b} are the same, {count(len(diff.a), 'line')}."
        return same if diff.a else "Both are empty."
    if not diff.a or not diff.b:
        empty, full, lines = (a, b, diff.lines_b) if not diff.a else (b, a, diff.lines_a)
        return f"{empty} is empty; {full} has {count(lines, 'line')}."
    if not diff.removed and not diff.added:
        return f"{count(len(diff.a), 'line')} on both sides, and they read the same."
    return (
        f"{count(diff.removed, 'line')} of {diff.lines_a:,} only in {a}, "
        f"{count(diff.added, 'line')} of {diff.lines_b:,} only in {b}."
    )


def notes(diff: Diff, a: str = "A", b: str = "B") -> list[str]:
    """Return sentences on what the lines themselves do not show."""
    sentences = []
    if diff.newline_a != diff.newline_b and diff.a and diff.b:
        ends = {"\n": "LF", "\r\n": "CR LF (as on Windows)"}
        sentences.append(
            f"Lines end with {ends[diff.newline_a]} in {a} and with "
            f"{ends[diff.newline_b]} in {b}; that is not marked in each line."
        )
    if diff.closed_a != diff.closed_b and diff.a and diff.b and not diff.cut:
        without, other = (b, a) if diff.closed_a else (a, b)
        sentences.append(f"The last line of {without} has no line end; that of {other} has one.")
    for name, kept, lines in ((a, diff.a, diff.lines_a), (b, diff.b, diff.lines_b)):
        if len(kept) < lines:
            sentences.append(
                f"Only the first {count(len(kept), 'line')} of the {lines:,} of {name} "
                "are compared."
            )
    if (diff.removed or diff.added) and not diff.cut:
        a_squeezed, b_squeezed = ("".join("".join(lines).split()) for lines in (diff.a, diff.b))
        if a_squeezed == b_squeezed:
            sentences.append("Only white space differs.")
    return sentences


@lru_cache(maxsize=4)
def _parts(diff: Diff) -> tuple[Row | Fold, ...]:
    return tuple(folded(diff))


@lru_cache(maxsize=4)
def _cuts(diff: Diff) -> tuple[tuple[int, int, int], ...]:
    """Return the portions as (first part, end, bytes): whole rows, at least one in each."""
    cuts: list[tuple[int, int, int]] = []
    begun = used = 0
    for at, part in enumerate(_parts(diff)):
        size = _ROW if isinstance(part, Fold) else _size(diff, part)
        if at > begun and used + size > MAX_PORTION:
            cuts.append((begun, at, used))
            begun, used = at, 0
        used += size
    return (*cuts, (begun, len(_parts(diff)), used))


def _size(diff: Diff, row: Row) -> int:
    """Return the bytes of a row at most; a same line goes over once."""
    sides = [diff.a[row.a]] if row.a is not None else []
    if row.b is not None and row.kind != "same":
        sides.append(diff.b[row.b])
    if row.kind == "changed" and any(len(side) > MAX_PIECE for side in sides):
        found = words(*sides)
        parts = [*alternating(found.a), *alternating(found.b)]
        return _ROW + sum(escaped(part) + _PART for part in parts)
    beside = 2 * _PART * most_parts(*sides) if row.kind == "changed" else 0
    return _ROW + beside + sum(escaped(_cut(side, MAX_PIECE)) for side in sides)


def _rows(diff: Diff, parts: Iterable[Row | Fold], left: int) -> Iterator[list[Any]]:
    for part in parts:
        if not isinstance(part, Fold):
            yield _row(diff, part)
            continue
        lines = list(diff.a[part.a : part.a + part.size])
        size = left + 1
        if sum(map(len, lines)) <= left:
            size = sum(escaped(line) + 2 for line in lines)
        fits = size <= left
        left -= size if fits else 0
        yield ["fold", part.a + 1, part.b + 1, part.size, lines if fits else None]


def _row(diff: Diff, row: Row) -> list[Any]:
    a = None if row.a is None else diff.a[row.a]
    b = None if row.b is None else diff.b[row.b]
    numbers = [None if place is None else place + 1 for place in (row.a, row.b)]
    if row.kind == "changed" and a is not None and b is not None:
        found = words(a, b)
        coarse = [] if found.compared else ["too long to compare word by word"]
        return ["changed", *numbers, alternating(found.a), alternating(found.b), *coarse]
    texts = [None if text is None else [_cut(text, MAX_PIECE)] for text in (a, b)]
    return [row.kind, *numbers, texts[0], None if row.kind == "same" else texts[1]]


def alternating(pieces: Iterable[Piece]) -> list[str]:
    """Return the parts of a line, the first one the same on both sides, the next one changed.

    What exceeds half a portion is left out at the end, with a remark.
    """
    parts: list[str] = []
    left, beyond = MAX_PORTION // 2, 0
    for piece in pieces:
        text = _cut(piece.text, MAX_PIECE if piece.changed else 2 * _KEPT)
        left -= escaped(text) + 2
        if left < 0:
            beyond += len(piece.text)
            continue
        if len(parts) % 2 != piece.changed:
            parts.append("")
        parts.append(text)
    if beyond:
        left_out = f" … ({count(beyond, 'character')} left out)"
        parts += ["", left_out] if len(parts) % 2 else [left_out]
    return parts


def _cut(text: str, limit: int) -> str:
    """Return a text with the middle left out where it is too long, saying how much that is."""
    if len(text) <= limit:
        return text
    keep = limit // 2
    left_out = count(len(text) - 2 * keep, "character")
    return f"{text[:keep]} … ({left_out} left out) … {text[-keep:]}"
