"""Natural order of names with numbers."""

import re


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a case-insensitive sort key in which `run-2` precedes `run-10`."""
    parts = re.split(r"(\d{1,15})", text.lower())
    return tuple((0, int(p), "") if n % 2 else (1, 0, p) for n, p in enumerate(parts) if p)
