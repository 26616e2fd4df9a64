"""The address parameters of the Rubric page."""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from evalcore.views.blocks.address import Address, choice, number, parameter
from evalcore.views.blocks.base import Link

Sort = Literal["weakest", "change", "worse", "name"]
SORTS: Final[dict[Sort, str]] = {
    "weakest": "Weakest first",
    "worse": "Got worse first",
    "change": "Most changed first",
    "name": "By name",
}


def _given(text: str) -> str | None:
    return text or None


@dataclass(frozen=True)
class RubricView(Address):
    """What is chosen on the page: the order, the pages, and an open criterion.

    `at` is the column (its key) of the open cell, None for the criterion in all columns. `columns`
    is the page of columns from the newest on, `runs` that of the listed runs, `suggested` that of
    what graders suggest; `suggestion` is the key of the open one; `listed` is
    the page of the list of criteria.
    """

    sort: Sort = choice("sort", SORTS, "weakest")
    page: int = number("page", 1)
    columns: int = number("cols", 1)
    criterion: str | None = parameter("criterion", _given)
    at: str | None = parameter("at", _given)
    runs: int = number("runs", 1)
    suggestion: str | None = parameter("suggestion", _given)
    suggested: int = number("suggested", 1)
    listed: int = number("listed", 1)

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        closed = {} if self.criterion is not None else {"at": None, "runs": None}
        return super().parameters() | closed

    def to(self, **changed: Any) -> Link:
        """Return the link to this view with something changed."""
        # What is at its default is not sent with every link; one name stays, so that it asks.
        asked = replace(self, **changed).parameters().items()
        return Link("rubric", {n: each for n, each in asked if each is not None or n == "sort"})
