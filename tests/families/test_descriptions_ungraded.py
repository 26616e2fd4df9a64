"""Outputs of the `descriptions` family that were not graded yet."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.families.descriptions import FAMILY
from evalcore.tables.rows import RunRow, VersionRow
from tests.families.build import Read, write
from tests.families.descriptions_documents import METADATA, benchmark, entry, grading

RUN = "notes/eval/runs/r1"


def suite(root: Path, files: dict[str, Any]) -> Read:
    """A skill with its test cases, and these files."""
    return Read(FAMILY, write(root, {"notes/eval/eval_metadata.json": METADATA, **files}))


def output(**fields: Any) -> dict[str, Any]:
    """An output as evalcore writes it."""
    return {"test_case_id": "merged", "run_id": "r1", "output": "Notes", **fields}


def test_an_ungraded_output_is_a_pending_run(tmp_path: Path) -> None:
    """It has the version that it states, with the hash of the description."""
    found = suite(
        tmp_path,
        {f"{RUN}/merged.json": output(description_version=2, description_hash="ab" * 32)},
    )
    (run,) = found.all(RunRow)
    assert (run.case_id, run.version, run.run) == ("merged", "d2", "r1")
    assert (run.status, run.score, run.outputs) == ("pending", None, f"{RUN}/merged.json")
    (version,) = found.all(VersionRow)
    assert (version.version, version.content_hash) == ("d2", "ab" * 32)


def test_a_graded_run_keeps_the_version_that_its_output_states(tmp_path: Path) -> None:
    """It is the same run before its grading and after it, until an entry has it."""
    stated = {f"{RUN}/merged.json": output(description_version=2)}
    graded = suite(tmp_path, {**stated, f"{RUN}/grading/merged.json": grading()})
    (run,) = graded.all(RunRow)
    assert (run.version, run.status) == ("d2", "completed")


def test_the_version_is_that_of_the_entry_that_names_the_run(tmp_path: Path) -> None:
    """What a benchmark says comes first."""
    files = {
        f"{RUN}/merged.json": output(description_version=2),
        "notes/eval/benchmark.json": benchmark(entry(1, run_id="r1")),
    }
    (run,) = suite(tmp_path, files).all(RunRow)
    assert (run.version, run.status) == ("d1", "pending")


def test_an_output_without_a_version_is_unassigned(tmp_path: Path) -> None:
    """It is shown all the same; nothing is guessed."""
    found = suite(tmp_path, {f"{RUN}/merged.json": output()})
    (run,) = found.all(RunRow)
    assert (run.version, run.status) == ("unassigned", "pending")
    assert [row.version for row in found.all(VersionRow)] == ["unassigned"]


@pytest.mark.parametrize("text", ["", '{"test_case_id": ', "[]", '{"run_id": "r1"}'])
@pytest.mark.parametrize("has_output", [True, False])
def test_a_run_whose_grading_cannot_be_read_is_lost_and_not_gone(
    tmp_path: Path, text: str, has_output: bool
) -> None:
    """It waits, with or without an output; its source is the grading to be corrected."""
    path = f"{RUN}/merged.json"
    files = {
        "notes/eval/runs/r0/grading/merged.json": grading(run_id="r0"),
        f"{RUN}/grading/merged.json": text,
        **({path: output()} if has_output else {}),
    }
    run = suite(tmp_path, files).one(RunRow, run="r1")
    assert (run.case_id, run.run, run.status) == ("merged", "r1", "pending")
    assert run.outputs == (path if has_output else None)
    assert run.source == f"{RUN}/grading/merged.json"


def test_a_file_of_no_case_is_no_run(tmp_path: Path) -> None:
    """Other tools leave files beside the outputs."""
    assert suite(tmp_path, {f"{RUN}/summary.json": {"n": 1}}).all(RunRow) == []
