"""A grading that was copied into another eval's folder counts once."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import CaseRow, JudgmentRow, RunRow
from tests.families.build import Read, changed
from tests.families.iterations_documents import EVALS, grading, item, suite

ONE, TWO = (f"iteration-1/{name}/with_skill" for name in ("fill-a", "fill-b"))
NAMED = {"eval_id": 7, "eval_name": "fill"}


def graded(**fields: Any) -> dict[str, Any]:
    """A grading that says which eval it is about."""
    return grading(True, False, **{**NAMED, **fields})


def read(root: Path, two: Any, evals: Any = None, **more: Any) -> Read:
    """One grading in a folder, and this one in another."""
    files = {f"{ONE}/grading.json": graded(), f"{TWO}/grading.json": two}
    return suite(root, {**files, **more}, evals=evals)


def test_a_copy_is_superseded_and_named(tmp_path: Path) -> None:
    """The same eval id, name and verdicts in two folders are one run of one case."""
    found = read(tmp_path, graded())
    assert [run.source for run in found.all(RunRow)] == [f"pdf-workspace/{ONE}/grading.json"]
    assert [case.case_id for case in found.all(CaseRow)] == ["fill-a"]
    statuses = [row.status for row in found.all(JudgmentRow)]
    assert statuses == ["scored", "scored", "superseded", "superseded"]
    problem = found.problem("copied-run")
    assert problem.path == f"pdf-workspace/{TWO}/grading.json"
    assert f"pdf-workspace/{ONE}/grading.json" in problem.message


def test_the_name_may_stand_in_the_metadata(tmp_path: Path) -> None:
    """What the metadata of both folders says of their eval counts as well."""
    files: dict[str, Any] = {}
    for folder in (ONE, TWO):
        files[f"{folder}/grading.json"] = grading(True, False)
        files[f"{folder.rpartition('/')[0]}/eval_metadata.json"] = NAMED
    found = suite(tmp_path, files, evals=None)
    assert (len(found.all(RunRow)), found.codes()) == (1, ["copied-run"])


def test_folders_that_mean_one_defined_eval_are_compared_too(tmp_path: Path) -> None:
    """By their number both are eval 1 of evals.json."""
    files = {
        f"iteration-1/{name}/with_skill/grading.json": grading(True, False)
        for name in ("eval-1", "eval-1-again")
    }
    found = suite(tmp_path, files, EVALS)
    assert ([run.run for run in found.all(RunRow)], found.codes()) == (["1"], ["copied-run"])


OTHER_REASONS = [changed(each, evidence="other") for each in graded()["expectations"]]


@pytest.mark.parametrize(
    "two",
    [
        graded(eval_id=8),
        graded(eval_name="other"),
        grading(False, True, **NAMED),
        graded(expectations=[*graded()["expectations"], item("third")]),
        graded(expectations=OTHER_REASONS),
        graded(expectations=[], results=[]),
    ],
)
def test_what_differs_is_another_run(tmp_path: Path, two: Any) -> None:
    """Another id, name or verdict, or nothing but other evidence, is no copy."""
    found = read(tmp_path, two)
    assert len(found.all(RunRow)) == 2
    assert "copied-run" not in found.codes()


def test_a_number_of_its_own_makes_another_run(tmp_path: Path) -> None:
    """Who states `run_number` says that it was run again."""
    found = read(tmp_path, graded(run_number=2), **{f"{ONE}/grading.json": graded(run_number=1)})
    assert (len(found.all(RunRow)), found.codes()) == (2, [])


def test_times_of_its_own_make_another_run(tmp_path: Path) -> None:
    """Two measured times that differ are those of two runs."""
    times = {f"{ONE}/timing.json": {"total_tokens": 5}, f"{TWO}/timing.json": {"total_tokens": 6}}
    assert len(read(tmp_path, graded(), **times).all(RunRow)) == 2


def test_evidence_that_is_partly_the_same_is_a_copy(tmp_path: Path) -> None:
    """One line touched up afterwards makes no second run."""
    items = [OTHER_REASONS[0], graded()["expectations"][1]]
    assert read(tmp_path, graded(expectations=items)).codes() == ["copied-run"]


def test_another_configuration_or_version_is_no_copy(tmp_path: Path) -> None:
    """The same verdicts elsewhere are other runs."""
    files = {
        "iteration-1/fill/with_skill/grading.json": graded(),
        "iteration-1/fill/without_skill/grading.json": graded(),
        "iteration-2/fill/with_skill/grading.json": graded(),
    }
    found = suite(tmp_path, files, evals=None)
    assert (len(found.all(RunRow)), found.codes()) == (3, [])


def test_a_benchmark_of_copies_has_no_run_of_its_own(tmp_path: Path) -> None:
    """Its eval id still means the one case that is left."""
    run = {"eval_id": 7, "configuration": "with_skill", "result": {"pass_rate": 0.5}}
    more = {"iteration-1/benchmark.json": {"runs": [run]}}
    assert len(read(tmp_path, graded(), **more).all(RunRow)) == 1
