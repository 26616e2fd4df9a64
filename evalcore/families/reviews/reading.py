"""Read the reviews of the suites with the same root into rows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.attaching import Attached, Folder, attach
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.finding import checked, review_at
from evalcore.families.reviews.human_scores import HumanScore, Standing, human_score, row_of
from evalcore.families.reviews.lookup import Lookup, Suite
from evalcore.families.reviews.noting import note_chain, note_foreign
from evalcore.families.reviews.other_records import add_other_records
from evalcore.families.reviews.review import (
    MARKS,
    SINGLE,
    Chain,
    Review,
    by_another,
    chains,
    joined,
    scope,
)
from evalcore.families.reviews.subjects import Outputs, run_named, subjects
from evalcore.families.reviews.thresholds import thresholds
from evalcore.families.reviews.totals import add_totals
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
        found, broken = _records(folder, content, reader)
        attached = attach(found, folder, known, outputs.sha256)
        for each in attached:
            by_suite[each.suite.id].append(each)
            taken.add(each.review.path)
            _add_document(each.review.path, each.review.type, each.suite, rows)
        for path in broken:
            taken.add(path)
            _add_document(path, BROKEN, folder.own[0], rows)
    for suite in known.suites:
        if suite.id in by_suite:
            _read_suite(suite, by_suite[suite.id], outputs, known, reader, rows)
    return taken


def _records(
    folder: Folder, content: Sequence[tuple[str, Json]], reader: Reader
) -> tuple[list[Review], list[str]]:
    """Return the records of a folder, and the files of a suite's own folder that hold none."""
    if not folder.own:
        found = (review_at(path, value) for path, value in content)
        return [review for review in found if review is not None], []
    read = {path: checked(path, value, reader, folder.own[0].id) for path, value in content}
    return (
        [review for review in read.values() if review is not None],
        [path for path, review in read.items() if review is None],
    )


def _add_document(path: str, kind: str, suite: Suite, rows: Rows) -> None:
    records = 0 if kind == BROKEN else 1
    rows.add(DocumentRow(path=path, family=FAMILY, kind=kind, suite=suite.id, records=records))


def _read_suite(
    suite: Suite,
    attached: Sequence[Attached],
    outputs: Outputs,
    known: Lookup,
    reader: Reader,
    rows: Rows,
) -> None:
    runs = {run.id: run for each in attached if (run := each.match.run) is not None}
    facts = subjects(known, suite, runs.values())
    matches = {each.review.path: each.match for each in attached}
    reviews = [each.review for each in attached]
    ids = frozenset(review.id for review in reviews)
    context = ReviewContext(suite, reader, rows, outputs, matches, facts, ids)
    mine, foreign = _split(reviews)
    linked = _chains(context, mine)
    note_foreign(context, foreign)
    for chain in linked:
        note_chain(context, chain)
    scored = [chain for chain in linked if chain.head.type in MARKS]
    others = [chain for chain in linked if chain.head.type not in MARKS]
    marks = [_mark(context, review, "foreign") for review in foreign] + _marks(context, scored)
    for mark in marks:
        rows.add(row_of(mark, context.node(mark.review), suite.family))
    cases = {subject.run.case_id for subject in facts.values() if subject.run.case_id}
    add_totals(suite, marks, facts, thresholds(known, suite, cases, outputs), rows)
    add_other_records(suite.id, others, context.subject, context.node, rows)


def _split(reviews: Iterable[Review]) -> tuple[list[Review], list[Review]]:
    """Return the records of their own judges, and those that others wrote."""
    found: tuple[list[Review], list[Review]] = ([], [])
    for review in reviews:
        found[by_another(review)].append(review)
    return found


def _chains(context: ReviewContext, reviews: Iterable[Review]) -> list[Chain]:
    """Return the chains of all records in the order of their heads."""
    scopes: dict[tuple[str, ...], list[Review]] = defaultdict(list)
    for review in reviews:
        scopes[_scope(context, review)].append(review)
    found: list[Chain] = []
    for members in scopes.values():
        some = chains(members)
        found += [joined(some)] if members[0].type in SINGLE else some
    return sorted(found, key=lambda chain: chain.head.order)


def _scope(context: ReviewContext, review: Review) -> tuple[str, ...]:
    """Return the run and scope of a record, the same for a run under another of its names."""
    kind, person, criterion = scope(review)
    if context.suite.family.is_store:
        criterion = criterion.removeprefix(f"{RUBRIC}:")
    subject = context.subject(review)
    run = subject.run.id if subject is not None else run_named(review) or ""
    return run, kind, person, criterion


def _marks(context: ReviewContext, scored: Iterable[Chain]) -> list[HumanScore]:
    """Return every score, those that do not count first."""
    old = [review for chain in scored for review in (*chain.replaced, *chain.rivals)]
    found = [_mark(context, review, "superseded") for review in old]
    return [*found, *(_mark(context, chain.head, "head") for chain in scored)]


def _mark(context: ReviewContext, review: Review, standing: Standing) -> HumanScore:
    subject = context.subject(review)
    return human_score(
        context.node(review), review, subject, context.suite.family, context.outputs, standing
    )
