"""Where a passage stands in texts, whatever white space is between its words."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

MAX_PASSAGE: Final = 8_000


class Place(NamedTuple):
    """Where a passage stands: the name of a text, and its characters from `start` to `end`."""

    name: str
    start: int
    end: int


def places_of(passage: str, texts: Mapping[str, str]) -> list[Place]:
    """Return where a passage stands in texts, overlapping places too; nowhere if it is empty."""
    words = passage[:MAX_PASSAGE].split()
    if not words or len(passage) > MAX_PASSAGE:
        return []
    inside = r"\s+".join(map(re.escape, words))
    form = re.compile(f"(?=({inside}))")
    return list(_found(form, texts))


def _found(form: re.Pattern[str], texts: Mapping[str, str]) -> Iterator[Place]:
    for name, text in texts.items():
        for each in form.finditer(text):
            yield Place(name, *each.span(1))
