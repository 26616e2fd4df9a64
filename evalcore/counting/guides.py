"""What a criterion is called, and its guide: anchors of scores, or instructions to a judge."""

import json
import math
import re
from typing import Final

MAX_NAME: Final = 80
"""Text before a colon is the name of a criterion up to this many characters."""
_OPAQUE: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{24,64}", re.IGNORECASE)


def is_opaque(name: str) -> bool:
    """Return whether a name is an id that tells a person nothing."""
    return _OPAQUE.fullmatch(name) is not None


def name_and_meaning(criterion: str, description: str | None) -> tuple[str, str]:
    """Return the name of a criterion, and its description if that says more."""
    text = (description or "").strip()
    if not text or text == criterion:
        return criterion, ""
    if is_opaque(criterion):
        name, mark, meaning = text.partition(": ")
        return (name, meaning) if mark and len(name) <= MAX_NAME else (text, "")
    return criterion, text


def anchors(guide: str | None) -> dict[float, str]:
    """Return the anchor text of each score in order; empty if a guide has no anchors."""
    value = _parsed(guide)
    found: dict[float, str] = {}
    for key, text in value.items() if isinstance(value, dict) else ():
        try:
            at = float(key)
        except ValueError:
            continue
        if math.isfinite(at) and isinstance(text, str):
            found[at] = text
    return dict(sorted(found.items()))


def instructions(guide: str | None) -> str | None:
    """Return a guide that consists of plain instructions to the judge, else None."""
    value = _parsed(guide)
    return value if isinstance(value, str) and value else None


def _parsed(guide: str | None) -> object:
    try:
        return json.loads(guide) if guide else None
    except (ValueError, RecursionError):
        return guide
