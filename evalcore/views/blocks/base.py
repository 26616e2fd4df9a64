"""What every block is: one struct a kind, whose tag is `t` in its JSON.

A block holds words and numbers, never markup.
"""

from typing import Any

import msgspec

PanelData = dict[str, Any]
"""What a panel with a script of its own is sent: the grid, the head, the diff, the judging form."""


class Part(msgspec.Struct, frozen=True):
    """What blocks are made of."""


class Block(Part, frozen=True, tag_field="t"):
    """One kind of block; each has a drawer of the same name in `panels/blocks.js`."""


class Link(Part, frozen=True):
    """A page and its address; the query overrides the sidebar, None removes a parameter."""

    page: str
    query: dict[str, str | None]


def link(page: str, **query: str | None) -> Link:
    """Return the link to a page."""
    return Link(page, query)


class Labelled(Part, frozen=True):
    """A text with a small label."""

    label: str
    text: str
