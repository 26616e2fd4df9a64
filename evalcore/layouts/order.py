"""The order of names with numbers, and of versions by their names and dates."""

import re
from collections.abc import Mapping
from datetime import datetime
from itertools import takewhile
from typing import Final

from evalcore.layouts.iterations import ITERATION

BRANCHES: Final = frozenset({"baseline", "base", "master", "main", "trunk", "original", "control"})
LATEST: Final = frozenset({"final", "latest", "newest"})
_WORDS: Final = re.compile(r"[^\W_]+")
_PURPOSE: Final = re.compile(r"^(?:the )?(?:baseline|control)\b(?! pass rate)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d")


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a case-insensitive sort key in which `run-2` precedes `run-10`."""
    parts = re.split(r"(\d{1,15})", text.lower())
    return tuple((0, int(p), "") if n % 2 else (1, 0, p) for n, p in enumerate(parts) if p)


def in_common(path: str, other: str) -> int:
    """Return how many names two paths begin with in common."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def is_baseline_version(version: str, description: str | None = None) -> bool:
    """Return whether a version is what others are measured against, not a step after them.

    Its name says so (`baseline`, `iteration-master`, `v1-baseline`), or its description begins
    with `baseline` or `control`.
    """
    words = _words(version)
    named = bool(words) and (words[0] in BRANCHES or words[-1] == "baseline")
    return named or (description is not None and _PURPOSE.match(description) is not None)


def in_order(versions: Mapping[str, datetime | None], baselines: frozenset[str]) -> list[str]:
    """Return versions (name to date, if any) with the oldest first.

    Baselines come first, then what has a number, in natural order. A name without a number is
    placed by its date among those, else before them; `final` and `latest` come last.
    """
    names = sorted(versions, key=natural)
    first = [name for name in names if name in baselines]
    order = [name for name in names if name not in baselines and _NUMBER.search(name)]
    early, last = [], []
    for name in names:
        if name in baselines or name in order:
            continue
        if LATEST.intersection(_words(name)):
            last.append(name)
            continue
        made = versions[name]
        dates = [versions[other] for other in order]
        older = [place for place, date in enumerate(dates) if made and date and date <= made]
        if older:
            order.insert(older[-1] + 1, name)
        else:
            early.append(name)
    return [*first, *early, *order, *last]


def _words(version: str) -> list[str]:
    """Return the words of a version's name in small letters, without a leading `iteration`."""
    words = [word.lower() for word in _WORDS.findall(version)]
    return words[1:] if words and ITERATION.match(version) else words
