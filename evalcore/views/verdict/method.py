"""How a verdict was reached: method, exact p and n, and the data behind it."""

import math
from collections.abc import Iterator
from typing import Final

from evalcore.comparing.model import Comparison, People, Repeats
from evalcore.counting.people import Scores
from evalcore.statistics.planning import FEWEST, LEVEL
from evalcore.statistics.verdict import Interval, Method, TheseMethod, Verdict
from evalcore.views.verdict.differences import between, points, span
from evalcore.views.verdict.limits import capital, left_out_counts, unknown_words
from evalcore.views.verdict.lost import same_outputs_sentences
from evalcore.views.verdict.reach import REPEATS, SIX, these_cases
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.score_source import people_words, rest_words
from evalcore.views.words.wording import count, number, percent

_METHODS: Final[dict[Method, str]] = {
    "mcnemar": "each case passed or failed in one run a side: exact McNemar test over {cases}, "
    "of which {changed} changed",
    "sign-flip, exact": "sign-flip permutation test on one difference a case over {cases}, of "
    "which {changed} changed, counting every way the signs could fall{ties}",
    "sign-flip, sampled": "sign-flip permutation test on one difference a case over {cases}, of "
    "which {changed} changed, with a sample of the ways the signs could fall{ties}",
    "none": "no test was made over {cases}",
}
TIES: Final = ", those that tie with what was seen by half (mid-p)"
_THESE: Final[dict[TheseMethod, str]] = {
    "labels, exact": "counting every way to deal the two sides' labels to the runs of a case",
    "labels, sampled": "with a sample of the ways to deal the two sides' labels to the runs of a "
    "case",
    "none": "no test was made",
}
_INTERVALS: Final[dict[Interval, str]] = {
    "score": "a score interval for paired shares (Tango)",
    "bca": "the widest of a bootstrap over cases (BCa), a t interval (a wider one for scores of "
    "fewer than 15 cases) and, where cases changed both ways, Hall's for skewed values",
    "t": "a t interval over cases and, where they changed both ways, Hall's for skewed values",
    "same change": "every case changed by the same amount, so its width is that of a case "
    "that could have changed otherwise",
    "no change": "no case changed, so its width is that of a change too rare to show",
    "none": "one case has none",
}
_SCORES: Final[dict[Scores, str]] = {
    "recorded": "those in the workspace's own grading files",
    "human": "those of people, the median of several or what is adjudicated",
    "human-first": "those of people where there are any (the median of several; what is "
    "adjudicated outranks them), else the recorded ones",
}


def how(c: Comparison) -> tuple[str, ...]:
    """Return the sentences behind "how": the method, exact p and n, and the limits."""
    return tuple(_sentences(c))


def _sentences(c: Comparison) -> Iterator[str]:
    """Yield what was compared in plain words, then what weakens it, then the tests."""
    names = side_names(c)
    yield (
        f"{capital(c.headline)}: a case counts as the mean over its runs, a side as the mean over "
        f"its cases. Scores: {_SCORES[c.scores]}."
    )
    yield from _left_out(c)
    if c.verdict is not None:
        yield from _runs(c)
        yield from _visible(c.verdict, c.headline)
    if unknown := unknown_words(c.comparability.unknown):
        yield unknown
    yield from _carrier(c)
    yield from _noise(c.repeats_a, names.a, c.headline)
    yield from _noise(c.repeats_b, names.b, c.headline)
    if c.verdict is not None:
        yield from _tests(c.verdict, c.headline)
        yield from same_outputs_sentences(c)


def _tests(verdict: Verdict, headline: str) -> Iterator[str]:
    """Yield the tests with exact p, n and interval, and what decides, with what is met of it."""
    yield from _on_these(verdict)
    yield f"For cases like these: {_tested(verdict)}."
    yield from _interval(verdict, headline)
    without = (verdict.low or 0.0) * (verdict.high or 0.0) > 0
    these = _met(_below(verdict.these_adjusted))
    yield f"The rule for these cases: p below {number(LEVEL)} ({these})."
    yield (
        f"The rule for cases like these: that, p over cases below {number(LEVEL)} "
        f"({_met(_below(verdict.adjusted))}), an interval without 0 ({_met(without)}), and {SIX} "
        f"changed cases ({_met(verdict.changed >= FEWEST)})."
    )


def _below(p: float | None) -> bool:
    return p is not None and p < LEVEL


