"""The names under which people are shown; documents hold their ids."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from evalcore.judging.storing.judges import known_judges

_MADE: Final = re.compile(r"(\w[\w-]*)-[0-9a-f]{4}")
"""An id that evalcore made: the name in small letters, and four digits."""


def person(judge: str) -> str:
    """Return the name of one person."""
    return people([judge])[judge]


def people(judges: Iterable[str]) -> dict[str, str]:
    """Return the names of people by their ids; those of the same name keep their ids.

    A name is the one given on this machine, else the part of the id that is made from it. An id
    that is not one of evalcore's is the name.
    """
    given = {judge.id: judge.name for judge in known_judges()}
    found = {judge: given.get(judge) or _told_by(judge) for judge in judges}
    count = Counter(found.values())
    return {judge: name if count[name] == 1 else judge for judge, name in found.items()}


def _told_by(judge: str) -> str:
    made = _MADE.fullmatch(judge)
    return made[1].replace("-", " ").title() if made else judge
