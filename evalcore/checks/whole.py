"""Find a text as a whole word or number, not inside a longer one."""

from collections.abc import Iterator
from typing import Final

MAX_TRIES: Final = 10_000
"""So many places are looked at; a text that has more is hardly a text."""
_EAST: Final = "\u2e80"
"""From here on scripts write words without spaces between them."""


def places(text: str, wanted: str) -> Iterator[int]:
    """Yield the places where `wanted` is a whole word or number; overlapping ones once."""
    at = text.find(wanted) if wanted else -1
    for _ in range(MAX_TRIES):
        if at < 0:
            return
        end = at + len(wanted)
        whole = not (_goes_on_before(text, at) or _goes_on_after(text, end))
        if whole:
            yield at
        at = text.find(wanted, end if whole else at + 1)


def _goes_on_before(text: str, at: int) -> bool:
    """Return whether a word or number began before `at`."""
    first, before = text[at], text[at - 1 : at]
    if _wordy(first) and _wordy(before):
        return True
    further = text[at - 2 : at - 1] if at > 1 else ""
    if not first.isdigit() or not before:
        return False
    return (before in ".," and further.isdigit()) or (before in "-−" and not further.isalnum())


def _goes_on_after(text: str, end: int) -> bool:
    """Return whether a word or number that ends at `end` goes on."""
    last, after = text[end - 1], text[end : end + 1]
    if _wordy(last) and _wordy(after):
        return True
    return last.isdigit() and after in (".", ",") and text[end + 1 : end + 2].isdigit()


def _wordy(letter: str) -> bool:
    return (letter.isalnum() or letter == "_") and letter < _EAST
