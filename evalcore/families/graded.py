"""The verdicts on a test run: what was decided, by whom, and the parts of gradings that say it."""

import math
from collections.abc import Iterable
from operator import add
from typing import Any, Literal

import msgspec
from msgspec.structs import astuple

from evalcore.shapes.judge import BLOCK, HUMAN, written_from

Json = Any

ClaimType = Literal["factual", "process", "quality"]


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """One criterion decided, or not (`passed` is None); `share` is the achieved part, 0 to 1.

    `status` says why it was not decided. `evidence` are quoted passages of the output. `score` is
    the exact score where one was given, `judgment_ids` are the records of people.
    """

    kind: str
    name: str
    passed: bool | None
    share: float | None
    rationale: str
    status: str | None = None
    score: float | None = None
    confidence: float | None = None
    judgment_ids: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


class Claim(msgspec.Struct, frozen=True):
    """What the agent says of its work, and whether the output bears it out."""

    claim: str
    type: ClaimType
    verified: bool
    evidence: str


class Vague(msgspec.Struct, frozen=True):
    """A criterion that could be clearer, by its name and its text, and why."""

    name: str
    text: str
    why: str


class Feedback(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model says of the evaluation itself: criteria, what none checks, and new ones."""

    vague: tuple[Vague, ...] = ()
    missing: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    overall: str = ""

    def __bool__(self) -> bool:
        return bool(self.vague or self.missing or self.suggested or self.overall)


class Pairs(msgspec.Struct, frozen=True, omit_defaults=True):
    """Scores that a judge gave twice: how many, how many differ, and how often one is missing."""

    scores: int = 0
    raised: int = 0
    lowered: int = 0
    unscored: int = 0

    def plus(self, other: "Pairs") -> "Pairs":
        """Return the counts of both."""
        return Pairs(*map(add, astuple(self), astuple(other)))


class Control(msgspec.Struct, frozen=True):
    """How a judge scored an output once more: `same` as it is, `planted` with an instruction."""

    same: Pairs
    planted: Pairs

    def counted(self) -> dict[str, Json]:
        """Return the counts as they are stored with the scores."""
        return {
            "same": msgspec.to_builtins(self.same),
            "planted": msgspec.to_builtins(self.planted),
        }


class Judging(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a model judged a test run: what stands with each judgment, and what the calls took.

    `answers` are those that are not all scores, `remarks` sentences for whoever reads the scores.
    """

    about: dict[str, Json]
    claims: tuple[Claim, ...] = ()
    feedback: Feedback = Feedback()
    answers: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    control: Control | None = None
    calls: int = 0
    tokens: int | None = None
    cost_usd: float | None = None


class Graded(msgspec.Struct, frozen=True, omit_defaults=True):
    """The verdicts on one test run; `gate` is None without a gate or where it cannot be said."""

    judge: str
    judge_type: str
    judged_at: str
    judged: tuple[Verdict, ...] = ()
    checks: tuple[Verdict, ...] = ()
    conventions: tuple[Verdict, ...] = ()
    gate: bool | None = None
    judging: Judging | None = None

    @property
    def complete(self) -> bool:
        """Whether every criterion was decided."""
        return all(each.passed is not None for each in self.judged)


def counts(verdicts: Iterable[Verdict]) -> dict[str, int | float | None]:
    """Return how many verdicts passed, failed and were decided, with the rate, null if none was."""
    every = [each.passed for each in verdicts]
    found = [each for each in every if each is not None]
    passed, total = sum(found), len(found)
    rate = round(passed / total, 4) if total else None if every else 0.0
    return {"passed": passed, "failed": total - passed, "total": total, "pass_rate": rate}


def judged_by(graded: Graded) -> dict[str, Json]:
    """Return who judged a run, of what type, and from which records or by which prompt."""
    said: dict[str, Json] = {"judge": graded.judge, "judge_type": graded.judge_type}
    if graded.judge_type == HUMAN:
        said |= written_from(name for each in graded.judged for name in each.judgment_ids)
    elif graded.judging is not None:
        said[BLOCK] = {"judging": graded.judging.about}
    return said


def explained(verdict: Verdict) -> str:
    """Return the rationale with the quoted passages, for gradings that keep both in one text."""
    quotes = (f"“{each}”" for each in verdict.evidence)
    return "\n".join((verdict.rationale, *quotes))


def claims_of(graded: Graded) -> list[dict[str, Json]]:
    """Return the claims that a model found, as gradings have them."""
    found = () if graded.judging is None else graded.judging.claims
    return [msgspec.to_builtins(each) for each in found]


def feedback_of(graded: Graded) -> Feedback:
    """Return what a model says of the evaluation itself."""
    return Feedback() if graded.judging is None else graded.judging.feedback


def score_on(verdict: Verdict, low: int, high: int) -> int:
    """Return the score that was given, else that of the share; between two whole ones the lower."""
    if verdict.score is not None:
        return math.floor(verdict.score)
    return int(low + (high - low) * (verdict.share or 0.0))
