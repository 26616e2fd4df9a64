"""State of the Trends page: what is followed, which part is shown, and which point is open."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, unquote

from evalcore.trends.lines import Over
from evalcore.views.blocks.address import Address, choice, flag, number, parameter
from evalcore.views.blocks.base import Link

OVER: Final[tuple[Over, ...]] = ("versions", "benchmark-runs")
_APART: Final = ","


def _names(text: str) -> tuple[str, ...]:
    return tuple(unquote(name) for name in text.split(_APART) if name)


def _together(names: Iterable[str]) -> str:
    return _APART.join(quote(name, safe="") for name in names)


@dataclass(frozen=True)
class View(Address):
    """The address parameters of the Trends page, apart from the sidebar's.

    `lines` are the names of the chosen ones, empty for the default; `first` and `last` the places
    at the ends of the range. `point` names the open one, `page` the page of its runs, `rows` that
    of the table. `alerts` lists the older ones too.
    """

    metric: str | None = parameter("metric")
    over: Over = choice("over", OVER, OVER[0])
    lines: tuple[str, ...] = parameter("lines", _names, (), _together)
    first: str | None = parameter("from")
    last: str | None = parameter("to")
    point: str | None = parameter("point")
    page: int = number("page", 1)
    rows: int = number("rows", 1)
    alerts: bool = flag("alerts", "all")

    def link(self, **changed: object) -> Link:
        """Return the link to this page with some of the view changed."""
        view = replace(self, **changed)  # type: ignore[arg-type]
        return Link("trends", view.parameters())


def toggled(names: Iterable[str], name: str) -> tuple[str, ...]:
    """Return the names with one more, or without it."""
    names = tuple(names)
    return tuple(each for each in names if each != name) if name in names else (*names, name)
