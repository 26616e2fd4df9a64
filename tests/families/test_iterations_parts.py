"""One file with the items of several evals, or with those of the other side in a second list."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import CaseRow, JudgmentRow, NoteRow, RunRow
from tests.families.build import Read, write
from tests.families.iterations_documents import EVAL, EVALS, grading, item, suite

GRADING = f"{EVAL}/with_skill/grading.json"
FAILED = [item("one", False), item("two", False)]


def runs(read: Read) -> list[tuple[str | None, str | None, int | None, int | None]]:
    """Case, configuration and counts of each run."""
    return [
        (run.case_id, run.configuration, run.checks_passed, run.checks_total)
        for run in read.all(RunRow)
    ]


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("baseline_expectations", "baseline"),
        ("without_skill_results", "without_skill"),
        ("assertions_without_skill", "without_skill"),
        ("baseline-assertions", "baseline"),
        ("official", "official"),
        ("old_skill_items", "old_skill"),
    ],
)
@pytest.mark.parametrize("own", ["expectations", "assertion_results"])
def test_a_list_named_after_a_side_is_its_run(
    tmp_path: Path, name: str, side: str, own: str
) -> None:
    """The grading of one side holds the items of the other under a name of their own."""
    document = {own: grading(True, True)["expectations"], name: FAILED}
    read = suite(tmp_path, {GRADING: document}, evals=None)
    assert runs(read) == [("eval-1", "with_skill", 2, 2), ("eval-1", side, 0, 2)]
    assert {row.pointer for row in read.all(JudgmentRow)} >= {f"/{name}/0", f"/{name}/1"}
    assert read.codes() == []


def test_an_object_named_after_a_side_is_its_run(tmp_path: Path) -> None:
    """It may hold a whole grading."""
    document = {**grading(True, True), "baseline": {"expectations": FAILED}}
    read = suite(tmp_path, {GRADING: document}, evals=None)
    assert runs(read)[1] == ("eval-1", "baseline", 0, 2)


def test_the_other_side_has_neither_the_time_nor_the_outputs_of_this_one(tmp_path: Path) -> None:
    """What was measured beside the grading is of the run that it lies with."""
    files = {
        GRADING: {**grading(True, True), "baseline_expectations": FAILED},
        f"{EVAL}/with_skill/timing.json": {"total_tokens": 5, "total_duration_seconds": 2.0},
        f"{EVAL}/with_skill/outputs/a.txt": "a",
    }
    one, two = suite(tmp_path, files, evals=None).all(RunRow)
    assert (one.duration_s, one.outputs is None) == (2.0, False)
    assert (two.duration_s, two.tokens, two.outputs) == (None, None, None)


def test_a_folder_of_its_own_goes_before(tmp_path: Path) -> None:
    """Where the other side has a grading too, the list is its second grading."""
    files = {
        GRADING: {**grading(True, True), "without_skill_expectations": FAILED},
        f"{EVAL}/without_skill/grading.json": grading(True, False),
    }
    read = suite(tmp_path, files, evals=None)
    assert runs(read) == [("eval-1", "with_skill", 2, 2), ("eval-1", "without_skill", 1, 2)]
    assert read.codes() == ["duplicate-run"]
    assert [row.status for row in read.all(JudgmentRow)].count("superseded") == 2


@pytest.mark.parametrize("name", ["extra_checks", "second_look"])
def test_another_list_of_items_is_named(tmp_path: Path, name: str) -> None:
    """Whose items these are is not said, so they are no run, and that is."""
    read = suite(tmp_path, {GRADING: {**grading(True, True), name: FAILED}}, evals=None)
    assert (len(read.all(RunRow)), read.codes()) == (1, ["second-list"])
    assert read.problem("second-list").pointer == f"/{name}"


@pytest.mark.parametrize(
    "fields", [{"files": ["a"]}, {"issues": [{"name": "a", "status": "open"}]}, {"steps": {"a": 1}}]
)
def test_other_lists_are_no_items(tmp_path: Path, fields: Any) -> None:
    """Texts, objects without a verdict and numbers are not named."""
    read = suite(tmp_path, {GRADING: {**grading(True, True), **fields}}, evals=None)
    assert (len(read.all(RunRow)), read.codes()) == (1, [])


def several(*pairs: tuple[int, bool], **fields: Any) -> list[dict[str, Any]]:
    """Items that each name their eval."""
    return [
        {"eval_id": number, **item(f"text {passed}", passed), **fields} for number, passed in pairs
    ]


def beside(root: Path, document: Any, path: str = "pdf/evals/results.json") -> Read:
    """This document beside the evals.json of the skill."""
    write(root, {path: document})
    return suite(root, {})


@pytest.mark.parametrize("key", [None, "expectations", "assertions", "results"])
@pytest.mark.parametrize("name", ["results.json", "grading.json", "graded.json"])
def test_items_of_several_evals_are_runs_of_each(
    tmp_path: Path, key: str | None, name: str
) -> None:
    """Each item is judged in the run of the eval that it names, at its own pointer."""
    items = several((1, True), (2, False), (1, False))
    read = beside(tmp_path, items if key is None else {key: items}, f"pdf/evals/{name}")
    assert runs(read) == [("1", "-", 1, 2), ("2", "-", 0, 1)]
    at = "" if key is None else f"/{key}"
    pointers = [row.pointer for row in read.all(JudgmentRow)]
    assert pointers == [f"{at}/0", f"{at}/2", f"{at}/1"]
    assert [case.case_id for case in read.all(CaseRow)] == ["1", "2"]
    assert read.codes() == []


def test_items_may_name_their_configuration_too(tmp_path: Path) -> None:
    """One run an eval and configuration."""
    items = [
        *several((1, True), configuration="with_skill"),
        *several((1, False), configuration="without_skill"),
    ]
    read = beside(tmp_path, items)
    assert runs(read) == [("1", "with_skill", 1, 1), ("1", "without_skill", 0, 1)]


def test_what_such_a_file_says_of_all_is_said_once(tmp_path: Path) -> None:
    """Its summary, time and notes are of no single eval; the notes stand with the first."""
    document = {
        "expectations": several((1, True), (2, False)),
        "summary": {"passed": 1, "total": 2, "pass_rate": 0.5},
        "timing": {"total_duration_seconds": 9},
        "notes": "well",
    }
    read = beside(tmp_path, document)
    assert read.codes() == []
    assert [run.duration_s for run in read.all(RunRow)] == [None, None]
    assert len(read.all(NoteRow)) == 1


def test_one_eval_beside_evals_is_read(tmp_path: Path) -> None:
    """All items may name the same one."""
    assert runs(beside(tmp_path, several((2, True), (2, True)))) == [("2", "-", 2, 2)]


def test_an_eval_in_the_path_needs_no_name(tmp_path: Path) -> None:
    """In an eval's folder, items that all name that eval are one run of it."""
    read = suite(tmp_path, {GRADING: {"expectations": several((1, True), (1, False))}})
    assert runs(read) == [("1", "with_skill", 1, 2)]


