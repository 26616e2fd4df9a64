"""Text in pictures: escaped, measured by rule of thumb, cut or broken into lines."""

import unicodedata
from html import escape
from typing import Final

NARROW: Final = 0.56
"""Width of a usual character as a share of the font's size; East Asian ones are twice as wide."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def plain(text: str) -> str:
    """Return a text on one line, without what is invisible or turns the direction of others."""
    shown = "".join(
        char if unicodedata.category(char) not in _UNSEEN else " " if char.isspace() else "�"
        for char in text
    )
    return " ".join(shown.split())


def escaped(text: str) -> str:
    """Return a text as content of an element."""
    return escape(plain(text), quote=False)


def width(text: str, size: float) -> float:
    """Return about how many pixels wide a text is."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return (len(text) + wide * 0.9) * NARROW * size


def fit(text: str, room: float, size: float) -> str:
    """Return a text cut with an ellipsis where it has no room."""
    shown = plain(text[: 20 + int(room)])
    if width(shown, size) <= room and len(shown) >= len(text.strip()) - 2:
        return shown
    while shown and width(f"{shown}…", size) > room:
        shown = shown[: -1 - len(shown) // 16]
    return f"{shown.rstrip()}…"


def wrapped(text: str, room: float, size: float, most: int = 4) -> list[str]:
    """Return a text in lines; the last of `most` ends with an ellipsis where it is longer."""
    lines: list[str] = []
    line = ""
    for word in plain(text[: 40 * int(room)]).split():
        longer = f"{line} {word}".strip()
        if line and width(longer, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
        if len(lines) == most:
            line, lines = f"{lines[-1]} {line} …", lines[:-1]
            break
    return [fit(each, room, size) for each in (*lines, line) if each]
