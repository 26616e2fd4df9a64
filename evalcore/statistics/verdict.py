"""The verdict rule: how far a difference carries, and why no further; docs/statistics.md says it.

Two questions, two tests. On these cases: the cases are fixed, and their runs are the sample. For
cases like these: the cases are the sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from evalcore.statistics.general import General, Interval, Limits, Method, general, limits
from evalcore.statistics.intervals import SAME
from evalcore.statistics.labels import labels
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import FEWEST, LEVEL, Step, plan, step
from evalcore.statistics.several import holm, holm_levels
from evalcore.statistics.sums import Tail

__all__ = [
    "Interval",
    "Kind",
    "Method",
    "PairedRuns",
    "TheseMethod",
    "Verdict",
    "Word",
    "verdict",
    "verdicts",
    "words",
]

Word = Literal["better", "better on these cases", "can't tell", "worse on these cases", "worse"]
Kind = Literal["lost", "same outputs", "saturated", "bounded", "too few", "powerless", "mixed"]
TheseMethod = Literal["labels, exact", "labels, sampled", "none"]

MARGIN: Final = 0.10
"""A difference, if any, below this is told as "bounded": 10 points."""
BALANCED: Final = 0.4
"""With this share of the changed cases or more each way, they changed both ways."""
DIRECTIONS: Final[dict[Word, int]] = {
    "better": 1,
    "better on these cases": 1,
    "can't tell": 0,
    "worse on these cases": -1,
    "worse": -1,
}


@dataclass(frozen=True)
class Verdict:
    """What the runs of the same cases on two sides tell of their difference, second minus first.

    `word` is how far the difference carries; `kind` says why it is not better or worse for cases
    like these, and is None where it is.

    On these cases: `these_p` is that of the test of labels within cases, `these_adjusted` the same
    after Holm where several were asked at once. `more_runs` is how many more runs of each case on
    both sides would decide in 80 % of repeats, None where nothing says or too many would.

    For cases like these: `p` and `adjusted` are those of the test over cases, `low` to `high` is
    the 95 % interval of the mean `difference`, None below two cases. `bound` is the largest
    difference, either way, that the interval leaves open. `visible` is the smallest true difference
    that so many cases, as spread as these, would show in 80 % of repeats; `needed` is how many
    cases would show one of `statistics.planning.TARGET`, `needed_as_seen` how many would show the
    difference that was seen. `step` is what a realistic step would show; None for better and worse,
    and where several verdicts were asked at once.

    `runs_a` and `runs_b` count all runs. Where cases lie in clusters, `clusters` counts these: six
    of them have to change, the test over cases flips whole clusters, and `needed` and
    `needed_as_seen` are numbers of clusters. Else it is None.
    """

    word: Word
    kind: Kind | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted: float | None
    method: Method
    interval: Interval
    cases: int
    up: int
    down: int
    bound: float | None
    visible: float | None
    needed: int | None
    needed_as_seen: int | None
    these_p: float | None
    these_adjusted: float | None
    these_method: TheseMethod
    ran_once: bool
    runs_a: int
    runs_b: int
    more_runs: int | None
    clusters: int | None
    confidence: float = 0.95
    step: Step | None = None

    @property
    def same(self) -> int:
        """How many cases did not change."""
        return self.cases - self.up - self.down

    @property
    def changed(self) -> int:
        """How many cases changed."""
        return self.up + self.down

    @property
    def direction(self) -> int:
        """1 where the second side is better, on these cases or for others, -1 where it is worse."""
        return DIRECTIONS[self.word]

    @property
    def only_on_these(self) -> bool:
        """Whether the word is told of these cases, and not of cases like them."""
        return self.word in {"better on these cases", "worse on these cases"}


def verdict(runs: PairedRuns) -> Verdict:
    """Tell whether the second side is better or worse, and how far that carries.

    On these cases if the p of the test of labels within cases is below .05. For cases like these if
    that holds, the p of the test over cases is below .05 too, the interval excludes 0, and at least
    six cases changed.
    """
    return verdicts([runs])[0]


def verdicts(asked: Sequence[PairedRuns]) -> tuple[Verdict, ...]:
    """Return the verdict of each of several sets of runs that are shown together.

    As `verdict`, but what must be below .05 is each p after Holm, separately for the two tests.
    Adjusted are those that could come below it at all: of labels, those that some other labels of
    the same runs bring there; over cases, those where six cases or more changed. Whether the rest
    is asked too makes no difference.
    """
    return tuple(_verdict(one, alone=len(asked) == 1) for one in _asked(asked))


def words(asked: Sequence[PairedRuns]) -> tuple[Word, ...]:
    """Return only the word of each of `verdicts`, without the intervals that cannot change it."""
    found = _asked(asked)
    return tuple(_told(one)[0] if one.clear else _lower(one) for one in found)


@dataclass(frozen=True, eq=False)
class _Asked:
    """The runs, both tests of them, and the levels that these are held to."""

    runs: PairedRuns
    general: General
    these: Tail | None
    adjusted: float | None = None
    these_adjusted: float | None = None
    level: float = LEVEL
    these_level: float = LEVEL

    @property
    def on_these(self) -> bool:
        """Whether the runs of these cases speak for a difference."""
        return self.these_adjusted is not None and self.these_adjusted < LEVEL

    @property
    def clear(self) -> bool:
        """Whether both tests, and enough cases, speak for a difference."""
        over = self.adjusted is not None and self.adjusted < LEVEL
        return self.on_these and over and self.general.changed >= FEWEST


def _asked(asked: Sequence[PairedRuns]) -> list[_Asked]:
    tested = [_Asked(runs, general(runs), labels(runs) if runs.cases else None) for runs in asked]
    over = [one.general.p if one.general.changed >= FEWEST else None for one in tested]
    within = [one.these.p if one.these and one.these.least < LEVEL else None for one in tested]
    return [
        replace(
            one,
            adjusted=one.general.p if p is None else p,
            these_adjusted=(one.these.p if one.these else None) if q is None else q,
            level=level,
            these_level=these_level,
        )
        for one, p, q, level, these_level in zip(
            tested,
            _adjusted(over),
            _adjusted(within),
            holm_levels(over, LEVEL),
            holm_levels(within, LEVEL),
            strict=True,
        )
    ]


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Return each p after Holm among those that count."""
    found = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(found) for p in p_values]


