"""The outcome of one check: whether it passed, and the evidence in a sentence."""

from collections.abc import Sequence
from typing import Final, NamedTuple

MAX_EVIDENCE: Final = 600
MAX_QUOTED: Final = 80
_NAMED: Final = 8


class Outcome(NamedTuple):
    """Whether a check passed, and why.

    `passed` is None if nobody can say: `status` is then "not_run" (something needed is missing or
    too large) or "invalid" (the check itself is faulty).
    """

    passed: bool | None
    evidence: str
    status: str | None = None


def decided(passed: bool, evidence: str) -> Outcome:
    """Return the outcome of a check that was applied."""
    return Outcome(passed, capped(evidence))


def not_run(evidence: str) -> Outcome:
    """Return the outcome of a sound check that could not be applied."""
    return Outcome(None, capped(evidence), "not_run")


def invalid(evidence: str) -> Outcome:
    """Return the outcome of a check that is faulty itself."""
    return Outcome(None, capped(evidence), "invalid")


def capped(text: str, most: int = MAX_EVIDENCE) -> str:
    """Return a text of at most `most` characters that can be written as UTF-8."""
    text = text[: most + 1].encode("utf-8", "replace").decode()
    return text if len(text) <= most else text[: most - 1] + "…"


def quoted(text: str, most: int = MAX_QUOTED) -> str:
    """Return a text in quotation marks on one line, cut if it is long."""
    return f"“{capped(' '.join(text[: 4 * most].split()), most)}”"


def shown(path: str) -> str:
    """Return a path on one line, whatever its name, with its end if it is long."""
    plain = path if path.isprintable() else ascii(path)[1:-1]
    return plain if len(plain) <= MAX_QUOTED else f"…{plain[1 - MAX_QUOTED :]}"


def listed(names: Sequence[str]) -> str:
    """Return the first eight paths with commas between them, and how many more there are."""
    first = ", ".join(map(shown, names[:_NAMED]))
    more = len(names) - _NAMED
    return f"{first} and {more:,} more" if more > 0 else first
