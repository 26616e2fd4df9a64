"""State of the Trends page: what is followed, which part is shown, and which point is open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, unquote

from evalcore.trends.lines import Over
from evalcore.views.blocks.base import Link
from evalcore.views.gradings.state import number_in

OVER: Final[tuple[Over, ...]] = ("versions", "benchmark-runs")
_APART: Final = ","


@dataclass(frozen=True)
class View:
    """The address parameters of the Trends page, apart from the sidebar's.

    `lines` are the names of the chosen ones, empty for the default; `first` and `last` the places
    at the ends of the range. `point` names the open one, `page` the page of its runs, `rows` that
    of the table. `alerts` lists the older ones too.
    """

    metric: str | None = None
    over: Over = "versions"
    lines: tuple[str, ...] = ()
    first: str | None = None
    last: str | None = None
    point: str | None = None
    page: int = 1
    rows: int = 1
    alerts: bool = False

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        return {
            "metric": self.metric,
            "over": None if self.over == OVER[0] else self.over,
            "lines": _APART.join(quote(name, safe="") for name in self.lines) or None,
            "from": self.first,
            "to": self.last,
            "point": self.point,
            "page": _beyond_first(self.page),
            "rows": _beyond_first(self.rows),
            "alerts": "all" if self.alerts else None,
        }

    def link(self, **changed: object) -> Link:
        """Return the link to this page with some of the view changed."""
        view = replace(self, **changed)  # type: ignore[arg-type]
        return Link("trends", view.parameters())


def view_of(parameters: Mapping[str, str | None]) -> View:
    """Return the view of address parameters; invalid ones are ignored."""
    value = parameters.get
    names = (value("lines") or "").split(_APART)
    return View(
        metric=value("metric"),
        over=next((name for name in OVER if name == value("over")), OVER[0]),
        lines=tuple(unquote(name) for name in names if name),
        first=value("from"),
        last=value("to"),
        point=value("point"),
        page=number_in(value("page")) or 1,
        rows=number_in(value("rows")) or 1,
        alerts=value("alerts") == "all",
    )


def page_of(wanted: int, total: int, size: int) -> tuple[int, int]:
    """Return the page to show, at most the last one, and the number of pages; both from 1."""
    pages = max(-(-total // size), 1)
    return min(wanted, pages), pages


def toggled(names: Iterable[str], name: str) -> tuple[str, ...]:
    """Return the names with one more, or without it."""
    names = tuple(names)
    return tuple(each for each in names if each != name) if name in names else (*names, name)


def _beyond_first(page: int) -> str | None:
    return None if page == 1 else str(page)
