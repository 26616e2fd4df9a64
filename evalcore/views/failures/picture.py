"""Bars of how many failures there are by type and by version, to share."""

from collections.abc import Iterable
from typing import Final

from evalcore.failures.query import counts
from evalcore.views.blocks.base import link
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import Axis, Bar, BarRow, Bars, Picture
from evalcore.views.failures.state import FailuresState
from evalcore.views.failures.top import sentence
from evalcore.views.failures.words import TYPE_WORDS
from evalcore.views.words import wording

VERSIONS: Final = 20
"""So many versions have a bar, the newest; the sentence says how many more there are."""


_Counted = tuple[str, int, dict[str, str]]
"""A name, its number of failures, and the parameters that list them."""


def type_picture(state: FailuresState) -> Picture:
    """Return the number of failures of each type."""
    found = counts(state.ws, state.suite, state.everything, state.scores)
    rows = [(TYPE_WORDS[kind], n, {"type": kind}) for kind, n in found.type.items()]
    return _picture(state, "Failures by type", rows, ())


def version_picture(state: FailuresState) -> Picture:
    """Return the number of failures of each version, all types together."""
    found = counts(state.ws, state.suite, state.everything, state.scores)
    versions = list(found.version.items())
    rows = [(name, n, {"v": name}) for name, n in versions[-VERSIONS:]]
    left = max(len(versions) - VERSIONS, 0)
    more = [f"The newest {VERSIONS} of {len(versions):,} versions."] if left else []
    if gone := sum(found.state.values()) - sum(found.version.values()):
        more.append(f"{wording.count(gone, 'failure')} of missing runs, in no version.")
    return _picture(state, "Failures by version", rows, more)


def _picture(
    state: FailuresState,
    title: str,
    rows: Iterable[tuple[str, int, dict[str, str]]],
    more: Iterable[str],
) -> Picture:
    made = [
        BarRow(name, "", (Bar(n, None, None, f"{n:,}"),), link=link("failures", **query))
        for name, n, query in rows
    ]
    top = max((row.bars[0].value for row in made if row.bars[0] is not None), default=0) or 1
    ticks = tuple((value, f"{value:,.0f}") for value in (0.0, float(top)))
    total = counts(state.ws, state.suite, state.everything, state.scores)
    said = sentence(state, total)
    chart = Bars(said, (), tuple(made), Axis(0.0, float(top), ticks))
    facts = ("Types that nobody confirmed are guesses.", *more)
    return picture(state.ws, state.suite, chart, title, facts, state.scores)
