"""Limits on the texts that people write, shared by the core, the pages and their scripts."""

from typing import Final, NamedTuple

from evalcore.errors import CannotJudge


class Limits(NamedTuple):
    """Maximum length of each text in characters; `passages` limits the quotes of one score."""

    rationale: int
    passage: int
    passages: int
    note: int
    reason: int
    name: int
    failure: int


LIMITS: Final = Limits(
    rationale=20_000, passage=4_000, passages=20, note=10_000, reason=1_000, name=80, failure=10_000
)


def stored(text: str, most: int, what: str) -> str:
    """Return a text in its stored form: stripped, and without halves of characters.

    Raises:
        CannotJudge: it is longer than `most` characters; `what` names the text in the message.
    """
    plain = text.encode("utf-8", "replace").decode().strip()
    require_room(len(plain), most, what)
    return plain


def require_room(length: int, most: int, what: str) -> None:
    """Raise `CannotJudge` where a text is longer than `most` characters."""
    if length > most:
        size = f"{length:,} characters, at most {most:,} are stored"
        raise CannotJudge(f"{what} has {size}. Shorten it.")


def shortened(text: str, most: int) -> str:
    """Return the first `most` characters of a text; of a longer one, how many are left out too."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … (cut, {most:,} of {len(text):,} characters)"
