"""One rule plans and decides: every place that plans is held against the verdict itself."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from evalcore.comparing.compare import compare
from evalcore.counting.rates import SHARE
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import FEWEST, before
from evalcore.statistics.verdict import Verdict, verdict
from evalcore.views.overview.sentences import planned_words
from evalcore.views.overview.summary import overview, planned
from evalcore.views.verdict.method import how
from evalcore.views.verdict.reach import REPEATS, runs_advised
from evalcore.views.verdict.sentence import rest
from tests import made
from tests.comparing.sided import opened, sides
from tests.views.verdicts import comparison, estimate

SIZES = [(cases, runs) for cases in range(1, 61) for runs in range(1, 11)]
RATES = (0.5, 0.95)
CANNOT = "cannot show a difference, however large"


@cache
def all_apart(cases: int, runs: int) -> Verdict:
    """Return the verdict where every run of A failed and every run of B passed."""
    return verdict(PairedRuns.of_tables(np.zeros((cases, runs)), np.ones((cases, runs))))


@cache
def not_apart(cases: int, runs: int) -> Verdict:
    """Return the verdict where half of the runs pass, the same ones on both sides."""
    half = (np.arange(cases * runs) % 2).reshape(cases, runs)
    return verdict(PairedRuns.of_tables(half, half))


def said(found: Verdict) -> str:
    """Return what is said of how far a verdict carries, and of the next step."""
    return rest(comparison(verdict=found, estimate_a=estimate(0.5), estimate_b=estimate(0.5)))


def test_a_plan_says_of_no_difference_what_the_verdict_denies() -> None:
    """Every size, for several expected rates: plan and Overview against the rule."""
    for cases, runs in SIZES:
        told = all_apart(cases, runs)
        for rate in RATES:
            plan = before(cases, runs, rate)
            assert (plan.on_these is not None) == (told.direction > 0), plan
            assert (plan.like_these is not None) == (told.word == "better"), plan
            assert (CANNOT in planned_words(plan, SHARE)) == (told.direction == 0), plan
        if cases < 12:
            fewest = before(cases, runs).fewest
            decides = [all_apart(cases, n).direction > 0 for n in range(1, fewest + 1)]
            assert decides == [False] * (fewest - 1) + [True], cases


def test_what_is_advised_decides_and_what_is_decided_needs_no_advice() -> None:
    """Sentence, "how" and the button, of all the difference there can be and of none at all."""
    for cases, runs in SIZES:
        told, none = all_apart(cases, runs), not_apart(cases - cases % 4 + 1, runs)
        more = runs_advised(told)
        assert (more is None) == (told.direction > 0), (cases, runs)
        assert ("of each case would probably decide" in said(told)) == (more is not None)
        if more is not None:
            assert all_apart(cases, runs + more).direction > 0, (cases, runs, more)
        assert none.word == "can't tell", (cases, runs)
        for found in (told, none):
            advised = runs_advised(found)
            named = re.findall(r"(\d+) (more )?runs? of each case", said(found))
            assert [int(n) - (not of_more) for n, of_more in named] == (
                [] if advised is None else [advised]
            ), said(found)
            if advised is not None:
                assert all_apart(found.cases, runs + advised).direction > 0, said(found)
            visible = any(REPEATS in line for line in how(comparison(verdict=found)))
            assert not visible or all_apart(found.cases, runs).direction > 0, (cases, runs)
            assert not visible or found.cases >= FEWEST


@pytest.mark.parametrize(("cases", "runs"), [(1, 3), (3, 1), (3, 3), (5, 2), (7, 1)])
def test_overview_before_and_compare_after_agree(tmp_path: Path, cases: int, runs: int) -> None:
    """In a workspace: planned with one side, decided with two."""
    a, b = ({f"case-{n}": [value] * runs for n in range(cases)} for value in (0.0, 1.0))
    alone = opened(tmp_path / "alone", a, {})
    found = overview(alone, made.SUITE)
    assert found.plan is not None
    said_before = planned_words(found.plan, SHARE)
    told = compare(*sides(opened(tmp_path / "both", a, b)))
    assert told.verdict is not None
    assert (CANNOT in said_before) == rest(told).startswith("Can't tell"), (said_before, rest(told))
    assert planned(alone, made.SUITE, found.line, found.line.rate) == found.plan


@pytest.mark.parametrize(
    ("cases", "runs", "rate"), [(3, 3, 0.5), (5, 2, 0.5), (10, 1, 0.3), (12, 3, 0.8)]
)
def test_what_is_planned_is_told_in_eight_of_ten_repeats(
    cases: int, runs: int, rate: float
) -> None:
    """Simulated: 300 experiments in which the difference is as large as the plan says."""
    plan = before(cases, runs, rate)
    assert plan.on_these is not None
    other = rate + plan.on_these if rate <= 0.5 else rate - plan.on_these
    other = min(max(other, 0.0), 1.0)
    first = other - plan.on_these if rate <= 0.5 else other + plan.on_these
    rng = np.random.default_rng(31)
    drawn = [[rng.random((cases, runs)) < p for p in (first, other)] for _ in range(300)]
    told = [verdict(PairedRuns.of_tables(a, b)).direction != 0 for a, b in drawn]
    assert 0.7 < np.mean(told) < 0.97
