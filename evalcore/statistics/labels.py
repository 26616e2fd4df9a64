"""The test on these cases: could runs that vary have come out so, had A and B been the same?"""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import SAME
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.sums import DIGITS, GRID, SMALLEST, Tail, Terms, merged, tail

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]

DENOMINATOR: Final = 1_000
"""Values are taken as fractions up to this denominator where that is what they are."""
DISTINCT: Final = 200
"""With more different values than this they are taken for numbers without steps."""
LABELINGS: Final = 13_000
"""Up to so many ways to label a case's runs are listed (8 against 8 has 12,870)."""
LISTED: Final = 1 << 23
"""How many ways to label all cases that differ are listed at most."""
SUMS: Final = 50_000
"""With more different sums of a case's runs than this, ways to label them are drawn."""
DRAWN: Final = 9_999
SEED: Final = 20_260


def labels(runs: PairedRuns) -> Tail:
    """Return the two-sided p of a permutation test of labels within cases.

    If A and B are the same, any of a case's runs could as well have been of the other side. The
    statistic is the mean over cases of the mean of B's runs minus that of A's; p is the share of
    all ways to label the runs of each case, as many as it has on each side, whose statistic is as
    far from 0 as the one that was seen. Valid from one case on, with as many or as few runs as
    there are. With one run a side it is the sign-flip test, of pass and fail McNemar's exact test.
    `least` is the smallest p that any labels of these runs reach.

    See `statistics.sums.tail` for when it is exact. Exchanging A and B, another order of cases, or
    of runs within a case, change nothing.
    """
    unit, lattice = _unit(runs)
    seen = int(np.rint(runs.differences * unit).astype(np.int64).sum())
    kinds = _kinds(runs.exchanged if seen < 0 else runs, unit)
    listed = [found for kind in kinds for found in _differences(kind)]
    found = tail([terms for terms, _ in listed], abs(seen), 0 if lattice else runs.cases)
    return found._replace(exact=found.exact and all(complete for _, complete in listed))


def least_p(ran_a: Numbers, ran_b: Numbers, cases: Numbers) -> float:
    """Return the p of `labels` where all runs of one side failed and all of the other passed.

    No runs reach less. `ran_a` and `ran_b` are the runs of a case, of which there are `cases` each.
    The other end of the scale is as far only where both sides ran equally often.
    """
    from scipy.special import gammaln

    ways = gammaln(ran_a + ran_b + 1) - gammaln(ran_a + 1) - gammaln(ran_b + 1)
    ends = 2 if (ran_a == ran_b).all() else 1
    return max(round(ends * math.exp(-float((cases * ways).sum())), DIGITS), SMALLEST)


class _Kind(NamedTuple):
    """Cases of as many runs each: a row holds the sorted values, in steps, of both sides' runs.

    `times` says how many cases have each row.
    """

    ran_a: int
    ran_b: int
    rows: Whole
    times: Whole


def _unit(runs: PairedRuns) -> tuple[int, bool]:
    """Return how many steps make 1, and whether all differences of means are whole steps."""
    ran = np.union1d(runs.runs_a, runs.runs_b)
    steps = denominator(np.unique(np.concatenate([runs.a, runs.b])))
    unit = 0 if steps is None or len(ran) > DISTINCT else steps * math.lcm(*ran.tolist())
    return (unit, True) if 0 < unit <= GRID else (GRID, False)


def denominator(values: Numbers) -> int | None:
    """Return the common denominator of different values, None where they have no small one."""
    if values.size > DISTINCT:
        return None
    if (np.abs(values - np.rint(values)) <= SAME).all():
        return 1
    tried = np.arange(1, DENOMINATOR + 1)
    near = np.abs(values[:, None] - np.rint(values[:, None] * tried) / tried) <= SAME
    if not near.any(axis=1).all():
        return None
    return math.lcm(*tried[near.argmax(axis=1)].tolist())


