"""Correct a pass rate for the errors of the judge, with an interval that carries them.

A *result* is 1 (passed) or 0 of one criterion of one test run, or the value of a run from 0 to 1.
Results of one case resemble each other, so all errors are clustered on the case. A rate is that
over cases: results carry weights, so that a case counts once however many results it has.
"""

import math
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics import intervals

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
Why = Literal["", "few labels", "few cases", "few of a class", "no better than chance"]

LABELS: Final = 20
"""Below so many labels nothing is corrected."""
CASES: Final = 8
"""Below so many cases with labels nothing is corrected: few cases say how much cases differ."""
CLASS: Final = 8
"""Rogan and Gladen's correction needs so many labels of either class."""
MORE: Final = 2
"""So many results are taken besides those of a rate, so that no rate is certain."""
LEAST: Final = 0.01
"""A corrected rate is taken to vary at least as one so far from 0 or 1."""
ALONE: Final = -1
_APART: Final = np.array([ALONE, ALONE])
BETTER: Final = 0.3
"""The lower limit of sensitivity + specificity - 1 that is clearly better than chance.

The correction divides by that sum: near 0 the quotient has no interval of finite length.
"""


class Results(NamedTuple):
    """What the judge said of all test runs: its results, the case of each, and its weight."""

    judge: Numbers
    case: Codes
    weight: Numbers


class Labels(NamedTuple):
    """Results that people labelled: what the judge and what people said, case and weight."""

    judge: Numbers
    people: Numbers
    case: Codes
    weight: Numbers


class Rate(NamedTuple):
    """A rate with its 95 % interval."""

    value: float
    low: float
    high: float


class Corrected(NamedTuple):
    """A corrected rate; None with the reason `why`, and what was `found` of what is needed."""

    rate: Rate | None
    why: Why = ""
    found: float = 0.0


class Accuracy(NamedTuple):
    """How often the judge passes what people pass, and fails what they fail.

    `better` is sensitivity + specificity - 1 (Youden's J): 0 for a judge that guesses. Each is
    None without a label of its class.
    """

    sensitivity: Rate | None
    specificity: Rate | None
    better: Rate | None
    passed: int
    failed: int


def share(of: Numbers, case: Codes, weight: Numbers | None = None) -> Rate:
    """Return the mean of results of 0 or 1 with its interval, clustered on the case.

    Wilson's interval for as many independent results as would vary like the mean does (Korn and
    Graubard 1998, Survey Methodology 24:193), at least as wide as if all were independent. Where
    all results are alike, nothing is known of how cases differ: then each case counts once.
    """
    weights = np.ones(len(of)) if weight is None else weight
    mean = math.fsum(weights * of) / math.fsum(weights)
    weights = weights / weights.sum()
    variance = _cluster_error([(weights * (of - mean), case)]) ** 2
    n = _effective(weights)
    alike = variance <= intervals.SAME**2
    like = float(len(np.unique(case))) if alike else min(mean * (1 - mean) / variance, n)
    return _wilson(mean, like, case)


def over_cases(every: Results) -> Rate:
    """Return the mean over cases as all rates of cases have it (`intervals.mean_interval`)."""
    _, place = np.unique(every.case, return_inverse=True)
    sums, weights = (np.bincount(place, of) for of in (every.weight * every.judge, every.weight))
    means = sums / weights
    low, high = intervals.mean_interval(means) or (0.0, 1.0)
    return Rate(float(means.mean()), low, high)


def accuracy(labels: Labels) -> Accuracy:
    """Return sensitivity and specificity of a judge, and how far both are from guessing."""
    is_passed = labels.people > 0.5
    passed, failed = int(is_passed.sum()), int((~is_passed).sum())
    of_passed = share(labels.judge[is_passed], labels.case[is_passed]) if passed else None
    of_failed = share(1 - labels.judge[~is_passed], labels.case[~is_passed]) if failed else None
    better = None
    if of_passed is not None and of_failed is not None:
        # Square and add: the limits of a sum from those of its parts (Zou and Donner 2008).
        value = of_passed.value + of_failed.value - 1
        down = math.hypot(of_passed.value - of_passed.low, of_failed.value - of_failed.low)
        up = math.hypot(of_passed.high - of_passed.value, of_failed.high - of_failed.value)
        better = Rate(value, max(value - down, -1.0), min(value + up, 1.0))
    return Accuracy(of_passed, of_failed, better, passed, failed)


