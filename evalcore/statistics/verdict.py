"""The verdict rule: how far a difference carries, and why no further; docs/statistics.md says it.

Two questions, two tests. On these cases: the cases are fixed, and their runs are the sample. For
cases like these: the cases are the sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from evalcore.statistics import planning
from evalcore.statistics.general import General, Interval, Limits, Method, general, limits
from evalcore.statistics.labels import labels
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import FEWEST, LEVEL
from evalcore.statistics.several import holm

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
Kind = Literal["lost", "bounded", "too few", "powerless", "mixed"]
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
    difference that was seen.

    `runs_a` and `runs_b` count all runs; `clusters` is None where every case stands for itself.
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
    return tuple(_verdict(one, limits(one.general)) for one in _asked(asked))


def words(asked: Sequence[PairedRuns]) -> tuple[Word, ...]:
    """Return only the word of each of `verdicts`, without the intervals that cannot change it."""
    none = Limits(None, None, "none")
    return tuple(_word(one, limits(one.general) if _clear(one) else none) for one in _asked(asked))


@dataclass(frozen=True, eq=False)
class _Asked:
    """The runs, and both tests of them."""

    runs: PairedRuns
    general: General
    adjusted: float | None
    these_p: float | None
    these_adjusted: float | None
    these_method: TheseMethod
    able: bool


def _asked(asked: Sequence[PairedRuns]) -> list[_Asked]:
    tested = [_tested(runs) for runs in asked]
    over = [i for i, one in enumerate(tested) if one.general.changed >= FEWEST]
    for i, p in zip(over, holm([tested[i].general.p or 0.0 for i in over]), strict=True):
        tested[i] = replace(tested[i], adjusted=p)
    within = [i for i, one in enumerate(tested) if one.able]
    for i, p in zip(within, holm([tested[i].these_p or 0.0 for i in within]), strict=True):
        tested[i] = replace(tested[i], these_adjusted=p)
    return tested


def _tested(runs: PairedRuns) -> _Asked:
    over = general(runs)
    if not over.cases:
        return _Asked(runs, over, None, None, None, "none", able=False)
    p, least, exact = labels(runs)
    method: TheseMethod = "labels, exact" if exact else "labels, sampled"
    return _Asked(runs, over, over.p, p, p, method, able=least < LEVEL)


def _on_these(one: _Asked) -> bool:
    """Say whether the runs of these cases speak for a difference."""
    return one.these_adjusted is not None and one.these_adjusted < LEVEL


def _clear(one: _Asked) -> bool:
    """Say whether both tests, and enough cases, speak for a difference."""
    over = one.adjusted is not None and one.adjusted < LEVEL
    return _on_these(one) and over and one.general.changed >= FEWEST


def _word(one: _Asked, found: Limits) -> Word:
    if not _on_these(one):
        return "can't tell"
    up = one.general.mean > 0
    if _clear(one) and found.low is not None and found.high is not None:
        if found.low > 0 and up:
            return "better"
        if found.high < 0 and not up:
            return "worse"
    return "better on these cases" if up else "worse on these cases"


def _kind(one: General, bound: float | None) -> Kind:
    """Return why nothing is told of cases like these; what helps most to know comes first."""
    if one.cases < FEWEST:
        return "powerless"
    if bound is not None and bound <= MARGIN:
        return "bounded"
    if one.changed >= FEWEST and min(one.up, one.down) / one.changed >= BALANCED:
        return "mixed"
    return "powerless" if one.changed < FEWEST else "too few"


def _verdict(one: _Asked, found: Limits) -> Verdict:
    over, runs, word = one.general, one.runs, _word(one, found)
    low, high, interval = found
    bound = None if low is None or high is None else max(abs(low), abs(high))
    return Verdict(
        word=word,
        kind=None if word in ("better", "worse") else _kind(over, bound),
        difference=over.mean if over.cases else None,
        low=low,
        high=high,
        p=over.p,
        adjusted=one.adjusted,
        method=over.method,
        interval=interval,
        cases=over.cases,
        up=over.up,
        down=over.down,
        bound=bound,
        visible=planning.visible(over.differences),
        needed=planning.needed(over.differences),
        needed_as_seen=planning.needed(over.differences, abs(over.mean)) if over.cases else None,
        these_p=one.these_p,
        these_adjusted=one.these_adjusted,
        these_method=one.these_method,
        ran_once=runs.ran_once,
        runs_a=int(runs.runs_a.sum()),
        runs_b=int(runs.runs_b.sum()),
        more_runs=None,
        clusters=None,
    )
