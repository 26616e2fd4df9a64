"""The names that files in a bundle may have: those that mean one file on every system."""

import unicodedata
from typing import Final

MAX_DEPTH: Final = 48
"""Folders below each other; what reads them allows a few more, for where a bundle is unpacked."""
MAX_NAME: Final = 200
MAX_PATH: Final = 1_000
"""Bytes of one name and of a whole path, of the 255 and 1,024 that systems take."""
_UNSEEN: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING: Final = frozenset(
    "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""What turns the direction of text, so that a name is shown as another one."""


def fault_of_path(path: str) -> str | None:
    """Return what is wrong with a path as the end of a sentence; None if nothing is."""
    names = path.split("/")
    try:
        long = len(path.encode()) > MAX_PATH or any(len(each.encode()) > MAX_NAME for each in names)
    except UnicodeEncodeError:
        return "its name is not text"
    if "" in names or "." in names or ".." in names:
        return "its name is not a plain path below the folder"
    if "\\" in path or ":" in path:
        return "its name has a backslash or colon, which is a folder or drive on some systems"
    if any(each in _TURNING or unicodedata.category(each) in _UNSEEN for each in path):
        return "its name has a control character"
    if ".git" in map(_folded, names):
        return "it belongs to a git repository"
    if long or len(names) > MAX_DEPTH:
        return "its name is too long or too deep"
    return None


class Names:
    """Names that were taken, to find another one that some system takes for the same."""

    def __init__(self) -> None:
        self._spelled: dict[str, str] = {}
        self._files: set[str] = set()

    def fault_of(self, path: str) -> str | None:
        """Take a path; return what is wrong with it, and take it only if nothing is."""
        if fault := fault_of_path(path):
            return fault
        names = path.split("/")
        above = ["/".join(names[:depth]) for depth in range(1, len(names))]
        if _folded(path) in self._spelled:
            return f"its name is that of {self._spelled[_folded(path)]!r} on some systems"
        for each in above:
            known = self._spelled.get(_folded(each), each)
            if known != each or each in self._files:
                return f"its folder has the name of {known!r} on some systems"
        self._spelled.update((_folded(each), each) for each in (*above, path))
        self._files.add(path)
        return None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())
