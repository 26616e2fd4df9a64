"""Whose scores count is said on every page, and a person's never stands in the recorded place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.workspace.opened import open_workspace
from tests.dashboard.live import write_alpha
from tests.judging.copies import ANA, BEN, answers, judged, taken

RUNS = ("alpha::case-01@v0/-#1", "alpha::case-01@v1/-#1")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case that the judge gave 2, then 4 of 5; two people gave 5 and 4, then 1 and 2."""
    root = tmp_path_factory.mktemp("people") / "skills"
    write_alpha(root)
    ws = open_workspace(root, cache=False)
    for run, scores in zip(RUNS, ((5, 4), (1, 2)), strict=True):
        for judge, score in zip((ANA, BEN), scores, strict=True):
            judged(ws, run, judge, answers(taken(ws, run, judge), score, f"{judge.name} says so."))
    return root


def given(app: AppTest) -> list[dict[str, Any]]:
    """Return what the panels of a page are given."""
    assert not app.exception
    return [json.loads(element.proto.json) for element in app.get("bidi_component")]


def blocks(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the panels of a page are given."""
    return [block for data in given(app) for block in data.get("blocks", [])]


def panel(app: AppTest, name: str) -> dict[str, Any]:
    """Return what holds one name among the panels of a page."""
    return next(data for data in given(app) if name in data)


@pytest.mark.parametrize(
    ("scores", "rate"),
    [
        ("recorded", "v1 passed 100 % of 1 case (1 of 1 run passed, mean score 4.00 of 5)"),
        ("human", "v1 passed 0 % of 1 case by people's scores (0 of 1 run passed, mean score 1.50"),
    ],
)
def test_the_overview_says_whose_scores_its_numbers_are(
    run: Callable[..., AppTest], people: Path, scores: str, rate: str
) -> None:
    """The rate, the verdict, and of how many runs people's scores are."""
    app = run("overview", people, suite="alpha", scores=scores)
    said = "\n".join(str(block.get("text", "")) for block in blocks(app))
    assert any(rate in line for line in blocks(app)[0]["how"])
    whole = "people's scores of 1 of 1 run, by 2 people" in said
    assert whole is (scores == "human")
    verdict = blocks(app)[0]["text"]
    assert ("by people's scores" in verdict) is (scores == "human")
    assert ("0 % against 100 % on 1 case" in verdict) is (scores == "human")


def test_the_choice_is_kept_in_every_link(run: Callable[..., AppTest], people: Path) -> None:
    """Who goes on to another page goes on with the same scores."""
    app = run("overview", people, suite="alpha", scores="human")
    (box,) = [box for box in app.selectbox if box.label == "Whose scores"]
    assert box.options == ["As recorded", "By people", "By people, else as recorded"]
    assert box.value == "human"
    bases = [data["base"]["scores"] for data in given(app) if "base" in data]
    assert bases
    assert set(bases) == {"human"}
    assert all("scores=human" in link.proto.query_string for link in app.get("page_link"))


def test_gradings_shows_people_beside_the_judge(run: Callable[..., AppTest], people: Path) -> None:
    """Both scores with name and reasons, and the recorded one in its own place."""
    app = run("gradings", people, suite="alpha", v="v1")
    (item,) = [block for block in blocks(app) if block.get("criterion") == "greets"]
    assert (item["score"], item["mark"]) == ("4 of 5", "pass")
    assert [(one["who"], one["score"], one["texts"][0]["text"]) for one in item["people"]] == [
        ("Ana", "1 of 5", "Ana says so."),
        ("Ben", "2 of 5", "Ben says so."),
    ]
    head = panel(app, "verdict")
    assert head["people"] == "2 people judged: 1 and 2 of 5 (recorded 4)"
    assert head["verdict"].startswith("recorded: passed, 4 of 5")


def test_the_grid_says_where_people_looked(run: Callable[..., AppTest], people: Path) -> None:
    """A sign and words in the cell, filters with their counts, and cells that obey the choice."""
    found = {
        scores: panel(run("gradings", people, suite="alpha", scores=scores), "filters")
        for scores in ("recorded", "human")
    }
    counts = {one["key"]: one["n"] for one in found["recorded"]["filters"]}
    assert (counts["people"], counts["differ"], "excluded" in counts) == (1, 1, False)
    cells = {scores: grid["rows"][0]["cells"] for scores, grid in found.items()}
    assert [cell[:2] for cell in cells["recorded"]] == [["fail", "2.00"], ["pass", "4.00"]]
    assert [cell[:2] for cell in cells["human"]] == [["pass", "4.50"], ["fail", "1.50"]]
    assert all(cell[4] == 1 for each in cells.values() for cell in each)
    words = found["recorded"]["words"]
    assert words[0]["word"] == "failed; 1 run judged by people, not as recorded"
    assert found["human"]["foot"] == "1 case by people's scores"


def test_compare_shows_people_on_both_sides(run: Callable[..., AppTest], people: Path) -> None:
    """The verdict turns with the choice; the open case shows both people beside each judge."""
    app = run("compare", people, suite="alpha", scores="human", case="case-01", tab="case")
    found = {block["t"]: block for block in blocks(app)}
    assert "by people's scores" in found["verdict"]["text"]
    assert found["verdict"]["cautions"][-2:] == [
        "People's scores of 1 of 1 run of v0, by 2 people.",
        "People's scores of 1 of 1 run of v1, by 2 people.",
    ]
    (criterion,) = found["pair"]["criteria"]
    assert criterion["change"] == "regressed"
    assert [len(criterion[side]["people"]) for side in "ab"] == [2, 2]
    assert criterion["b"]["score"] == "4 of 5"
