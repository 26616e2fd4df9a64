"""Text in charts: escaped, measured, cut or broken into lines."""

import unicodedata
from html import escape
from typing import Final

_SHARES: Final = (
    (0.42, " !',-./:;I()[]\\fijlrt|·’"),
    (0.62, '"*?FLPT_`aceksvxyzo“'),
    (0.66, "$0123456789EKS{}bdghnpqu"),
    (0.79, "&ABCDGHNOQRUVXYZ"),
    (1.0, "#%+<=>@JMW^mw~×−±…"),
)
_WIDTHS: Final = {ord(char): share for share, chars in _SHARES for char in chars}
"""Width of a character as a share of the font's size, in the widest usual font (DejaVu Sans)."""
_OTHER: Final = 0.7
_BESIDE_NOTHING: Final = frozenset({"Mn", "Me", "Cf"})
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
    """Return how many pixels wide a text is at most, in any usual font."""
    return size * sum(_WIDTHS.get(ord(char)) or _share(char) for char in text)


def _share(char: str) -> float:
    if unicodedata.category(char) in _BESIDE_NOTHING:
        return 0.0
    return 1.0 if unicodedata.east_asian_width(char) in "WF" else _OTHER


def fit(text: str, room: float, size: float, *, ending: bool = False) -> str:
    """Return a text cut with an ellipsis where it has no room: its beginning, or its `ending`."""
    few = 20 + int(room)
    shown = plain(text[-few:] if ending else text[:few])
    if width(shown, size) <= room and len(shown) >= len(text.strip()) - 2:
        return shown
    while shown and width(f"{shown}…", size) > room:
        less = 1 + len(shown) // 16
        shown = shown[less:] if ending else shown[:-less]
    return f"…{shown.lstrip()}" if ending else f"{shown.rstrip()}…"


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
