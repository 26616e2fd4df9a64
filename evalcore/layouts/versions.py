"""The order of versions by their names and dates, and which of them is a baseline."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from evalcore.layouts.iterations import ITERATION
from evalcore.layouts.order import natural

BRANCHES: Final = frozenset({"baseline", "base", "master", "main", "trunk", "original", "control"})
LATEST: Final = frozenset({"final", "latest", "newest"})
_WORDS: Final = re.compile(r"[^\W_]+")
_PURPOSE: Final = re.compile(r"^(?:the )?(?:baseline|control)\b(?! pass rate)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d")


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

    Baselines come first, then what has a number, in natural order. A name without a number stands
    where its date puts it among those, else before them; `final` and `latest` stand last.
    """
    names = sorted(versions, key=natural)
    order = [name for name in names if name not in baselines and _NUMBER.search(name)]
    first, last = [name for name in names if name in baselines], []
    early: list[str] = []
    for name in names:
        if name in baselines or name in order:
            continue
        if LATEST.intersection(_words(name)):
            last.append(name)
        elif (at := _after(versions, order, name)) == 0:
            early.append(name)
        else:
            order.insert(at, name)
    return [*first, *early, *order, *last]


def _after(versions: Mapping[str, datetime | None], order: list[str], name: str) -> int:
    """Return the place of a version behind the last that was made before it."""
    made = versions[name]
    if made is None:
        return 0
    known = [(place, versions[other]) for place, other in enumerate(order)]
    return max((place + 1 for place, when in known if when is not None and when <= made), default=0)


def _words(version: str) -> list[str]:
    """Return the words of a version's name in small letters, without a leading `iteration`."""
    words = [word.lower() for word in _WORDS.findall(version)]
    return words[1:] if words and ITERATION.match(version) else words
