"""What reading the review records of one suite needs, and the problems of its records."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.reviews.lookup import Lookup, Outputs, Subject, Suite, run_named
from evalcore.families.reviews.matching import Attached, Match
from evalcore.families.reviews.review import Chain, Review
from evalcore.tables.builder import Rows

Linked = tuple[Chain, Subject | None]
"""Records that replace each other, and the run they are about."""

TAKEN_BACK: Final = {"exclusion": "lifted", "skip": "lifted", "approval-request": "done"}
"""The field by which a record of a type takes back what the records before it said."""

_RUNS_NAMED: Final = 3
NAMED: Final = 5
"""So many records are named in one problem; of the others it has the number."""


@dataclass(eq=False)
class ReviewContext:
    """Everything that reading the records of one suite needs; `attached` are all of them."""

    suite: Suite
    known: Lookup
    reader: Reader
    rows: Rows
    outputs: Outputs
    attached: Sequence[Attached]

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all records."""
        return frozenset(each.review.id for each in self.attached)

    @cached_property
    def unmatched(self) -> dict[str, Match]:
        """The matches of the records whose run is not certain, by their paths."""
        return {each.review.path: each.match for each in self.attached if each.match.run is None}

    def node(self, review: Review) -> Node:
        """Return the fields of a record as a node."""
        return Node(self.reader, review.path, review.fields, "/fields", self.suite.id)

    def note_chain(self, chain: Chain, subject: Subject | None) -> None:
        """Report the problems of a chain: at most one of each kind, however long it is."""
        head = chain.head
        # A record that is remembered has no subject, also where it names a run that is here.
        match = self.unmatched.get(head.path) if subject is None else None
        name = run_named(head)
        if match is not None and name is not None:
            runs, code = match.runs, "ambiguous-run" if match.runs else "dangling-reference"
            what = "which this suite does not have."
            hint = "It counts again when the run is back."
            if runs:
                either = " and ".join(repr(run.id[:120]) for run in runs[:_RUNS_NAMED])
                more = f" or {len(runs) - _RUNS_NAMED:,} more" if len(runs) > _RUNS_NAMED else ""
                what = f"which may be {either}{more}; it counts for neither of them."
                hint = "Open the folder that it was stored from, and judge the run again."
            said = f"The {head.type} names the run {name[:120]!r}, {what}"
            self.node(head).note("warning", code, said, hint, "testRunId")
        if chain.rivals and not all(
            each.fields.get(TAKEN_BACK.get(each.type, "")) is True for each in chain.heads
        ):
            heads = {each.id for each in chain.heads}
            circle = any(name in heads for each in chain.heads for name in each.supersedes)
            names = ", ".join(repr(rival.id[:60]) for rival in chain.rivals[-NAMED:])
            more = _more(chain.rivals[NAMED - 1 :])
            how = "replace each other in a circle" if circle else "are both current"
            message = (
                f"The {head.type} {head.id[:60]!r} and {names}{more} {how}: none replaces the "
                f"others. Until somebody decides, the newest, {head.id[:60]!r}, counts."
            )
            hint = "Judge or decide it again: the new record replaces all of them."
            key = "supersedes" if head.supersedes else None
            self._record(head).note("warning", "conflict", message, hint, key)
        members = {each.id for each in chain.members}
        references: dict[bool, list[tuple[Review, str]]] = defaultdict(list)
        for review in chain.members:
            for name in review.supersedes:
                if name not in members or name == review.id:
                    references[name in self.ids].append((review, name))
        for is_here, found in references.items():
            review, name = found[-1]
            why = (
                "which is another's, or of another type, run or criterion, or itself; both count"
                if is_here
                else "which is not here; it counts"
            )
            self._record(review).note(
                "warning",
                "foreign-supersedes" if is_here else "dangling-reference",
                f"The {review.type} replaces {name[:60]!r}{_more(found)}, {why} as if it did not.",
                "Restore the record, or correct `supersedes`.",
                "supersedes",
            )

    def note_foreign(self, reviews: Iterable[Review]) -> None:
        """Report judgments that others than their judges wrote, once for each author and judge."""
        found: dict[tuple[str, str], list[Review]] = defaultdict(list)
        for review in reviews:
            found[review.created_by, str(review.fields.get("judgedBy"))].append(review)
        for (author, judge), members in found.items():
            self.node(members[0]).note(
                "warning",
                "foreign-judgment",
                f"{author[:60]!r} wrote this{_more(members)} as a judgment of {judge[:60]!r}. Only "
                "a judge's own judgments count: it is kept but does not count.",
                "Have the judge score it, or name the author in `judgedBy` if it is the author's "
                "own.",
                "judgedBy",
            )

    def _record(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {}, "", self.suite.id)


def _more(found: Sequence[object]) -> str:
    """Return how many there are besides the first one."""
    return f" and {len(found) - 1:,} more" if len(found) > 1 else ""
