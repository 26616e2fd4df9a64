"""Follow a link of a panel: to another page, or to another state of this one."""

from typing import Any

from pages.parts.session_state import session_object
from pages.parts.sidebar import PAGES
from pages.parts.state import Choice
from pages.parts.switching import PageSwitch


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
