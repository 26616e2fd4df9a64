"""Ways are run in turn, ratios are taken round by round, and a verdict follows from the target."""

import json
import time
from pathlib import Path

import pytest

from benchmarks.measure import Clock, Result, Way, against, interleaved
from benchmarks.process import OutOfTime, Sample
from benchmarks.report import heading, keep, line

BASE = Result("open", "first open", "improve-10", unit="R", target=1.3, ambition=0.75)


def samples(*walls: float) -> list[Sample]:
    return [Sample(wall, 2 * wall, 0.0, None, None, None) for wall in walls]


def walks(folder: Path, order: list[str]) -> dict[str, Way]:
    """Return two ways that walk a folder and note in `order` that they are about to."""

    def begun(name: str) -> Path:
        order.append(name)
        return folder

    asked = {"root": str(folder)}
    return {
        "a": Way("W", asked, lambda: begun("a")),
        "b": Way("W", asked, lambda: begun("b")),
    }


def test_a_ratio_is_the_median_of_those_of_each_round() -> None:
    """A round in which the machine was slow for both sides changes nothing."""
    result = against(BASE, samples(2.0, 3.0, 20.0), samples(1.0, 1.0, 10.0))
    assert result.wall_s == 3.0
    assert result.cpu_s == 6.0
    assert result.ratio == pytest.approx(2.0)
    assert result.cpu_ratio == pytest.approx(2.0)
    assert result.rounds == 3


def test_ways_are_run_in_turn_every_other_round_in_reverse(tmp_path: Path) -> None:
    """What comes second in one round comes first in the next."""
    order: list[str] = []
    clock = Clock(time.monotonic() + 60, 60)
    found = interleaved(walks(tmp_path, order), 2, clock, lambda _: None)
    assert order == ["a", "b", "b", "a"]
    assert [len(found[name]) for name in "ab"] == [2, 2]


def test_one_round_is_made_where_the_share_of_time_is_small(tmp_path: Path) -> None:
    """There is a figure then, whose line says that it is of one round."""
    order: list[str] = []
    clock = Clock(time.monotonic() + 60, 0.0)
    found = interleaved(walks(tmp_path, order), 5, clock, lambda _: None)
    assert [len(found[name]) for name in "ab"] == [1, 1]


def test_a_method_is_ended_when_measuring_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process outlives the time that was given."""
    monkeypatch.setattr("benchmarks.measure.SHORTEST", 0.01)
    (tmp_path / "a.json").write_text("{}")
    ways = {"check": Way("check", {"root": str(tmp_path)}, lambda: tmp_path)}
    began = time.monotonic()
    with pytest.raises(OutOfTime):
        interleaved(ways, 1, Clock(began + 0.01, 60), lambda _: None)


@pytest.mark.parametrize(
    ("ratio", "by_cpu", "verdict"),
    [
        (0.75, 0.75, "ambition met"),
        (1.3, 1.5, "met"),
        (1.43, 1.43, "missed by 10%"),
        (1.43, 1.2, "missed by 10%; by CPU met"),
        (3.9, None, "missed, × 3.0"),
        (None, None, "–"),
    ],
)
def test_a_verdict_says_met_or_by_how_much_not(
    ratio: float | None, by_cpu: float | None, verdict: str
) -> None:
    """Ambition, target, a little short, met but for a busy machine, far off, not measured."""
    assert BASE._replace(ratio=ratio, cpu_ratio=by_cpu).verdict == verdict


def test_a_line_has_every_figure_below_its_heading() -> None:
    """Ratio, target and number of rounds stand in their columns; the detail on a second line."""
    shown, detail = line(BASE._replace(ratio=2.5, rounds=3, detail="imports 1 s")).split("\n")
    for word, column in (("2.5", "ratio"), ("1.3", "target"), ("3", "n")):
        end = heading().index(f" {column} ") + len(column) + 1
        assert shown[:end].endswith(f" {word}")
    assert shown.endswith("missed by 92%")
    assert detail.strip() == "imports 1 s"


def test_kept_figures_name_no_machine(tmp_path: Path) -> None:
    """The file holds versions and cores, and neither host nor path."""
    keep([BASE._replace(ratio=1.0)], tmp_path / "results.json", {"rounds": 5})
    text = (tmp_path / "results.json").read_text("utf-8")
    kept = json.loads(text)
    assert kept["results"][0]["verdict"] == "met"
    assert kept["machine"].keys() == {"system", "processor", "cores", "python"}
    assert str(Path.home()) not in text
