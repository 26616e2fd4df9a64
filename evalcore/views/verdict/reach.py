"""How far a verdict carries, in words, and the cheapest step that would settle the rest."""

import math
from collections.abc import Iterator
from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.statistics.not_worse import NotWorse
from evalcore.statistics.planning import FEWEST, TARGET
from evalcore.statistics.verdict import Verdict
from evalcore.views.verdict.differences import span, span_below
from evalcore.views.verdict.limits import capital
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.wording import count

REPEATS: Final = "in 8 of 10 repeats"
"""`statistics.planning.POWER` in words."""
SIX: Final = "six"
"""`statistics.planning.FEWEST` as a word."""


def reach_sentences(c: Comparison) -> Iterator[str]:
    """Yield how far the verdict carries and, if it does not carry to other cases, what would."""
    verdict = c.verdict
    if verdict is None:
        return
    if verdict.word in ("better", "worse"):
        yield f"{capital(verdict.word)}, for cases like these too."
        return
    on_these = verdict.only_on_these
    if on_these:
        word = capital(verdict.word.split()[0])
        yield f"{word} on {these_cases(verdict.cases)}; whether for others is open."
    else:
        yield f"Can't tell: {why_open(verdict, c.headline)}."
    step = next_steps(verdict, c.headline, runs=not on_these)
    if step:
        yield step


def these_cases(cases: int) -> str:
    """Return the compared cases by their number: `these 3 cases`, `this case`."""
    return f"these {count(cases, 'case')}" if cases != 1 else "this case"


def why_open(verdict: Verdict, headline: str) -> str:
    """Return why a difference is undecided, as the end of a sentence."""
    if verdict.kind == "lost":
        return "it depends on the lost runs"
    if verdict.kind == "bounded" and verdict.bound is not None:
        return f"a difference, if any, is smaller than {span_below(verdict.bound, headline)}"
    if verdict.kind == "mixed":
        return "about as many cases improved as got worse"
    if verdict.ran_once:
        return "each ran once, so chance is not ruled out"
    return "chance in the runs is not ruled out"


def next_steps(verdict: Verdict, headline: str, *, runs: bool) -> str:
    """Return the cheapest steps that would decide: more runs for these cases, cases for others."""
    if verdict.kind in ("lost", "bounded"):
        return ""
    these = _runs(verdict, headline) if runs else ""
    if verdict.cases < FEWEST:
        if these:
            return f"{capital(these)} {REPEATS}; {SIX} cases or more for others."
        return f"For others like them, {SIX} cases or more are needed."
    others = _cases(verdict, headline)
    if these and others:
        return f"{capital(these)}, and {others} for others like them, {REPEATS}."
    if these:
        return f"{capital(these)} {REPEATS}."
    return f"{capital(others)} for others like them, {REPEATS}." if others else ""


def runs_needed(verdict: Verdict) -> int | None:
    """Return how many more runs of each case would decide for these cases; None if unknown."""
    if verdict.kind in ("lost", "bounded") or verdict.only_on_these:
        return None
    return verdict.more_runs or None


def _runs(verdict: Verdict, headline: str) -> str:
    """Return how many runs of each case would decide for these cases; empty if unknown."""
    if verdict.more_runs is None:
        return ""
    runs = count(verdict.more_runs + 1, "run")
    if not verdict.ran_once:
        runs = f"{verdict.more_runs:,} more {'run' if verdict.more_runs == 1 else 'runs'}"
    if _is_small(verdict):
        size = span(TARGET, headline)
        return f"{runs} of each case would show a difference of {size} on these cases"
    return f"{runs} of each case would decide for these cases"


def _cases(verdict: Verdict, headline: str) -> str:
    """Return how many cases would show a difference among cases like these; empty if unknown."""
    small = _is_small(verdict)
    needed = verdict.needed if small else verdict.needed_as_seen
    if needed is None or needed <= verdict.cases:
        return ""
    size = f"one of {span(TARGET, headline)}" if small else "a difference this large"
    return f"about {_two_digits(needed)} cases would show {size}"


def _is_small(verdict: Verdict) -> bool:
    """Return whether the plan is for `TARGET`, as what was seen is smaller."""
    return abs(verdict.difference or 0.0) < TARGET


def _two_digits(number: int) -> str:
    unit = 10 ** max(len(str(number)) - 2, 0)
    return f"{math.ceil(number / unit) * unit:,}"


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
