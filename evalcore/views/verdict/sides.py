"""Short distinguishable names of the two sides of a comparison."""

from typing import NamedTuple

from evalcore.comparing.model import Comparison, Named
from evalcore.counting.outcomes import Column
from evalcore.views.words.wording import column_words


class SideNames(NamedTuple):
    """The names of A and B, and their shared part, as the end of "B is better than A"."""

    a: str
    b: str
    shared: str


def side_words(named: Named) -> str:
    """Return a side's full name: `v4`, `v4, with_skill`, `v4, with_skill of other-folder`."""
    return _placed(column_words(named.column), named.workspace)


def side_names(c: Comparison) -> SideNames:
    """Return the names of both sides without their shared part."""
    first, second = c.a.column, c.b.column
    places = _places(c.a, c.b)
    configured = "-" not in (first.configuration, second.configuration)
    if configured and first.version == second.version and not any(places) and first != second:
        return SideNames(first.configuration, second.configuration, f" in {first.version}")
    shared = ""
    if configured and first.configuration == second.configuration:
        shared = f", both {first.configuration}"
        first, second = Column(first.version, "-"), Column(second.version, "-")
    a, b = _placed(column_words(first), places[0]), _placed(column_words(second), places[1])
    return SideNames(f"{a} (A)", f"{b} (B)", shared) if a == b else SideNames(a, b, shared)


def _places(a: Named, b: Named) -> tuple[str, str]:
    """Return where each side's version is from: its workspace, else its suite, if they differ."""
    if a.workspace != b.workspace:
        return a.workspace, b.workspace
    return (a.suite, b.suite) if a.suite != b.suite else ("", "")


def _placed(name: str, place: str) -> str:
    return f"{name} of {place}" if place else name


def inside(name: str) -> str:
    """Return a name for use inside a sentence: one that contains a comma gets another after it."""
    return f"{name}," if "," in name else name
