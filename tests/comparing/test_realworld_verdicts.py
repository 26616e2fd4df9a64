"""Verdicts on other people's workspaces, compared with a calculation from the files alone."""

import json
from collections import Counter
from fractions import Fraction
from math import lcm
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import side_of

Rates = dict[str, Fraction]


def rate(grading: Path) -> Fraction:
    """Return the share of the items of a grading that passed, counted one by one."""
    document = json.loads(grading.read_text(encoding="utf-8"))
    items = next(document[key] for key in ("expectations", "assertions") if key in document)
    return Fraction(sum(item["passed"] is True for item in items), len(items))


def flipped(differences: list[Fraction]) -> Fraction:
    """Return the exact two-sided p of the sum when every sign is a coin: all sums, counted."""
    unit = lcm(*(value.denominator for value in differences))
    whole = [int(value * unit) for value in differences if value]
    sums: Counter[int] = Counter({0: 1})
    for value in whole:
        step: Counter[int] = Counter()
        for total, ways in sums.items():
            step[total + value] += ways
            step[total - value] += ways
        sums = step
    far = abs(sum(whole))
    return Fraction(sum(ways for total, ways in sums.items() if abs(total) >= far), 2 ** len(whole))


def check(found: Comparison, a: Rates, b: Rates) -> None:
    """Assert that a comparison has the cases, changes, mean and p of the calculation."""
    differences = [b[case] - a[case] for case in a]
    both = sorted((float(a[case]), float(b[case])) for case in a)
    assert sorted((pair.a, pair.b) for pair in found.pairs) == [
        pytest.approx(each) for each in both
    ]
    assert found.verdict is not None
    assert found.verdict.up == sum(value > 0 for value in differences)
    assert found.verdict.down == sum(value < 0 for value in differences)
    assert found.verdict.difference == pytest.approx(float(sum(differences) / len(differences)))
    # Beyond 16 changes p is sampled: 9,999 draws know it to about half a point.
    exact = found.verdict.method != "sign-flip, sampled"
    tolerance = 1e-9 if exact else 0.006
    assert found.verdict.p == pytest.approx(float(flipped(differences)), rel=0, abs=tolerance)


def test_forty_cases_with_and_without_a_skill_are_better(realworld: Path) -> None:
    """Most of forty cases improve by half of their checks: no chance does that."""
    folder = realworld / "geoffsdesk+gke-upgrades-skill" / "workspace"
    found = _with_against_without(folder, "workspace", "iteration-31")
    files = folder / "iteration-31"
    a, b = (
        {
            path.name.removesuffix("-grading.json"): rate(path)
            for path in (files / side).glob("eval-*-grading.json")
        }
        for side in ("without_skill", "with_skill")
    )
    assert len(a) == 40
    check(found, a, b)
    assert found.verdict is not None
    assert found.verdict.word == "better"


def test_three_of_ten_cases_up_is_no_verdict(realworld: Path) -> None:
    """88 % against 100 % looks like a gain; three changes all one way have p = 2 / 2^3."""
    files = realworld / "kimsanguine+AI_PM_Skills" / "evals" / "workspace" / "iteration-1"
    found = _with_against_without(files.parents[2], ".", "iteration-1")
    a, b = (
        {path.parts[-3]: rate(path) for path in files.glob(f"*/{side}/grading.json")}
        for side in ("without_skill", "with_skill")
    )
    assert len(a) == 10
    check(found, a, b)
    assert found.verdict is not None
    assert (found.verdict.word, found.verdict.kind) == ("can't tell", "powerless")
    assert (found.verdict.up, found.verdict.down, found.verdict.p) == (3, 0, 2 / 2**3)


def test_an_inverted_delta_does_not_turn_the_verdict_round(realworld: Path) -> None:
    """The benchmark stores baseline minus skill, -0.02; the skill is ahead, but of six cases."""
    folder = realworld / "z5labs+ai" / "plugins" / "audit-skill" / "skills"
    files = folder / "audit-skill-workspace" / "iteration-7"
    stored = json.loads((files / "benchmark.json").read_text(encoding="utf-8"))
    assert str(stored["run_summary"]["delta"]["pass_rate"]).startswith("-")
    ws = open_workspace(folder, cache=False)
    (suite,) = ws.tables.suites["suite"]
    found = compare(
        side_of(ws, suite, "iteration-7@old_skill"), side_of(ws, suite, "iteration-7@with_skill")
    )
    a, b = (
        {path.parts[-4]: rate(path) for path in files.glob(f"eval-*/{side}/run-1/grading.json")}
        for side in ("old_skill", "with_skill")
    )
    assert len(a) == 6
    check(found, a, b)
    assert found.verdict is not None
    assert found.verdict.difference is not None
    assert found.verdict.difference > 0
    assert found.verdict.word == "can't tell"


def _with_against_without(folder: Path, name: str, version: str) -> Comparison:
    ws = open_workspace(folder, cache=False)
    suite = next(str(one) for one in ws.tables.suites["suite"] if str(one) in (name, "."))
    return compare(
        side_of(ws, suite, f"{version}@without_skill"), side_of(ws, suite, f"{version}@with_skill")
    )