def rogan_gladen(every: Results, labels: Labels) -> Corrected:
    """Return the rate that people would have found, if the judge errs alike everywhere.

    (rate + specificity - 1) / (sensitivity + specificity - 1) (Rogan and Gladen 1978), with the
    interval of Lang and Reiczigel (2014, Preventive Veterinary Medicine 113:13), which carries the
    errors of all three rates (Lee et al. 2025, arXiv:2511.21140, take the same for judges), here
    clustered on the case. The labels may be of other runs than `every`; what must hold is that the
    judge errs on both as often, given what people say.
    """
    found = accuracy(labels)
    why = _too_few(labels) or _class_too_small(found)
    if why is not None:
        return why
    assert found.better is not None
    if found.better.low < BETTER:
        return Corrected(None, "no better than chance", found.better.low)
    is_passed = labels.people > 0.5
    of_passed = labels.judge[is_passed], labels.case[is_passed]
    of_failed = 1 - labels.judge[~is_passed], labels.case[~is_passed]
    observed = _Part.of(every.judge, every.case, every.weight)
    return Corrected(_corrected(observed, _Part.of(*of_passed), _Part.of(*of_failed)))


class _Part(NamedTuple):
    """A rate as it is, and with two more results, one of them passed; what adds to its error."""

    plain: float
    rate: float
    variance: float
    terms: tuple[tuple[Numbers, Codes], ...]

    @classmethod
    def of(cls, results: Numbers, case: Codes, weight: Numbers | None = None) -> "_Part":
        weights = np.full(len(results), 1.0) if weight is None else weight
        weights = weights / weights.sum()
        n = _effective(weights)
        plain = float(weights @ results)
        rate = (n * plain + 1) / (n + MORE)
        more = np.array([1 - rate, -rate]) / (n + MORE)
        terms = (n / (n + MORE) * weights * (results - plain), case)
        return cls(plain, rate, rate * (1 - rate) / (n + MORE), (terms, (more, _APART)))

    def times(self, slope: float) -> list[tuple[Numbers, Codes]]:
        """Return what each result adds to the error of a figure that moves by `slope`."""
        return [(slope * of, case) for of, case in self.terms]


def _corrected(observed: _Part, sensitivity: _Part, specificity: _Part) -> Rate:
    plain = observed.plain + specificity.plain - 1
    found = min(max(plain / (sensitivity.plain + specificity.plain - 1), 0.0), 1.0)
    better = sensitivity.rate + specificity.rate - 1
    raw = (observed.rate + specificity.rate - 1) / better
    value = min(max(raw, 0.0), 1.0)
    error = _cluster_error(
        [
            *observed.times(1 / better),
            *sensitivity.times(-value / better),
            *specificity.times((1 - value) / better),
        ]
    )
    labelled = np.concatenate([sensitivity.terms[0][1], specificity.terms[0][1]])
    reach = intervals.t(len(np.unique(labelled)))
    moved = 2 * reach**2 * (value * sensitivity.variance - (1 - value) * specificity.variance)
    low, high = (min(max(raw + moved + sign * reach * error, 0.0), 1.0) for sign in (-1, 1))
    return Rate(found, min(low, found), max(high, found))


def prediction_powered(every: Results, labels: Labels) -> Corrected:
    """Return the rate that people would have found, from labels of a random sample of `every`.

    The judge's rate, and by how much people differ from it in the sample: lam * judge over all
    results + (people - lam * judge) over the labels, with the lam that varies least (PPI++,
    Angelopoulos, Duchi, Zrnic 2023, arXiv:2311.01453; the regression estimator of survey
    sampling). Nothing is assumed of the judge: a bad one only makes the interval wide.
    """
    if (why := _too_few(labels)) is not None:
        return why
    found = _powered(every, labels)
    value = round(found.value, 12)  # what all people passed is 1, not what floats make of it
    inside = min(max(value, LEAST), 1 - LEAST)
    like = inside * (1 - inside) / _cluster_error(found.terms) ** 2
    return Corrected(_wilson(value, like, labels.case))


