"""Where gradings lie otherwise, and gradings that speak of several runs."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.families.iterations import FAMILY
from evalcore.tables.rows import (
    CaseRow,
    DocumentRow,
    JudgmentRow,
    RunRow,
    RunScoreRow,
    SuiteRow,
)
from tests.families.build import Read, write
from tests.families.iterations_documents import EVAL, EVALS, grading, item, suite

ITEMS = grading()["expectations"]


def places(read: Read) -> list[tuple[str | None, str | None, str | None]]:
    """Return case, configuration and run of each run."""
    return [(run.case_id, run.configuration, run.run) for run in read.all(RunRow)]


def infos(read: Read) -> list[str]:
    """Return the codes of the remarks."""
    return [problem.code for problem in read.problems if problem.severity == "info"]


def test_files_of_several_evals_may_lie_side_by_side(tmp_path: Path) -> None:
    """The configuration above the evals, and a configuration file that tells prompt and model."""
    config = {
        "prompt": "Fill it",
        "model": "m-1",
        "time_seconds": 3.5,
        "input_tokens": 5,
        "output_tokens": 2,
        "start_time": "2026-04-05T00:07:35Z",
    }
    folder = "iteration-3/gemini_with_skill"
    files = {
        f"{folder}/eval-6-grading.json": {"assertions": ITEMS},
        f"{folder}/eval-6-config.json": config,
        f"{folder}/eval-6-output.md": "done",
        f"{folder}/eval-7-grading.json": grading(),
    }
    read = suite(tmp_path, files, None)
    assert {(run.case_id, run.configuration) for run in read.all(RunRow)} == {
        ("eval-6", "gemini_with_skill"),
        ("eval-7", "gemini_with_skill"),
    }
    run = read.one(RunRow, case_id="eval-6")
    assert (run.model, run.duration_s, run.tokens) == ("m-1", 3.5, 7)
    assert run.outputs == f"pdf-workspace/{folder}/eval-6-output.md"
    assert read.one(CaseRow, case_id="eval-6").prompt == "Fill it"
    assert (
        read.one(DocumentRow, kind="run_config").path
        == f"pdf-workspace/{folder}/eval-6-config.json"
    )


def test_an_eval_is_one_in_all_configurations(tmp_path: Path) -> None:
    """Flat files of two configurations are judged against the same case of evals.json."""
    files = {
        f"iteration-1/{name}/eval-1-grading.json": grading()
        for name in ("with_skill", "without_skill")
    }
    assert places(suite(tmp_path, files)) == [("1", "with_skill", "1"), ("1", "without_skill", "1")]


def test_a_file_may_name_its_configuration(tmp_path: Path) -> None:
    """grading_with_skill.json beside grading_without_skill.json, with the outputs in folders."""
    files = {
        f"{EVAL}/grading_with_skill.json": grading(),
        f"{EVAL}/grading_without_skill.json": grading(),
        f"{EVAL}/timing_with_skill.json": {"duration_ms": 500},
        f"{EVAL}/with_skill/outputs/a.json": "{}",
    }
    read = suite(tmp_path, files)
    assert places(read) == [("1", "with_skill", "1"), ("1", "without_skill", "1")]
    assert set(infos(read)) == {"layout"}
    run = read.one(RunRow, configuration="with_skill")
    assert (run.duration_s, run.outputs) == (0.5, f"pdf-workspace/{EVAL}/with_skill/outputs")


@pytest.mark.parametrize("key", ["config", "configuration", "condition", "variant"])
def test_a_field_may_name_the_configuration(tmp_path: Path, key: str) -> None:
    """Where no folder does."""
    read = suite(tmp_path, {f"{EVAL}/grading.json": grading(**{key: "tuned"})})
    assert (places(read), infos(read)) == ([("1", "tuned", "1")], ["config-from-field"])


@pytest.mark.parametrize(("mode", "found"), [("with_skill", "with_skill"), ("fast", "-")])
def test_a_mode_names_one_when_it_sounds_like_it(tmp_path: Path, mode: str, found: str) -> None:
    """`mode` and `run_type` say other things too."""
    assert places(suite(tmp_path, {f"{EVAL}/grading.json": grading(mode=mode)}))[0][1] == found


def test_a_folder_outranks_the_field(tmp_path: Path) -> None:
    """A document that names another configuration than its folder is said."""
    path = f"{EVAL}/old_skill/grading.json"
    read = suite(tmp_path, {path: grading(config="new_skill")})
    assert (places(read), read.codes()) == ([("1", "old_skill", "1")], ["configuration-differs"])


def test_a_grading_may_stand_beside_its_folder(tmp_path: Path) -> None:
    """The one configuration in the eval's folder is that of the eval's grading."""
    files = {f"{EVAL}/grading.json": grading(), f"{EVAL}/with_skill/outputs/a.json": "{}"}
    read = suite(tmp_path, files)
    assert (places(read), infos(read)) == ([("1", "with_skill", "1")], ["layout"])
    assert read.one(RunRow).outputs == f"pdf-workspace/{EVAL}/with_skill/outputs"


def test_several_runs_may_stand_in_one_file(tmp_path: Path) -> None:
    """`runs` of one configuration are runs of their own, each with its pointer."""
    runs = [{"run_number": 2, "expectations": ITEMS}, {"run_number": 3, "expectations": ITEMS}]
    read = suite(tmp_path, {f"{EVAL}/with_skill/grading.json": {"runs": runs}})
    assert places(read) == [("1", "with_skill", "2"), ("1", "with_skill", "3")]
    assert [row.pointer for row in read.all(JudgmentRow)][::2] == [
        "/runs/0/expectations/0",
        "/runs/1/expectations/0",
    ]
    assert infos(read) == ["several-runs"]


@pytest.mark.parametrize(
    ("held", "pointer"),
    [(ITEMS, "/with_skill/0"), ({"expectations": ITEMS}, "/with_skill/expectations/0")],
)
def test_configurations_may_share_a_file(tmp_path: Path, held: Any, pointer: str) -> None:
    """Each arm is a run."""
    document = {"eval_id": 1, "with_skill": held, "without_skill": held}
    read = suite(tmp_path, {f"{EVAL}/grading.json": document})
    assert places(read) == [("1", "with_skill", "1"), ("1", "without_skill", "1")]
    assert read.all(JudgmentRow)[0].pointer == pointer


def test_items_may_hold_a_verdict_for_each_configuration(tmp_path: Path) -> None:
    """One list, two runs."""
    items = [{"description": "Is blue", "with_skill": "PASS", "without_skill": "FAIL"}]
    read = suite(tmp_path, {f"{EVAL}/grading.json": {"assertions": items}})
    judged = read.all(JudgmentRow)
    assert [row.passed for row in judged] == [True, False]
    assert [(row.run_id or "").partition("/")[2] for row in judged] == [
        "with_skill#1",
        "without_skill#1",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "iteration-2/grading.json",
        "iteration-2/evals/grading_v2.json",
        "iteration-2/pdf-grading-results.json",
    ],
)
def test_a_file_may_grade_a_whole_iteration(tmp_path: Path, path: str) -> None:
    """Its entries are runs of the evals that they name, by id or by name."""
    entries = [
        {"eval_id": 1, "configuration": "with_skill", "expectations": ITEMS},
        {"eval_id": 1, "configuration": "without_skill", "expectations": ITEMS},
        {"eval_name": "split", "pass": False, "notes": "one page"},
    ]
    read = suite(tmp_path, {path: {"iteration": 2, "results": entries}})
    assert places(read) == [("1", "with_skill", "1"), ("1", "without_skill", "1"), ("2", "-", "1")]
    assert {run.version for run in read.all(RunRow)} == {"iteration-2"}
    assert read.all(JudgmentRow)[-1].pointer == "/results/2"


def test_an_object_may_hold_the_evals(tmp_path: Path) -> None:
    """Eval to configuration to items."""
    document = {
        "eval-1": {"with_skill": ITEMS, "old_skill": ITEMS},
        "eval-2": {"with_skill": ITEMS},
    }
    read = suite(tmp_path, {"iteration-1/gradings.json": document})
    assert places(read) == [
        ("1", "with_skill", "1"),
        ("1", "old_skill", "1"),
        ("2", "with_skill", "1"),
    ]


def test_an_entry_without_a_verdict_is_said(tmp_path: Path) -> None:
    """The run is there, unscored."""
    read = suite(tmp_path, {"iteration-1/gradings.json": [{"eval_id": 1, "node_recall": 0.4}]})
    assert (read.one(RunRow).score, read.codes()) == (None, ["no-verdict"])


def test_a_second_grading_is_superseded(tmp_path: Path) -> None:
    """Its judgments are kept under the same run, with their own source, outside every count."""
    files = {
        f"{EVAL}/with_skill/run-1/grading.json": grading(True, True),
        f"{EVAL}/with_skill/grading.json": grading(False, False),
    }
    read = suite(tmp_path, files)
    assert [(row.status, row.passed) for row in read.all(JudgmentRow)] == [
        ("scored", True),
        ("scored", True),
        ("superseded", False),
        ("superseded", False),
    ]
    assert len({row.run_id for row in read.all(JudgmentRow)}) == 1
    assert len({row.source for row in read.all(JudgmentRow)}) == 2
    assert (read.one(RunRow).score, read.one(RunScoreRow).expected) == (2.0, 2)


@pytest.mark.parametrize("inner", ["without_skill", "run-1"])
def test_runs_that_measured_differently_are_two(tmp_path: Path, inner: str) -> None:
    """Two gradings of one place with timings of their own are never merged."""
    outer = f"{EVAL}/without_skill"
    files = {
        f"{outer}/grading.json": grading(),
        f"{outer}/timing.json": {"total_tokens": 10},
        f"{outer}/{inner}/grading.json": grading(),
        f"{outer}/{inner}/timing.json": {"total_tokens": 20},
    }
    read = suite(tmp_path, files)
    assert [(run.run, run.tokens) for run in read.all(RunRow)] == [("1", 20), ("1.2", 10)]
    assert read.codes() == ["same-place"]


def test_a_folder_nested_by_accident_is_the_same_run(tmp_path: Path) -> None:
    """`without_skill/without_skill` with equal timings was graded twice."""
    outer = f"{EVAL}/without_skill"
    files = {
        f"{folder}/{name}": value
        for folder in (outer, f"{outer}/without_skill")
        for name, value in (("grading.json", grading()), ("timing.json", {"duration_ms": 5}))
    }
    read = suite(tmp_path, files)
    assert (len(read.all(RunRow)), read.codes()) == (1, ["duplicate-run"])


def test_the_only_grading_may_lie_in_the_outputs(tmp_path: Path) -> None:
    """It is read, with a warning: the run itself could have written it."""
    path = f"{EVAL}/with_skill/outputs/grading.json"
    other = f"{EVAL}/without_skill/grading.json"
    read = suite(tmp_path, {path: grading(), other: grading()})
    assert {run.configuration for run in read.all(RunRow)} == {"with_skill", "without_skill"}
    assert read.problem("grading-in-outputs").severity == "warning"


def test_a_workspace_in_the_outputs_is_not_ours(tmp_path: Path) -> None:
    """What lies deeper in a run's outputs is evidence."""
    path = f"{EVAL}/with_skill/outputs/x-workspace/iteration-1/eval-1/with_skill/grading.json"
    read = suite(tmp_path, {path: grading(), f"{EVAL}/without_skill/grading.json": grading()})
    found = {row.configuration: row.status for row in read.all(RunRow)}
    assert found == {"without_skill": "completed", "with_skill": "pending"}


