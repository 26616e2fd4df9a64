"""How graders name a criterion, and when two of their texts say the same."""

import re
from typing import Final

_ID: Final = re.compile(r"([A-Z]{1,3}\d{1,4})(?:\s*[:.)\u2013-]\s.*)?", re.DOTALL)


def label_of(named: str | None) -> str | None:
    """Return the id that the name of a criterion begins with, as in `S7: Uses a factory`."""
    found = _ID.fullmatch(named.strip()) if named else None
    return found[1] if found else None


def without_form(text: str) -> str:
    """Return a text without what does not make it another one: case, spaces, a full stop."""
    return " ".join(text.casefold().split()).rstrip(".!… ")
