"""What a comparison of a suite's cases will show, before there is a second side."""

from typing import Final

import numpy as np

from evalcore.counting.coded import coded, values
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import EFFICIENCY, SHARE, Rate
from evalcore.statistics.planning import Before, before
from evalcore.views.overview.suites import SuiteLine
from evalcore.views.verdict.differences import span
from evalcore.views.verdict.reach import REPEATS, SIX
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

RUNS: Final = 3
"""How many runs of each case are planned where none has run yet."""
UNKNOWN: Final = 0.5
"""The rate that is planned with where none is known: the one that needs most runs."""
NEAREST: Final = 0.05
"""A known rate is taken as no nearer to 0 or 1 than this."""


def planned(ws: Workspace, suite: str, line: SuiteLine, rate: Rate) -> Before | None:
    """Return what the cases of a suite will show if a second side runs as often as the first.

    None without cases, or where the headline is no share of runs or checks.
    """
    cases = rate.cases or line.cases
    if not cases or line.headline == EFFICIENCY:
        return None
    runs = max(round(rate.counted / rate.cases), 1) if rate.cases else RUNS
    known = UNKNOWN if rate.value is None else min(max(rate.value, NEAREST), 1 - NEAREST)
    checks = 1 if line.headline == SHARE else _checks(ws, suite, line.focus)
    return before(cases, runs, known, checks)


def _checks(ws: Workspace, suite: str, column: Column | None) -> int:
    """Return how many checks a run of a column has, in the middle of all; 1 if unknown."""
    if column is None:
        return 1
    here = coded(ws, "runs", "suite").among({suite})
    here &= coded(ws, "runs", "version").among({column.version})
    here &= coded(ws, "runs", "configuration").among({column.configuration})
    checks = values(ws, "runs", "checks_total")[here]
    checks = checks[checks > 0]
    return int(np.median(checks)) if len(checks) else 1


def planned_words(found: Before, headline: str) -> str:
    """Return what cases and runs will show, as a sentence."""
    ran = f"{count(found.cases, 'case')} with {count(found.runs, 'run')} each"
    if found.on_these is None:
        few = f"{ran} on both sides cannot show a difference, however large"
        return f"{few}: {count(found.fewest, 'run')} of each case can."
    these = span(found.on_these, headline)
    text = f"{ran} on both sides will show a difference of about {these}"
    if found.like_these is None:
        needed = f"for others like them, {SIX} cases or more are needed"
        return f"{text} on these cases {REPEATS}; {needed}."
    others = span(found.like_these, headline)
    if these == others:
        return f"{text}, on these cases and for others like them, {REPEATS}."
    return f"{text} on these cases, of {others} for others like them, {REPEATS}."
