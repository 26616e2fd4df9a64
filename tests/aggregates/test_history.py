"""Average scores of the `improve` family, each in the entry of its own version."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.aggregates.layout import aggregated, digests, dump, load, mismatches, proposed
from tests.conftest import ROOT

PATH = "skill-workspace/history.json"

TEXT = """{
    "by": "caf\\u00e9",
    "versions": [
        {"version": 0, "path": "v0/skill", "average_score": null, "mood": 1.50},
        {
            "average_score": 3.25,
            "version": 1
        },
        {"version": 2}
    ],
    "current_version": 2
}
"""


def graded(root: Path, case: str, version: int, run: int, scores: list[int]) -> None:
    """Write a grading."""
    results = [
        {"criterion": f"c{n}", "score": score, "passed": score >= 3, "reasoning": "r"}
        for n, score in enumerate(scores)
    ]
    document: dict[str, Any] = {"case_id": case, "version": version, "run": run, "results": results}
    dump(root, f"skill-workspace/grading/{case}_v{version}_run{run}.json", document)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return three versions: v0's cases have the means 3.5 and 3, so its average is 3.25."""
    for run, scores in ((1, [3, 3]), (2, [4, 4])):
        graded(tmp_path, "one", 0, run, scores)
    graded(tmp_path, "two", 0, 1, [2, 4])
    graded(tmp_path, "one", 1, 1, [5, 4])
    (tmp_path / PATH).write_text(TEXT)
    return tmp_path


def test_an_average_that_stands_one_entry_too_late_is_put_right(root: Path) -> None:
    """Each version has the mean over its cases of each case's mean."""
    assert mismatches(root, PATH)
    aggregated(root)
    averages = [each.get("average_score") for each in load(root, PATH)["versions"]]
    assert averages == [3.25, 4.5, None]
    assert mismatches(root, PATH) == []


def test_every_other_character_stays(root: Path) -> None:
    """Order, indentation, escapes, spelling of numbers and the last line break."""
    aggregated(root)
    expected = TEXT.replace("null", "3.25").replace('score": 3.25,\n', 'score": 4.5,\n')
    assert (root / PATH).read_text() == expected


def test_an_average_of_the_version_before_goes_where_there_are_no_gradings(root: Path) -> None:
    """v2 has none, so what it holds, v1's 4.5, is moved and its own is null."""
    document = json.loads(TEXT)
    document["versions"][2]["average_score"] = 4.5
    dump(root, PATH, document)
    said = aggregated(root)[PATH].messages
    averages = [each.get("average_score") for each in load(root, PATH)["versions"]]
    assert averages == [3.25, 4.5, None]
    assert said == ("4.5 was in the entry of v2, but is the average of v1: moved.",)


def test_another_average_without_gradings_stays(root: Path) -> None:
    """Its gradings may have been removed."""
    document = json.loads(TEXT)
    document["versions"][2]["average_score"] = 2.9
    dump(root, PATH, document)
    said = aggregated(root)[PATH].messages
    assert load(root, PATH)["versions"][2]["average_score"] == 2.9
    assert said == ("v2: there are no gradings, so its average_score was left unchanged.",)


def test_a_rounded_average_is_right(root: Path) -> None:
    """3.3 is 3.25 to one decimal; one version can be asked for alone."""
    document = json.loads(TEXT)
    document["versions"][0]["average_score"] = 3.3
    dump(root, PATH, document)
    assert proposed(root, version="v0")[PATH].state == "same"
    assert proposed(root, version="v1")[PATH].state == "changed"


def test_nothing_else_changes(root: Path) -> None:
    """One file is written, and a second time none."""
    before = digests(root)
    aggregated(root)
    after = digests(root)
    assert {path for path in after if after[path] != before.get(path)} == {PATH}
    assert aggregated(root)[PATH].state == "same"
    assert digests(root) == after


def test_what_is_no_history_is_left_alone(root: Path) -> None:
    """A file that cannot be read, and a folder without one."""
    (root / PATH).write_text("{")
    assert [each.state for each in proposed(root).values()] == ["left"]
    (root / PATH).unlink()
    assert proposed(root)[None].messages == (
        "It has no history.json, so no averages can be written.",
    )


def test_the_demo_is_right_already(tmp_path: Path) -> None:
    """Its averages are those of its gradings."""
    shutil.copytree(ROOT / "evalcore/demo/workspace", tmp_path / "demo")
    path = "release-notes-workspace/history.json"
    assert proposed(tmp_path / "demo", suite="release-notes")[path].state == "same"
