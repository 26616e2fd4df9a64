"""Blocks as the JSON sent to a panel: bounded, and limited to what JSON can represent."""

import json
import math
from collections.abc import Iterable
from typing import Any, Final

from evalcore.views.blocks.base import Block, Link, Part

BUDGET: Final = 48_000
MAX_TEXT: Final = 9_000
MAX_TITLE: Final = 600
WHOLE: Final = ", whole in the raw document"
_WHOLE: Final = frozenset({"path", "pointer", "id", "run"})
"""Fields that name something: cut short they would name nothing."""


class Budget:
    """Limit of the JSON bytes of one panel's texts; None for no limit."""

    def __init__(self, size: int | None = BUDGET) -> None:
        self._left = size

    def short(self, text: str) -> str:
        """Return a text within the remaining budget; a cut text says so and is never left out."""
        if self._left is None:
            return text
        shown = cut(text, MAX_TEXT if self._left > 0 else MAX_TITLE, 40, WHOLE)
        self._left -= escaped(shown)
        return shown


def as_json(blocks: Iterable[Block], budget: int | None = None) -> list[dict[str, Any]]:
    """Return blocks as plain values whose texts together take at most `budget` bytes."""
    bound = Budget(budget)
    return [plain(block, bound) for block in blocks]


def plain(value: Any, budget: Budget | None = None) -> Any:
    """Return a copy that is JSON: dicts for blocks, no NaN, no lone surrogates."""
    if isinstance(value, Part):
        config, names = value.__struct_config__, value.__struct_fields__
        usual = dict(zip(reversed(names), reversed(value.__struct_defaults__), strict=False))
        given = {name: getattr(value, name) for name in names}
        if config.omit_defaults:
            given = {n: each for n, each in given.items() if n not in usual or each != usual[n]}
        kind = {} if config.tag is None else {"t": config.tag}
        return kind | {name: _field(name, each, budget) for name, each in given.items()}
    if isinstance(value, dict):
        return {str(key): _field(key, item, budget) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, budget) for item in value]
    if isinstance(value, str):
        sound = value.encode("utf-8", "replace").decode("utf-8")
        return sound if budget is None else budget.short(sound)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _field(name: object, value: Any, budget: Budget | None) -> Any:
    """Return a field of a block or of a plain part of one."""
    return plain(value, None if name in _WHOLE or isinstance(value, Link) else budget)


def escaped(text: str) -> int:
    """Return how many bytes a text takes as JSON of ASCII characters."""
    return len(json.dumps(text))


def cut(text: str, limit: int, least: int = 20, whole: str = "") -> str:
    """Return a text within so many bytes of JSON; a cut one says how long it is.

    At least so many characters stay; `whole` says where all of it is.
    """
    if len(text) * 12 <= limit or escaped(text) <= limit:
        return text
    keep = max(limit * len(text) // escaped(text) - 60, least)
    return f"{text[:keep]}… (cut here; {len(text):,} characters{whole})"
