"""Figures are medians, ratios are of medians, and a verdict follows from ratio and target."""

import json
from pathlib import Path

import pytest

from benchmarks.measure import Result, against
from benchmarks.process import Sample
from benchmarks.report import keep

BASE = Result("open", "first open", "improve-10", unit="R", target=1.3, ambition=0.75)


def samples(*walls: float) -> list[Sample]:
    return [Sample(wall, 2 * wall, 0.0, None, None, None) for wall in walls]


def test_a_ratio_is_one_of_medians() -> None:
    """One slow round on either side decides nothing."""
    result = against(BASE, samples(2.0, 2.2, 90.0), samples(1.1, 50.0, 1.0))
    assert result.wall_s == 2.2
    assert result.cpu_s == 4.4
    assert result.ratio == pytest.approx(2.0)
    assert result.cpu_ratio == pytest.approx(2.0)
    assert result.rounds == 3


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (0.75, "ambition met"),
        (1.3, "met"),
        (1.43, "short by 10%"),
        (3.9, "3.0 × the target"),
        (None, "–"),
    ],
)
def test_a_verdict_says_met_or_by_how_much_not(ratio: float | None, verdict: str) -> None:
    """Ambition, target, a little short, far off, and not measured."""
    assert BASE._replace(ratio=ratio).verdict == verdict


def test_kept_figures_name_no_machine(tmp_path: Path) -> None:
    """The file holds versions and cores, and neither host nor path."""
    keep([BASE._replace(ratio=1.0)], tmp_path / "results.json", {"rounds": 5})
    text = (tmp_path / "results.json").read_text("utf-8")
    kept = json.loads(text)
    assert kept["results"][0]["verdict"] == "met"
    assert kept["machine"].keys() == {"system", "processor", "cores", "python"}
    assert str(Path.home()) not in text
