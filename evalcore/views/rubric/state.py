"""The address parameters of the Rubric page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from evalcore.views.blocks.base import Link

Sort = Literal["weakest", "change", "worse", "name"]
SORTS: Final[dict[Sort, str]] = {
    "weakest": "Weakest first",
    "worse": "Got worse first",
    "change": "Most changed first",
    "name": "By name",
}
MAX_DIGITS: Final = 6


@dataclass(frozen=True)
class RubricView:
    """What is chosen on the page: the order, the pages, and an open criterion.

    `at` is the column (its key) of the open cell, None for the criterion in all columns. `columns`
    is the page of columns from the newest on, `runs` that of the listed runs, `suggested` that of
    what graders suggest; `suggestion` is the key of the open one; `listed` is
    the page of the list of criteria.
    """

    sort: Sort = "weakest"
    page: int = 1
    columns: int = 1
    criterion: str | None = None
    at: str | None = None
    runs: int = 1
    suggestion: str | None = None
    suggested: int = 1
    listed: int = 1

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        return {
            "sort": None if self.sort == "weakest" else self.sort,
            "page": _number(self.page),
            "cols": _number(self.columns),
            "criterion": self.criterion,
            "at": self.at if self.criterion is not None else None,
            "runs": _number(self.runs) if self.criterion is not None else None,
            "suggestion": self.suggestion,
            "suggested": _number(self.suggested),
            "listed": _number(self.listed),
        }

    def to(self, **changed: Any) -> Link:
        """Return the link to this view with something changed."""
        # What is at its default is not sent with every link; one name stays, so that it asks.
        asked = replace(self, **changed).parameters().items()
        return Link("rubric", {n: each for n, each in asked if each is not None or n == "sort"})


def rubric_view(query: Mapping[str, str]) -> RubricView:
    """Return the view of an address; what it cannot mean is ignored."""
    return RubricView(
        sort=next((each for each in SORTS if each == query.get("sort")), "weakest"),
        page=_page(query.get("page")),
        columns=_page(query.get("cols")),
        criterion=query.get("criterion") or None,
        at=query.get("at") or None,
        runs=_page(query.get("runs")),
        suggestion=query.get("suggestion") or None,
        suggested=_page(query.get("suggested")),
        listed=_page(query.get("listed")),
    )


def _number(page: int) -> str | None:
    return None if page == 1 else str(page)


def _page(text: str | None) -> int:
    plain = text is not None and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return max(int(text), 1) if text is not None and plain else 1
