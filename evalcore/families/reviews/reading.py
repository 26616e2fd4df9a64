"""Read the reviews of the suites with the same root into rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.attaching import Attached, Folder, attach
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.failure_records import add_failures
from evalcore.families.reviews.finding import checked, review_at
from evalcore.families.reviews.fingerprints import add_fingerprints
from evalcore.families.reviews.lookup import Lookup, Suite
from evalcore.families.reviews.marks import Mark, Standing, mark_of, row_of
from evalcore.families.reviews.memory_records import add_memory
from evalcore.families.reviews.noting import note_chain, note_foreign
from evalcore.families.reviews.other_records import add_other_records
from evalcore.families.reviews.review import (
    FAILURE,
    MARKS,
    REMEMBERED,
    SINGLE,
    Chain,
    Review,
    by_another,
    chains,
    joined,
    judge_type_of,
    scope,
)
from evalcore.families.reviews.subjects import Outputs, Subject, run_named, subjects
from evalcore.families.reviews.thresholds import thresholds
from evalcore.families.reviews.totals import add_totals
from evalcore.families.scoring import RUBRIC
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow

BROKEN: Final = "broken"
Said = tuple[Review, Subject | None]
"""A record and the run it is about."""
Linked = tuple[Chain, Subject | None]
"""Records that replace each other, and the run they are about."""

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
    context = ReviewContext(suite, reader, rows, outputs, attached)
    own, foreign = _split(attached, facts)
    failures = [said for said in own if said[0].type == FAILURE]
    add_memory(context, [review for review, _ in own if review.type in REMEMBERED], known)
    apart = (FAILURE, *REMEMBERED)
    scored, others = _chains(context, [said for said in own if said[0].type not in apart])
    note_foreign(context, [review for review, _ in foreign])
    for chain, subject in (*scored, *others):
        note_chain(context, chain, subject)
    marks = [_mark(context, review, subject, "foreign") for review, subject in foreign]
    marks += _marks(context, scored)
    cases = {subject.run.case_id for subject in facts.values() if subject.run.case_id}
    add_totals(suite, marks, facts, thresholds(known, suite, cases, outputs), rows)
    add_other_records(suite.id, others, context.node, rows)
    add_fingerprints(context, (*scored, *others), known)
    add_failures(context, failures, known)


def _split(
    attached: Iterable[Attached], facts: Mapping[str, Subject]
) -> tuple[list[Said], list[Said]]:
    """Return the records with their subjects: of their own judges, and those that others wrote."""
    found: tuple[list[Said], list[Said]] = ([], [])
    for review, _, match in attached:
        subject = facts[run.id] if (run := match.run) is not None else None
        found[by_another(review)].append((review, subject))
    return found


def _chains(context: ReviewContext, records: Iterable[Said]) -> tuple[list[Linked], list[Linked]]:
    """Return the chains of scores, and those of other records in the order of their heads."""
    scopes: dict[tuple[str, ...], tuple[Subject | None, list[Review]]] = {}
    for review, subject in records:
        key = _scope(context, review, subject)
        scopes.setdefault(key, (subject, []))[1].append(review)
    scored: list[Linked] = []
    others: list[Linked] = []
    for subject, members in scopes.values():
        kind, found = members[0].type, chains(members)
        one = [joined(found)] if kind in SINGLE else found
        (scored if kind in MARKS else others).extend((chain, subject) for chain in one)
    return scored, sorted(others, key=lambda each: each[0].head.order)


def _scope(context: ReviewContext, review: Review, subject: Subject | None) -> tuple[str, ...]:
    """Return the run and scope of a record, the same for a run under another of its names."""
    kind, person, criterion = scope(review)
    if context.suite.family.is_store:
        criterion = criterion.removeprefix(f"{RUBRIC}:")
    run = subject.run.id if subject is not None else run_named(review) or ""
    return run, kind, person, judge_type_of(review), criterion


def _marks(context: ReviewContext, scored: Iterable[Linked]) -> list[Mark]:
    """Add the rows of all scores, and return the scores; those that do not count first."""
    found = [
        _mark(context, review, subject, "superseded")
        for chain, subject in scored
        for review in (*chain.replaced, *chain.rivals)
    ]
    return found + [_mark(context, chain.head, subject, "head") for chain, subject in scored]


def _mark(
    context: ReviewContext, review: Review, subject: Subject | None, standing: Standing
) -> Mark:
    node, family = context.node(review), context.suite.family
    found = mark_of(node, review, subject, family, context.outputs, standing)
    context.rows.add(row_of(found, node, family))
    return found
