"""The `improve` family finds its suites, joins what belongs together, and survives anything."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.families.improve import FAMILY
from evalcore.tables.rows import (
    AnalysisRow,
    CaseRow,
    ComparisonRow,
    CriterionRow,
    DocumentRow,
    JudgmentRow,
    RunRow,
    SuiteRow,
)
from tests.families.build import Read, changed, write
from tests.families.improve_documents import (
    ANALYSIS,
    COMPARISON,
    CONVENTIONS,
    EVALS,
    SEEDS,
    grading,
    history,
    workspace,
)


def test_a_skill_and_its_workspace_are_one_suite(tmp_path: Path) -> None:
    """`X` and `X-workspace` side by side are the suite `X`."""
    read = workspace(tmp_path)
    suite = read.one(SuiteRow)
    assert (suite.suite, suite.name, suite.root, suite.skill_path) == (
        "deploy",
        "deploy",
        "deploy-workspace",
        "deploy",
    )
    assert read.problems == []


def test_a_workspace_inside_the_skill_belongs_to_it(tmp_path: Path) -> None:
    """A workspace below the folder of a skill with test cases is that skill's."""
    tree = {"deploy/evals/evals.json": EVALS, "deploy/work/grading/case-01_v0_run1.json": grading()}
    read = Read(FAMILY, write(tmp_path, tree))
    assert (read.one(SuiteRow).suite, read.one(RunRow).passed) == ("deploy", True)


def test_test_cases_kept_with_a_version_are_found(tmp_path: Path) -> None:
    """Else the latest `vN/skill/evals/evals.json` says what is required."""
    tree = {
        "history.json": history(None, None),
        "v0/skill/evals/evals.json": {"cases": []},
        "v1/skill/evals/evals.json": EVALS,
        "grading/case-01_v0_run1.json": grading(),
    }
    read = Read(FAMILY, write(tmp_path, tree))
    assert (read.one(SuiteRow).suite, read.one(SuiteRow).skill_path) == (".", "v1/skill")
    assert read.one(RunRow).passed is True


def test_test_cases_with_the_same_ids_are_the_last_resort(tmp_path: Path) -> None:
    """A skill elsewhere joins when it alone has exactly the cases that were graded."""
    tree = {"a/deploy/evals/evals.json": EVALS, "b/w/grading/case-01_v0_run1.json": grading()}
    assert Read(FAMILY, write(tmp_path, tree)).one(SuiteRow).suite == "a/deploy"
    write(tmp_path, {"c/other/evals/evals.json": EVALS})
    read = Read(FAMILY, tmp_path)
    assert read.one(RunRow).required_score is None
    assert "same case ids" in read.problem("evals-not-found").message


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    """Test cases that a version's folder links to outside the workspace stay unread."""
    outside = write(tmp_path / "outside", {"evals.json": EVALS})
    root = write(tmp_path / "root", {"grading/case-01_v0_run1.json": grading()})
    (root / "v0/skill").mkdir(parents=True)
    (root / "v0/skill/evals").symlink_to(outside)
    assert Read(FAMILY, root).one(RunRow).required_score is None


def test_the_path_in_skill_is_never_opened(tmp_path: Path) -> None:
    """`skill` names a folder of another machine: only its last part is used, as a name."""
    cases = tmp_path / "root/evals/evals.json"
    write(tmp_path, {"root/evals/evals.json": changed(EVALS, skill=str(tmp_path / "secret/name"))})
    assert cases.is_file()
    assert Read(FAMILY, tmp_path / "root").one(SuiteRow).name == "name"


def test_test_cases_without_runs_are_a_suite(tmp_path: Path) -> None:
    """evals.json with cases is a suite before anything was run."""
    read = Read(FAMILY, write(tmp_path, {"deploy/evals/evals.json": EVALS}))
    assert (read.one(SuiteRow).suite, read.one(CaseRow).case_id) == ("deploy", "case-01")
    assert (read.all(RunRow), read.problems) == ([], [])


def test_other_dialects_are_left_alone(tmp_path: Path) -> None:
    """evals.json with `evals`, and a history of iterations, belong to other families."""
    tree: dict[str, Any] = {
        "a/evals/evals.json": {"evals": []},
        "b/history.json": {"iterations": []},
    }
    assert Read(FAMILY, write(tmp_path, tree)).plans == []


def test_what_a_run_produced_is_no_suite(tmp_path: Path) -> None:
    """A workspace that a run wrote below `vN/runs` is its output."""
    read = workspace(
        tmp_path,
        v0__runs__run__1=1,
        **{
            "v0__runs__case-01__run-1__evals__evals": EVALS,
            "v0__runs__case-01__run-1__x-workspace__history": history(None),
        },
    )
    assert [plan.suite for plan in read.plans] == ["deploy"]
    assert read.one(RunRow).outputs == "deploy-workspace/v0/runs/case-01/run-1"


