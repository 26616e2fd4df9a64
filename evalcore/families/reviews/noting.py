"""The problems of review records: references that lead nowhere, foreign records, conflicts."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.other_records import is_taken_back
from evalcore.families.reviews.review import Chain, Review
from evalcore.families.reviews.subjects import Subject, run_named

_RUNS_NAMED: Final = 3
NAMED: Final = 5
"""So many records are named in one problem; of the others it has the number."""


def note_chain(context: ReviewContext, chain: Chain, subject: Subject | None) -> None:
    """Report the problems of a chain: at most one of each kind, however long it is."""
    if subject is None:
        _note_run(context, chain.head)
    if chain.rivals and not all(map(is_taken_back, chain.heads)):
        _note_conflict(context, chain)
    if chain.replaced or chain.rivals or chain.head.supersedes:
        _note_references(context, chain)


def note_foreign(context: ReviewContext, reviews: Iterable[Review]) -> None:
    """Report judgments that others than their judges wrote, once for each author and judge."""
    found: dict[tuple[str, str], list[Review]] = defaultdict(list)
    for review in reviews:
        found[review.created_by, str(review.fields.get("judgedBy"))].append(review)
    for (author, judge), members in found.items():
        context.node(members[0]).note(
            "warning",
            "foreign-judgment",
            f"{author[:60]!r} wrote this{_more(members)} as a judgment of {judge[:60]!r}. Only a "
            "judge's own judgments count: it is kept but does not count.",
            "Have the judge score it, or name the author in `judgedBy` if it is the author's own.",
            "judgedBy",
        )


def _note_run(context: ReviewContext, review: Review) -> None:
    """Report a record about a missing run, or about one of several."""
    name, match = run_named(review), context.unmatched[review.path]
    if name is None:
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
    either = " and ".join(repr(run.id[:120]) for run in match.runs[:_RUNS_NAMED])
    more = len(match.runs) - _RUNS_NAMED
    context.node(review).note(
        "warning",
        "ambiguous-run",
        f"The {review.type} names the run {name[:120]!r}, which may be {either}"
        f"{f' or {more:,} more' if more > 0 else ''}; it counts for neither of them.",
        "Open the folder that it was stored from, and judge the run again.",
        "testRunId",
    )


def _note_references(context: ReviewContext, chain: Chain) -> None:
    """Report a reference to a record that is missing, and one to a record that stays in force."""
    members = {review.id for review in chain.members}
    found: dict[bool, list[tuple[Review, str]]] = defaultdict(list)
    for review in chain.members:
        for name in review.supersedes:
            if name not in members or name == review.id:
                found[name in context.ids].append((review, name))
    for is_here, references in found.items():
        review, name = references[-1]
        why = (
            "which is another's, or of another type, run or criterion, or itself; both count"
            if is_here
            else "which is not here; it counts"
        )
        context.head(review).note(
            "warning",
            "foreign-supersedes" if is_here else "dangling-reference",
            f"The {review.type} replaces {name[:60]!r}{_more(references)}, {why} as if it did not.",
            "Restore the record, or correct `supersedes`.",
            "supersedes",
        )


def _note_conflict(context: ReviewContext, chain: Chain) -> None:
    head, heads = chain.head, {review.id for review in chain.heads}
    circle = any(name in heads for review in chain.heads for name in review.supersedes)
    names = ", ".join(repr(rival.id[:60]) for rival in chain.rivals[-NAMED:])
    how = "replace each other in a circle" if circle else "are both current"
    context.head(head).note(
        "warning",
        "conflict",
        f"The {head.type} {head.id[:60]!r} and {names}{_more(chain.rivals[NAMED - 1 :])} {how}: "
        f"none replaces the others. Until somebody decides, the newest, {head.id[:60]!r}, counts.",
        "Judge or decide it again: the new record replaces all of them.",
        "supersedes" if head.supersedes else None,
    )


def _more(found: Sequence[object]) -> str:
    """Return how many there are besides the first one."""
    return f" and {len(found) - 1:,} more" if len(found) > 1 else ""
