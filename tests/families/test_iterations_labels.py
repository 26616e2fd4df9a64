"""A benchmark's labels that say more than the folders: one run under two names is one run."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import RunRow
from tests.families.build import Read
from tests.families.iterations_documents import grading, suite

EVAL = "iteration-4/eval-1"
GRADED = {f"{EVAL}/with_skill/grading.json": grading(True, True)}


def entry(label: str, rate: float = 1.0, **fields: Any) -> dict[str, Any]:
    """One run of eval 1 in a benchmark."""
    return {"eval_id": 1, "configuration": label, "result": {"pass_rate": rate}, **fields}


def read(root: Path, *runs: dict[str, Any], graded: dict[str, Any] | None = None) -> Read:
    """Iteration 4 with a grading of `with_skill` and a benchmark of these runs."""
    files = {"iteration-4/benchmark.json": {"runs": list(runs)}}
    return suite(root, {**files, **(GRADED if graded is None else graded)})


def labels(found: Read) -> list[str | None]:
    """The configuration of each run."""
    return [run.configuration for run in found.all(RunRow)]


@pytest.mark.parametrize(
    "label", ["with_skill (iter4)", "with_skill(4)", "with_skill [iteration-4]", "with_skill (new)"]
)
def test_what_stands_in_brackets_makes_no_other_run(tmp_path: Path, label: str) -> None:
    """The run of the folder is the run of the label: same eval, number and result."""
    found = read(tmp_path, entry(label, run_number=1))
    assert (labels(found), found.codes()) == (["with_skill"], [])


@pytest.mark.parametrize(
    "fields", [{"rate": 0.5}, {"run_number": 2}, {"label": "with_skill (b)", "rate": 0.9}]
)
def test_what_cannot_be_joined_is_said(tmp_path: Path, fields: dict[str, Any]) -> None:
    """With another result or number it is a run of its own, under its own label, and named."""
    label = {"label": "with_skill (iter4)", **fields}
    found = read(tmp_path, entry(**label))
    assert labels(found) == ["with_skill", label["label"]]
    assert found.codes() == ["label-not-joined"]


def test_counts_are_results_too(tmp_path: Path) -> None:
    """4 of 4 is not the 2 of 2 of the grading, though both are all."""
    found = read(tmp_path, entry("with_skill (iter4)", result={"passed": 4, "total": 4}))
    assert found.codes() == ["label-not-joined"]


def test_a_label_may_name_another_version(tmp_path: Path) -> None:
    """Iteration 3 repeated beside iteration 4 is the run of iteration 3."""
    graded = {"iteration-3/eval-1/with_skill/grading.json": grading(True, False), **GRADED}
    found = read(
        tmp_path, entry("with_skill (iter4)"), entry("with_skill (iter3)", 0.5), graded=graded
    )
    assert [(run.version, run.configuration) for run in found.all(RunRow)] == [
        ("iteration-3", "with_skill"),
        ("iteration-4", "with_skill"),
    ]
    assert found.codes() == []


def test_a_label_may_repeat_a_run_of_another_benchmark(tmp_path: Path) -> None:
    """Without any folder, the run of the earlier benchmark is the one."""
    files = {
        "iteration-3/benchmark.json": {"runs": [entry("with_skill", 0.5)]},
        "iteration-4/benchmark.json": {
            "runs": [entry("with_skill"), entry("with_skill (iteration-3)", 0.5)]
        },
    }
    found = suite(tmp_path, files)
    assert labels(found) == ["with_skill", "with_skill"]


def test_a_label_without_folders_stays(tmp_path: Path) -> None:
    """Text in brackets that no run is known for is part of the configuration's name."""
    found = read(tmp_path, entry("with_skill (opus)"), entry("with_skill (haiku)", 0.5), graded={})
    assert labels(found) == ["with_skill (opus)", "with_skill (haiku)"]
    assert found.codes() == []


def test_a_summary_inside_a_run_has_its_numbers(tmp_path: Path) -> None:
    """`runs[].summary.pass_rate` is the rate of a run that lists no items."""
    run = {"eval_id": 1, "configuration": "with_skill", "summary": {"passed": 3, "total": 4}}
    found = read(tmp_path, run, graded={})
    assert found.one(RunRow).fraction == 0.75


def test_labels_without_numbers_are_counted(tmp_path: Path) -> None:
    """The second entry of a label is the second run of the folder."""
    graded = {
        f"{EVAL}/with_skill/run-1/grading.json": grading(True, True),
        f"{EVAL}/with_skill/run-2/grading.json": grading(True, False),
    }
    label = "with_skill (iter4)"
    found = read(tmp_path, entry(label), entry(label, 0.5), graded=graded)
    assert (labels(found), found.codes()) == (["with_skill", "with_skill"], [])
