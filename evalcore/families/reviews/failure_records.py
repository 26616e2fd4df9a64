"""Rows of failures as people, models and rules say them, in place of what a store says of them.

A failure is nobody's own: anybody may replace it, also one that a store of records holds.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from evalcore.disk.values import parse_time
from evalcore.families.base import RECORDED
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import where
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


def origin_of(author: str | None, otherwise: str = PERSON) -> str:
    """Return who says what a failure is, by the author of its record."""
    if author == BY_RULE:
        return RULE
    return MODEL if author is not None and author.startswith(MODEL_MARK) else otherwise


def add_failures(context: ReviewContext, said: Sequence[tuple[Review, Subject | None]]) -> None:
    """Add a row for each failure that people classified, and report what contradicts.

    Failures that documents of the suite hold are the oldest of their chains. Chains of one run that
    replace no such failure are one: two people may classify the same run at the same time, and then
    somebody has to decide.
    """
    if not said:
        return
    suite, known = context.suite.id, context.known
    of = {review.id: subject for review, subject in said}
    here = where(known.column("failures", "suite"), [suite]).tolist()
    stored = [
        Review(FAILURE, name, {}, EPOCH, "", (), {}, source)
        for name, origin, source in known.rows("failures", ("failure_id", "origin", "source"), here)
        if origin == RECORDED and name not in of
    ]
    of_run: dict[str, list[Chain]] = defaultdict(list)
    found: list[Chain] = []
    for chain in chains([*stored, *(review for review, _ in said)]):
        if chain.head.id not in of:
            continue
        subject = of[chain.head.id]
        run = subject.run.id if subject is not None else run_named(chain.head) or ""
        if all(member.id in of for member in chain.members):
            of_run[run].append(chain)
        else:
            found.append(chain)
    for chain in (*found, *map(joined, of_run.values())):
        review, subject = chain.head, of[chain.head.id]
        context.note_chain(chain, subject)
        node, criteria = context.node(review), review.fields.get("affectedCriterionIds")
        context.rows.add(
            FailureRow(
                suite=suite,
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
        )


def _ids(names: Iterable[object]) -> str:
    return json.dumps([name for name in names if isinstance(name, str)], ensure_ascii=False)
