"""The plain blocks that tables of links are made of; a door names a page and what its address says."""

from collections.abc import Iterable
from typing import Any

Block = dict[str, Any]


def door(page: str, **query: str | None) -> Block:
    """Return a door to a page: what its address says beside the choice of the sidebar; None takes out."""
    return {"page": page, "query": query}


def say(text: str, *, big: bool = False, quiet: bool = False) -> Block:
    """Return a sentence."""
    return {"t": "say", "text": text, "big": big, "quiet": quiet}


def heading(text: str, hint: str = "") -> Block:
    """Return a heading, with a few words beside it."""
    return {"t": "heading", "text": text, "hint": hint}


def cell(text: str, **given: Any) -> Block:
    """Return one cell of a table.

    `sub` stands below the text, `door` makes it a link, `num` aligns it right, `quiet` is for what is missing,
    `mark` colours it by its meaning, `copy` is a text that a button copies, `clamp` keeps it to two lines.
    """
    return {"text": text, **{key: value for key, value in given.items() if value not in (None, "", False)}}


def table(label: str, head: Iterable[tuple[str, bool]], rows: list[Block], *, fold: int = 0, empty: str = "") -> Block:
    """Return a table; its head is (words, whether numbers stand there); beyond `fold` rows it is folded."""
    columns = [{"text": text, "num": num} for text, num in head]
    return {"t": "table", "label": label, "head": columns, "rows": rows, "fold": fold, "empty": empty}
