"""Views of a suite under a name: an address of a page, kept as a record beside the suite."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from msgspec import convert

from evalcore.errors import CannotWrite
from evalcore.families.reviews.models import SavedViewFields
from evalcore.families.reviews.review import SAVED_VIEW, Chain, Review, chains
from evalcore.families.reviews.saved_views import MAX_NAME, view_faults
from evalcore.judging.limits import stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, one_or_list
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace

NAMELESS: Final = "Give the view a name."


class SavedView(NamedTuple):
    """A view as it stands: its name, its page and that page's parameters.

    `replacing` are the ids of the records that a change of it replaces; there are several where
    people changed it at the same moment.
    """

    id: str
    name: str
    page: str
    address: Mapping[str, str]
    author: str
    created_at: datetime
    replacing: tuple[str, ...]


def saved_views(records: Iterable[Review]) -> tuple[SavedView, ...]:
    """Return the views among the records of a suite, by name.

    What is not valid is left out, also by a change of a view; opening the folder reports it. A view
    that somebody changed while another removed it stays.
    """
    found = [_standing(chain) for chain in chains([r for r in records if r.type == SAVED_VIEW])]
    return tuple(sorted(filter(None, found), key=lambda view: (view.name.casefold(), view.id)))


def save_view(
    ws: Workspace,
    suite: str,
    name: str,
    page: str,
    address: Mapping[str, str],
    judge: Judge,
    *,
    submission: str | None = None,
) -> Receipt:
    """Store a view; one of the same name and page is replaced, and stays on record.

    Raises:
        ValueError: the name is blank.
        CannotJudge: it is too long.
        CannotWrite: it could not be written, or holds what a view of the page does not keep.
        UnknownName: there is no such suite.
    """
    fields = {"name": _named(name), "page": page, "address": dict(address)}
    known = saved_views(load_reviews(review_folder(ws, suite)))
    same = (each for each in known if (each.name, each.page) == (fields["name"], page))
    old = [one for each in same for one in each.replacing if one != submission]
    return _written(ws, suite, fields, judge, old, submission)


def change_view(
    ws: Workspace,
    suite: str,
    view: SavedView,
    name: str | None,
    judge: Judge,
    *,
    submission: str | None = None,
) -> Receipt:
    """Give a view another name, or take it away without one; raises as `save_view` does."""
    named = view.name if name is None else _named(name)
    fields = {"name": named, "page": view.page, "address": dict(view.address)}
    gone = {"removed": True} if name is None else {}
    return _written(ws, suite, fields | gone, judge, view.replacing, submission)


def _standing(chain: Chain) -> SavedView | None:
    """Return the view of a chain: its newest valid record that does not take it away."""
    sound = [each for each in chain.heads if not any(view_faults(each.fields))]
    head = next((each for each in reversed(sound) if not each.fields.get("removed")), None)
    if head is None:
        return None
    fields, heads = head.fields, tuple(each.id for each in chain.heads)
    about = str(fields["name"]).strip(), str(fields["page"]), dict(fields["address"])
    return SavedView(head.id, *about, head.created_by, head.created_at, heads)


def _named(name: str) -> str:
    plain = stored(" ".join(name.split()), MAX_NAME, "The name")
    if not plain:
        raise ValueError(NAMELESS)
    return plain


def _written(
    ws: Workspace,
    suite: str,
    fields: Mapping[str, Any],
    judge: Judge,
    replaces: Iterable[str],
    submission: str | None,
) -> Receipt:
    folder = review_folder(ws, suite)
    if fault := next(view_faults(fields), None):
        raise CannotWrite(folder.root / folder.path, fault.message.rstrip("."))
    made = convert(fields, SavedViewFields)
    return store(folder, make_record(made, judge, submission, one_or_list(list(replaces))))
