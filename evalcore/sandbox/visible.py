"""Text as it is, for who decides on it: nothing in it is invisible or in another place."""

import unicodedata
from typing import Final

_NAMED: Final = {"\n": "\n", "\t": "\\t", "\r": "\\r", " ": " "}
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
# Drawn as nothing, though Unicode calls them letters, marks and symbols.
_BLANK: Final = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
    | set(range(0x180B, 0x1810))
    | set(range(0xFE00, 0xFE10))
    | set(range(0xE0100, 0xE01F0))
)


def visible(text: str) -> str:
    r"""Return text with control, bidirectional and invisible characters as escapes.

    U+202E is `\u202e`, a tab is `\t`; ends of lines stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    if unicodedata.category(character) not in _UNSEEN and code not in _BLANK:
        return character
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
