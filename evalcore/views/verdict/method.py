"""How a verdict was reached: method, exact p and n, and the data behind it."""

import math
from collections.abc import Iterator
from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.counting.people import Scores
from evalcore.statistics.planning import FEWEST, LEVEL
from evalcore.statistics.verdict import Interval, Method, TheseMethod, Verdict
from evalcore.views.verdict.differences import agreeing_places, between, points, span
from evalcore.views.verdict.limits import (
    capital,
    left_out_counts,
    same_outputs_sentences,
    unknown_words,
)
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
    """Return the sentences behind "how": the method, exact p and n, and the limits.

    It is what was compared in plain words, then what weakens it, then the tests.
    """
    names, verdict = side_names(c), c.verdict
    means = "a case counts as the mean over its runs, a side as the mean over its cases"
    said = [f"{capital(c.headline)}: {means}. Scores: {_SCORES[c.scores]}."]
    if c.left_out:
        said.append(f"Left out: {count(len(c.left_out), 'case')} ({left_out_counts(c)}).")
    if verdict is not None:
        runs_a, runs_b = sum(pair.runs_a for pair in c.pairs), sum(pair.runs_b for pair in c.pairs)
        if not runs_a == runs_b == len(c.pairs):
            runs = f"{count(runs_a, 'run')} in {names.a}, {runs_b:,} in {names.b}"
            averaged = "Repeats are averaged case by case before anything is compared"
            said.append(f"{averaged}: {runs}.")
        if verdict.visible is not None:
            cases, size = count(verdict.cases, "case"), span(verdict.visible, c.headline)
            shown = f"differences of about {size} or more usually show {REPEATS}"
            said.append(f"With {cases} like these, {shown}.")
    if unknown := unknown_words(c.comparability.unknown):
        said.append(unknown)
    if c.carrier is not None and len(c.pairs) > 1:
        total = math.fsum(pair.difference for pair in c.pairs)
        without = points((total - c.carrier.difference) / (len(c.pairs) - 1), c.headline)
        carries = f"One case, {c.carrier.name}, carries most of it"
        said.append(f"{carries}: without it the difference is {without}.")
    for repeats, name in ((c.repeats_a, names.a), (c.repeats_b, names.b)):
        if repeats is None:
            continue
        cases = f"{repeats.agreeing:,} of {count(repeats.cases, 'case')}"
        agree = f"in {cases} with repeats all runs agree"
        if repeats.noise is None:
            said.append(f"{name} run again: {agree}.")
        else:
            noise = span(repeats.noise, c.headline)
            said.append(f"Noise floor: ±{noise} ({name} run again); {agree}.")
    if verdict is not None:
        said += [*_tests(c, verdict), *same_outputs_sentences(c)]
    return tuple(said)


def _tests(c: Comparison, verdict: Verdict) -> Iterator[str]:
    """Yield the tests with exact p, n and interval, and what decides, with what is met of it."""
    a, b = c.estimate_a, c.estimate_b
    places = agreeing_places(a.value, b.value, c.headline) if a and b else 0

    def met(what: bool) -> str:
        return "met" if what else "not met"

    def below(p: float | None) -> str:
        return met(p is not None and p < LEVEL)

    def with_p(text: str, p: float, adjusted: float | None) -> str:
        text = f"{text}: {chance(p)}"
        if adjusted is None or adjusted == p:
            return text
        return f"{text}, after Holm for all that was asked at once {chance(adjusted)}"

    if verdict.these_p is not None:
        text = f"On {these_cases(verdict.cases)}, {_THESE[verdict.these_method]}"
        yield f"{with_p(text, verdict.these_p, verdict.these_adjusted)}."
    cases, changed = count(verdict.cases, "case"), f"{verdict.changed:,}"
    ties = "" if verdict.ran_once else TIES
    text = _METHODS[verdict.method].format(cases=cases, changed=changed, ties=ties)
    tested = text if verdict.p is None else with_p(text, verdict.p, verdict.adjusted)
    yield f"For cases like these: {tested}."
    if verdict.low is not None and verdict.high is not None:
        around = between(verdict.low, verdict.high, c.headline)
        sure = f"{percent(verdict.confidence, 2)} interval {around}"
        why = _INTERVALS[verdict.interval]
        yield f"Difference {points(verdict.difference, c.headline, places)}, {sure}: {why}."
    without = (verdict.low or 0.0) * (verdict.high or 0.0) > 0
    these = below(verdict.these_adjusted)
    yield f"The rule for these cases: p below {number(LEVEL)} ({these})."
    yield (
        f"The rule for cases like these: that, p over cases below {number(LEVEL)} "
        f"({below(verdict.adjusted)}), an interval without 0 ({met(without)}), and {SIX} "
        f"changed cases ({met(verdict.changed >= FEWEST)})."
    )


def chance(p: float) -> str:
    """Return a p with three digits that count: `p = 0.0117`; a tiny one as `p under 0.000001`."""
    if p < 1e-6:
        return "p under 0.000001"
    return f"p = {number(p, 2 - math.floor(math.log10(p)))}"


def people_sentences(c: Comparison) -> tuple[str, ...]:
    """Return for each side how many of its runs people judged, and how many people."""
    names, said = side_names(c), []
    for of, name in ((c.people_a, names.a), (c.people_b, names.b)):
        if of is not None:
            text = people_words(of.judged, of.runs, of.judges, name)
            said.append(capital(f"{text}{rest_words(of.judged, of.runs, c.scores)}."))
    return tuple(said)


def alike_sentences(c: Comparison) -> Iterator[str]:
    """Yield which cases look like copies of one template; nothing if none do."""
    if not c.alike:
        return
    cases, templates = sum(map(len, c.alike)), count(len(c.alike), "template")
    yield (
        f"The prompts of {count(cases, 'case')} look like copies of {templates}, so they are no "
        "independent cases: give the copies of one template a tag, and name it with --cluster."
    )
