"""What reading the review records of one suite needs."""

from collections.abc import Mapping
from typing import NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.reviews.lookup import Suite
from evalcore.families.reviews.matching import Match
from evalcore.families.reviews.review import Review
from evalcore.families.reviews.subjects import Outputs, Subject
from evalcore.tables.builder import Rows


class ReviewContext(NamedTuple):
    """Everything that reading the records of one suite needs.

    `matches` are by the path of a record, `subjects` by the id of a run; `ids` are those of all
    records.
    """

    suite: Suite
    reader: Reader
    rows: Rows
    outputs: Outputs
    matches: Mapping[str, Match]
    subjects: Mapping[str, Subject]
    ids: frozenset[str]

    def node(self, review: Review) -> Node:
        """Return the fields of a record as a node."""
        return Node(self.reader, review.path, review.fields, "/fields", self.suite.id)

    def head(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {}, "", self.suite.id)

    def subject(self, review: Review) -> Subject | None:
        """Return the run that a record is about."""
        run = self.matches[review.path].run
        return self.subjects[run.id] if run is not None else None
