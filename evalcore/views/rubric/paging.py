"""Pages of the lists of Rubric, each with a parameter of its own."""

from typing import NamedTuple

from evalcore.views.blocks.page import Pager
from evalcore.views.rubric.state import RubricView


class Page(NamedTuple):
    """The page of a list that is shown: elements from `start` to before `stop`, of `total`."""

    number: int
    pages: int
    start: int
    stop: int
    total: int


def page_of(wanted: int, total: int, size: int) -> Page:
    """Return the page to show, at most the last one."""
    pages = max(-(-total // size), 1)
    number = min(wanted, pages)
    return Page(number, pages, (number - 1) * size, min(number * size, total), total)


def pagers(view: RubricView, name: str, page: Page, total: str = "", **reset: None) -> list[Pager]:
    """Describe the way to the other pages; empty for a single one.

    `name` is the field of the view, `total` the number of elements in words. `reset` are fields
    that another page does not keep.
    """
    if page.pages == 1:
        return []
    before, after = (
        view.to(**reset, **{name: number}) if 1 <= number <= page.pages else None
        for number in (page.number - 1, page.number + 1)
    )
    span = f"{page.start + 1:,}–{page.stop:,} of {total or f'{page.total:,}'}"
    return [Pager(span, before, after)]
