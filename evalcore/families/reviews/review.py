"""A record of a `reviews` folder, and the current one in a chain."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from evalcore.disk.values import parse_time
from evalcore.families.base import SCHEMA

JUDGMENT: Final = "eval-judgment"
ADJUDICATION: Final = "adjudication"
Seen = Literal["recorded", "others"]
"""Whose scores of a run a judge could have seen before: the recorded ones, other people's."""
ADJUDICATED: Final = "adjudicated"
"""Who has judged, as the tables say, where it was decided what counts."""
TYPES: Final = (JUDGMENT, ADJUDICATION, "exclusion", "note", "skip", "approval-request")
UNFINISHED: Final = ".tmp"
"""The folder inside `reviews` where a record is written before it has its name."""

_EPOCH: Final = datetime.min.replace(tzinfo=UTC)


class Review(NamedTuple):
    """A record whose fields are not validated yet.

    `path` is relative to the workspace, or to the folder that was read.
    """

    type: str
    id: str
    fields: Mapping[str, Any]
    created_at: datetime
    created_by: str
    supersedes: str | None
    basis: Mapping[str, Any]
    path: str

    @property
    def order(self) -> tuple[datetime, str]:
        """The sort key by time; ids grow with their creation time."""
        return self.created_at, self.id


class Chain(NamedTuple):
    """Records that replace each other: the current one, the replaced ones, and its rivals.

    `rivals` are further unreplaced records: a person must decide between them.
    """

    head: Review
    replaced: tuple[Review, ...]
    rivals: tuple[Review, ...]


def review_of(value: object, path: str) -> Review | None:
    """Return the record of a JSON value, None if evalcore did not write it."""
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        return None
    kind, name, fields = value.get("type"), value.get("id"), value.get("fields")
    if not isinstance(kind, str) or kind not in TYPES:
        return None
    if not isinstance(name, str) or not name or not isinstance(fields, dict):
        return None
    by, old, basis = (value.get(key) for key in ("createdBy", "supersedes", "evalcore"))
    return Review(
        kind,
        name,
        fields,
        parse_time(value.get("createdAt")) or _EPOCH,
        by if isinstance(by, str) else "",
        old if isinstance(old, str) else None,
        basis if isinstance(basis, dict) else {},
        path,
    )


def judge_of(review: Review) -> str:
    """Return the judge in the fields, else the author of the record.

    The reserved name of adjudications is never a judge's name, so nobody outranks others by it.
    """
    named = review.fields.get("judgedBy")
    name = named if isinstance(named, str) and named else review.created_by
    return f"{name} (a judge)" if name == ADJUDICATED and review.type == JUDGMENT else name


def chains(reviews: Iterable[Review]) -> list[Chain]:
    """Group records into chains of `supersedes`, in the order of their heads.

    A record replaces one of its own type, and a judgment only one of the same judge: nobody can
    withdraw another's score. One that names a missing record, or one it cannot replace, starts a
    chain. Of several heads the newest counts; the others are rivals unless the newest replaces a
    record newer than they are, because its author saw them.
    """
    known = {review.id: review for review in sorted(reviews, key=lambda each: each.order)}
    earlier = {review.id: old.id for review in known.values() if (old := replaced(review, known))}
    groups: dict[str, list[Review]] = defaultdict(list)
    for name, review in known.items():
        groups[_first(name, earlier)].append(review)
    found = [_chain(members, earlier, known) for members in groups.values()]
    return sorted(found, key=lambda chain: chain.head.order)


def replaced(review: Review, known: Mapping[str, Review]) -> Review | None:
    """Return the known record that a record replaces; None without one."""
    old = known.get(review.supersedes or "")
    if old is None or old.type != review.type or old.id == review.id:
        return None
    return None if review.type == JUDGMENT and judge_of(old) != judge_of(review) else old


def _chain(members: list[Review], earlier: Mapping[str, str], known: Mapping[str, Review]) -> Chain:
    """Return the chain of some records, in their order."""
    named = {earlier[review.id] for review in members if review.id in earlier}
    heads = [review for review in members if review.id not in named] or members[-1:]
    head = heads[-1]
    before = known.get(earlier.get(head.id, ""))
    rivals = tuple(r for r in heads[:-1] if before is None or r.order > before.order)
    apart = {head.id, *(rival.id for rival in rivals)}
    return Chain(head, tuple(r for r in members if r.id not in apart), rivals)


def _first(name: str, earlier: Mapping[str, str]) -> str:
    """Return the id of the first record of a chain; of a cycle the smallest one."""
    seen = [name]
    while (old := earlier.get(seen[-1])) is not None:
        if old in seen:
            return min(seen[seen.index(old) :])
        seen.append(old)
    return seen[-1]
