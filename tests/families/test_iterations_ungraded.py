"""Runs that have a folder of their own and no grading."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.families.iterations import FAMILY
from evalcore.families.running import KnownRun
from evalcore.tables.rows import NoteRow, RunRow, VersionRow
from tests.families.build import Read, write
from tests.families.iterations_documents import grading, suite

SIDE = "iteration-1/eval-1/with_skill"
TIMING = {"total_tokens": 1200, "duration_ms": 4000, "total_duration_seconds": 4.0}


def runs(root: Path, files: dict[str, Any]) -> dict[str, RunRow]:
    """Return the runs of a suite by their number."""
    return {str(row.run): row for row in suite(root, files, None).all(RunRow)}


def test_a_timed_run_beside_a_graded_one_is_not_finished(tmp_path: Path) -> None:
    """It is a run without a score, with what its timing says."""
    files = {
        f"{SIDE}/run-1/grading.json": grading(True, False),
        f"{SIDE}/run-1/timing.json": TIMING,
        f"{SIDE}/run-2/timing.json": TIMING,
    }
    found = runs(tmp_path, files)
    assert {number: row.status for number, row in found.items()} == {
        "1": "completed",
        "2": "pending",
    }
    second = found["2"]
    assert (second.fraction, second.passed, second.tokens) == (None, None, 1200)
    assert second.source == f"pdf-workspace/{SIDE}/run-2/timing.json"


def test_a_timing_alone_makes_no_run(tmp_path: Path) -> None:
    """Where no run of the case was graded in such a folder, nothing says that there were any."""
    files = {
        f"{SIDE}/run-1/timing.json": TIMING,
        f"{SIDE}/run-2/timing.json": TIMING,
        "iteration-1/eval-2/with_skill/run-1/grading.json": grading(True, False),
    }
    assert set(runs(tmp_path, files)) == {"1"}


def test_the_timing_of_a_configuration_is_no_run_of_it(tmp_path: Path) -> None:
    """One file for all of its runs stands beside their folders."""
    files = {f"{SIDE}/run-1/grading.json": grading(True, False), f"{SIDE}/timing.json": TIMING}
    assert set(runs(tmp_path, files)) == {"1"}


def test_a_graded_run_of_the_other_side_says_nothing_of_this_one(tmp_path: Path) -> None:
    """Runs beside each other are those of one case and configuration."""
    files = {
        "iteration-1/eval-1/without_skill/run-1/grading.json": grading(True, False),
        f"{SIDE}/run-1/timing.json": TIMING,
        f"{SIDE}/run-2/timing.json": TIMING,
    }
    assert set(runs(tmp_path, files)) == {"1"}


def test_a_run_needs_no_graded_one_beside_it(tmp_path: Path) -> None:
    """It has the time of its timing; a timing without any output is no run."""
    asked = {"eval_id": 1, "prompt": "Fill it"}
    files = {
        "iteration-1/eval-1/eval_metadata.json": asked,
        f"{SIDE}/run-1/timing.json": TIMING | {"note": "resumed once"},
        f"{SIDE}/run-1/outputs/form.txt": "filled",
        f"{SIDE}/run-2/timing.json": TIMING,
    }
    found = suite(tmp_path, files, None)
    (only,) = found.all(RunRow)
    assert (only.run, only.status, only.score, only.tokens) == ("1", "pending", None, 1200)
    assert only.outputs == f"pdf-workspace/{SIDE}/run-1/outputs"
    assert found.one(NoteRow).text == "resumed once"
    assert [row.version for row in found.all(VersionRow)] == ["iteration-1"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("iteration-1/tabs/with_skill", ("iteration-1", "with_skill", "1")),
        ("iteration-1/tabs/with_skill/run-2", ("iteration-1", "with_skill", "2")),
        ("iteration-1/tabs/old_skill", ("iteration-1", "old_skill", "1")),
        ("iteration-1/tabs/fast/run-1", ("iteration-1", "fast", "1")),
        ("iteration-1/with_skill/tabs", ("iteration-1", "with_skill", "1")),
        ("tabs/with_skill", ("current", "with_skill", "1")),
        ("iteration-1/tabs/fast", None),
        ("iteration-1", None),
        ("iteration-1/tabs/with_skill/work/site/without_skill", None),
        ("iteration-1/tabs/with_skill/run-1/site", None),
        ("iteration-1/tabs/with_skill/outputs/copy/with_skill", None),
    ],
)
def test_outputs_in_the_place_of_a_run_are_one_without_any_document(
    tmp_path: Path, place: str, expected: tuple[str, str, str] | None
) -> None:
    """Its path says the case, version, configuration and number; the case is that of evals.json."""
    evals = {"skill_name": "pdf", "evals": [{"id": 7, "eval_name": "tabs", "prompt": "Make tabs"}]}
    tree = {"pdf/evals/evals.json": evals, f"pdf-workspace/{place}/outputs/form.txt": "filled"}
    rows = Read(FAMILY, write(tmp_path, tree)).all(RunRow)
    made = [row for row in rows if row.outputs == f"pdf-workspace/{place}/outputs"]
    found = [(row.version, row.configuration, row.run) for row in made]
    assert found == ([] if expected is None else [expected])
    assert all((row.suite, row.case_id, row.status) == ("pdf", "7", "pending") for row in made)


def test_an_empty_folder_of_outputs_is_no_run_until_something_is_put_into_it(
    tmp_path: Path,
) -> None:
    """No walk enters it; the next opening sees it all the same."""
    folder = tmp_path / "pdf-workspace/iteration-1/tabs/with_skill/outputs"
    folder.mkdir(parents=True)
    assert len(open_workspace(tmp_path).tables.runs) == 0
    (folder / "form.txt").write_text("filled")
    assert open_workspace(tmp_path).tables.runs["status"].tolist() == ["pending"]


def test_a_folder_of_outputs_alone_is_a_suite_only_in_an_iteration(tmp_path: Path) -> None:
    """Elsewhere nothing says that a folder with_skill is of an evaluation."""
    files = {"a/iteration-1/x/with_skill/outputs/f.txt": "1", "b/x/with_skill/outputs/f.txt": "1"}
    assert [row.suite for row in Read(FAMILY, write(tmp_path, files)).all(RunRow)] == ["a"]


def test_a_grading_beside_the_folders_of_several_sides_is_of_none(tmp_path: Path) -> None:
    """It is named, makes no configuration of its own, and the outputs wait for a grading."""
    files = {
        "iteration-1/eval-1/grading.json": grading(True, False),
        "iteration-1/eval-1/with_skill/outputs/out.txt": "1",
        "iteration-1/eval-1/without_skill/outputs/out.txt": "2",
        "iteration-1/eval-2/with_skill/grading.json": grading(True, False),
    }
    read = suite(tmp_path, files, None)
    found = {(row.case_id, row.configuration): row.status for row in read.all(RunRow)}
    assert found == {
        ("eval-1", "with_skill"): "pending",
        ("eval-1", "without_skill"): "pending",
        ("eval-2", "with_skill"): "completed",
    }
    named = read.problem("side-unknown")
    assert named.path == "pdf-workspace/iteration-1/eval-1/grading.json"
    assert "with_skill, without_skill" in named.message


@pytest.mark.parametrize(
    ("beside", "there"),
    [
        ({}, True),
        ({"iteration-2/eval-1/with_skill/run-1/grading.json": grading(True, False)}, False),
        ({"iteration-1/eval-1/with_skill/grading.json": ...}, True),
        ({"iteration-2/eval-1/with_skill/outputs/answer.md": ...}, False),
    ],
    ids=["alone", "above a run", "of a case never graded", "without outputs"],
)
def test_outputs_without_any_document_are_a_pending_run(
    tmp_path: Path, beside: dict[str, Any], there: bool
) -> None:
    """It is not unseen, whether the case was graded in another version or not."""
    files = {
        "iteration-1/eval-1/with_skill/grading.json": grading(True, True),
        "iteration-2/eval-1/with_skill/outputs/answer.md": "done",
        "iteration-2/eval-2/with_skill/grading.json": grading(True, True),
        **beside,
    }
    kept = {path: value for path, value in files.items() if value is not ...}
    rows = suite(tmp_path, kept, None).all(RunRow)
    pending = [row.outputs for row in rows if row.status == "pending"]
    assert pending == (["pdf-workspace/iteration-2/eval-1/with_skill/outputs"] if there else [])


def test_a_run_whose_grading_cannot_be_read_is_pending(tmp_path: Path) -> None:
    """It is not unseen, and no judge is asked: the file may still be being written."""
    files = {
        f"{SIDE}/run-1/grading.json": grading(True, False),
        f"{SIDE}/run-2/grading.json": '{"expectations": [',
        "iteration-2/eval-1/with_skill/run-1/grading.json": "{",
        "iteration-2/eval-9/with_skill/run-1/grading.json": "{",
    }
    rows = suite(tmp_path, files, None).all(RunRow)
    pending = [row for row in rows if row.status == "pending"]
    assert [(row.version, row.run) for row in pending] == [
        ("iteration-1", "2"),
        ("iteration-2", "1"),
    ]
    assert pending[0].source == f"pdf-workspace/{SIDE}/run-2/grading.json"
    running = FAMILY.running()
    assert running is not None
    for row in pending:
        known = {name: getattr(row, name) for name in KnownRun._fields}
        assert not running.waits(KnownRun(**known))
