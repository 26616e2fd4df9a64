"""Which case of evals.json an eval folder means, and what is said of those that mean none."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from evalcore.families.iterations import FAMILY
from evalcore.tables.rows import CaseRow, JudgmentRow, RunRow, SuiteRow, VersionRow
from tests.families.build import Read, changed, write
from tests.families.iterations_documents import item, suite

BARS, ROWS = ["It has three bars", "Both axes have labels"], ["No empty row is left"]


def evals(*items: dict[str, Any]) -> dict[str, Any]:
    """An evals.json; by default two evals that have ids and no names."""
    usual = (
        {"id": 1, "prompt": "Chart the best months", "expectations": BARS},
        {"id": 2, "prompt": "Remove the empty rows", "expectations": ROWS},
    )
    return {"skill_name": "csv", "evals": list(items or usual)}


def graded(texts: list[str]) -> dict[str, Any]:
    """A grading in which these expectations passed, as the open standard writes it."""
    return {"assertion_results": [item(text) for text in texts]}


def read(root: Path, folders: dict[str, list[str]], *items: dict[str, Any]) -> Read:
    """Runs with the skill in eval folders, each with what was graded there."""
    files = {
        (name if "/" in name else f"iteration-1/{name}") + "/with_skill/grading.json": graded(texts)
        for name, texts in folders.items()
    }
    return suite(root, files, evals(*items))


def cases(found: Read) -> list[str | None]:
    """The case of each run, in the order of the folders."""
    return [run.case_id for run in found.all(RunRow)]


def test_graded_texts_tell_the_case(tmp_path: Path) -> None:
    """The guide of the open standard names its folders freely; one note says how they joined."""
    found = read(tmp_path, {"eval-clean": ROWS, "eval-months": BARS})
    assert cases(found) == ["2", "1"]
    assert [case.prompt for case in found.all(CaseRow)] == [
        "Chart the best months",
        "Remove the empty rows",
    ]
    problem = found.problem("joined-by-texts")
    assert (problem.severity, problem.path) == ("info", "pdf/evals/evals.json")
    assert "eval-clean is 2, eval-months is 1" in problem.message


def test_graded_checks_of_a_type_tell_the_case_too(tmp_path: Path) -> None:
    """An item is worded as its definition is, whether it is joined or read."""
    typed = [{"check": "contains", "value": "Form"}, {"check": "regex", "pattern": "non.*null"}]
    files = {
        "iteration-1/forms/with_skill/grading.json": {
            "expectations": [{**each, "passed": True} for each in typed]
        }
    }
    asked = evals({"id": 1, "prompt": "Build a form", "assertions": typed})
    found = suite(tmp_path, files, asked)
    assert cases(found) == ["1"]
    words = {"contains: Form", "regex: non.*null"}
    assert {row.criterion for row in found.all(JudgmentRow)} == words


def test_a_folder_is_the_same_case_in_all_iterations(tmp_path: Path) -> None:
    """Also where another iteration graded other texts, or only some of them."""
    folders = {"months": ["An older wording"], "iteration-2/months": BARS}
    folders |= {"iteration-3/months": BARS[:1]}
    assert cases(read(tmp_path, folders)) == ["1", "1", "1"]


@pytest.mark.parametrize(
    "folders",
    [
        {"one": BARS, "two": BARS},
        {"eval-1": BARS, "one": BARS},
        {"one": BARS, "iteration-2/one": ROWS},
        {"one": BARS[:1]},
    ],
    ids=["two folders", "a folder names it", "two evals", "not all of them"],
)
def test_texts_that_could_be_of_several_join_nothing(
    tmp_path: Path, folders: dict[str, list[str]]
) -> None:
    """The folders keep their names."""
    assert "one" in cases(read(tmp_path, folders))


def test_equal_expectations_of_two_evals_join_nothing(tmp_path: Path) -> None:
    """What was graded is then of either."""
    two = ({"id": number, "prompt": f"Do {number}", "expectations": BARS} for number in (1, 2))
    assert cases(read(tmp_path, {"one": BARS}, *two)) == ["one"]


def test_what_does_not_join_is_listed_both_ways(tmp_path: Path) -> None:
    """One warning with the cases, the names that ran, and what to do."""
    found = read(tmp_path, {"months": ["Other"], "rows": ["Another"]})
    problem = found.problem("cases-without-runs")
    assert problem.message == (
        "2 cases have no run (1, 2), and what ran under 2 other names have no case (months, rows)."
    )
    assert "eval-1-…" in problem.hint


@pytest.mark.parametrize("folders", [{"eval-1": BARS}, {"1": BARS, "2": ROWS, "more": ["Other"]}])
def test_only_one_side_open_is_no_warning(tmp_path: Path, folders: dict[str, list[str]]) -> None:
    """A case may wait for its run, and a run may be of an eval that was taken away."""
    assert read(tmp_path, folders).codes() == []


@pytest.mark.parametrize(
    ("folder", "named"),
    [
        ("eval-top-months-chart", {"name": "Top Months: chart!"}),
        ("eval-top", {"id": "top", "name": "The top months"}),
        (unicodedata.normalize("NFD", "Café"), {"name": "Café"}),
        ("BASIC", {"name": "basic"}),
    ],
    ids=["a runner's name of it", "id", "composition", "letter case"],
)
def test_names_are_joined_however_they_are_spelled(
    tmp_path: Path, folder: str, named: dict[str, Any]
) -> None:
    """A folder's name is made from the eval's by runners, file systems and people."""
    own = {"id": 7, "prompt": "Do it", **named}
    assert cases(read(tmp_path, {folder: ["Other"]}, own)) == [str(own["id"])]


def test_a_name_of_two_evals_joins_nothing(tmp_path: Path) -> None:
    """Then the prompt tells, or nobody does."""
    two = ({"id": number, "name": "basic", "prompt": f"Do {number}"} for number in (1, 2))
    assert cases(read(tmp_path, {"basic": ["Other"]}, *two)) == ["basic"]


def test_undefined_cases_are_joined_over_versions(tmp_path: Path) -> None:
    """A folder that another machine spells otherwise; two in one version stay two."""
    folders = {"iteration-1/Basic": BARS, "iteration-2/basic": BARS}
    files = {f"{name}/with_skill/grading.json": graded(texts) for name, texts in folders.items()}
    assert cases(suite(tmp_path / "a", files, None)) == ["Basic", "Basic"]
    files = {file.replace("iteration-2", "iteration-1"): value for file, value in files.items()}
    assert sorted(map(str, cases(suite(tmp_path / "b", files, None)))) == ["Basic", "basic"]


def test_criteria_are_one_in_any_letter_case(tmp_path: Path) -> None:
    """A grader that writes an expectation in its own spelling judges the same one."""
    texts = ["Is blue", unicodedata.normalize("NFC", "Has é")]
    own = {"id": 1, "prompt": "Do it", "expectations": texts}
    other = ["is Blue", unicodedata.normalize("NFD", "Has é")]
    found = read(tmp_path, {"eval-1": other}, own)
    assert [row.criterion for row in found.all(JudgmentRow)] == texts


COPIED = {"eval_id": 0, "eval_name": "one", "prompt": "Chart the three best months"}


@pytest.mark.parametrize(
    "defined", [None, {"id": 0, "name": "one", "prompt": "Chart the three best months"}]
)
@pytest.mark.parametrize(
    ("two", "together"),
    [
        ({"eval_name": "two", "prompt": "Chart the three worst months"}, False),
        ({"prompt": "Translate this letter into Spanish"}, False),
        ({"eval_name": "two", "prompt": ...}, False),
        ({"eval_name": "two"}, True),
    ],
    ids=["name and prompt", "prompt", "name", "the same prompt"],
)
def test_an_eval_id_of_two_evals_is_two_cases(
    tmp_path: Path, defined: Any, two: dict[str, Any], together: bool
) -> None:
    """The metadata of a copied folder kept its id; the message says what happened."""
    files: dict[str, Any] = {}
    for name, meta in (("one", COPIED), ("two", changed(COPIED, **two))):
        files[f"iteration-1/{name}/eval_metadata.json"] = meta
        files[f"iteration-1/{name}/with_skill/grading.json"] = graded([name])
    found = suite(tmp_path, files, None if defined is None else evals(defined))
    assert len(set(cases(found))) == (1 if together else 2)
    if not together:
        problem = found.problem("duplicate-id")
        assert problem.path == "pdf-workspace/iteration-1/two/eval_metadata.json"
        assert "eval_id 0 is also that of" in problem.message
        assert "same-place" not in found.codes()


META = {"name": "csv", "relPath": "", "target": "model-1", "judge": "model-2"}
STATED = {"name": "csv", "generated_at": "2026-05-01T10:00:00Z"}


def runner(root: Path, base: str, meta: dict[str, Any], name: str = "eval-best") -> Read:
    """What the runner of the open standard writes, at a folder that has not the skill's name."""
    run = f"{base}/{name}/with_skill"
    files = {
        "skills/csv/evals/evals.json": evals(),
        f"{base}/meta.json": {**META, **STATED, **meta},
        f"{run}/grading.json": graded(["Other"]),
        f"{run}/prompts.json": {"system": "s", "user": "Chart the best months", "fileCount": 0},
    }
    return Read(FAMILY, write(root, files))


