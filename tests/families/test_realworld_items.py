"""Every judged item of other people's gradings is read, as an independent walk counts them."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace

VERDICTS = ("passed", "pass", "result", "status", "verdict")
TEXTS = ("text", "expectation", "assertion", "name", "description", "check", "id", "eval_id",
         "entry_point")  # fmt: skip
PRESENT = {
    "10CG+Aria": 257,
    "AfterRealm+roast-my-code": 384,
    "Exenko+Code_Grapher": 58,
    "geoffsdesk+gke-upgrades-skill": 2114,
    "kimsanguine+AI_PM_Skills": 108,
    "liush2yuxjtu+onepager-skill-iterations": 315,
    "shoji9x9+skills": 2200,
    "z5labs+ai": 779,
}
"""Repository to the judged items that its gradings hold, counted by `_present`."""

EMPTY = ("C-myu+research-repo-skill", "eabait+codebase-onboarding-skill",
         "vellus-tech+forge-harness")  # fmt: skip
"""Repositories without one judged item: test cases, aggregates and comparisons alone."""

Item = tuple[str, str]
"""Source and pointer."""


def _judged(value: Any, at: str = "") -> Iterator[str]:
    """Yield the pointer of each object in a list or map that has both a verdict and a text."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        if isinstance(inner, (dict, list)):
            here = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
            if isinstance(inner, dict) and _is_item(inner):
                yield here
            else:
                yield from _judged(inner, here)


def _is_item(value: dict[str, Any]) -> bool:
    told = any(isinstance(value.get(key, 0), (bool, str, type(None))) for key in VERDICTS)
    return told and any(isinstance(value.get(key), (str, int)) for key in TEXTS)


def _is_evidence(path: Path) -> bool:
    """Say whether a file lies among a run's outputs, and is not the run's only grading.

    Outputs are what a run made: a workspace in them is not ours, nor is a second grading there.
    """
    if "outputs" not in path.parts:
        return False
    run = path.parent.parent
    return path.parent.name != "outputs" or (run / "grading.json").exists()


def _documents(folder: Path) -> Iterator[Path]:
    """Yield the gradings of a repository, and its benchmarks where there is no grading at all."""
    gradings = [
        path
        for path in sorted(folder.rglob("*.json"))
        if "grading" in path.name and "schema" not in path.name and not _is_evidence(path)
    ]
    yield from gradings or sorted(folder.rglob("benchmark.json"))


@cache
def _present(folder: Path) -> frozenset[Item]:
    return frozenset(
        (path.relative_to(folder).as_posix(), pointer)
        for path in _documents(folder)
        for pointer in _judged(json.loads(path.read_bytes()))
    )


@cache
def _opened(folder: Path) -> Workspace:
    return open_workspace(folder, cache=False)


@pytest.mark.parametrize("name", [*PRESENT, *EMPTY])
def test_every_judged_item_is_read(realworld: Path, name: str) -> None:
    """Each item that the walk finds is a judgment with this source and pointer.

    A grading that does not say which of several sides it grades is named instead.
    """
    present = _present(realworld / name)
    ws = _opened(realworld / name)
    judged = ws.tables.judgments
    read = set(zip(judged["source"], judged["pointer"], strict=True))
    named = {each.path for each in ws.problems if each.code == "side-unknown"}
    missing = Counter(source for source, _ in present - read if source not in named)
    assert (dict(missing), len(present)) == ({}, PRESENT.get(name, 0))


@pytest.mark.parametrize("name", [*PRESENT, *EMPTY])
def test_an_item_is_one_judgment(realworld: Path, name: str) -> None:
    """No place of a document is judged twice by its recorded judge."""
    judged = _opened(realworld / name).tables.judgments
    places = Counter(zip(judged["source"], judged["pointer"], judged["run_id"], strict=True))
    assert [place for place, count in places.items() if count > 1] == []


def test_no_grading_of_others_is_left_over(realworld: Path) -> None:
    """Nothing that looks like an evaluation document is left unread."""
    left = {name: _opened(realworld / name).unrecognised for name in (*PRESENT, *EMPTY)}
    assert {name: found for name, found in left.items() if found} == {}


def test_what_runs_made_is_not_read_as_ours(realworld: Path) -> None:
    """A workspace among a run's outputs makes neither suites nor documents."""
    tables = _opened(realworld / "vellus-tech+forge-harness").tables
    assert [path for path in tables.documents["path"] if "/outputs/" in path] == []
    assert [root for root in tables.suites["root"] if "/outputs" in root] == []


@pytest.mark.parametrize("name", [*PRESENT, *EMPTY])
def test_a_second_grading_counts_in_no_rate(realworld: Path, name: str) -> None:
    """What a run scored is the number of its judgments that are not superseded."""
    tables = _opened(realworld / name).tables
    judged = tables.judgments
    counted = judged[(judged["status"] == "scored") & (judged["kind"] == "expectation")]
    totals = Counter(counted["run_id"])
    runs = tables.runs[tables.runs["run_id"].isin(totals.keys())]
    told = dict(zip(runs["run_id"], runs["checks_total"], strict=True))
    assert told == dict(totals)


def test_remarks_are_few_and_say_what_to_do(realworld: Path) -> None:
    """What was read by tolerance is remarked on once a file and code, with a way to mend it."""
    for name in PRESENT:
        remarks = [p for p in _opened(realworld / name).problems if p.severity == "info"]
        assert all(problem.hint for problem in remarks)
        ours = {
            "list-name",
            "item-field",
            "verdict-word",
            "summary-name",
            "layout",
            "no-list",
            "config-from-field",
            "several-runs",
        }
        counts = Counter((p.path, p.code) for p in remarks if p.code in ours)
        assert [place for place, count in counts.items() if count > 1] == []
