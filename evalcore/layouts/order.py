"""The order of names that hold numbers."""

import re


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key in which `run-2` stands before `run-10`, in any case of letters."""
    parts = re.split(r"(\d{1,15})", text.lower())
    return tuple((0, int(p), "") if n % 2 else (1, 0, p) for n, p in enumerate(parts) if p)
