"""Rows of failures as people, models and rules say them, in place of what a store says of them.

A failure is nobody's own: anybody may replace it, also one that a store of records holds.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalcore.disk.values import parse_time
from evalcore.families.base import RECORDED
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import Lookup, where
from evalcore.families.reviews.noting import note_chain
from evalcore.families.reviews.review import EPOCH, FAILURE, Chain, Review, chains, joined
from evalcore.families.reviews.subjects import Subject, run_named
from evalcore.tables.rows import FailureRow

PERSON: Final = "person"
"""The origin of a failure that a person classified or resolved."""
MODEL: Final = "model"
RULE: Final = "rule"
BY_RULE: Final = "evalcore"
"""The author of what a program writes by a rule."""
MODEL_MARK: Final = "model:"
"""What stands before the name of a model that wrote a record; a person's id has no colon."""

Said = tuple[Review, Subject | None]


def origin_of(author: str | None, otherwise: str = PERSON) -> str:
    """Return who says what a failure is, by the author of its record."""
    if author == BY_RULE:
        return RULE
    return MODEL if author is not None and author.startswith(MODEL_MARK) else otherwise


def add_failures(context: ReviewContext, said: Sequence[Said], known: Lookup) -> None:
    """Add a row for each failure that people classified, and report what contradicts."""
    if not said:
        return
    of = {review.id: subject for review, subject in said}
    stored = _stored(context.suite.id, known)
    for chain in _chains([review for review, _ in said], stored, of):
        subject = of[chain.head.id]
        note_chain(context, chain, subject)
        context.rows.add(_row(context, chain, subject))


def _stored(suite: str, known: Lookup) -> list[Review]:
    """Return the failures that documents of the suite hold, as the oldest of their chains."""
    here = where(known.column("failures", "suite"), [suite]).tolist()
    names = ("failure_id", "origin", "source")
    return [
        Review(FAILURE, name, {}, EPOCH, "", (), {}, source)
        for name, origin, source in known.rows("failures", names, here)
        if origin == RECORDED
    ]


def _chains(
    records: Sequence[Review], stored: Sequence[Review], of: dict[str, Subject | None]
) -> Iterator[Chain]:
    """Yield the chains with a record of a person; those of one run that replace nothing are one.

    Two people may classify the same run at the same time: then somebody has to decide.
    """
    own = {review.id for review in records}
    of_run: dict[str, list[Chain]] = defaultdict(list)
    for chain in chains([*(each for each in stored if each.id not in own), *records]):
        if chain.head.id not in own:
            continue
        subject = of[chain.head.id]
        run = subject.run.id if subject is not None else run_named(chain.head) or ""
        if own.issuperset(member.id for member in chain.members):
            of_run[run].append(chain)
        else:
            yield chain
    yield from map(joined, of_run.values())


def _row(context: ReviewContext, chain: Chain, subject: Subject | None) -> FailureRow:
    review, node = chain.head, context.node(chain.head)
    criteria = review.fields.get("affectedCriterionIds")
    return FailureRow(
        suite=context.suite.id,
        failure_id=review.id,
        run_id=subject.run.id if subject is not None else None,
        failure_type=node.text("failureType"),
        description=node.text("description"),
        criteria=_ids(criteria if isinstance(criteria, list) else []),
        severity=node.text("severity"),
        root_cause=node.text("rootCause") or None,
        resolved_at=parse_time(review.fields.get("resolvedAt")),
        resolution_notes=node.text("resolutionNotes"),
        source=review.path,
        pointer="",
        named_run=run_named(review),
        author=review.created_by or None,
        created_at=review.created_at,
        origin=origin_of(review.created_by),
        supersedes=_ids(each.id for each in chain.replaced),
        rivals=_ids(each.id for each in chain.rivals),
    )


def _ids(names: Iterable[object]) -> str:
    return json.dumps([name for name in names if isinstance(name, str)], ensure_ascii=False)
