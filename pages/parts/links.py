"""Go to another page, or to another state of this one, so that the switch takes place.

A tick of a fragment that arrives in the moment of `st.switch_page` is merged with it, and the run
that follows is one of the old page with its old address, or of that fragment alone. That run then
switches once more.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import streamlit as st

from pages.parts.session_state import session_object
from pages.parts.sidebar import PAGES
from pages.parts.state import Choice

_MOST_TRIES: Final = 3


@dataclass
class PageSwitch:
    """The page that runs, and the one that it switched to, None once that has run."""

    here: str = ""
    page: str | None = None
    query: dict[str, str] = field(default_factory=dict)
    tries: int = 0

    def to(self, page: str, query: dict[str, str]) -> None:
        """Switch to a page with these address parameters."""
        self.page, self.query, self.tries = page, query, 0
        self._switch()

    def arrive(self, page: str) -> bool:
        """Take note that a page runs; if it switched to another that did not run, switch again.

        Return whether it is another page than before.
        """
        if self.page is not None and page == self.here != self.page and self.tries < _MOST_TRIES:
            self._switch()
        turned, self.here, self.page = page != self.here, page, None
        return turned

    def resume(self) -> None:
        """Switch again if no page has run since, which a fragment of the old page sees."""
        if self.page is not None and self.here != self.page and self.tries < _MOST_TRIES:
            self._switch()

    def _switch(self) -> None:
        self.tries += 1
        st.switch_page(f"pages/{self.page}.py", query_params=self.query)


def follow(choice: Choice, did: dict[str, Any], here: str) -> dict[str, str | None]:
    """Switch to the page that a link names; return its query if that is this page."""
    target = did.get("link")
    if not isinstance(target, dict) or target.get("page") not in PAGES:
        return {}
    query_asked = target.get("query")
    given = query_asked.items() if isinstance(query_asked, dict) else ()
    query = {str(name): None if value is None else str(value) for name, value in given}
    if target["page"] == here:
        return query
    go_to_page(choice, str(target["page"]), **query)
    return {}


def go_to_page(choice: Choice, page: str, **query: str | None) -> None:
    """Go to a page with the current choice, with some parameters changed or removed (None)."""
    session_object(PageSwitch).to(page, choice.query(**query))
