"""What each side lost, in words."""

from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.comparing.model import Comparison, Lost
from evalcore.counting.people import Scores
from evalcore.views.verdict.differences import signed
from evalcore.views.verdict.limits import WHY
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.score_source import unscored_words
from evalcore.views.words.wording import HIDDEN, count

GRADE: Final = (
    "Grade the waiting outputs with `evalcore judge`, or on Judge, "
    "where they count by people's scores."
)
"""What to do about runs without a grading: they need not be run again."""
MEND: Final = "Correct these gradings: `evalcore check` and Data say what is wrong with each."
"""What to do about runs whose grading cannot be read."""
HEADINGS: Final = ("Lost runs", "Criteria without a score", "Timed out, counted as failed")


def lost_words(one: Lost, scores: Scores) -> str:
    """Return what was lost and why: `runs not scored`, `criteria not scored`."""
    if one.what == "criteria":
        return "criteria without a score"
    counted = ", counted as failed" if one.why == "timed out" else ""
    return f"runs {_reason(one, scores)}{counted}"


def lost_sentences(c: Comparison, *, losing: bool = False) -> Iterator[str]:
    """Yield what each side lost of its runs and criteria, and what the lost ones could change.

    With `losing`, without those that timed out: they count.
    """

    def heading_of(one: Lost) -> str:
        if one.what == "criteria":
            return HEADINGS[1]
        return HEADINGS[2] if one.why == "timed out" else HEADINGS[0]

    def told(lost: Iterable[Lost], heading: str, name: str) -> str:
        here = [one for one in lost if heading_of(one) == heading]
        if not here:
            return f"none of {name}"
        noun = "criterion" if heading == HEADINGS[1] else "run"
        of = f"{sum(one.n for one in here):,} of {count(here[0].of, noun)} of {name}"
        if heading != HEADINGS[0]:
            return of
        words = [(f"{one.n:,} " * (len(here) > 1)) + _reason(one, c.scores) for one in here]
        return f"{of} ({', '.join(words)})"

    names = side_names(c)
    for heading in HEADINGS[:2] if losing else HEADINGS:
        if any(heading_of(one) == heading for one in (*c.lost.b, *c.lost.a)):
            decided = c.verdict is not None and c.verdict.word in ("better", "worse")
            step = lost_step(c) if decided and heading == HEADINGS[0] else ""
            b, a = told(c.lost.b, heading, names.b), told(c.lost.a, heading, names.a)
            yield f"{heading}: {b}, {a}. {step}".rstrip()
    if c.lost.unequal and c.lost.low is not None and c.lost.high is not None:
        low, high = (signed(of, c.headline) for of in (c.lost.low, c.lost.high))
        yield (
            f"Counting what was lost against {names.b} and for it, the difference "
            f"is between {low} and {high}."
        )


def waits(c: Comparison) -> bool:
    """Return whether a run of either side waits for a grading."""
    return any(one.why == "not graded" for one in (*c.lost.a, *c.lost.b))


def lost_step(c: Comparison) -> str:
    """Return how lost runs come to count without being run again; empty where none can."""
    if waits(c):
        return GRADE
    return MEND if any(one.why == "not read" for one in (*c.lost.a, *c.lost.b)) else ""


def runs_sentences(c: Comparison) -> Iterator[str]:
    """Yield which runs are no new ones, and which are copies."""
    names, runs = side_names(c), c.runs
    if runs.same:
        new = f"{runs.b - runs.same:,} of {count(runs.b, 'run')} of {names.b}"
        yield f"Run anew: {new}; the others are those of {names.a}."
    for n, name in zip(runs.copies[::-1], (names.b, names.a), strict=True):
        if n:
            yield f"Not counted: {count(n, 'copy')} of other runs of {name}."


def same_outputs_sentences(c: Comparison) -> Iterator[str]:
    """Yield in how many cases the same outputs have other grades; nothing if in none."""
    if c.same_outputs is not None:
        of = count(len(c.same_outputs.cases), "case")
        yield (
            f"Same outputs on both sides with other grades: {of}. That difference is the judge's, "
            "so better or worse has to hold without it."
        )


def hidden_sentences(c: Comparison) -> Iterator[str]:
    """Yield how many runs of each side are hidden from the reader; nothing if none are."""
    names = side_names(c)
    sides = zip(c.hidden[::-1], (names.b, names.a), strict=True)
    parts = [f"{count(n, 'run')} of {name}" for n, name in sides if n]
    if parts:
        verb = "is" if sum(c.hidden) == 1 else "are"
        yield f"{' and '.join(parts)} {verb} {HIDDEN}."


def _reason(one: Lost, scores: Scores) -> str:
    return unscored_words(scores) if one.why == "not scored" else WHY[one.why]