def test_workspaces_side_by_side_are_suites(tmp_path: Path) -> None:
    """Each container of iterations is one, also one inside another."""
    files = {
        f"{place}iteration-1/eval-1/with_skill/grading.json": grading()
        for place in ("", "tier2/", "batch2/inner-workspace/")
    }
    read = suite(tmp_path, files, None)
    assert sorted(plan.suite for plan in read.plans) == [
        "pdf",
        "pdf-workspace/batch2/inner",
        "pdf-workspace/tier2",
    ]


def test_versions_may_be_dated_folders(tmp_path: Path) -> None:
    """Where no iteration is, a folder named by its date is the version."""
    files = {
        f"ab-results/{day}/eval-1/with_skill/grading.json": grading()
        for day in ("2026-04-12", "2026-04-15-rerun")
    }
    read = suite(tmp_path, files, None)
    assert {run.version for run in read.all(RunRow)} == {"2026-04-12", "2026-04-15-rerun"}


def test_evals_are_found_by_name(tmp_path: Path) -> None:
    """A folder without number joins the eval of that name."""
    name = EVALS["evals"][1]["name"]
    read = suite(
        tmp_path,
        {f"iteration-1/{name}/with_skill/grading.json": {"expectations": [item("Two pages")]}},
    )
    assert read.one(RunRow).case_id == "2"