def powered_difference(
    a: tuple[Results, Labels], b: tuple[Results, Labels], cases: int
) -> Rate | None:
    """Return by how much people would have found b's mean above a's, from labels of both.

    Each side's mean is `prediction_powered`; results of one case on both sides are taken together,
    so that what makes a case hard cancels. `cases` are those with labels on a side; None below
    `CASES`.
    """
    if cases < CASES:
        return None
    one, other = _powered(*a), _powered(*b)
    value = other.value - one.value
    terms = [*other.terms, *((-of, case) for of, case in one.terms)]
    reach = intervals.t(cases) * _cluster_error(terms)
    return Rate(value, max(value - reach, -1.0), min(value + reach, 1.0))


def mean_of(values: Numbers, case: Codes) -> Rate | None:
    """Return the mean of values from -1 to 1 with its t interval over cases; None below two."""
    cases = len(np.unique(case))
    if cases < 2:
        return None
    value = float(values.mean())
    n = len(values)
    more = np.array([1.0, -1.0]) / (n + MORE)
    error = _cluster_error([((values - value) / (n + MORE), case), (more, _APART)])
    reach = intervals.t(cases) * error
    return Rate(value, max(value - reach, -1.0), min(value + reach, 1.0))


class Powered(NamedTuple):
    """A prediction-powered mean, the weight `lam` of the judge, and what adds to its error."""

    value: float
    lam: float
    terms: tuple[tuple[Numbers, Codes], ...]


def _powered(every: Results, labels: Labels) -> Powered:
    all_of, mine = every.weight / every.weight.sum(), labels.weight / labels.weight.sum()
    lam = tuned(labels)
    over_all, left = float(all_of @ every.judge), labels.people - lam * labels.judge
    over_labels, n = float(mine @ left), _effective(labels.weight)
    return Powered(
        lam * over_all + over_labels,
        lam,
        (
            (lam * all_of * (every.judge - over_all), every.case),
            (mine * (left - over_labels), labels.case),
            (np.array([0.5, -0.5]) / (n + MORE), _APART),
        ),
    )


def tuned(labels: Labels) -> float:
    """Return the weight of the judge with which its results explain most of what people said."""
    weights = labels.weight / labels.weight.sum()
    judge = labels.judge - weights @ labels.judge
    spread = float(weights @ judge**2)
    if spread <= intervals.SAME:
        return 0.0
    return float(np.clip(weights @ (judge * labels.people) / spread, 0.0, 1.0))


def _too_few(labels: Labels) -> Corrected | None:
    cases = len(np.unique(labels.case))
    if len(labels.people) < LABELS:
        return Corrected(None, "few labels", len(labels.people))
    return Corrected(None, "few cases", cases) if cases < CASES else None


def _class_too_small(found: Accuracy) -> Corrected | None:
    least = min(found.passed, found.failed)
    return Corrected(None, "few of a class", least) if least < CLASS else None


def _cluster_error(terms: Sequence[tuple[Numbers, Codes]]) -> float:
    """Return the standard error of a sum of means, from what each result adds to it, by case.

    Results of the case `ALONE` are each of a case of their own.
    """
    case = np.concatenate([of for _, of in terms])
    added = np.concatenate([of for of, _ in terms])
    alone = added[case == ALONE]
    _, place = np.unique(case[case != ALONE], return_inverse=True)
    sums = np.bincount(place, added[case != ALONE])
    n = len(sums)
    return math.sqrt(n / max(n - 1, 1) * float(sums @ sums) + float(alone @ alone))


def _effective(weight: Numbers) -> float:
    """Return how many results of equal weight are as many as these (Kish 1965)."""
    return float(weight.sum() ** 2 / (weight @ weight))


def _wilson(value: float, n: float, case: Codes) -> Rate:
    """Return Wilson's interval of a rate of n independent results, with t for so many cases."""
    value = min(max(value, 0.0), 1.0)
    reach = intervals.t(max(len(np.unique(case)), 2))
    middle = (value + reach**2 / (2 * n)) / (1 + reach**2 / n)
    spread = value * (1 - value) / n + reach**2 / (4 * n**2)
    half = reach * math.sqrt(spread) / (1 + reach**2 / n)
    return Rate(value, max(middle - half, 0.0), min(middle + half, 1.0))