def run(case: str, side: str, passed: bool, **fields: Any) -> dict[str, Any]:
    """A run that says all about itself."""
    return {
        "version": "v2", "case": case, "configuration": side, "assertions": [item("one", passed)],
        **fields,
    }  # fmt: skip


@pytest.mark.parametrize("version", ["v2", "2.1", 3])
def test_runs_by_name_are_read_by_their_fields(tmp_path: Path, version: Any) -> None:
    """`results: {"fill-with": {version, case, configuration, assertions}}`."""
    results = {
        "fill-with": run("fill", "with_skill", True, version=version),
        "fill-without": run("fill", "without_skill", False, version=version),
        "split-with": run("split", "with_skill", True, version=version),
    }
    read = beside(tmp_path, {"results": results}, "pdf/evals/benchmark.json")
    assert runs(read) == [
        ("1", "with_skill", 1, 1),
        ("1", "without_skill", 0, 1),
        ("2", "with_skill", 1, 1),
    ]
    assert {each.version for each in read.all(RunRow)} == {str(version)}
    assert read.codes() == []


def test_the_runs_join_the_suite_of_the_skill(tmp_path: Path) -> None:
    """Where the skill has iterations too, all is one suite."""
    write(tmp_path, {"pdf/evals/results.json": several((1, True), (2, True))})
    read = suite(tmp_path, {GRADING: grading(True, True)})
    assert [plan.suite for plan in read.plans] == ["pdf"]
    assert sorted({str(each.version) for each in read.all(RunRow)}) == ["current", "iteration-1"]


@pytest.mark.parametrize(
    "document",
    [
        EVALS,
        {"results": [{"name": "test_a", "status": "passed"}]},
        [{"query": "x", "should_trigger": True}],
        {"results": {"a": {"passed": True}}},
        [*several((1, True)), item("without eval")],
        [],
    ],
)
def test_other_files_beside_evals_are_left_alone(tmp_path: Path, document: Any) -> None:
    """What names no evals for its items is not taken for a grading."""
    assert beside(tmp_path, document, "pdf/evals/other.json").all(RunRow) == []


@pytest.mark.parametrize(
    "path", ["pdf/evals/z.json", "pdf/z.json", "pdf/evals/results/z.json", "pdf/runs/z.json"]
)
def test_such_a_file_may_lie_around_the_evals(tmp_path: Path, path: str) -> None:
    """Beside evals.json, in the skill's folder, or in one that gathers results."""
    assert runs(beside(tmp_path, several((2, True)), path)) == [("2", "-", 1, 1)]


@pytest.mark.parametrize("path", ["pdf/evals/files/data.json", "other/z.json", "pdf/a/b/z.json"])
def test_files_elsewhere_are_left_alone(tmp_path: Path, path: str) -> None:
    """What an eval works on is no grading."""
    assert runs(beside(tmp_path, several((2, True)), path)) == []


def test_an_iteration_may_keep_its_runs_in_one_file(tmp_path: Path) -> None:
    """They are of that iteration, whatever version they name."""
    files = {"iteration-3/results.json": {"results": {"x": run("fill", "with_skill", True)}}}
    read = suite(tmp_path, files)
    assert runs(read) == [("1", "with_skill", 1, 1)]
    assert read.one(RunRow).version == "iteration-3"
