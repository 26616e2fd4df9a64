"""Read the reviews of the suites with the same root into rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.finding import checked
from evalcore.families.reviews.human_scores import MARKS, HumanScore, human_score, row_of
from evalcore.families.reviews.lookup import Lookup, Run, Suite
from evalcore.families.reviews.other_records import add_other_records
from evalcore.families.reviews.review import Chain, Review, chains, judge_of, replaced
from evalcore.families.reviews.subjects import (
    Outputs,
    Subject,
    run_named,
    runs_named,
    subjects,
    tail_of,
)
from evalcore.families.reviews.thresholds import thresholds
from evalcore.families.reviews.totals import add_totals
from evalcore.families.scoring import RUBRIC
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow

FAMILY: Final = REVIEWS
"""What the documents are listed as; no suite is of this family."""


class ReviewContext(NamedTuple):
    """Everything that reading the records of one suite needs; `subjects` are by run id named."""

    suite: Suite
    reader: Reader
    rows: Rows
    outputs: Outputs
    subjects: Mapping[str, Subject]

    def node(self, review: Review) -> Node:
        """Return the fields of a record as a node."""
        return Node(self.reader, review.path, review.fields, "/fields", self.suite.id)

    def head(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {"supersedes": review.supersedes}, "", self.suite.id)

    def subject(self, review: Review) -> Subject | None:
        """Return the run that a record is about."""
        return self.subjects.get(run_named(review) or "")


def read_reviews(
    files: Sequence[tuple[str, Json]],
    suites: Sequence[Suite],
    known: Lookup,
    reader: Reader,
    rows: Rows,
) -> None:
    """Add the rows of the records of one `reviews` folder; `suites` are those it belongs to.

    `files` are (path, value); problems of one file do not affect others.
    """
    read = {path: checked(path, value, reader, suites[0].id) for path, value in files}
    found = [review for review in read.values() if review is not None]
    runs = runs_named(known, suites, [name for review in found if (name := run_named(review))])
    by_suite: dict[str, list[Review]] = defaultdict(list)
    for path, review in read.items():
        suite = suites[0] if review is None else _suite(review, suites, runs)
        kind = "broken" if review is None else review.type
        rows.add(
            DocumentRow(
                path=path,
                family=FAMILY,
                kind=kind,
                suite=suite.id,
                records=0 if review is None else 1,
            )
        )
        if review is not None:
            by_suite[suite.id].append(review)
    for suite in suites:
        if suite.id in by_suite:
            _read_suite(suite, by_suite[suite.id], runs, known, reader, rows)


def _suite(review: Review, suites: Sequence[Suite], runs: Mapping[str, list[Run]]) -> Suite:
    """Return the suite of a record: the one in its run id, else the one with the run."""
    name = run_named(review)
    if len(suites) > 1 and name is not None:
        prefix = name.partition("::")[0]
        having = {run.suite for run in runs.get(tail_of(name), ())}
        for suite in suites:
            if "::" in name and suite.prefix == prefix:
                return suite
        return next((suite for suite in suites if suite.id in having), suites[0])
    return suites[0]


def _read_suite(
    suite: Suite,
    reviews: Sequence[Review],
    runs: Mapping[str, list[Run]],
    known: Lookup,
    reader: Reader,
    rows: Rows,
) -> None:
    mine = {tail: run for tail, found in runs.items() for run in found if run.suite == suite.id}
    facts = subjects(known, suite, mine.values())
    names = {name for review in reviews if (name := run_named(review))}
    of_name = {name: facts[mine[tail_of(name)].id] for name in names if tail_of(name) in mine}
    outputs = Outputs(reader)
    context = ReviewContext(suite, reader, rows, outputs, of_name)
    _note_references(context, reviews)
    linked = chains(reviews)
    for chain in linked:
        _note_conflict(context, chain)
    marks = _marks(context, linked)
    for mark in marks:
        rows.add(row_of(mark, context.node(mark.review), suite.family))
    cases = {subject.run.case_id for subject in facts.values() if subject.run.case_id}
    add_totals(suite, marks, facts, thresholds(known, suite, cases, outputs), rows)
    add_other_records(suite.id, linked, of_name, context.node, rows)


def _marks(context: ReviewContext, linked: Iterable[Chain]) -> list[HumanScore]:
    """Return every score, the newest last among current ones."""
    heads: dict[tuple[str, str | None, str, str], Review] = {}
    old: list[Review] = []
    scoring = [chain for chain in linked if chain.head.type in MARKS]
    for chain in scoring:
        old += (*chain.replaced, *chain.rivals)
        key = _about(context, chain.head)
        if key is not None and (before := heads.get(key)) is not None:
            old.append(before)
            _note_repeated(context, before)
        heads[key or ("", None, "", chain.head.id)] = chain.head
    found = [_mark(context, review, True) for review in old]
    return [*found, *(_mark(context, review, False) for review in heads.values())]


def _about(context: ReviewContext, review: Review) -> tuple[str, str | None, str, str] | None:
    """Return the judge and subject of a score; a second score of the same replaces the first."""
    subject = context.subject(review)
    criterion = review.fields.get("criterionId")
    if subject is None or not isinstance(criterion, str):
        return None
    judge = judge_of(review) if review.type == MARKS[0] else ""
    name = criterion
    if context.suite.family.is_store:
        name = criterion.removeprefix(f"{RUBRIC}:")
    return review.type, subject.run.id, name, judge


def _mark(context: ReviewContext, review: Review, superseded: bool) -> HumanScore:
    subject = context.subject(review)
    return human_score(
        context.node(review), review, subject, context.suite.family, context.outputs, superseded
    )


def _note_references(context: ReviewContext, reviews: Sequence[Review]) -> None:
    """Report references to missing runs and records, or to records that cannot be replaced."""
    known = {review.id: review for review in reviews}
    for review in reviews:
        name = run_named(review)
        if name is not None and name not in context.subjects:
            context.node(review).note(
                "warning",
                "dangling-reference",
                f"The {review.type} names the run {name[:120]!r}, which this suite does not have.",
                "It counts again when the run is back.",
                "testRunId",
            )
        if review.supersedes is not None and replaced(review, known) is None:
            there = review.supersedes in known
            why = (
                "which is another's, or of another type; both count"
                if there
                else "which is not here; it counts"
            )
            context.head(review).note(
                "warning",
                "foreign-supersedes" if there else "dangling-reference",
                f"The {review.type} replaces {review.supersedes[:60]!r}, {why} as if it did not.",
                "Bring the record back, or correct `supersedes`.",
                "supersedes",
            )


def _note_conflict(context: ReviewContext, chain: Chain) -> None:
    if chain.rivals:
        names = ", ".join(repr(rival.id) for rival in chain.rivals[:5])
        context.head(chain.head).note(
            "warning",
            "conflict",
            f"The {chain.head.type} {chain.head.id!r} and {names} replace the same record; the "
            f"newest, {chain.head.id!r}, counts.",
            "Judge it again, or take one of them back.",
            "supersedes",
        )


def _note_repeated(context: ReviewContext, review: Review) -> None:
    context.head(review).note(
        "warning",
        "repeated-judgment",
        f"The same judge judged this criterion again later; {review.id!r} does not count.",
        "Let the newer judgment name this one in `supersedes`.",
    )
