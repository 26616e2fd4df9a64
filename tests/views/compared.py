"""Comparisons made by hand, so that what is said of them is tested without any statistics."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from evalcore.comparing.compare import compare
from evalcore.comparing.model import (
    CasePair,
    Change,
    Comparability,
    Comparison,
    Estimate,
    LeftOut,
    Measure,
    Named,
    Reason,
    Side,
    Slice,
)
from evalcore.comparing.sides import side_of
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE
from evalcore.statistics.verdict import Verdict
from evalcore.tables.rows import Row
from tests import made
from tests.made import SUITE

A = Named(SUITE, Column("v1", "-"))
B = Named(SUITE, Column("v2", "-"))


def pair(case: str, a: float, b: float, runs: int = 3, **given: Any) -> CasePair:
    """Return a case with its values on both sides."""
    change: Change = "same" if a == b else "improved" if b > a else "regressed"
    base = {"runs_a": runs, "runs_b": runs, "run_a": f"{case}-a", "run_b": f"{case}-b"}
    return CasePair(case, given.pop("name", case), a, b, change, **{**base, **given})


def left(case: str, reason: Reason = "only in B") -> LeftOut:
    """Return a case that does not count."""
    return LeftOut(case, case, reason)


def verdict(word: str = "better", **given: Any) -> Verdict:
    """Return a verdict of 42 cases with 21 points between the sides."""
    base = Verdict(
        word="better",
        kind=None,
        difference=0.21,
        low=0.07,
        high=0.36,
        p=0.01,
        adjusted=0.01,
        method="sign-flip, exact",
        interval="bca",
        cases=42,
        up=10,
        down=1,
        bound=0.36,
        visible=0.17,
        needed=120,
        needed_as_seen=30,
        these_p=0.01,
        these_adjusted=0.01,
        these_method="labels, exact",
        ran_once=False,
        runs_a=126,
        runs_b=126,
        more_runs=None,
        clusters=None,
    )
    return replace(base, word=word, **given)  # type: ignore[arg-type]


def sliced(name: str, a: float, b: float, told: Verdict | None, **given: Any) -> Slice:
    """Return a criterion or tag over 8 cases."""
    cases = given.pop("cases", 8)
    base: dict[str, Any] = {"kind": "criterion", "up": 2, "down": 1, **given}
    return Slice(
        name=name,
        a=Estimate(a, max(a - 0.1, 0), min(a + 0.1, 1), cases, 24),
        b=Estimate(b, max(b - 0.1, 0), min(b + 0.1, 1), cases, 24),
        verdict=told,
        **base,
    )


def measure(name: Any = "time", a: float | None = 40.0, b: float | None = 52.0) -> Measure:
    """Return time, tokens or cost over 5 cases; None is not measured."""
    if a is None or b is None:
        return Measure(name, None, None, None, None, None, 0)
    return Measure(name, a, b, b - a, b - a - 3, b - a + 3, 5)


def comparison(*pairs: CasePair, **given: Any) -> Comparison:
    """Return a comparison of these cases; the verdict is `better`, whatever they say."""
    base = Comparison(
        a=A,
        b=B,
        family="improve",
        headline=SHARE,
        scores="recorded",
        comparability=Comparability("whole", (), ()),
        verdict=verdict(),
        estimate_a=Estimate(0.64, 0.5, 0.78, 42, 126),
        estimate_b=Estimate(0.86, 0.72, 0.94, 42, 126),
        pairs=pairs,
        left_out=(),
        carrier=None,
        slices=(),
        measures=(),
        repeats_a=None,
        repeats_b=None,
    )
    return replace(base, **given)


def sides(tmp_path: Path, *extra: Row, **passes: tuple[int, int]) -> tuple[Comparison, Side, Side]:
    """Return v1 against v2 of one case, two runs each; `passes` of each criterion's runs pass."""
    rows: list[Row] = [made.suite(), made.case(name="The form"), *extra]
    rows += [made.criterion(label, description=f"It {label}.") for label in passes]
    for at, version in enumerate(("v1", "v2")):
        rows.append(made.version(version, at))
        for run in (1, 2):
            run_id = f"{version}-{run}"
            rows.append(
                made.run(
                    run_id=run_id,
                    version=version,
                    run=str(run),
                    fraction=0.5 + at / 4,
                    outputs=f"out/{run_id}",
                )
            )
            rows += [
                made.judgment(
                    label, passes[label][at] >= run, run_id=run_id, rationale=f"{label} in {run_id}"
                )
                for label in passes
            ]
    ws = made.workspace(tmp_path, *rows)
    a, b = (side_of(ws, made.SUITE, version) for version in ("v1", "v2"))
    return compare(a, b), a, b
