"""Comparisons made by hand, so that their words are tested without any workspace."""

from dataclasses import replace
from typing import Any

from evalcore.comparing.model import (
    CasePair,
    Change,
    Comparability,
    Comparison,
    Estimate,
    LeftOut,
    Named,
    Reason,
)
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE
from evalcore.statistics.verdict import Verdict

SUITE = "skills/pdf"


def verdict(**given: Any) -> Verdict:
    """Return the verdict of the example: 42 cases, 10 improved, 1 got worse."""
    base = Verdict(
        word="better",
        kind=None,
        difference=9 / 42,
        low=0.071,
        high=0.357,
        p=0.01171875,
        adjusted=0.01171875,
        method="mcnemar",
        interval="score",
        cases=42,
        up=10,
        down=1,
        bound=0.357,
        visible=0.172,
        needed=118,
        needed_as_seen=30,
        these_p=0.01171875,
        these_adjusted=0.01171875,
        these_method="labels, exact",
        ran_once=True,
        runs_a=42,
        runs_b=42,
        more_runs=None,
        clusters=None,
    )
    return replace(base, **given)


def unclear(kind: str, **given: Any) -> Verdict:
    """Return a verdict that cannot tell, for one reason."""
    return verdict(**{"word": "can't tell", "kind": kind, **given})


def named(version: str, configuration: str = "-", suite: str = SUITE, workspace: str = "") -> Named:
    """Return a side by its name."""
    return Named(suite, Column(version, configuration), workspace)


def estimate(value: float | None, cases: int = 42, runs: int | None = None) -> Estimate:
    """Return a mean of so many cases."""
    return Estimate(value, None, None, cases, cases if runs is None else runs)


def pair(case: str = "case-07", a: float = 0.0, b: float = 1.0, **given: Any) -> CasePair:
    """Return a case on both sides."""
    change: Change = "same" if a == b else "improved" if b > a else "regressed"
    base = CasePair(case, case, a, b, change, 1, 1, f"{case}-a", f"{case}-b")
    return replace(base, **given)


def left(number: int, reason: Reason) -> tuple[LeftOut, ...]:
    """Return so many cases that are left out for one reason."""
    return tuple(LeftOut(f"{reason} {n}", f"{reason} {n}", reason) for n in range(number))


def comparison(**given: Any) -> Comparison:
    """Return the comparison of the example, v4 against v3."""
    base = Comparison(
        a=named("v3"),
        b=named("v4"),
        family="improve",
        headline=SHARE,
        scores="recorded",
        comparability=Comparability("whole", (), ()),
        verdict=verdict(),
        estimate_a=estimate(26 / 42),
        estimate_b=estimate(35 / 42),
        pairs=tuple(pair(f"case-{n:02}") for n in range(42)),
        left_out=(),
        carrier=None,
        slices=(),
        measures=(),
        repeats_a=None,
        repeats_b=None,
    )
    return replace(base, **given)


def incomparable(**given: Any) -> Comparison:
    """Return two sides without anything to compare."""
    nothing = Comparability("nothing", (), ())
    base = {"verdict": None, "estimate_a": None, "estimate_b": None, "pairs": ()}
    return comparison(**{**base, "comparability": nothing, **given})
