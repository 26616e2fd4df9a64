"""Read the reviews of the suites with the same root into rows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.context import Linked, ReviewContext
from evalcore.families.reviews.lookup import Lookup
from evalcore.families.reviews.marks import add_mark, add_totals
from evalcore.families.reviews.matching import Attached, Folder, attach
from evalcore.families.reviews.memory_records import add_memory
from evalcore.families.reviews.other_records import (
    add_failures,
    add_fingerprints,
    add_other_records,
)
from evalcore.families.reviews.review import (
    FAILURE,
    MARKS,
    REMEMBERED,
    SINGLE,
    Review,
    by_another,
    chains,
    checked,
    joined,
    judge_type_of,
    scope,
)
from evalcore.families.reviews.subjects import Outputs, Subject, run_named, subjects
from evalcore.families.scoring import RUBRIC
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow

BROKEN: Final = "broken"

FAMILY: Final = REVIEWS
"""What the documents are listed as; no suite is of this family."""


def read_reviews(
    files: Iterable[tuple[Folder, Sequence[tuple[str, Json]]]],
    known: Lookup,
    reader: Reader,
    rows: Rows,
) -> set[str]:
    """Add the rows of the records of some `reviews` folders; return the paths that were read.

    The files of each folder are (path, value); problems of one do not affect others. Records in
    several folders of one suite are read together, so that one corrects the other.
    """
    outputs = Outputs(reader)
    by_suite: dict[str, list[Attached]] = defaultdict(list)
    taken: set[str] = set()
    for folder, content in files:
        own = folder.own[0].id if folder.own else None
        found: list[Review] = []
        broken: list[str] = []
        for path, value in content:
            review = checked(path, value, reader, own)
            if review is not None:
                found.append(review)
            elif own is not None:
                broken.append(path)
        for each in attach(found, folder, known, outputs.sha256):
            review, suite, _ = each
            by_suite[suite.id].append(each)
            taken.add(review.path)
            rows.add(DocumentRow(review.path, FAMILY, review.type, suite.id, records=1))
        for path in broken:
            taken.add(path)
            rows.add(DocumentRow(path, FAMILY, BROKEN, own, records=0))
    for suite in known.suites:
        if suite.id in by_suite:
            _read_suite(ReviewContext(suite, known, reader, rows, outputs, by_suite[suite.id]))
    return taken


def _read_suite(context: ReviewContext) -> None:
    """Add the rows of the records of one suite.

    Scores that others than their judges wrote are kept apart: they count for nothing.
    """
    runs = {run.id: run for each in context.attached if (run := each.match.run) is not None}
    facts = subjects(context.known, context.suite, runs.values())
    failures: list[tuple[Review, Subject | None]] = []
    foreign: list[tuple[Review, Subject | None]] = []
    remembered: list[Review] = []
    scopes: dict[tuple[str, ...], tuple[Subject | None, list[Review]]] = {}
    for review, _, match in context.attached:
        subject = facts[match.run.id] if match.run is not None else None
        if by_another(review):
            foreign.append((review, subject))
        elif review.type in REMEMBERED:
            remembered.append(review)
        elif review.type == FAILURE:
            failures.append((review, subject))
        else:
            kind, person, criterion = scope(review)
            if context.suite.family.is_store:
                criterion = criterion.removeprefix(f"{RUBRIC}:")
            # A run is the same under another of its names.
            name = subject.run.id if subject is not None else run_named(review) or ""
            key = name, kind, person, judge_type_of(review), criterion
            scopes.setdefault(key, (subject, []))[1].append(review)
    add_memory(context, remembered)
    scored: list[Linked] = []
    others: list[Linked] = []
    for subject, members in scopes.values():
        kind, found = members[0].type, chains(members)
        one = [joined(found)] if kind in SINGLE else found
        (scored if kind in MARKS else others).extend((chain, subject) for chain in one)
    others.sort(key=lambda each: each[0].head.order)
    context.note_foreign(review for review, _ in foreign)
    for chain, subject in (*scored, *others):
        context.note_chain(chain, subject)
    marks = [add_mark(context, review, subject, "foreign") for review, subject in foreign]
    marks += [
        add_mark(context, review, subject, "superseded")
        for chain, subject in scored
        for review in (*chain.replaced, *chain.rivals)
    ]
    marks += [add_mark(context, chain.head, subject, "head") for chain, subject in scored]
    add_totals(context, marks, facts)
    add_other_records(context, others)
    add_fingerprints(context, (*scored, *others))
    add_failures(context, failures)
