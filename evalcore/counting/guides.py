"""Parse a criterion's guide: anchors of its scores, or instructions to the judge."""

import json
import math


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
