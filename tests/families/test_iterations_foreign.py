"""Cases in the words of other tools: their prompts and criteria are read, the rest is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.tables.rows import CaseRow, CriterionRow
from tests.families.build import write
from tests.families.iterations_documents import grading, item, suite

ITEM = {"criterion": "short", "description": "Has one page", "required": True}


def opened(
    root: Path, value: Any, path: str = "demo/evals/evals.json", /, **more: Any
) -> Workspace:
    """A workspace with this evals.json."""
    return open_workspace(write(root, {path: value, **more}), cache=False)


def asked(ws: Workspace) -> tuple[list[str], list[str], list[str]]:
    """The families of the suites, the prompts, and the criteria."""
    tables = ws.tables
    return (
        tables.suites["family"].tolist(),
        tables.cases["prompt"].tolist(),
        tables.criteria["criterion"].tolist(),
    )


@pytest.mark.parametrize("name", ["cases", "test_cases", "scenarios", "workflow_evals"])
@pytest.mark.parametrize("prompt", ["input", "query", "task", "question", "prompt_with_skill"])
def test_cases_keep_their_own_words(tmp_path: Path, name: str, prompt: str) -> None:
    """No criterion is there that the file does not have."""
    case = {
        "id": "a",
        prompt: "Write a brief",
        "deterministic_assertions": [{"check": "file exists"}],
        "acceptance-criteria": ["is it short"],
    }
    ws = opened(tmp_path, {"skill": "demo", name: [case]})
    assert asked(ws) == (["iterations"], ["Write a brief"], ["file exists", "is it short"])
    assert [each.code for each in ws.problems] == []


def test_fields_that_are_not_read_are_named_once(tmp_path: Path) -> None:
    """With the lists beside the cases; what must not hold is no criterion."""
    case = {"prompt_with_skill": "Use it", "prompt_without_skill": "Do it", "must": ["a"]}
    evals = [{"id": n, **case, "negative_assertions": ["b"], "checks": ["c"]} for n in (1, 2)]
    ws = opened(tmp_path, {"skill_name": "demo", "smoke": ["x"], "workflow_evals": evals})
    assert asked(ws) == (["iterations"], ["Use it"] * 2, ["c"] * 2)
    (note,) = ws.problems
    assert (note.code, note.severity) == ("unread-fields", "info")
    for field in ("smoke", "prompt_without_skill", "must", "negative_assertions"):
        assert repr(field) in note.message


def test_fields_of_the_authors_own_are_no_matter(tmp_path: Path) -> None:
    """In the usual form nothing is said of them."""
    case = {"id": 1, "prompt": "Do it", "expectations": ["Done"], "mode": "fast", "notes": ["x"]}
    assert opened(tmp_path, {"skill_name": "demo", "evals": [case]}).problems == []


@pytest.mark.parametrize(
    "case",
    [
        {"id": "a", "prompt": "Do it", "expectations": [ITEM]},
        {"id": "a", "prompt": "Do it", "expectations": [ITEM], "notes": "mine"},
        {"id": "a", "prompt": "Do it", "files": []},
    ],
)
def test_scored_cases_stay_what_they_are(tmp_path: Path, case: dict[str, Any]) -> None:
    """Their criteria have names, and are required or not."""
    ws = opened(tmp_path, {"version": "1.0", "skill": "demo", "cases": [case]})
    assert asked(ws)[:2] == (["improve"], ["Do it"])


def test_the_cases_of_graded_runs_are_those_of_their_workspace(tmp_path: Path) -> None:
    """Whatever else they say, the gradings name them."""
    run = {"case_id": "a", "version": 0, "run": 1, "results": []}
    cases = [{"id": "a", "prompt": "Do it", "rubric": ["is it short"]}]
    write(tmp_path, {"demo-workspace/grading/a_v0_run1.json": run})
    ws = opened(tmp_path, {"cases": cases})
    assert asked(ws)[:2] == (["improve"], ["Do it"])


QUERIES = [{"query": f"Write {n}", "should_trigger": n > 1} for n in range(4)]
CASE = {"id": 1, "prompt": "Do it", "expectations": ["Done"]}


@pytest.mark.parametrize(
    "value",
    [QUERIES, {"evals": QUERIES}, {"cases": [{"query": "Write", "should_activate": True}]}],
)
def test_queries_are_no_cases(tmp_path: Path, value: Any) -> None:
    """Whether a skill triggers is another question."""
    assert asked(opened(tmp_path, value))[0] == ["activation"]


@pytest.mark.parametrize(
    ("value", "family", "unread"),
    [
        ({"trigger_evals": QUERIES, "workflow_evals": [CASE]}, "activation", "workflow_evals"),
        ({"trigger_evals": QUERIES, "evals": [CASE]}, "iterations", "trigger_evals"),
    ],
)
def test_of_queries_and_cases_in_one_file_one_is_named(
    tmp_path: Path, value: Any, family: str, unread: str
) -> None:
    """A file is one family's: neither list vanishes."""
    ws = opened(tmp_path, {"skill_name": "demo", **value})
    assert asked(ws)[0] == [family]
    (note,) = [each for each in ws.problems if each.code == "unread-fields"]
    assert repr(unread) in note.message


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ({"type": "contains", "value": "Form"}, "contains: Form"),
        ({"id": "A1", "type": "regex-match", "pattern": "a.*b"}, "regex-match: a.*b"),
        ({"id": "A1", "type": "content"}, "A1"),
        ({"check": "file exists"}, "file exists"),
        ({"check": "contains", "value": "x"}, "contains: x"),
        ({"contains": "Form"}, "contains: Form"),
    ],
)
def test_a_check_without_a_text_is_a_criterion(
    tmp_path: Path, check: dict[str, Any], words: str
) -> None:
    """In words, with the object as its guide; a grading of it is joined to it."""
    evals = {"skill_name": "pdf", "evals": [{"id": 1, "prompt": "Fill it", "assertions": [check]}]}
    graded = {"expectations": [{**check, "passed": True, "evidence": "seen"}]}
    run = "iteration-1/eval-1/with_skill/run-1/grading.json"
    read = suite(tmp_path, {run: graded}, evals=evals)
    row = read.one(CriterionRow)
    assert (row.criterion, row.description) == (words, words)
    assert read.codes() == []
    assert set(json.loads(row.guide or "{}")) == set(check) - {"id"}


