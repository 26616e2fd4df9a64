"""What a model found beside the scores of test runs, as the journal of a run keeps it."""

from typing import Any, Literal

import msgspec

from evalcore.families.reviews.review import FailureType, Severity

Side = Literal["a", "b", "tie"]


class PairVerdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model said of the outputs of two versions of one case, asked in both orders.

    `is_a_first` says which side stood first when it was asked first. Without a `winner` there is no
    verdict, `why` says the reason, and `answers` are kept as they came; a tie has a `why` where the
    two orders do not agree. `scores` are the means of both orders by criterion, side A before B.
    """

    case: str
    run_a: str
    run_b: str
    at: str
    is_a_first: bool = True
    winner: Side | None = None
    why: str = ""
    scores: dict[str, tuple[float, float]] = {}
    reasons: dict[str, tuple[str, str]] = {}
    reasoning: str = ""
    differences: tuple[str, ...] = ()
    about: dict[str, Any] = {}
    answers: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    calls: int = 0
    tokens: int | None = None
    cost_usd: float | None = None


class Suggested(msgspec.Struct, frozen=True):
    """A change to one area of the skill, as text before and after."""

    area: str
    before: str
    after: str
    reasoning: str


class AnalysisFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model said of why the winner won; `why` says the reason where it said nothing valid.

    `winner` and `loser` are versions.
    """

    winner: str
    loser: str
    why: str = ""
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    suggestions: tuple[Suggested, ...] = ()
    about: dict[str, Any] = {}
    answers: tuple[str, ...] = ()
    calls: int = 0
    tokens: int | None = None
    cost_usd: float | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the model gave an answer that counts."""
        return not self.why


class FailureFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a run failed as a model says it; `why` says the reason where it said nothing valid.

    `gap` is how what came out differs from what was expected, `criteria` are the affected ones as
    `kind:criterion`, `evidence` those of its quotes that stand in what it was shown; `unfounded` is
    the number of the others. `replaces` are the records that stood when it was asked.
    """

    run: str
    at: str
    why: str = ""
    gap: str = ""
    type: FailureType = "wrong-output"
    severity: Severity = "minor"
    criteria: tuple[str, ...] = ()
    root_cause: str = ""
    lesson: str = ""
    evidence: tuple[str, ...] = ()
    unfounded: int = 0
    replaces: tuple[str, ...] = ()
    about: dict[str, Any] = {}
    answers: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    calls: int = 0
    tokens: int | None = None
    cost_usd: float | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the model gave an answer that counts."""
        return not self.why
