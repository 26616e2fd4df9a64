"""A suite read in two processes gives the same rows as one read in one."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import generate
from evalcore import Workspace, open_workspace
from evalcore.families import parallel, second_process
from tests.families import iterations_documents
from tests.families.build import write
from tests.families.iterations_documents import grading, item
from tests.workspace.trees import everything

FAMILIES = ["improve", "descriptions", "iterations", "rubric"]


def in_two(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Workspace, int]:
    """The workspace, half of each suite read by another process; how many halves that gave."""
    taken = []

    def append(*args: Any) -> None:
        taken.append(args)
        real(*args)

    real = parallel._append
    with monkeypatch.context() as patch:
        patch.setattr(parallel, "MANY", 2)
        patch.setattr("os.cpu_count", lambda: 2)
        patch.setattr(parallel, "_append", append)
        return open_workspace(root), len(taken)


@pytest.mark.parametrize("family", FAMILIES)
def test_two_processes_read_what_one_reads(
    tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs, judgments, remarks, criteria in their order, and problems."""
    generate.main([family, "90", str(tmp_path / "made")])
    found, halves = in_two(tmp_path / "made", monkeypatch)
    assert halves == 1
    assert everything(found) == everything(open_workspace(tmp_path / "made", cache=False))


def iterations(root: Path, *gradings: Any) -> Path:
    """A suite without defined evals, one grading in each of its runs."""
    files: dict[str, Any] = {}
    for number, each in enumerate(gradings):
        folder = f"pdf-workspace/iteration-1/eval-{1 + number % 2}/with_skill/run-{number}"
        files[f"{folder}/grading.json"] = each
    return write(root, files)


LONG = "The summary names every release since the first one, with its date"
SHORTENED = [grading(expectations=[item(f"{LONG}.")])] * 4 + [
    grading(expectations=[item(LONG)])
] * 2


@pytest.mark.parametrize(
    ("gradings", "halves"),
    [
        ([grading(), grading(expectations=[item("a")])] * 3, 1),
        ([grading()] * 4 + [grading(expectations=[item("learned late")])] * 2, 1),
        (
            [grading(expectations=[item(f"{LONG}.")])] * 4
            + [grading(expectations=[item(LONG)])] * 2,
            0,
        ),
        ([grading(), "{", grading(notes="n"), grading(eval_id=7), {}, [item("a")]], 1),
    ],
)
def test_criteria_that_both_halves_learn(
    tmp_path: Path, gradings: list[Any], halves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A half whose labels depend on the other half is read again by the first process."""
    found, taken = in_two(iterations(tmp_path, *gradings), monkeypatch)
    assert everything(found) == everything(open_workspace(tmp_path, cache=False))
    assert taken == halves


def test_evals_that_folders_define(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Metadata beside the runs of both halves defines criteria once, in the same order."""
    root = iterations(tmp_path, *[grading()] * 6)
    for version in (1, 2):
        for number in (1, 2):
            folder = f"pdf-workspace/iteration-{version}/eval-{number}"
            meta = {"eval_id": number, "prompt": "p", "assertions": [f"a{version}", "b"]}
            write(root, {f"{folder}/eval_metadata.json": meta})
            write(root, {f"{folder}/without_skill/run-1/grading.json": grading()})
    found, taken = in_two(root, monkeypatch)
    assert everything(found) == everything(open_workspace(root, cache=False))
    assert taken == 1


def test_a_second_process_that_fails_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its half is read by the first process."""
    generate.main(["iterations", "12", str(tmp_path)])
    monkeypatch.setattr(parallel, "PROCESS", "evalcore.families.no_such_module")
    found, halves = in_two(tmp_path, monkeypatch)
    assert halves == 0
    assert everything(found) == everything(open_workspace(tmp_path, cache=False))


def test_the_process_answers_with_its_tables(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that its family cannot read in halves ends with 1 and says nothing."""
    job: dict[str, Any] = {
        "root": str(tmp_path), "plan": ["s", "records", "", None, []], "folders": [],
        "folder": str(tmp_path), "runs": [], "about": None,
    }  # fmt: skip
    (tmp_path / "job.json").write_text(json.dumps(list(job.values())))
    monkeypatch.setattr("sys.argv", ["", str(tmp_path / "job.json")])
    assert second_process.main() == 1
    assert capsysbinary.readouterr().out == b""


def test_a_suite_of_few_runs_starts_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process takes longer to start than a few runs take to read."""
    write(tmp_path, {"pdf/evals/evals.json": iterations_documents.EVALS})
    monkeypatch.delattr("subprocess.Popen")
    generate.main(["iterations", "12", str(tmp_path / "made")])
    assert len(open_workspace(tmp_path / "made").tables.runs) == 12