def _told(one: _Asked) -> tuple[Word, Limits]:
    """Return the word and the interval, which includes 0 unless the word is better or worse."""
    low, high, interval = limits(one.general, one.level)
    if one.clear and low is not None and high is not None and not low <= 0 <= high:
        return ("better" if low > 0 else "worse"), Limits(low, high, interval)
    if low is not None and high is not None:
        low, high = min(low, 0.0), max(high, 0.0)
    return _lower(one), Limits(low, high, interval)


def _lower(one: _Asked) -> Word:
    """Return the word where nothing is told of cases like these."""
    if not one.on_these:
        return "can't tell"
    return "better on these cases" if one.general.mean > 0 else "worse on these cases"


def _kind(runs: PairedRuns, one: General, bound: float | None) -> Kind:
    """Return why nothing is told of cases like these; what helps most to know comes first."""
    every = np.concatenate([runs.a, runs.b])
    if every.size and (every.max() <= SAME or every.min() >= 1 - SAME):
        return "saturated"
    if one.units < FEWEST:
        return "powerless"
    if bound is not None and bound <= MARGIN:
        return "bounded"
    if one.changed >= FEWEST and min(one.up, one.down) >= BALANCED * (one.up + one.down):
        return "mixed"
    return "powerless" if one.changed < FEWEST else "too few"


def _verdict(one: _Asked, *, alone: bool) -> Verdict:
    over, runs, (word, (low, high, interval)) = one.general, one.runs, _told(one)
    bound = None if low is None or high is None else max(abs(low), abs(high))
    planned = plan(runs, over, one.level, one.these_level)
    told = word in ("better", "worse")
    return Verdict(
        word=word,
        kind=None if told else _kind(runs, over, bound),
        difference=over.mean if runs.cases else None,
        low=low,
        high=high,
        p=over.p,
        adjusted=one.adjusted,
        method=over.method,
        interval=interval,
        cases=runs.cases,
        up=over.up,
        down=over.down,
        bound=bound,
        visible=planned.visible,
        needed=planned.needed,
        needed_as_seen=planned.needed_as_seen,
        these_p=one.these.p if one.these else None,
        these_adjusted=one.these_adjusted,
        these_method=_method(one.these),
        ran_once=runs.ran_once,
        runs_a=int(runs.runs_a.sum()),
        runs_b=int(runs.runs_b.sum()),
        more_runs=0 if one.on_these else planned.more_runs,
        clusters=None if runs.cluster is None else over.units,
        confidence=1 - one.level,
        step=step(runs, over) if alone and not told else None,
    )


def _method(found: Tail | None) -> TheseMethod:
    if found is None:
        return "none"
    return "labels, exact" if found.exact else "labels, sampled"
