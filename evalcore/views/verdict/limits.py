"""The limits of a comparison: what was left out and lost, differences, unknowns."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.comparing.model import (
    Break,
    Comparison,
    LeftOut,
    Lost,
    OtherCriterion,
    Reason,
    What,
)
from evalcore.counting.people import Scores
from evalcore.families.registry import family
from evalcore.views.verdict.differences import signed
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.score_source import unscored_words
from evalcore.views.words.wording import HIDDEN, UNGRADED, UNREAD, count, headline, line

WHY: Final = {
    "only": "run only",
    "not scored": "not scored",
    "not finished": "not finished",
    "not graded": UNGRADED,
    "not read": UNREAD,
    "gate failed": "stopped by the gate",
    "hidden": "hidden until you have judged them",
    "excluded": "excluded by a person",
    "people only": "judged by people only",
    "timed out": "timed out",
    "not there": "missing",
    "side unknown": "with a grading in the folder of the case, so it is not known which side it "
    "grades",
    "set aside": "draft or deprecated",
    "other prompt": "with another prompt",
    "other criteria": "with other criteria",
}
"""Why cases are left out and runs are lost, without the side."""
GRADE: Final = (
    "Grade the waiting outputs with `evalcore judge`, or on Judge, "
    "where they count by people's scores."
)
"""What to do about runs without a grading: they need not be run again."""
GRADE_ELSEWHERE: Final = (
    "Grade the waiting outputs with the tool that ran them, or on Judge, "
    "where they count by people's scores."
)
"""The same where no model judges here."""
MEND: Final = "Correct these gradings: `evalcore check` and Data say what is wrong with each."
"""What to do about runs whose grading cannot be read."""
HEADINGS: Final = ("Lost runs", "Criteria without a score", "Timed out, counted as failed")
MAY_COME: Final = "the change may come from"
_BREAKS: Final[dict[What, str]] = {
    "cases": "not all cases were run on both sides",
    "prompts": "the prompts differ",
    "criteria": "the criteria differ",
    "judge": "another judge scored them",
    "executor": "another model did the work",
    "sides": "version and configuration both differ",
    "names": "the names differ, and are taken for the same model",
    "headline": "their headlines measure different things",
    "status": "not all runs finished",
}
_SOURCES: Final[dict[What, str]] = {"judge": "it", "executor": "it", "sides": "either"}
"""What a change may come from where it is compared all the same."""
NAMED_CRITERIA: Final = 3
LONGEST: Final = 120
"""How many characters of a criterion are quoted."""
_UNKNOWN: Final[dict[What, str]] = {
    "cases": "what the cases asked",
    "prompts": "the prompts",
    "criteria": "the criteria",
    "judge": "who judged",
    "executor": "which model did the work",
    "sides": "the versions",
    "names": "the names",
    "headline": "the headline",
    "status": "how the runs ended",
}


def left_out_words(reason: Reason, a: str = "A", b: str = "B") -> str:
    """Return why a case is left out, as the end of "3 cases …": `run only in v3`."""
    why, _, side = reason.rpartition(" in ")
    return f"{WHY[why]} in {a if side == 'A' else b}" if why else WHY[reason]


def left_out_counts(c: Comparison) -> str:
    """Count the cases left out by reason, most first: `3 run only in v3, 1 not scored in v4`."""
    names = side_names(c)
    counted = Counter(left.reason for left in c.left_out).most_common()
    return ", ".join(f"{n:,} {left_out_words(reason, names.a, names.b)}" for reason, n in counted)


def break_sentence(found: Break, a: str = "A", b: str = "B") -> str:
    """Return a difference between the sides, the affected cases, and the next step."""
    differs, where = _BREAKS[found.what], ""
    sides = f" ({found.a} in {a}, {found.b} in {b})" if found.a and found.b else ""
    if found.what == "cases" and found.stops:
        differs = "no case was run on both sides"
    if found.what == "sides":
        sides = f" ({found.a}, {found.b})"
    if found.what not in {"cases", "headline"}:  # the words of these say it
        if found.cases:
            where = f" in {count(len(found.cases), 'case')}"
        elif found.what in {"prompts", "criteria"}:
            where = " in every case"
    text = f"{differs}{where}{sides}"
    wordings = list(dict.fromkeys(_wordings(one, a, b) for one in found.criteria))
    if wordings:
        more = len(wordings) - NAMED_CRITERIA
        text += f": {'; '.join(wordings[:NAMED_CRITERIA])}"
        text += f" and {more:,} more" if more > 0 else ""
    if found.remark and found.what in _SOURCES:
        text = f"{text}: {MAY_COME} {_SOURCES[found.what]}"
    step = f" {capital(ended(found.mend))}" if found.mend else ""
    return capital(f"{ended(text)}{step}")


def _wordings(one: OtherCriterion, a: str, b: str) -> str:
    """Return a criterion's wording on both sides, or on the only one."""
    if one.a is not None and one.b is not None:
        return f"{_quoted(one.a)} in {a}, {_quoted(one.b)} in {b}"
    return f"{_quoted(one.a or one.b or '')} only in {b if one.a is None else a}"


def _quoted(text: str) -> str:
    return f"“{line(text, LONGEST)}”"


def break_sentences(c: Comparison) -> list[str]:
    """Return each difference between the sides as a sentence (see `break_sentence`)."""
    names = side_names(c)
    return [break_sentence(found, names.a, names.b) for found in c.comparability.breaks]


def remark_sentences(c: Comparison) -> Iterator[str]:
    """Yield what else may explain a difference, or tells another one."""
    names = side_names(c)
    if c.people_a and c.people_b and c.people_a.names != c.people_b.names:
        one, two = (", ".join(of.names) or "nobody" for of in (c.people_b, c.people_a))
        yield f"Judged by {one} in {names.b}, by {two} in {names.a}: {MAY_COME} the judges."
    if c.weighted is not None:
        b, a = (headline(of, c.headline) for of in (c.weighted.b, c.weighted.a))
        yield f"Weighted by the cases' own weights: {b} against {a}."


def comparable_part(left_out: Iterable[LeftOut]) -> str:
    """Return what the cases that count have in common: `run in both`."""
    reasons = {left.why for left in left_out}
    reasons.discard("set aside")
    if reasons <= {"only"}:
        return "run in both"
    if reasons <= {"only", "not finished"}:
        return "finished in both"
    if reasons <= (ungraded := {"only", "not finished", "not graded", "not read", "side unknown"}):
        return "graded in both"
    if reasons <= {*ungraded, "not scored", "excluded", "gate failed"}:
        return "scored in both"
    if reasons <= {"people only"}:
        return "judged alike in both"
    return "that are the same in both"


def unknown_words(unknown: Iterable[What]) -> str:
    """Return what no file records, so that a difference cannot be ruled out; empty without any."""
    missing = [_UNKNOWN[what] for what in unknown]
    if not missing:
        return ""
    return f"Not recorded, so perhaps different: {', '.join(missing)}."


def capital(text: str) -> str:
    """Return a text with a capital first letter; code in backticks is unchanged."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """Return a text that ends as a sentence."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


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


def grade_step(kind: str) -> str:
    """Return what to do about runs without a grading in a family's suite."""
    return GRADE if family(kind).judged_here else GRADE_ELSEWHERE


def waits(c: Comparison) -> bool:
    """Return whether a run of either side waits for a grading."""
    return any(one.why == "not graded" for one in (*c.lost.a, *c.lost.b))


def lost_step(c: Comparison) -> str:
    """Return how lost runs come to count without being run again; empty where none can."""
    if waits(c):
        return grade_step(c.family)
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
