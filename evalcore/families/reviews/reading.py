"""Read the reviews of the suites with the same root into rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.attaching import Attached, Folder, attach
from evalcore.families.reviews.finding import checked, review_at
from evalcore.families.reviews.human_scores import MARKS, HumanScore, human_score, row_of
from evalcore.families.reviews.lookup import Lookup, Suite
from evalcore.families.reviews.matching import Match
from evalcore.families.reviews.other_records import add_other_records
from evalcore.families.reviews.review import Chain, Review, chains, judge_of, replaced
from evalcore.families.reviews.subjects import (
    Outputs,
    Subject,
    run_named,
    subjects,
)
from evalcore.families.reviews.thresholds import thresholds
from evalcore.families.reviews.totals import add_totals
from evalcore.families.scoring import RUBRIC
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow

BROKEN: Final = "broken"
_NAMED: Final = 3
FAMILY: Final = REVIEWS
"""What the documents are listed as; no suite is of this family."""


class ReviewContext(NamedTuple):
    """Everything that reading the records of one suite needs.

    `matches` are by the path of a record, `subjects` by the id of a run.
    """

    suite: Suite
    reader: Reader
    rows: Rows
    outputs: Outputs
    matches: Mapping[str, Match]
    subjects: Mapping[str, Subject]

    def node(self, review: Review) -> Node:
        """Return the fields of a record as a node."""
        return Node(self.reader, review.path, review.fields, "/fields", self.suite.id)

    def head(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {"supersedes": review.supersedes}, "", self.suite.id)

    def subject(self, review: Review) -> Subject | None:
        """Return the run that a record is about."""
        run = self.matches[review.path].run
        return self.subjects[run.id] if run is not None else None


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
    context = ReviewContext(suite, reader, rows, outputs, matches, facts)
    reviews = [each.review for each in attached]
    _note_references(context, reviews)
    linked = chains(reviews)
    for chain in linked:
        _note_conflict(context, chain)
    marks = _marks(context, linked)
    for mark in marks:
        rows.add(row_of(mark, context.node(mark.review), suite.family))
    cases = {subject.run.case_id for subject in facts.values() if subject.run.case_id}
    add_totals(suite, marks, facts, thresholds(known, suite, cases, outputs), rows)
    add_other_records(suite.id, linked, context.subject, context.node, rows)


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
        _note_run(context, review)
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


def _note_run(context: ReviewContext, review: Review) -> None:
    """Report a record about a missing run, or about one of several."""
    name, match = run_named(review), context.matches[review.path]
    if name is None or match.run is not None:
        return
    if not match.runs:
        context.node(review).note(
            "warning",
            "dangling-reference",
            f"The {review.type} names the run {name[:120]!r}, which this suite does not have.",
            "It counts again when the run is back.",
            "testRunId",
        )
        return
    either = " and ".join(repr(run.id[:120]) for run in match.runs[:_NAMED])
    more = len(match.runs) - _NAMED
    context.node(review).note(
        "warning",
        "ambiguous-run",
        f"The {review.type} names the run {name[:120]!r}, which may be {either}"
        f"{f' or {more:,} more' if more > 0 else ''}; it counts for none of them.",
        "Open the folder that it was stored from, and judge the run again.",
        "testRunId",
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
