"""Benchmarks of any shape: sides, cases and amounts are told by where and as what they stand."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from tests.families.build import write

WITH, WITHOUT = "with_skill", "without_skill"
FULL = {"passed": 4, "total": 4, "pass_rate": 1.0}
HALF = {"passed": 2, "total": 4, "pass_rate": 0.5}
EXPECTED = [("a", WITH, 4, 4), ("a", WITHOUT, 2, 4)]


def runs_of(root: Path, path: str, value: Any) -> list[tuple[Any, ...]]:
    """Case, configuration and counts of the runs in a folder with this one file."""
    runs = open_workspace(write(root, {path: value}), cache=False).tables.runs
    rows = runs[["case_id", "configuration", "checks_passed", "checks_total"]]
    return sorted(tuple(row) for row in rows.itertuples(index=False))


def problems_of(root: Path, path: str, value: Any) -> list[tuple[str, str, str]]:
    """Code, message and hint of each problem in a folder with this one file."""
    ws = open_workspace(write(root, {path: value}), cache=False)
    return [(each.code, each.message, each.hint) for each in ws.problems]


@pytest.mark.parametrize("path", ["evals/benchmark.json", "evals/results.json", "results.json"])
@pytest.mark.parametrize(
    "value",
    [
        {"scenarios": {"a": {WITH: FULL, WITHOUT: HALF}}},
        {"any": {"name": {"a": {WITH: FULL, WITHOUT: HALF}}}},
        {"configs": [{"name": WITH, "evals": [{"eval_name": "a", **FULL}]},
                     {"name": WITHOUT, "evals": [{"eval_name": "a", **HALF}]}]},
        {"configurations": [{"name": WITH, "cases": [{"id": "a", **FULL}]},
                            {"name": WITHOUT, "cases": [{"id": "a", **HALF}]}]},
        {"agents": [{"name": WITH, "done": [{"id": "a", **FULL}]},
                    {"name": WITHOUT, "done": [{"id": "a", **HALF}]}]},
        {"runs": [{"eval_id": "a", "run_index": 0, WITH: FULL, WITHOUT: HALF}]},
        {"rows": [{"id": "a", "arm": WITH, **FULL}, {"id": "a", "arm": WITHOUT, **HALF}]},
        {"rows": [{"id": "a", "arm": WITH, "passed": True, "passedAssertions": 4,
                   "totalAssertions": 4},
                  {"id": "a", "arm": WITHOUT, "passed": False, "passedAssertions": 2,
                   "totalAssertions": 4}]},
        {"skills": [{"skillName": "s", "scores": [{"id": "a", "arm": WITH, **FULL},
                                                  {"id": "a", "arm": WITHOUT, **HALF}]}]},
    ],
)  # fmt: skip
def test_runs_are_told_by_shape_and_name(tmp_path: Path, path: str, value: Any) -> None:
    """One case with two sides, in whatever lists and objects, and in a file of any name."""
    assert runs_of(tmp_path, path, {"skill_name": "demo", **value}) == EXPECTED


def test_items_of_nested_sides_are_judged(tmp_path: Path) -> None:
    """Each with its evidence; every run of the list is one run of each side."""
    items = [{"text": "says hello", "passed": True, "evidence": "seen"}]
    run = {"eval_id": "a", WITH: {"assertion_results": items}}
    document = {"runs": [{**run, "run_index": n} for n in (0, 1)]}
    ws = open_workspace(write(tmp_path, {"evals/benchmark.json": document}), cache=False)
    assert ws.tables.runs["run"].tolist() == ["1", "2"]
    assert ws.tables.judgments["criterion"].tolist() == ["says hello"] * 2
    assert ws.tables.text("judgments")["evidence"].tolist() == ["seen"] * 2


def test_names_that_several_groups_have_in_common_are_cases(tmp_path: Path) -> None:
    """Of two levels without a known side, that with fewer names has the sides."""
    rate = {"scored_trials": 20, "pass_rate": 0.9}
    models = {model: dict.fromkeys(("a::x", "b::x", "b::y"), rate) for model in ("m", "n")}
    named = [run[:2] for run in runs_of(tmp_path / "1", "evals/results/summary.json", models)]
    assert named == [(case, side) for case in ("a::x", "b::x", "b::y") for side in ("m", "n")]
    cases = {case: dict.fromkeys(("m", "n"), rate) for case in "abc"}
    named = [run[:2] for run in runs_of(tmp_path / "2", "summary.json", cases)]
    assert named == [(case, side) for case in "abc" for side in "mn"]


@pytest.mark.parametrize(
    "value",
    [
        {"skills": [{"skill": s, "rows": [{"id": "a", "arm": WITH, **FULL}]} for s in "st"]},
        {"cases": [{"skill": s, "id": "a", WITH: FULL} for s in "st"]},
    ],
)
def test_several_skills_in_a_document_are_said(tmp_path: Path, value: Any) -> None:
    """Their cases of one name stay apart."""
    named = [run[:2] for run in runs_of(tmp_path, "results.json", value)]
    assert named == [("s: a", WITH), ("t: a", WITH)]
    (found,) = [
        each for each in problems_of(tmp_path, "results.json", value) if "skills" in each[1]
    ]
    assert found[0] == "several-skills"
    assert "about 2 skills" in found[1]
    tags = open_workspace(tmp_path, cache=False).tables.cases["tags"]
    assert tags.tolist() == ['["s"]', '["t"]']


@pytest.mark.parametrize(
    ("path", "value", "code", "message", "hint"),
    [
        ("evals/benchmark.json", {"groups": [{"name": "x", "pass_rate": 0.5}]},
         "unrecognised", "cannot be read as one", "`total` beside 'pass_rate'"),
        ("evals/report.json", {"groups": [{"name": "x", "pass_rate": 0.5}]},
         "scores-unread", "'pass_rate'", "`total` beside 'pass_rate'"),
        ("evals/benchmark.json", {"results": {"with_skill": {"tokens": 5}}},
         "unrecognised", "cannot be read as one", "It lacks `runs`"),
        ("reports/x.json", {"skill": "x", "scores": {"clarity": 8}},
         "scores-unread", "scores", "It lacks `runs`"),
        ("tests/results.json", {"passed": 9, "failed": 1, "total": 10},
         "scores-unread", "'passed'", "It lacks `runs`"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_what_it_lacks(
    tmp_path: Path, path: str, value: Any, code: str, message: str, hint: str
) -> None:
    """The place is fine, so no message speaks of one."""
    (found,) = problems_of(tmp_path, path, value)
    assert found[0] == code
    assert message in found[1]
    assert hint in found[2]
    assert "place" not in found[1]


@pytest.mark.parametrize(
    "value",
    [
        {"testResults": [{"name": "a", "assertionResults": [{"title": "t", "status": "passed"}]}]},
        {"by_category": {"io": {WITH: FULL}, "net": {WITH: FULL}}},
        {"with_skill": FULL, "without_skill": HALF},
        {"total": {"lines": {"total": 10, "covered": 5}}, "a.js": {"lines": {"total": 3}}},
        {"dependencies": {"x": {"version": "1", "resolved": "y"}}, "total": 5},
    ],
)
def test_what_says_nothing_of_cases_makes_no_suite(tmp_path: Path, value: Any) -> None:
    """Reports of tests and of coverage, and sums by category or side, have no runs to read."""
    assert runs_of(tmp_path, "report.json", value) == []


def test_a_summary_in_an_iteration_makes_no_suite_of_its_own(tmp_path: Path) -> None:
    """It sums up the runs that lie there."""
    grading = {"expectations": [{"text": "x", "passed": True, "evidence": "y"}]}
    files = {
        "w/iteration-1/eval-1/with_skill/grading.json": grading,
        "w/iteration-1/overview.json": {"cases": {"1": {WITH: FULL}}},
    }
    ws = open_workspace(write(tmp_path, files), cache=False)
    assert ws.tables.suites["suite"].tolist() == ["w"]
