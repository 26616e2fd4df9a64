"""Rates corrected for a judge's errors: published values, other programs' values, simulations."""

import math

import numpy as np
import pytest

from benchmarks.judge_errors import PLANS, Drawn, covered_differences, draw, drawn_pair
from evalcore.statistics.judge_error import (
    BETTER,
    CASES,
    CLASS,
    LABELS,
    Labels,
    Rate,
    Results,
    accuracy,
    mean_of,
    over_cases,
    powered_difference,
    prediction_powered,
    rogan_gladen,
    share,
    tuned,
)

ROUNDS = 2_000


def apart(judge: list[float], people: list[float], first: int = 0) -> Labels:
    """Return labels each of a case of its own."""
    n = len(judge)
    return Labels(np.array(judge), np.array(people), np.arange(first, first + n), np.ones(n))


def results(passed: int, n: int) -> Results:
    """Return what a judge passed of n cases."""
    judge = np.array([1.0] * passed + [0.0] * (n - passed))
    return Results(judge, np.arange(n), np.ones(n))


def confused(tp: int, fn: int, tn: int, fp: int, first: int = 10_000) -> Labels:
    """Return labels of so many true and false positives and negatives."""
    judge = [1.0] * tp + [0.0] * fn + [0.0] * tn + [1.0] * fp
    return apart(judge, [1.0] * (tp + fn) + [0.0] * (tn + fp), first)


def test_rogan_gladen_is_the_published_value() -> None:
    """20 of 120 positive, sensitivity .9 and specificity .99: .17603 in RSurveillance's output.

    Its Wilson interval takes both as known (.1130 to .2623): so many labels come close to that.
    """
    found = rogan_gladen(results(20, 120), confused(90_000, 10_000, 99_000, 1_000)).rate
    assert found is not None
    assert found.value == pytest.approx(0.17603, abs=5e-6)
    assert found.low == pytest.approx(0.11299, abs=0.02)
    assert found.high == pytest.approx(0.26231, abs=0.01)


def test_rogan_gladen_is_what_judgy_gives() -> None:
    """300 of 500 passed, 81 of 90 and 54 of 60 right: .625, and our interval is the wider one.

    judgy 0.1.0 (seed 1) says .5642 to .6894; it resamples the labels alone, as if the 500 were all.
    """
    judgy = pytest.importorskip("judgy", reason="the yardstick judgy is not installed")
    every, labels = results(300, 500), confused(81, 9, 54, 6)
    np.random.seed(1)
    value, low, high = judgy.estimate_success_rate(labels.people, labels.judge, every.judge)
    found = rogan_gladen(every, labels).rate
    assert found is not None
    assert found.value == pytest.approx(value, abs=1e-12)
    assert (low, high) == pytest.approx((0.5642, 0.6894), abs=0.003)
    assert found.low < low < high < found.high
    assert found.high - found.low < 1.5 * (high - low)


def test_prediction_powered_is_what_ppi_python_gives() -> None:
    """ppi-python 0.2.3 says .575977 (.517201 to .634752) of these 150 labels and 850 results.

    fewhumans 1.0.0 says .576 (.517 to .635). Both take the variance of the judge over all results,
    we over the labels: the weights differ by 2 %.
    """
    rng = np.random.default_rng(20261124)
    people = (rng.random(1_000) < 0.6).astype(float)
    judge = np.where(rng.random(1_000) < 0.85, people, 1 - people)
    case, weight = np.arange(1_000), np.ones(1_000)
    labels = Labels(judge[:150], people[:150], case[:150], weight[:150])
    found = prediction_powered(Results(judge, case, weight), labels).rate
    assert found is not None
    assert found.value == pytest.approx(0.575977, abs=0.001)
    assert (found.low, found.high) == pytest.approx((0.517201, 0.634752), abs=0.004)
    assert tuned(labels) / (1 + 150 / 850) == pytest.approx(0.634514, rel=0.03)


def test_prediction_powered_has_the_closed_form() -> None:
    """Mean of the judge over all, times lam, and the mean of what the labels differ by."""
    one = draw(np.random.default_rng(5), PLANS[0])
    lam = tuned(one.labels)
    found = prediction_powered(one.every, one.labels).rate
    assert found is not None
    left = one.labels.people - lam * one.labels.judge
    assert found.value == pytest.approx(lam * one.every.judge.mean() + left.mean(), abs=1e-12)


