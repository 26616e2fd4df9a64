"""How an improvement goes, as the `iterations` family writes it: feedback and history."""

from typing import Literal

from evalcore.documents.base import Fraction, SeedModel, Timestamp


class Review(SeedModel):
    """What a reader wrote about one run; an empty text means nothing to say."""

    run_id: str
    feedback: str
    timestamp: str


class FeedbackDocument(SeedModel):
    """feedback.json: what a reader wrote about the runs of one iteration."""

    reviews: list[Review]
    status: Literal["in_progress", "complete"]


class HistoryIteration(SeedModel):
    """One version, its parent, and how it did against it."""

    version: str
    parent: str | None
    expectation_pass_rate: Fraction | None
    grading_result: Literal["baseline", "won", "lost", "tie"]
    is_current_best: bool


class HistoryDocument(SeedModel):
    """history.json: the versions of a skill and the best of them."""

    started_at: Timestamp
    skill_name: str
    current_best: str
    iterations: list[HistoryIteration]
