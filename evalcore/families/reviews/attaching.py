"""Attach the records of `reviews` folders to suites and runs."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from evalcore.families.reviews.lookup import Lookup, Suite
from evalcore.families.reviews.matching import (
    NO_MATCH,
    Digest,
    Match,
    Named,
    Place,
    matches,
    named,
)
from evalcore.families.reviews.review import Review


class Attached(NamedTuple):
    """A record, the suite it belongs to, and the run it is about."""

    review: Review
    suite: Suite
    match: Match


class Folder(NamedTuple):
    """A `reviews` folder: where it lies, and its suites: `own` have their root there.

    `near` are the suites around it: their roots lie above or below it, or their runs below.
    """

    at: Place
    own: tuple[Suite, ...]
    near: tuple[Suite, ...]


def folder_at(at: Place, known: Lookup) -> Folder:
    """Return a `reviews` folder with its suites, the nearest first."""
    if at.part:
        return Folder(at, (), tuple(known.suites))
    own = tuple(suite for suite in known.suites if suite.root == at.path)
    above = [suite for suite in known.suites if _lies_in(at.path, suite.root)]
    above.sort(key=lambda suite: -len(suite.root))
    under = known.suites_under(at.path)
    below = [suite for suite in known.suites if _lies_in(suite.root, at.path) or suite.id in under]
    return Folder(at, own, tuple(dict.fromkeys([*above, *below])))


def attach(
    reviews: Iterable[Review], folder: Folder, known: Lookup, digest: Digest
) -> list[Attached]:
    """Return the records of a folder with the suites and the runs that they are about.

    A record about no run known here belongs to the suite whose root holds the folder, a remark
    about a suite also to the suite around it; without such a suite it is left out.
    """
    said = [(review, named(review, folder.at)) for review in reviews]
    found = _matched({one for _, one in said if one is not None}, folder, known, digest)
    suites = {suite.id: suite for suite in (*folder.own, *folder.near)}
    attached = []
    for review, one in said:
        match = found.get(one, NO_MATCH) if one is not None else NO_MATCH
        if match.runs:
            attached.append(Attached(review, suites[match.runs[0].suite], match))
        elif suite := _suite(folder, one):
            attached.append(Attached(review, suite, match))
    return attached


def _matched(
    wanted: Collection[Named], folder: Folder, known: Lookup, digest: Digest
) -> dict[Named, Match]:
    """Return the runs meant among those of the folder's own suites, else of those around it."""
    found = matches(wanted, known, folder.own, digest) if folder.own else {}
    left = {one for one in wanted if not found.get(one, NO_MATCH).runs}
    return found | (matches(left, known, folder.near, digest) if left and folder.near else {})


def _suite(folder: Folder, one: Named | None) -> Suite | None:
    """Return the suite of a record about no run known here; None without one."""
    if folder.own:
        prefix = one.id.partition("::")[0] if one is not None and "::" in one.id else None
        return next((each for each in folder.own if each.prefix == prefix), folder.own[0])
    inside = folder.near[:1] if one is None and not folder.at.part else ()
    return next((each for each in inside if _lies_in(folder.at.path, each.root)), None)


def _lies_in(path: str, above: str) -> bool:
    return path != above and (not above or path.startswith(f"{above}/"))
