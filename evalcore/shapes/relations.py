"""The relations between records that seed 001 knows, each with the end that comes first."""

from typing import Final, Literal, NamedTuple


class Relation(NamedTuple):
    """A relation as records state it: `source` and `target` are types, `first` the earlier end.

    A judgment *scores* a criterion: the criterion was there first. `read` are other words for it.
    """

    source: str
    name: str
    target: str
    first: Literal["source", "target"]
    read: str = ""

    @property
    def words(self) -> str:
        """The relation as it is read: `originated from`."""
        return self.read or self.name.replace("_", " ")

    @property
    def earlier(self) -> str:
        """The type of the end that comes first."""
        return self.source if self.first == "source" else self.target

    @property
    def later(self) -> str:
        """The type of the end that follows from the other."""
        return self.target if self.first == "source" else self.source


EVALUATED_BY: Final = Relation("test-case", "evaluated_by", "rubric", "target")
PRODUCES_RUN: Final = Relation("test-case", "produces", "test-run", "source")
COMPOSED_OF: Final = Relation("rubric", "composed_of", "rubric-criterion", "target")
CONTAINS: Final = Relation("test-run", "contains", "eval-judgment", "source")
SCORES: Final = Relation("eval-judgment", "scores", "rubric-criterion", "target")
GROUPS: Final = Relation("benchmark", "groups", "test-case", "target")
PRODUCES_BENCHMARK_RUN: Final = Relation("benchmark", "produces", "benchmark-run", "source")
AGGREGATES: Final = Relation("benchmark-run", "aggregates", "test-run", "target")
TRACKED_BY: Final = Relation("benchmark", "tracked_by", "eval-trend", "source")
ORIGINATED_FROM: Final = Relation("eval-failure", "originated_from", "test-run", "target")
REFERENCES: Final = Relation("prompt-comparison", "references", "benchmark-run", "target")

RELATIONS: Final = (
    EVALUATED_BY, PRODUCES_RUN, COMPOSED_OF, CONTAINS, SCORES, GROUPS, PRODUCES_BENCHMARK_RUN,
    AGGREGATES, TRACKED_BY, ORIGINATED_FROM, REFERENCES,
)  # fmt: skip
"""The eleven relations of seed 001."""
