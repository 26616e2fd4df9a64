"""What reading the review records of one suite needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.reviews.attaching import Attached
from evalcore.families.reviews.lookup import Suite
from evalcore.families.reviews.matching import Match
from evalcore.families.reviews.review import Review
from evalcore.families.reviews.subjects import Outputs
from evalcore.tables.builder import Rows


@dataclass(eq=False)
class ReviewContext:
    """Everything that reading the records of one suite needs; `attached` are all of them."""

    suite: Suite
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

    def head(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {}, "", self.suite.id)
