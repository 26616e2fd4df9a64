"""Sanitised text for a terminal, and error messages on stderr."""

import sys
import unicodedata
from typing import Final

# Characters that reorder or hide the text around them.
_HIDING: Final = frozenset("\u200e\u200f\u061c\ufeff\u202a\u202b\u202c\u202d\u202e"
                           "\u2066\u2067\u2068\u2069\u180e")  # fmt: skip
_CONTROL: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def harmless(text: object) -> str:
    """Return text from a file as one line that a terminal only shows: controls become escapes."""
    shown = str(text)
    if shown.isascii() and shown.isprintable():
        return shown
    return "".join(_escaped(char) if _controls(char) else char for char in shown)


def _controls(char: str) -> bool:
    if char in _HIDING or unicodedata.category(char) in _CONTROL:
        return True
    # Tags, and 240 signs that vary the one before: whole alphabets that cannot be seen.
    return 0xE0000 <= ord(char) <= 0xE01EF


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def complain(message: object) -> None:
    """Say on stderr why a command did not do its work."""
    sys.stderr.write(f"evalcore: {harmless(message)}\n")
