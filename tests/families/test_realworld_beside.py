"""Documents beside the gradings of other people's workspaces are read, counted independently."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace

NAMES = (
    "10CG+Aria", "AfterRealm+roast-my-code", "C-myu+research-repo-skill", "Exenko+Code_Grapher",
    "eabait+codebase-onboarding-skill", "geoffsdesk+gke-upgrades-skill",
    "kimsanguine+AI_PM_Skills", "liush2yuxjtu+onepager-skill-iterations", "shoji9x9+skills",
    "vellus-tech+forge-harness", "z5labs+ai",
)  # fmt: skip
REVIEWS = {"liush2yuxjtu+onepager-skill-iterations": 4, "z5labs+ai": 16}
LISTED = {"AfterRealm+roast-my-code": 44, "eabait+codebase-onboarding-skill": 3,
          "shoji9x9+skills": 534}  # fmt: skip
"""Runs of repositories that have benchmarks and no gradings, as `_entries` counts them."""


@cache
def _opened(folder: Path) -> Workspace:
    return open_workspace(folder, cache=False)


def _values(folder: Path, name: str) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of each file of this name that no run made."""
    for path in sorted(folder.rglob(name)):
        if "outputs" not in path.parts:
            yield path.relative_to(folder).as_posix(), json.loads(path.read_bytes())


def _entries(value: dict[str, Any]) -> int:
    """Count the runs of a benchmark: its list of runs, else its list of evals."""
    return len(value.get("runs") or value.get("evals") or value.get("per_case") or ())


@pytest.mark.parametrize("name", LISTED)
def test_a_benchmark_without_gradings_is_reviewable(realworld: Path, name: str) -> None:
    """Each run that it lists is a run with a rate, in a version of its iteration."""
    listed = sum(_entries(value) for _, value in _values(realworld / name, "benchmark.json"))
    runs = _opened(realworld / name).tables.runs
    assert (listed, len(runs)) == (LISTED[name], LISTED[name])
    assert set(runs["origin"]) == {"benchmark"}
    assert runs["fraction"].notna().all()


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_gives_aggregates(realworld: Path, name: str) -> None:
    """Each document has stored numbers of its own."""
    paths = {path for path, _ in _values(realworld / name, "benchmark.json")}
    stored = _opened(realworld / name).tables.benchmarks
    assert paths - set(stored[stored["origin"] == "stored"]["source"].dropna()) == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_note_of_a_benchmark_is_kept(realworld: Path, name: str) -> None:
    """The remarks of an analyst stand with their version."""
    said = {
        text
        for _, value in _values(realworld / name, "benchmark.json")
        for key in ("notes", "analyst_observations", "recommendations", "strengths", "weaknesses")
        for text in (value.get(key) or ())
        if isinstance(value.get(key), list)
    }
    assert said - set(_opened(realworld / name).tables.notes["text"]) == set()


@pytest.mark.parametrize("name", REVIEWS)
def test_every_review_is_with_its_run(realworld: Path, name: str) -> None:
    """None is lost, none is left with its version alone."""
    reviews = [
        review
        for _, value in _values(realworld / name, "feedback.json")
        for review in value["reviews"]
    ]
    feedback = _opened(realworld / name).tables.feedback
    found = feedback[feedback["kind"] == "review"]
    assert len(found) == len(reviews) == REVIEWS[name]
    assert found["run_id"].notna().all()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_others_write_is_an_error(realworld: Path, name: str) -> None:
    """Every file of the sample parses, so nothing in it is unreadable."""
    problems = _opened(realworld / name).problems
    assert Counter(p.code for p in problems if p.severity == "error") == {}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_by_tolerance_is_said_once_a_file(realworld: Path, name: str) -> None:
    """One remark a file and code, each with a hint."""
    told = [p for p in _opened(realworld / name).problems if p.severity == "info"]
    assert [key for key, n in Counter((p.path, p.code) for p in told).items() if n > 1] == []
    assert [p.code for p in told if not p.hint] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_workspace_is_empty(realworld: Path, name: str) -> None:
    """There are cases to look at."""
    assert len(_opened(realworld / name).tables.cases) > 0