def _met(what: bool) -> str:
    return "met" if what else "not met"


def chance(p: float) -> str:
    """Return a p with three digits that count: `p = 0.0117`; a tiny one as `p under 0.000001`."""
    if p < 1e-6:
        return "p under 0.000001"
    return f"p = {number(p, 2 - math.floor(math.log10(p)))}"


def _tested(verdict: Verdict) -> str:
    cases = count(verdict.cases, "case")
    ties = "" if verdict.ran_once else TIES
    text = _METHODS[verdict.method].format(cases=cases, changed=f"{verdict.changed:,}", ties=ties)
    if verdict.p is None:
        return text
    text = f"{text}: {chance(verdict.p)}"
    if verdict.adjusted is None or verdict.adjusted == verdict.p:
        return text
    return f"{text}, after Holm for all that was asked at once {chance(verdict.adjusted)}"


def _on_these(verdict: Verdict) -> Iterator[str]:
    if verdict.these_p is None:
        return
    these = these_cases(verdict.cases)
    text = f"On {these}, {_THESE[verdict.these_method]}: {chance(verdict.these_p)}"
    if verdict.these_adjusted is not None and verdict.these_adjusted != verdict.these_p:
        text += f", after Holm for all that was asked at once {chance(verdict.these_adjusted)}"
    yield f"{text}."


def _interval(verdict: Verdict, headline: str) -> Iterator[str]:
    if verdict.low is None or verdict.high is None:
        return
    text = points(verdict.difference, headline)
    around = between(verdict.low, verdict.high, headline)
    sure = percent(verdict.confidence, 2)
    yield f"Difference {text}, {sure} interval {around}: {_INTERVALS[verdict.interval]}."


def _visible(verdict: Verdict, headline: str) -> Iterator[str]:
    if verdict.visible is not None:
        cases = count(verdict.cases, "case")
        size = span(verdict.visible, headline)
        yield f"With {cases} like these, differences of about {size} or more show {REPEATS}."


def _runs(c: Comparison) -> Iterator[str]:
    names = side_names(c)
    runs_a, runs_b = sum(pair.runs_a for pair in c.pairs), sum(pair.runs_b for pair in c.pairs)
    if runs_a == runs_b == len(c.pairs):
        return
    runs = f"{count(runs_a, 'run')} in {names.a}, {runs_b:,} in {names.b}"
    yield f"Repeats are averaged case by case before anything is compared: {runs}."


def people_sentences(c: Comparison) -> tuple[str, ...]:
    """Return for each side how many of its runs people judged, and how many people."""
    names = side_names(c)
    sides = ((c.people_a, names.a), (c.people_b, names.b))
    return tuple(_people(of, name, c.scores) for of, name in sides if of is not None)


def _people(of: People, name: str, scores: Scores) -> str:
    text = people_words(of.judged, of.runs, of.judges, name)
    return capital(f"{text}{rest_words(of.judged, of.runs, scores)}.")


def _left_out(c: Comparison) -> Iterator[str]:
    if c.left_out:
        yield f"Left out: {count(len(c.left_out), 'case')} ({left_out_counts(c)})."


def alike_sentences(c: Comparison) -> Iterator[str]:
    """Yield which cases look like copies of one template; nothing if none do."""
    if not c.alike:
        return
    cases, templates = sum(map(len, c.alike)), count(len(c.alike), "template")
    yield (
        f"The prompts of {count(cases, 'case')} look like copies of {templates}, so they are no "
        "independent cases: give the copies of one template a tag, and name it with --cluster."
    )


def _carrier(c: Comparison) -> Iterator[str]:
    if c.carrier is None or len(c.pairs) < 2:
        return
    total = math.fsum(pair.difference for pair in c.pairs)
    rest = (total - c.carrier.difference) / (len(c.pairs) - 1)
    without = points(rest, c.headline)
    yield f"One case, {c.carrier.name}, carries most of it: without it the difference is {without}."


def _noise(repeats: Repeats | None, name: str, headline: str) -> Iterator[str]:
    if repeats is None:
        return
    agree = f"in {repeats.agreeing:,} of {count(repeats.cases, 'case')} with repeats all runs agree"
    if repeats.noise is None:
        yield f"{name} run again: {agree}."
        return
    yield f"Noise floor: ±{span(repeats.noise, headline)} ({name} run again); {agree}."