def test_with_all_labelled_it_is_what_people_say() -> None:
    """The judge then adds nothing, whatever it says."""
    rng = np.random.default_rng(3)
    people = (rng.random(60) < 0.7).astype(float)
    judge = np.where(rng.random(60) < 0.8, people, 1 - people)
    labels = apart(judge.tolist(), people.tolist())
    found = prediction_powered(Results(judge, np.arange(60), np.ones(60)), labels).rate
    assert found is not None
    assert found.value == pytest.approx(people.mean(), abs=1e-12)


def test_a_judge_that_says_one_thing_throughout_counts_for_nothing() -> None:
    """What people say of the sample is then all there is."""
    people = [1.0] * 18 + [0.0] * 6
    labels = apart([1.0] * 24, people)
    assert tuned(labels) == 0
    found = prediction_powered(results(100, 100), labels).rate
    assert found is not None
    assert found.value == pytest.approx(0.75)


def test_no_interval_has_width_zero() -> None:
    """A judge that was right each time may still be wrong the next."""
    labels = apart([1.0] * 20 + [0.0] * 10, [1.0] * 20 + [0.0] * 10)
    found = prediction_powered(results(100, 100), labels).rate
    assert found is not None
    assert found.high == 1
    assert 0.8 < found.low < 0.9


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (confused(10, 0, LABELS - 11, 0), "few labels"),
        (confused(20, 0, CLASS - 1, 0), "few of a class"),
        (confused(CLASS - 1, 0, 20, 0), "few of a class"),
        (confused(14, 10, 12, 12), "no better than chance"),
    ],
)
def test_a_correction_is_refused_with_the_reason(labels: Labels, why: str) -> None:
    """Too few labels, of a class or at all, or a judge that may as well guess."""
    found = rogan_gladen(results(30, 60), labels)
    assert (found.rate, found.why) == (None, why)


def test_a_correction_is_given_from_the_limits_on() -> None:
    """As many labels, and labels of a class, as are asked for; the other side is refused above."""
    least = confused(CLASS, 0, LABELS - CLASS, 0)
    assert rogan_gladen(results(30, 60), least).rate is not None
    assert prediction_powered(results(30, 60), least).rate is not None


def test_few_cases_are_refused_however_many_labels_they_have() -> None:
    """From as many cases on as are asked for there is a rate."""
    of = confused(30, 2, 30, 2)
    for cases, why in ((CASES - 1, "few cases"), (CASES, "")):
        labels = of._replace(case=np.arange(64) % cases)
        assert rogan_gladen(results(30, 60), labels).why == why
        assert prediction_powered(results(30, 60), labels).why == why


def test_better_than_chance_is_asked_of_the_lower_limit() -> None:
    """Not of the value that was seen: 13 of 16 and 12 of 16 right are too few to tell."""
    found = accuracy(confused(13, 3, 12, 4))
    assert found.better is not None
    assert found.better.value == pytest.approx(0.5625)
    assert 0 < found.better.low < BETTER
    assert accuracy(confused(52, 12, 48, 16)).better.low > BETTER  # type: ignore[union-attr]


def test_sensitivity_and_specificity_have_their_own_labels() -> None:
    """Without a label of a class there is no rate of it."""
    found = accuracy(confused(9, 1, 3, 2))
    assert (found.passed, found.failed) == (10, 5)
    assert found.sensitivity is not None
    assert found.specificity is not None
    assert (found.sensitivity.value, found.specificity.value) == pytest.approx((0.9, 0.6))
    none = accuracy(confused(9, 1, 0, 0))
    assert (none.specificity, none.better, none.failed) == (None, None, 0)


