"""Labels in a benchmark that say more than the configuration, such as `with_skill (iter4)`."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from evalcore.families.iterations.agreement import NEAR
from evalcore.families.iterations.figures import Figures
from evalcore.families.iterations.runs import Facts

LABEL: Final = re.compile(r"(?P<side>[^()\[\]]*[^()\[\]\s])\s*[(\[](?P<note>[^()\[\]]+)[)\]]\s*")
NUMBER: Final = re.compile(r"\d+")


class Label(NamedTuple):
    """A configuration, and what stands in brackets behind it."""

    side: str
    note: str


def label_of(configuration: str) -> Label | None:
    """Return the parts of a label; None for one without brackets."""
    found = LABEL.fullmatch(configuration)
    return Label(found["side"], found["note"].strip()) if found else None


def version_meant(note: str, versions: Iterable[str]) -> str | None:
    """Return the version that a note names by its whole name, its number, or its last word."""
    numbers, word = NUMBER.findall(note), note.casefold()
    for version in versions:
        name = version.casefold()
        if word == name or name.endswith((f"-{word}", f"_{word}")):
            return version
        if len(numbers) == 1 and NUMBER.findall(version) == numbers:
            return version
    return None


def agrees(figures: Figures, run: Facts) -> bool:
    """Say whether nothing in a benchmark's numbers contradicts those of a run."""
    pairs = ((figures.passed, run.passed), (figures.total, run.total))
    if any(None not in pair and pair[0] != pair[1] for pair in pairs):
        return False
    rates = figures.rate, run.pass_rate
    return rates[0] is None or (rates[1] is not None and abs(rates[0] - rates[1]) <= NEAR)