def test_an_object_that_says_nothing_is_an_error(tmp_path: Path) -> None:
    """It has neither a text nor a type."""
    evals = {"evals": [{"id": 1, "prompt": "Fill it", "assertions": [{"a": 1, "b": 2}]}]}
    assert [each.code for each in opened(tmp_path, evals).problems][:1] == ["wrong-type"]


CHECKLIST = {
    "context": "Uses the form",
    "type": "weighted_checklist",
    "checklist": [
        {"name": "Form", "description": "The output uses the form", "max_score": 10},
        {"name": "Short", "description": "The output has one page", "max_score": 2.5},
    ],
}


def test_a_weighted_checklist_is_a_case(tmp_path: Path) -> None:
    """Named by its folder and asked by the task.md in it; points are weights."""
    home = "skills/demo/evals/scenario"
    ws = opened(
        tmp_path,
        CHECKLIST,
        f"{home}-1/criteria.json",
        **{f"{home}-1/task.md": "Fill it.\n", f"{home}-2/criteria.json": CHECKLIST},
    )
    tables = ws.tables
    assert tables.suites["suite"].tolist() == ["skills/demo"]
    assert tables.cases["case_id"].tolist() == ["scenario-1", "scenario-2"]
    assert tables.cases["prompt"].fillna("-").tolist() == ["Fill it.", "-"]
    assert tables.criteria["weight"].tolist() == [10, 2.5] * 2
    assert tables.criteria["criterion"][0] == "The output uses the form"
    assert ws.problems == []


def test_a_checklist_beside_evals_is_of_the_same_suite(tmp_path: Path) -> None:
    """Also where the skill has runs."""
    files = {"iteration-1/eval-1/with_skill/grading.json": grading()}
    write(tmp_path, {"pdf/evals/long/criteria.json": CHECKLIST, "pdf/evals/long/task.md": "Long"})
    read = suite(tmp_path, files)
    assert [row.case_id for row in read.all(CaseRow)] == ["1", "2", "long"]


@pytest.mark.parametrize("value", [{"checklist": ["a"]}, {"type": "x", "criteria": []}, []])
def test_other_criteria_are_no_checklist(tmp_path: Path, value: Any) -> None:
    """Only one with points, or that says what it is."""
    ws = opened(tmp_path, value, "demo/evals/one/criteria.json", **{"m.json": item("x")})
    assert ws.tables.suites["suite"].tolist() == []