def test_labels_of_one_case_do_not_count_as_independent() -> None:
    """The same labels in a quarter as many cases have a wider interval if cases are alike."""
    people = np.repeat([1.0, 0.0], 20)
    judge = np.repeat([1.0, 0.0, 1.0, 0.0], [16, 4, 4, 16])
    alone = share((people == judge).astype(float), np.arange(40))
    together = share((people == judge).astype(float), np.arange(40) // 4)
    assert (alone.value, together.value) == pytest.approx((0.8, 0.8))
    assert together.high - together.low > 1.2 * (alone.high - alone.low)


def test_a_share_of_single_results_is_wilsons() -> None:
    """18 of 20: Newcombe's .6990 to .9721, a little wider as t is wider than the normal."""
    found = share(np.array([1.0] * 18 + [0.0] * 2), np.arange(20))
    assert (found.low, found.high) == pytest.approx((0.699, 0.972), abs=0.025)
    assert found.low < 0.699


def test_a_rate_over_cases_is_that_of_all_pages() -> None:
    """A case counts once: one that passed all of four results, and one that failed its only one."""
    every = Results(np.array([1.0, 1, 1, 1, 0]), np.array([0, 0, 0, 0, 1]), np.ones(5))
    assert over_cases(every).value == 0.5


def test_a_direction_has_an_interval_over_cases() -> None:
    """None of one case; never of width zero where nobody differs."""
    assert mean_of(np.zeros(5), np.zeros(5, int)) is None
    found = mean_of(np.zeros(30), np.arange(30))
    assert found is not None
    assert found.low < 0 < found.high
    harsh = mean_of(np.full(30, -0.2) + np.tile([0.1, -0.1], 15), np.arange(30))
    assert harsh is not None
    assert harsh.high < 0


def coverage(found: list[tuple[Rate | None, float]]) -> tuple[float, int]:
    """Return the share of offered rates whose interval holds the truth, and how many there are."""
    offered = [(rate, truth) for rate, truth in found if rate is not None]
    return sum(r.low <= truth <= r.high for r, truth in offered) / len(offered), len(offered)


def rounds() -> list[Drawn]:
    """Return 2,000 simulated rounds, over all plans alike."""
    rng = np.random.default_rng(11)
    return [draw(rng, PLANS[at % len(PLANS)]) for at in range(ROUNDS)]


def naive(one: Drawn) -> Rate:
    """Return Rogan and Gladen's rate as if what is known of the judge were certain."""
    found = accuracy(one.labels)
    assert found.sensitivity is not None
    assert found.specificity is not None
    better = found.sensitivity.value + found.specificity.value - 1
    rate = float(one.every.judge.mean())
    value = (rate + found.specificity.value - 1) / better
    half = 1.96 * math.sqrt(rate * (1 - rate) / len(one.every.judge)) / better
    return Rate(value, value - half, value + half)


def test_corrected_rates_hold_the_truth_in_95_percent_of_rounds() -> None:
    """95 ± 2 % of 2,000 rounds where they are offered, and the naive interval far less.

    Truths of .5 to .9, judges from .95 and .9 right to .8 and .6, 12 to 100 cases, 1 to 3 runs, 3
    or 4 criteria, 12 to 50 labelled runs, cases alike by 0 to .3. `python -m benchmarks judges` has
    each of them alone.
    """
    drawn = rounds()
    powered = [(prediction_powered(o.every, o.labels).rate, o.truth) for o in drawn]
    gladen = [(rogan_gladen(o.every, o.labels).rate, o.truth) for o in drawn]
    held, n = coverage(powered)
    assert 0.93 <= held <= 0.97, (held, n)
    assert n > 0.9 * ROUNDS
    held, n = coverage(gladen)
    assert 0.93 <= held <= 0.97, (held, n)
    assert n > 0.3 * ROUNDS
    offered = [o for o, (rate, _) in zip(drawn, gladen, strict=True) if rate is not None]
    held, _ = coverage([(naive(one), one.truth) for one in offered])
    assert held < 0.9, held


def test_a_difference_holds_the_truth() -> None:
    """In 93 % or more of 1,000 rounds of both versions; with few labels in more than 95 %."""
    found = covered_differences(1_000)
    assert found.offered == 1_000
    assert 0.93 <= found.held / found.offered <= 0.99, found


def test_a_difference_needs_cases_with_labels() -> None:
    """One case fewer than is asked for, and there is none."""
    rng = np.random.default_rng(4)
    a, b, _, _ = drawn_pair(rng, PLANS[-1], 0.0)
    assert powered_difference(a, b, CASES - 1) is None
    assert powered_difference(a, b, CASES) is not None
