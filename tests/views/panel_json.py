"""Blocks as the page sends them."""

from collections.abc import Iterable
from typing import Any

from evalcore.views.blocks.base import Block, Part
from evalcore.views.blocks.plain import as_json, plain


def panel_json(given: Part | Iterable[Block]) -> Any:
    """Return the JSON of blocks, or of one block or part of one."""
    return plain(given) if isinstance(given, Part) else as_json(given)