def _kinds(runs: PairedRuns, unit: int) -> Iterator[_Kind]:
    """Yield the cases by their number of runs."""
    cases = np.concatenate([runs.case_a, runs.case_b])
    steps = np.rint(np.concatenate([runs.a, runs.b]) * unit).astype(np.int64)
    steps = steps[np.lexsort((steps, cases))]
    ran = np.stack([runs.runs_a, runs.runs_b])
    ends = ran.sum(axis=0).cumsum()
    for ran_a, ran_b in np.unique(ran, axis=1).T.tolist():
        those = (ran[0] == ran_a) & (ran[1] == ran_b)
        rows = steps[ends[those, None] - np.arange(ran_a + ran_b, 0, -1)]
        # What passed and failed differs only by how many did, which is faster to sort.
        key = rows.sum(axis=1) if runs.pass_fail else rows
        _, first, count = np.unique(key, axis=0, return_index=True, return_counts=True)
        yield _Kind(ran_a, ran_b, rows[first], count)


def _differences(kind: _Kind) -> Iterator[tuple[Terms, bool]]:
    """Yield the differences of means of all ways to label cases, and whether they are all."""
    ways = math.comb(kind.ran_a + kind.ran_b, kind.ran_a)
    if ways <= min(LABELINGS, LISTED // len(kind.rows)):
        sums = kind.rows @ _labelings(kind.ran_a, kind.ran_b).T
        yield Terms(_apart(kind, kind.rows, sums), np.full((1, ways), 1 / ways), kind.times), True
        return
    for row, times in zip(kind.rows, kind.times, strict=True):
        listed = _sums_of_a(row, kind.ran_a)
        sums, weights = listed or _drawn_sums(row, kind.ran_a)
        steps = _apart(kind, row[None, :], sums[None, :])
        yield Terms(steps, weights[None, :] / weights.sum(), times[None]), listed is not None


def _apart(kind: _Kind, rows: Whole, sums_a: Whole) -> Whole:
    """Return the mean of B minus that of A where the values of A have these sums."""
    sums_b = rows.sum(axis=1, keepdims=True) - sums_a
    found: Whole = np.rint(sums_b / kind.ran_b - sums_a / kind.ran_a).astype(np.int64)
    return found


@lru_cache(maxsize=32)
def _labelings(ran_a: int, ran_b: int) -> Whole:
    """Return every way to choose A's runs, a row each: 1 for those chosen."""
    chosen = np.array(list(combinations(range(ran_a + ran_b), ran_a)))
    found = np.zeros((len(chosen), ran_a + ran_b), np.int64)
    np.put_along_axis(found, chosen, 1, axis=1)
    return found


def _sums_of_a(row: Whole, ran_a: int) -> tuple[Whole, Numbers] | None:
    """Return the sums of so many of a case's values and the number of ways to choose each.

    Value after value, by how many runs of it A has. None where there are more than `SUMS`.
    """
    none = (np.zeros(0, np.int64), np.zeros(0))
    chosen = [(np.zeros(1, np.int64), np.ones(1)), *[none] * ran_a]
    for value, times in zip(*np.unique(row, return_counts=True), strict=True):
        parts = [
            [
                (chosen[k - j][0] + j * value, chosen[k - j][1] * math.comb(int(times), j))
                for j in range(min(k, times) + 1)
            ]
            for k in range(ran_a + 1)
        ]
        chosen = [merged(*map(np.concatenate, zip(*part, strict=True))) for part in parts]
        if max(sums.size for sums, _ in chosen) > SUMS:
            return None
    return chosen[ran_a]


def _drawn_sums(row: Whole, ran_a: int) -> tuple[Whole, Numbers]:
    """Return the sums of so many of a case's values for labels that are drawn, the same ones."""
    rng = np.random.default_rng(SEED)
    drawn = rng.permuted(np.tile(row, (DRAWN, 1)), axis=1)[:, :ran_a].sum(axis=1)
    return drawn, np.ones(DRAWN)