def test_a_lone_grading_is_a_suite_of_one_run(tmp_path: Path) -> None:
    """It lies where no layout says what it is of; its folder names its case."""
    files = {
        "review/grading.json": grading(config="with_skill"),
        "review/timing.json": {"duration_ms": 500},
        "review/eval_metadata.json": {"eval_id": 4, "prompt": "Review it"},
    }
    read = Read(FAMILY, write(tmp_path, files))
    assert read.one(SuiteRow).suite == "review"
    run = read.one(RunRow)
    assert run.run_id == "review::review@current/with_skill#1"
    assert (run.checks_passed, run.checks_total, run.duration_s) == (1, 2, 0.5)
    assert read.one(CaseRow).prompt == "Review it"
    assert "layout" in infos(read)


def test_a_grading_alone_at_the_top_is_a_suite_of_one_run(tmp_path: Path) -> None:
    """The workspace is its folder."""
    read = Read(FAMILY, write(tmp_path, {"grading.json": grading()}))
    assert (read.one(SuiteRow).suite, read.one(RunRow).case_id) == (".", "grading")


def test_lone_gradings_side_by_side_are_cases_of_one_suite(tmp_path: Path) -> None:
    """Their folders are."""
    files = {f"results/{name}/grading.json": grading() for name in ("tabs", "forms")}
    read = Read(FAMILY, write(tmp_path, files))
    assert read.one(SuiteRow).suite == "results"
    assert places(read) == [("forms", "-", "1"), ("tabs", "-", "1")]


def test_a_lone_file_without_a_judged_item_is_no_suite(tmp_path: Path) -> None:
    """It may be anything that is called so."""
    assert Read(FAMILY, write(tmp_path, {"review/grading.json": {"scale": "A-F"}})).plans == []
