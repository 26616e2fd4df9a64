"""The relations that chains follow beside those of seed 001."""

from typing import Final

from evalcore.shapes.relations import Relation

RESTS_ON_COMPARISON: Final = Relation("approval", "rests_on", "prompt-comparison", "target")
RESTS_ON_RUN: Final = Relation("approval", "rests_on", "benchmark-run", "target")
SENT: Final = ("task", "message", "memory-item")
"""What is told to others: each names the record that it is about."""
SUBJECTS: Final = (
    "test-case", "test-run", "benchmark", "benchmark-run", "eval-trend", "eval-failure",
    "prompt-comparison", "approval",
)  # fmt: skip
ABOUT: Final = tuple(Relation(kind, "about", of, "target") for of in SUBJECTS for kind in SENT)
ANSWERS: Final = tuple(
    Relation("message", "in_reply_to", of, "target", "answers") for of in ("message", "task")
)
FURTHER: Final = (RESTS_ON_COMPARISON, RESTS_ON_RUN, *ABOUT, *ANSWERS)
"""Relations of what evalcore sends and decides, which records state in their own fields."""

CRITERIA_OF_CASE: Final = Relation("test-case", "evaluated_by", "rubric-criterion", "target")
"""Outside of stores a case has its criteria without a rubric between them."""
FAILURES_OF_RUNS: Final = Relation(
    "eval-failure", "originated_from", "benchmark-run", "target", "originated from a run of"
)
"""What failed in the test runs of a benchmark run follows from it too."""
TREND_OF_RUNS: Final = Relation(
    "benchmark-run", "tracked_by", "eval-trend", "source", "adds a point to"
)
"""Each benchmark run is a point of the trend of its benchmark."""
