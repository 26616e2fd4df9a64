"""One case on both sides: both judgments of each criterion, changed ones first, and why."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.model import Comparison, Side
from evalcore.views.compare.case import open_case, pair_block
from evalcore.views.compare.state import View, listed
from tests.views.compared import sides
from tests.views.panel_json import panel_json

LABELS = ("greets", "names", "totals", "plain", "short")


def block(found: Comparison, a: Side, b: Side, **view: Any) -> Any:
    """Return what the panel is given of the case that is open."""
    shown = View(case="case-1", **view)
    opened = open_case(found, a, b, shown)
    assert opened is not None
    return panel_json(pair_block(found, opened, listed(found, b.ws, shown), shown))


def test_changed_criteria_come_first_and_the_others_are_folded(tmp_path: Path) -> None:
    """Those that went as the case did, those against it, then what did not change."""
    given = block(*sides(tmp_path, greets=(0, 2), names=(2, 2), totals=(2, 0)))
    criteria = given["criteria"]
    assert given["change"] == "improved"
    assert [(item["title"], item["word"], item["folded"]) for item in criteria] == [
        ("It greets.", "improved", False),
        ("It totals.", "regressed", False),
        ("It names.", "", True),
    ]
    assert given["rest"] == "1 criterion that did not change"


def test_both_judgments_stand_with_their_score_reason_and_runs(tmp_path: Path) -> None:
    """A's open run beside B's, and how many of the runs pass."""
    (item,) = block(*sides(tmp_path, greets=(0, 2)), ra=1, rb=2)["criteria"]
    assert (item["a"]["mark"], item["a"]["judge"]) == ("fail", "passed in 0 of 2 runs")
    assert (item["b"]["mark"], item["b"]["judge"]) == ("pass", "passed in 2 of 2 runs")
    assert item["a"]["texts"][0]["text"] == "greets in v1-1"
    assert item["b"]["texts"][0]["text"] == "greets in v2-2"


def test_the_runs_of_each_side_are_offered(tmp_path: Path) -> None:
    """The open one says which of how many it is."""
    given = block(*sides(tmp_path, greets=(0, 2)), rb=2)
    assert [run["label"] for run in given["b"]["runs"]] == ["run 1", "run 2 of 2"]
    assert [run["on"] for run in given["b"]["runs"]] == [False, True]
    assert given["b"]["link"]["query"]["run"] == "v2-2"


def test_a_run_that_does_not_exist_opens_the_usual_one(tmp_path: Path) -> None:
    """An old address still shows a run."""
    given = block(*sides(tmp_path, greets=(0, 2)), ra=9)
    assert sum(run["on"] for run in given["a"]["runs"]) == 1


def open_runs(given: Any) -> tuple[list[str], list[str]]:
    """Return the runs that are open on both sides."""
    first, second = (
        [run["run"] for run in given[side]["runs"] if run["on"]] for side in ("a", "b")
    )
    return first, second


def test_runs_are_open_that_show_the_change(tmp_path: Path) -> None:
    """A failing run of A beside a passing one of B, where both have passing and failing ones."""
    given = block(*sides(tmp_path, greets=(1, 2)))
    assert open_runs(given) == (["v1-2"], ["v2-1"])
    (item,) = given["criteria"]
    assert (item["a"]["mark"], item["b"]["mark"], item["runs"]) == ("fail", "pass", None)


def test_where_the_open_runs_do_not_show_a_change_those_that_do_are_offered(tmp_path: Path) -> None:
    """By their numbers; which runs are open was the reader's choice."""
    given = block(*sides(tmp_path, greets=(1, 2), names=(2, 2)), ra=1, rb=1)
    assert open_runs(given) == (["v1-1"], ["v2-1"])
    changed, same = given["criteria"]
    assert changed["runs"] == {
        "text": "Changed between run 2 of A and run 1 of B: open these",
        "ra": 2,
        "rb": 1,
    }
    assert same["runs"] is None


def test_where_nothing_changed_the_first_criteria_are_open(tmp_path: Path) -> None:
    """What was judged is then what there is to see."""
    given = block(*sides(tmp_path, **dict.fromkeys(LABELS, (2, 2))))
    assert [item["folded"] for item in given["criteria"]] == [False] * 2 + [True] * 3


def test_many_changed_criteria_leave_room_for_the_outputs(tmp_path: Path) -> None:
    """Two stand open; the others are one click away and counted."""
    given = block(*sides(tmp_path, **dict.fromkeys(LABELS, (0, 2))))
    assert [item["folded"] for item in given["criteria"]] == [False] * 2 + [True] * 3
    assert given["rest"] == "3 more criteria"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("same", "same"), "the cause is the judge"),
        (("old", "new"), "the change came with the version"),
        ((None, "new"), "Unknown whether"),
    ],
)
def test_the_source_of_a_change_is_said(
    tmp_path: Path, texts: tuple[str | None, str | None], words: str
) -> None:
    """Judge, version or unknown, by the outputs on disk."""
    for run, text in zip(("v1-1", "v2-1"), texts, strict=True):
        if text is not None:
            (tmp_path / f"out/{run}").mkdir(parents=True)
            (tmp_path / f"out/{run}/letter.md").write_text(text, "utf-8")
    assert words in block(*sides(tmp_path, greets=(0, 2)), ra=1, rb=1)["source"]


def test_a_case_that_nobody_knows_is_not_opened(tmp_path: Path) -> None:
    """The page says so."""
    found, a, b = sides(tmp_path, greets=(0, 2))
    assert open_case(found, a, b, View(case="no-such-case")) is None