@pytest.mark.parametrize(
    ("base", "suites"),
    [("ws/iteration-1", ["ws"]), ("ws/iteration-1/csv", ["ws/csv"]), ("ws/csv", ["ws/csv"])],
    ids=["one skill", "several skills", "flat"],
)
def test_a_runner_says_whose_runs_they_are(tmp_path: Path, base: str, suites: list[str]) -> None:
    """The suite of the skill that meta.json names, by prompts.json its case, and who did it."""
    found = runner(tmp_path, base, {"relPath": "skills\\csv"})
    assert [row.suite for row in found.all(SuiteRow)] == suites
    assert found.one(SuiteRow).skill_path == "skills/csv"
    run = found.one(RunRow)
    assert (run.case_id, run.model, run.judge) == ("1", "model-1", "model-2")
    assert str(found.one(VersionRow).created_at) == "2026-05-01 10:00:00+00:00"
    assert found.problems == []


@pytest.mark.parametrize("meta", [{"name": "pdf"}, {"relPath": "other/csv"}, {"target": ...}])
def test_a_runner_of_another_skill_joins_nothing(tmp_path: Path, meta: dict[str, Any]) -> None:
    """Another name or folder is another skill; without its fields a meta.json is somebody's."""
    value = changed({**META, **STATED}, **meta)
    files = {
        "skills/csv/evals/evals.json": evals(),
        "ws/iteration-1/meta.json": value,
        "ws/iteration-1/eval-best/with_skill/grading.json": graded(["Other"]),
    }
    found = Read(FAMILY, write(tmp_path, files))
    assert [row.suite for row in found.all(SuiteRow)] == ["ws", "skills/csv"]


def test_a_judge_that_was_not_needed_is_none(tmp_path: Path) -> None:
    """The runner writes the word where its checks were decided without a model."""
    assert runner(tmp_path, "ws/iteration-1", {"judge": "none"}).one(RunRow).judge is None


def test_a_prompt_that_was_sent_is_the_prompt_of_a_case(tmp_path: Path) -> None:
    """Where no evals.json has it."""
    run = "ws/iteration-1/eval-best/with_skill"
    files = {
        f"{run}/grading.json": graded(["Other"]),
        f"{run}/prompts.json": {"user": "Chart the best months"},
    }
    case = Read(FAMILY, write(tmp_path, files)).one(CaseRow)
    assert (case.prompt, case.source) == ("Chart the best months", f"{run}/prompts.json")
