"""What votes for one of two sides tell: the win rate, a sign test, and when it is safe to stop."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning_cases import POWER
from evalcore.statistics.verdict import Verdict, verdict

ENOUGH: Final = 20.0
"""Evidence of 20 to 1 against "no difference": whoever stops there errs in at most 5 %."""


class WinRate(NamedTuple):
    """The mean preference for one side, 0 to 1, and its standard error; None with one vote."""

    value: float
    error: float | None


def win_rate(preferences: Sequence[float]) -> WinRate | None:
    """Return the win rate over cases, of the mean preference in each; None without cases.

    With one vote a case, ties as half, it is that of AlpacaEval.
    """
    votes = np.asarray(preferences, dtype=float)
    if not votes.size:
        return None
    error = float(votes.std(ddof=1)) / math.sqrt(votes.size) if votes.size > 1 else None
    return WinRate(float(votes.mean()), error)


def sign_test(wins: int, losses: int) -> float | None:
    """Return the exact two-sided p that wins and losses are equally likely; ties are left out."""
    from scipy.stats import binomtest

    if wins + losses == 0:
        return None
    return float(binomtest(wins, wins + losses).pvalue)


def evidence(votes: Sequence[bool]) -> float:
    """Return the largest evidence against "equally likely" at any time; votes in the order of time.

    Sorted by what they say, they would tell of nothing else. That is a Bayes factor against a
    uniform prior, B(1 + s, 1 + n - s) * 2^n, which may be looked at after every vote (an e-value):
    it exceeds `ENOUGH` by chance in at most 5 % of studies.
    """
    from scipy.special import betaln

    wins = np.cumsum(np.asarray(votes, dtype=float))
    number = np.arange(1, wins.size + 1)
    found = betaln(1 + wins, 1 + number - wins) + number * math.log(2)
    return float(np.exp(found.max())) if wins.size else 1.0


def preference_verdict(preferences: Sequence[float]) -> Verdict | None:
    """Return the verdict over cases, of B's mean preference in each, 0 to 1, against A's.

    Verdicts of one case share its outputs, so that they are no independent runs of both sides.
    """
    if not preferences:
        return None
    return verdict(PairedRuns.of_means([1 - b for b in preferences], preferences))


@lru_cache(maxsize=512)
def visible_preference(cases: int) -> float | None:
    """Return from which share of cases on, in whole percent, a study of so many sees a preference.

    That is: where B is preferred in this share of all such cases, and no case is a tie, the verdict
    is *better* in `POWER` of studies. None where not even a preference in every case would be seen.
    """
    from scipy.stats import binom

    def is_seen(wins: int) -> bool:
        found = preference_verdict([1.0] * wins + [0.0] * (cases - wins))
        return found is not None and found.word == "better"

    fewest = bisect_left(range(cases + 1), True, key=is_seen)
    if fewest > cases:
        return None
    percents = range(50, 101)
    at = bisect_left(percents, POWER, key=lambda each: binom.sf(fewest - 1, cases, each / 100))
    return percents[at] / 100
