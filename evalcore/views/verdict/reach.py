"""How far a verdict carries, in words, and the cheapest step that would settle the rest."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, TypeGuard

from evalcore.comparing.model import Comparison
from evalcore.statistics.intervals import SAME
from evalcore.statistics.not_worse import NotWorse
from evalcore.statistics.planning import FEWEST, STEP_CASES, STEP_RUNS, TARGET
from evalcore.statistics.verdict import MARGIN, Verdict
from evalcore.views.verdict.differences import span, span_below
from evalcore.views.verdict.limits import capital, lost_sentences, lost_step, waits
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.wording import count, headline

REPEATS: Final = "(8 chances in 10)"
"""`statistics.planning.POWER` in words."""
SIX: Final = "six"
"""`statistics.planning.FEWEST` as a word."""
MOST_RUNS: Final = 10
"""Nobody is advised to run a case more often than this: what a realistic step shows is said."""
MOST_CASES: Final = 60
"""Nor to have more cases than this."""
HARDER: Final = "Add harder cases or criteria: Rubric names the criteria that never fail."
EASIER: Final = "Check the criteria, or add easier cases."


def reach_sentences(c: Comparison) -> Iterator[str]:
    """Yield, in two sentences at most, how far the verdict carries and what would carry it."""
    verdict = c.verdict
    if verdict is None:
        return
    word = capital(verdict.word.split()[0])
    if verdict.word in ("better", "worse"):
        yield f"{word}, for cases like these too{_without_same_outputs(c)}."
        return
    if verdict.only_on_these:
        on = f"{these_cases(verdict.cases)}{_without_same_outputs(c)}"
        yield f"{word} on {on}; whether for others is open."
    else:
        yield f"Can't tell: {why_open(c)}."
    if step := next_step(c):
        yield step


def these_cases(cases: int) -> str:
    """Return the compared cases by their number: `these 3 cases`, `this case`."""
    return f"these {count(cases, 'case')}" if cases != 1 else "this case"


def _without_same_outputs(c: Comparison) -> str:
    if c.same_outputs is None:
        return ""
    of = count(len(c.same_outputs.cases), "case")
    return f", also without the {of} whose outputs are the same on both sides"


def why_open(c: Comparison) -> str:
    """Return why a difference is undecided, as the end of a sentence; the comparison has one."""
    verdict = c.verdict
    if verdict is None:
        raise ValueError("A comparison without a verdict has nothing open: check it first.")
    if verdict.kind == "lost":
        lost = next((text for text in lost_sentences(c, losing=True)), "Lost runs").rstrip(".")
        return f"it depends on {lost[:1].lower()}{lost[1:]}"
    if verdict.kind == "same outputs" and c.same_outputs is not None:
        same = f"{len(c.same_outputs.cases):,} of {count(verdict.changed, 'changed case')}"
        return f"in {same} the outputs are the same on both sides, so the judge made the difference"
    if verdict.kind == "saturated":  # both sides have all there is, or nothing
        text = "no run of either side passes anything, so these cases do not tell them apart"
        if is_saturated(c):
            text = "both sides pass everything, so these cases no longer tell them apart"
        if verdict.bound is None or verdict.bound > MARGIN or verdict.cases < FEWEST:
            return text
        return f"{text} (a difference, if any, is below {span_below(verdict.bound, c.headline)})"
    if verdict.kind == "bounded" and verdict.bound is not None:
        return f"a difference, if any, is smaller than {span_below(verdict.bound, c.headline)}"
    if verdict.kind == "mixed":
        return "about as many cases improved as got worse"
    if abs(verdict.difference or 0.0) > SAME:
        return by_chance(verdict.these_adjusted)
    if verdict.bound is not None and verdict.cases >= FEWEST:
        return f"one of up to {span(verdict.bound, c.headline)} is not ruled out"
    return "so few runs rule out none"


def by_chance(p: float | None) -> str:
    """Return what chance does, in plain words, from the p of the test on these cases.

    Above one half it is said without a number: p is a share of the ways to label what was seen,
    and no longer close to how often equal versions would differ at all.
    """
    if p is None or p > 0.5:
        return "chance alone brings a difference like this"
    times = Fraction(round(10 * p), 10) if p > 0.3 else Fraction(1, round(1 / p))
    of = f"{times.numerator:,} of {times.denominator:,}"
    return f"two equal versions would look like this in {of} evaluations"


def is_saturated(c: Comparison) -> bool:
    """Return whether both sides pass everything, so that the cases tell nothing apart any more."""
    every = c.verdict is not None and c.verdict.kind == "saturated"
    return every and c.estimate_b is not None and (c.estimate_b.value or 0.0) > 0.5


def next_step(c: Comparison) -> str:
    """Return the cheapest steps that would decide: gradings, more runs, cases for others."""
    verdict = c.verdict
    if verdict is not None and waits(c):
        return lost_step(c)
    if verdict is None or verdict.kind in ("lost", "bounded"):
        return lost_step(c) if verdict is not None else ""
    if verdict.kind == "same outputs":
        return "Grade the outputs of both sides again with one judge."
    if verdict.kind == "saturated":
        return HARDER if is_saturated(c) else EASIER
    these = _runs(verdict, c.headline)
    if verdict.cases < FEWEST:
        if these:
            return f"{capital(these)} {REPEATS}; {SIX} cases or more for others."
        return f"For others like them, {SIX} cases or more are needed."
    others = _cases(verdict, c.headline)
    if these and others:
        return f"{capital(these)}, and {others} for others like them {REPEATS}."
    if these:
        return f"{capital(these)} {REPEATS}."
    return f"{capital(others)} for others like them {REPEATS}." if others else ""


def runs_advised(verdict: Verdict) -> int | None:
    """Return how many more runs of each case are advised: those that decide, else a step."""
    if verdict.kind in ("lost", "bounded", "same outputs", "saturated") or verdict.direction:
        return None
    if 0 < (more := verdict.more_runs or 0) <= MOST_RUNS - verdict.ran_once:
        return more
    return STEP_RUNS if verdict.step and _shows(verdict.step.runs) else None


def _shows(size: float | None) -> TypeGuard[float]:
    """Return whether a step shows anything but all of the scale."""
    return size is not None and size < 1 - SAME


def _runs(verdict: Verdict, headline: str) -> str:
    """Return what the advised runs of each case would show; empty if none are advised."""
    more = runs_advised(verdict)
    if more is None:
        return ""
    runs = f"{more:,} more {'run' if more == 1 else 'runs'} of each case would probably"
    if more != verdict.more_runs:
        size = verdict.step.runs if verdict.step else None
        return f"{runs} show a difference of {span(size or 1.0, headline)} on these cases"
    if verdict.ran_once:
        runs = f"{count(more + 1, 'run')} of each case would probably"
    if _is_small(verdict):
        return f"{runs} show a difference of {span(TARGET, headline)} on these cases"
    return f"{runs} decide for these cases"


def _cases(verdict: Verdict, headline: str) -> str:
    """Return how many cases would show a difference among cases like these; empty if unknown."""
    small = _is_small(verdict)
    needed = verdict.needed if small else verdict.needed_as_seen
    noun = "cases" if verdict.clusters is None else "clusters"
    units = verdict.cases if verdict.clusters is None else verdict.clusters
    if needed is not None and needed <= units:
        return ""
    if needed is not None and needed <= MOST_CASES:
        size = f"one of {span(TARGET, headline)}" if small else "a difference this large"
        return f"about {needed:,} {noun} would probably show {size}"
    size_of_step = verdict.step.cases if verdict.step else None
    if not _shows(size_of_step):
        return ""
    return f"{STEP_CASES} more {noun} would probably show one of {span(size_of_step, headline)}"


def _is_small(verdict: Verdict) -> bool:
    """Return whether the plan is for `TARGET`, as what was seen is smaller."""
    return abs(verdict.difference or 0.0) < TARGET


def drop_sentence(c: Comparison, drop: NotWorse) -> str:
    """Return whether it is shown that B is worse by no more than a margin."""
    names = side_names(c)
    margin = span(drop.margin, c.headline)
    if drop.shown:
        these = these_cases(c.verdict.cases if c.verdict else 0)
        on = "cases like these" if drop.on == "cases like these" else these
        return f"{names.b} is worse by no more than {margin}, if at all, for {on}."
    reach = ""
    low = drop.these_low if drop.low is None else drop.low
    if low is not None and low < 0:
        reach = f": a drop of {span(low, c.headline)} is not ruled out"
    return f"That {names.b} is worse by no more than {margin} is not shown{reach}."


def is_below(rate: float, least: float) -> bool:
    """Return whether a rate is below the least that is asked, by more than rounding."""
    return rate < least - SAME


def rate_sentence(c: Comparison, rate: float, least: float) -> str:
    """Return whether B's headline is as high as asked: as it is, whatever chance did to it."""
    names = side_names(c)
    there, asked = headline(rate, c.headline, 1), headline(least, c.headline, 1)
    if is_below(rate, least):
        return f"{capital(c.headline)} of {names.b}: {there}, below the least of {asked}."
    return f"{capital(c.headline)} of {names.b}: {there}, at least {asked} as asked."