def test_outputs_of_a_single_case_need_no_folder_of_their_own(tmp_path: Path) -> None:
    """`vN/runs/run-R` holds the outputs where there is no folder for the case."""
    read = workspace(tmp_path, **{"v0__runs__run-1__answer": {}})
    assert read.one(RunRow).outputs == "deploy-workspace/v0/runs/run-1"


def test_cases_and_expectations_become_rows(tmp_path: Path) -> None:
    """A criterion is scored 1 to 5, passes at 3, and brings the anchors of its scores."""
    read = workspace(tmp_path)
    case = read.one(CaseRow)
    assert (case.prompt, case.files, case.source, case.pointer) == (
        "Deploy it",
        '["input.txt"]',
        "deploy/evals/evals.json",
        "/cases/0",
    )
    valid = read.one(CriterionRow, criterion="valid")
    assert (valid.kind, valid.required, valid.min_score, valid.max_score, valid.pass_at) == (
        "expectation",
        True,
        1,
        5,
        3,
    )
    assert json.loads(valid.guide or "")["3"] == "Met minimally; superficial"


def test_every_case_has_the_five_conventions(tmp_path: Path) -> None:
    """The fixed conventions are criteria of their own kind, never required."""
    read = workspace(tmp_path)
    found = [row for row in read.all(CriterionRow) if row.kind == "convention"]
    assert {row.criterion for row in found} == set(CONVENTIONS)
    assert {row.required for row in found} == {False}


def test_a_repeated_label_is_numbered(tmp_path: Path) -> None:
    """Two expectations of one label stay two criteria."""
    twice = EVALS["cases"][0]["expectations"][:1] * 2
    evals = {"cases": [changed(EVALS["cases"][0], expectations=twice)]}
    read = Read(FAMILY, write(tmp_path, {"evals/evals.json": evals}))
    names = [row.criterion for row in read.all(CriterionRow) if row.kind == "expectation"]
    assert names == ["valid", "valid#2"]


def test_the_seed_documents_are_read_whole() -> None:
    """The documents of the specification give their run, comparison, analysis and claims."""
    if not SEEDS.is_dir():
        pytest.skip("the golden documents are not there")
    read = Read(FAMILY, SEEDS)
    assert read.one(RunRow).score == 4.0
    assert read.one(ComparisonRow).version_a == "v1"
    assert len(read.all(AnalysisRow)) == 4
    assert {problem.severity for problem in read.problems} <= {"warning", "info"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "case_id",
                    "version",
                    "run",
                    "criterion",
                    "score",
                    "passed",
                    "id",
                    "A",
                    "cases",
                    "expectations",
                    "scores",
                    "winner",
                    "path",
                    "claims",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
PLACES = (
    "s/evals/evals.json",
    "s-workspace/history.json",
    "s-workspace/grading/case-01_v0_run1.json",
    "s-workspace/comparison.json",
    "s-workspace/analysis.json",
)
FIELDS = {
    PLACES[0]: EVALS,
    PLACES[1]: history(4.0),
    PLACES[2]: grading(),
    PLACES[3]: COMPARISON,
    PLACES[4]: ANALYSIS,
}


@settings(max_examples=30)
@given(st.sampled_from(PLACES), JSON)
def test_any_document_is_read_without_a_crash(
    tmp_path_factory: pytest.TempPathFactory, place: str, value: Any
) -> None:
    """Whatever JSON stands in one document, the others are still read."""
    root = tmp_path_factory.mktemp("any")
    read = Read(FAMILY, write(root, FIELDS | {place: json.dumps(value)}))
    kept = {row.path for row in read.all(DocumentRow)} - {place}
    assert kept == set(FIELDS) - {place}


@settings(max_examples=30)
@given(st.sampled_from(PLACES), st.data())
def test_any_field_is_read_without_a_crash(
    tmp_path_factory: pytest.TempPathFactory, place: str, data: st.DataObject
) -> None:
    """Whatever stands in one field, the others are still read, and no score is invented."""
    key = data.draw(st.sampled_from(sorted(FIELDS[place])))
    document = changed(FIELDS[place], **{key: data.draw(JSON)})
    root = tmp_path_factory.mktemp("any")
    read = Read(FAMILY, write(root, FIELDS | {place: json.dumps(document)}))
    assert all(row.score is None or 1 <= row.score <= 5 for row in read.all(RunRow))
    assert all((row.score is None) == (row.status == "unscored") for row in read.all(JudgmentRow))
