"""The view that `evalcore open --view` leads to: a page of the dashboard and its query."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from evalcore.errors import CannotServe
from evalcore.server.process import app_file

_MAX_LENGTH: Final = 4096
_SHOWN: Final = 80
_NOT_OF_A_VIEW: Final = frozenset({"w", "token"})
"""The folder is named by the command, and a token is never taken from elsewhere."""


class View(NamedTuple):
    """A page of the dashboard and what is chosen on it."""

    page: str
    query: tuple[tuple[str, str], ...]

    def at(self, address: str) -> str:
        """Return an address of the dashboard with this view in it."""
        parts = urlsplit(address)
        query = urlencode([*parse_qsl(parts.query), *self.query], errors="replace")
        return urlunsplit(parts._replace(path=f"/{self.page}", query=query))


def view(text: str) -> View:
    """Return the view that is written as `page?name=value&…`.

    Raises `CannotServe` when it names no page of the dashboard, or is too long.
    """
    if len(text) > _MAX_LENGTH:
        raise CannotServe(f"The view has {len(text):,} characters; at most {_MAX_LENGTH:,} may be.")
    page, _, query = text.partition("?")
    pages = sorted(file.stem for file in (app_file().parent / "pages").glob("*.py"))
    if page not in pages:
        raise CannotServe(
            f"There is no page {page[:_SHOWN]!r}. A view is a page and its query, as in "
            f'--view "gradings?suite=NAME". The pages are {", ".join(pages)}.'
        )
    given = parse_qsl(query, keep_blank_values=True)
    return View(page, tuple(pair for pair in given if pair[0] not in _NOT_OF_A_VIEW))
