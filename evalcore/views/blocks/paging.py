"""Which page of a long list is shown, and the way to the others."""

from collections.abc import Callable
from typing import NamedTuple

from evalcore.views.blocks.base import Link
from evalcore.views.blocks.page import Pager


class Page(NamedTuple):
    """The page that is shown: the elements from `start` to before `stop`, of `total`."""

    number: int
    pages: int
    start: int
    stop: int
    total: int

    @property
    def rows(self) -> slice:
        """The elements on this page."""
        return slice(self.start, self.stop)

    @property
    def span(self) -> str:
        """The numbers of its first and last element."""
        return f"{self.start + 1:,}–{self.stop:,}"


def page_of(wanted: int, total: int, size: int) -> Page:
    """Return the page to show, the nearest to the wanted one that exists."""
    pages = max(-(-total // size), 1)
    number = min(max(wanted, 1), pages)
    return Page(number, pages, (number - 1) * size, min(number * size, total), total)


def page_from_end(wanted: int, total: int, size: int) -> Page:
    """Return the page to show where the first page holds the last elements."""
    page = page_of(wanted, total, size)
    return page._replace(start=total - page.stop, stop=total - page.start)


def page_with(place: int, size: int) -> int:
    """Return the number of the page that holds an element, which is counted from 0."""
    return place // size + 1


def pager(text: str, page: Page, to: Callable[[int], Link]) -> Pager:
    """Describe which elements are shown, with links to the previous and the next page."""
    before, after = (
        to(number) if 1 <= number <= page.pages else None
        for number in (page.number - 1, page.number + 1)
    )
    return Pager(text, before, after)
