"""What each side lost, in words."""

from collections.abc import Iterator, Sequence
from typing import Final

from evalcore.comparing.model import Comparison, Lost, LostReason
from evalcore.counting.people import Scores
from evalcore.views.verdict.differences import signed
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.score_source import unscored_words
from evalcore.views.words.wording import count

_WHY: Final[dict[LostReason, str]] = {
    "not scored": "not scored",
    "excluded": "excluded by a person",
    "not finished": "not finished",
    "gate failed": "stopped by the gate",
    "timed out": "timed out",
}


def lost_words(one: Lost, scores: Scores) -> str:
    """Return what was lost and why: `runs not scored`, `criteria not scored`."""
    if one.what == "criteria":
        return "criteria without a score"
    counted = ", counted as failed" if one.why == "timed out" else ""
    return f"runs {_reason(one, scores)}{counted}"


def lost_sentences(c: Comparison) -> Iterator[str]:
    """Yield what each side lost of its runs and criteria, and what the lost ones could change."""
    names = side_names(c)
    runs = _both(_runs(c.lost.a), _runs(c.lost.b), names.a, names.b, c)
    if runs:
        yield f"Lost runs: {runs}."
    criteria = _both(_criteria(c.lost.a), _criteria(c.lost.b), names.a, names.b, c)
    if criteria:
        yield f"Criteria without a score: {criteria}."
    late = _both(_late(c.lost.a), _late(c.lost.b), names.a, names.b, c)
    if late:
        yield f"Timed out, counted as failed: {late}."
    if c.lost.unequal and c.lost.low is not None and c.lost.high is not None:
        low, high = (signed(of, c.headline) for of in (c.lost.low, c.lost.high))
        yield (
            f"Counting what was lost against {names.b} and for it, the difference "
            f"is between {low} and {high}."
        )


def _runs(lost: Sequence[Lost]) -> list[Lost]:
    return [one for one in lost if one.what == "runs" and one.why != "timed out"]


def _criteria(lost: Sequence[Lost]) -> list[Lost]:
    return [one for one in lost if one.what == "criteria"]


def _late(lost: Sequence[Lost]) -> list[Lost]:
    return [one for one in lost if one.why == "timed out"]


def _both(a: Sequence[Lost], b: Sequence[Lost], name_a: str, name_b: str, c: Comparison) -> str:
    """Return what both sides lost of one kind, B first; empty if neither lost any."""
    if not a and not b:
        return ""
    return ", ".join(_side(of, name, c) for of, name in ((b, name_b), (a, name_a)))


def _side(lost: Sequence[Lost], name: str, c: Comparison) -> str:
    if not lost:
        return f"none of {name}"
    noun = "criterion" if lost[0].what == "criteria" else "run"
    of = f"{sum(one.n for one in lost):,} of {count(lost[0].of, noun)} of {name}"
    if noun == "criterion" or lost[0].why == "timed out":
        return of
    return f"{of} ({', '.join(_why(one, len(lost) > 1, c) for one in lost)})"


def _why(one: Lost, several: bool, c: Comparison) -> str:
    words = _reason(one, c.scores)
    return f"{one.n:,} {words}" if several else words


def _reason(one: Lost, scores: Scores) -> str:
    return unscored_words(scores) if one.why == "not scored" else _WHY[one.why]
