"""Search texts for regular expressions that strangers wrote, in bounded time and memory."""

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import regex

MAX_PATTERN: Final = 1_000
MAX_TEXT: Final = 1024 * 1024
"""Characters of a text: what a search remembers to come back to is a hundred times as much."""
MAX_REPEATED: Final = 50_000
"""So many characters long is a pattern whose repetitions with a number are written out."""
SECONDS: Final = 1.0

_TOKEN: Final = re.compile(
    r"\(\?#[^)]*\)|\\N\{[^}]*\}|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\{(?:(\d+)(?:,(\d*))?|,(\d*))\}|.",
    re.DOTALL,
)
# The library reads {e} and {i<=2} as "with errors"; in Python's own patterns it is plain text.
_SPACED: Final = re.compile(r"\(\?[a-zA-Z]*x")
_PLAIN_BRACE: Final = re.compile(r"(\\N\{[^}]*\}|\\.)|\{(?!\d+(?:,\d*)?\}|,\d*\})", re.DOTALL)


class Span(NamedTuple):
    """Where a match begins and ends in the text."""

    start: int
    end: int


class Unsearchable(ValueError):
    """A pattern that cannot be searched; the message is a sentence that says why."""


def spans(pattern: str, text: str, seconds: float = SECONDS) -> Iterator[Span]:
    """Yield where Python's regular expression matches, at most for a second.

    Raises:
        Unsearchable: the pattern is faulty or takes too long, or the text is too long.
    """
    compiled = _compiled(pattern)
    if len(text) > MAX_TEXT:
        raise Unsearchable(f"A pattern is searched in at most {MAX_TEXT:,} characters.")
    try:
        for match in compiled.finditer(text, timeout=max(0.001, min(seconds, SECONDS))):
            yield Span(*match.span())
    except TimeoutError as error:
        reason = f"The pattern took longer than {SECONDS:.0f} s; repeat less inside repetitions."
        raise Unsearchable(reason) from error
    except (MemoryError, RecursionError) as error:
        raise Unsearchable("The pattern needs too much memory; write a simpler one.") from error


def fault_of(pattern: str) -> str | None:
    """Return the sentence that says why a pattern cannot be searched; else None."""
    try:
        _compiled(pattern)
    except Unsearchable as error:
        return str(error)
    return None


@lru_cache(maxsize=128)
def _compiled(pattern: str) -> Any:
    if len(pattern) > MAX_PATTERN:
        raise Unsearchable(f"The pattern has more than {MAX_PATTERN:,} characters.")
    if _SPACED.search(pattern):
        raise Unsearchable("The pattern uses the flag x; write it without spaces and comments.")
    if _written_out(pattern) > MAX_REPEATED:
        raise Unsearchable("The pattern repeats too much inside repetitions; write a simpler one.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what will change in a later Python still works
            re.compile(pattern)  # the library knows more than Python's patterns
            return regex.compile(_PLAIN_BRACE.sub(_escaped, pattern))
    except (re.error, regex.error, OverflowError, RecursionError, ValueError, LookupError) as error:
        reason = str(error)[:100] or type(error).__name__
        raise Unsearchable(f"The pattern is not a Python regular expression: {reason}.") from error


def _escaped(found: re.Match[str]) -> str:
    return found[1] or r"\{"


def _written_out(pattern: str) -> int:
    """Return how long a pattern is if each repetition with a number is written out."""
    sizes = [0]
    last = 0
    for token in _TOKEN.finditer(pattern):
        text = token[0]
        if text.startswith("(?#"):
            continue  # what follows a comment repeats what is before it
        if text == "(":
            sizes.append(0)
        elif text == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif any(token.groups()):
            times = max(int(number) for number in token.groups() if number)
            grown = min(last * max(times, 1), MAX_REPEATED + 1)
            sizes[-1] += grown - last
            last = grown
        else:
            last = 1
            sizes[-1] += 1
    return max(sizes)
