"""What a file is to contain, or not to: strings or a regular expression, and where they stand."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from time import monotonic
from typing import Any, Final, NamedTuple

from evalcore.checks.outcome import quoted
from evalcore.checks.searching import Span, Unsearchable, fault_of, spans

MAX_STRINGS: Final = 200
MAX_STRING: Final = 10_000
MAX_SECONDS: Final = 30.0
CONTEXT: Final = 2
"""So many lines before and after a match are its context."""
_FIELDS: Final = ("match", "match_any", "match_regex")


class Needle(NamedTuple):
    """What to search for: any of some strings, or a regular expression."""

    strings: tuple[str, ...]
    pattern: str | None = None

    @property
    def said(self) -> str:
        """The needle in words."""
        if self.pattern is not None:
            return f"the pattern {quoted(self.pattern)}"
        if len(self.strings) == 1:
            return quoted(self.strings[0])
        more = f" or {len(self.strings) - 3:,} more" if len(self.strings) > 3 else ""
        return f"any of {', '.join(map(quoted, self.strings[:3]))}{more}"


class Hit(NamedTuple):
    """A match: the line where it begins, counted from 1, and that line."""

    line: int
    text: str


def needle(expectation: Mapping[str, Any]) -> Needle | str:
    """Return what an expectation searches for, or the sentence that says what is wrong."""
    given = [field for field in _FIELDS if expectation.get(field) is not None]
    if len(given) != 1:
        return f"It needs exactly one of match, match_any and match_regex, and has {len(given)}."
    value = expectation[given[0]]
    if given[0] == "match_any":
        fault = strings_fault(value, "match_any")
        return fault or Needle(tuple(value))
    if not isinstance(value, str) or not 0 < len(value) <= MAX_STRING:
        return f"{given[0]} must be a text of 1 to {MAX_STRING:,} characters."
    if given[0] == "match":
        return Needle((value,))
    return fault_of(value) or Needle((), value)


def strings_fault(value: Any, field: str) -> str | None:
    """Return the sentence that says why a value is not a list of texts to search for; else None."""
    if not isinstance(value, list) or not 0 < len(value) <= MAX_STRINGS:
        return f"{field} must be a list of 1 to {MAX_STRINGS} texts."
    if not all(isinstance(text, str) and 0 < len(text) <= MAX_STRING for text in value):
        return f"Each text of {field} must have 1 to {MAX_STRING:,} characters."
    return None


def first_hit(
    text: str, wanted: Needle, exempt: Sequence[str] = (), seconds: float = MAX_SECONDS
) -> Hit | None:
    """Return the first match that has no exempting text within two lines; None without any.

    The search takes about so many seconds at most, and one for a pattern.

    Raises:
        Unsearchable: the pattern cannot be searched, or there are too many exempted matches.
    """
    ends = monotonic() + seconds
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))[:-1]
    exempted: dict[tuple[int, int], bool] = {}
    for span in _found(text, wanted, starts, seconds):
        first = bisect_right(starts, span.start) - 1
        last = bisect_right(starts, max(span.start, span.end - 1)) - 1
        if (first, last) not in exempted:
            if exempt and exempted and monotonic() > ends:
                raise Unsearchable("The exempted matches are too many to look at; narrow match.")
            around = "\n".join(lines[max(0, first - CONTEXT) : last + CONTEXT + 1])
            exempted[first, last] = any(context in around for context in exempt)
        if not exempted[first, last]:
            return Hit(first + 1, lines[first].strip())
    return None


def _found(text: str, wanted: Needle, starts: Sequence[int], seconds: float) -> Iterator[Span]:
    """Yield matches; of each string, the first on each line, as all on it have one context."""
    if wanted.pattern is not None:
        yield from spans(wanted.pattern, text, seconds)
        return
    for string in wanted.strings:
        at = text.find(string)
        while at >= 0:
            yield Span(at, at + len(string))
            line = bisect_right(starts, at)
            at = text.find(string, starts[line]) if line < len(starts) else -1
