"""The registry of families, one line each; other packages look families up by name."""

from collections.abc import Iterable
from typing import TypeVar

from evalcore.errors import UnknownFamily
from evalcore.families import (
    activation,
    descriptions,
    improve,
    inspect,
    iterations,
    promptfoo,
    records,
    reviews,
    rows,
)
from evalcore.families.base import Dialect, Family

D = TypeVar("D", bound=Dialect)

FAMILIES: tuple[Family, ...] = (
    improve.FAMILY,
    descriptions.FAMILY,
    iterations.FAMILY,
    iterations.RUBRIC,
    records.FAMILY,
    activation.FAMILY,
    inspect.FAMILY,
    promptfoo.FAMILY,
    rows.FAMILY,
)
"""In the order in which they are asked for their suites: the first to claim a file has it."""


def family(name: str | None) -> Family:
    """Return the family of a suite by its name.

    Raises:
        UnknownFamily: there is none of that name.
    """
    return _named(name, FAMILIES)


def dialects() -> tuple[Dialect, ...]:
    """Return all dialects: the families, and human reviews."""
    return (*FAMILIES, reviews.DIALECT)


def dialect(name: str) -> Dialect:
    """Return a dialect by its name.

    Raises:
        UnknownFamily: there is none of that name.
    """
    return _named(name, dialects())


def _named(name: str | None, known: Iterable[D]) -> D:
    by_name = {each.name: each for each in known}
    if name is None or name not in by_name:
        raise UnknownFamily(name, by_name)
    return by_name[name]


def looked_for() -> str:
    """Return which documents indicate suites, as help for a folder without any."""
    named = [words for each in FAMILIES for words in each.looks_like]
    return f"Looked in every folder for {', '.join(named[:-1])}, and {named[-1]}."


def mapped_by(name: str) -> Family | None:
    """Return the family that reads tables of this name by a mapping, None if none does."""
    return next((each for each in FAMILIES if name.lower().endswith(each.mapped)), None)
