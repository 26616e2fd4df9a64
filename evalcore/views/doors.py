"""The plain blocks that tables of links are made of; a door names a page and its address."""

from collections.abc import Iterable
from typing import Any, Final

Block = dict[str, Any]
FOLD: Final = 12
"""How many rows of a long table stand before it is folded."""


def door(page: str, **query: str | None) -> Block:
    """Return a door to a page: its address beside the sidebar's choice; None takes out."""
    return {"page": page, "query": query}


def say(text: str, *, big: bool = False, quiet: bool = False) -> Block:
    """Return a sentence."""
    return {"t": "say", "text": text, "big": big, "quiet": quiet}


def heading(text: str, hint: str = "") -> Block:
    """Return a heading, with a few words beside it."""
    return {"t": "heading", "text": text, "hint": hint}


def cell(text: str, **given: Any) -> Block:
    """Return one cell of a table.

    `sub` stands below the text, `door` makes it a link, `num` aligns it right, `keep` keeps it on
    one line, `quiet` is for what is missing, `mark` colours it by its meaning, `title` explains it,
    `id` tells it from others of the same text, `clamp` keeps it to two lines.
    """
    return {
        "text": text,
        **{key: value for key, value in given.items() if value not in (None, "", False)},
    }


def table(
    label: str,
    head: Iterable[tuple[str, bool]],
    rows: list[Block],
    *,
    fold: int = 0,
    empty: str = "",
) -> Block:
    """Return a table: its head is (words, whether numbers stand there); `fold` rows show first."""
    columns = [{"text": text, "num": num} for text, num in head]
    return {
        "t": "table",
        "label": label,
        "head": columns,
        "rows": rows,
        "fold": fold,
        "empty": empty,
    }
