"""State of the Data page: its address, links to other states, and the end of its lists."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from evalcore.problems import Severity
from evalcore.views.blocks.address import Address, choice, flag, number, parameter
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Links, Pager
from evalcore.views.blocks.paging import Page, pager
from evalcore.views.problems import SEVERITIES
from evalcore.views.words import wording

Part = Literal["files", "problems", "rules", "messages", "cases"]
PARTS: Final[tuple[Part, ...]] = ("files", "problems", "rules", "messages", "cases")
PAGE: Final = 50
MAX_TEXT: Final = 200
_MAX_PLACE: Final = 4_000


@dataclass(frozen=True)
class DataView(Address):
    """The address parameters of the Data page, apart from the sidebar's.

    `suite` filters the problems, `kind` (`family` or `family/kind`) the files; `file` and `at` (a
    JSON pointer) name the place that is open, `case` the open case, `rule` the open hard rule,
    `message` the open one of what was sent, of which `only_open` lists what waits for somebody.
    """

    part: Part = choice("dview", PARTS, "files")
    text: str = parameter("dq", lambda text: text[:MAX_TEXT], "")
    page: int = number("dpage", 1)
    severity: Severity | None = choice("severity", SEVERITIES)
    code: str | None = parameter("code")
    suite: str | None = parameter("dsuite")
    kind: str | None = parameter("kind")
    file: str | None = parameter("file")
    at: str = parameter("at", lambda text: text[:_MAX_PLACE], "")
    case: str | None = parameter("dcase")
    rule: str | None = parameter("rule")
    message: str | None = parameter("message")
    only_open: bool = flag("waits")

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters: the part always, of the others what is not usual."""
        return super().parameters() | {"dview": self.part}


def data_view(parameters: Mapping[str, str], problems: bool) -> DataView:
    """Return the view of address parameters; without any, the problems if there are some."""
    usual = {} if parameters.get("dview") in PARTS or not problems else {"dview": "problems"}
    return DataView.of({**parameters, **usual})


def to(view: DataView, **changed: object) -> Link:
    """Return a link to this page with some of the view changed; a new filter starts on page 1."""
    fresh: dict[str, Any] = {"page": 1, "file": None, "at": "", "case": None, "message": None}
    return link("data", **replace(view, **(fresh | changed)).parameters())


def clear(view: DataView, page: Page) -> list[Block]:
    """Return links that clear a search without results."""
    if page.total or not view.text:
        return []
    return [Links("", [Chip(text="Clear the search", link=to(view, text=""))])]


def pager_of(view: DataView, page: Page, total: int, noun: str) -> Pager:
    """Describe which of the matching rows are shown, and of how many rows in all."""
    every = wording.count(total, noun)
    kept = every if page.total == total else f"{page.total:,} of {every}"
    text = kept if page.pages == 1 else f"{page.span} of {kept}"
    return pager(text, page, lambda number: to(view, page=number))
