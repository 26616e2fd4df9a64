"""What each version was asked is read from its own files; who was asked something else is apart."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.comparability import comparability, shared
from evalcore.comparing.prompts import prompts_of
from evalcore.comparing.sides import side_of
from evalcore.workspace.opened import Workspace, open_workspace
from tests.families.build import write

FORM, TABLE = "Make a form with three fields.", "Draw a table of the months."


def graded(*passed: bool) -> dict[str, Any]:
    """Return a grading of this many expectations."""
    return {
        "expectations": [
            {"text": f"The output has part {n}.", "passed": each, "evidence": "It has."}
            for n, each in enumerate(passed)
        ]
    }


def iteration(
    number: int, prompts: dict[str, str | None], configuration: str = "with_skill"
) -> dict[str, Any]:
    """Return the files of one iteration: a grading of each eval, and its prompt if it has one."""
    files: dict[str, Any] = {}
    for name, prompt in prompts.items():
        folder = f"pdf-workspace/iteration-{number}/eval-{name}"
        files[f"{folder}/{configuration}/grading.json"] = graded(True, False)
        if prompt is not None:
            files[f"{folder}/eval_metadata.json"] = {"eval_name": name, "prompt": prompt}
    return files


def opened(root: Path, *files: dict[str, Any]) -> Workspace:
    """Write files and open their folder."""
    return open_workspace(
        write(root, {k: v for some in files for k, v in some.items()}), cache=False
    )


def held(ws: Workspace, a: str, b: str, suite: str = "pdf") -> tuple[Any, Any]:
    """Return what keeps two versions apart: the comparability, and the cases left out."""
    sides = side_of(ws, suite, a), side_of(ws, suite, b)
    return comparability(*sides), shared(*sides).incomparable


def test_a_prompt_that_changed_in_the_second_iteration_leaves_its_case_out(tmp_path: Path) -> None:
    """The metadata beside the eval of each iteration says what was asked then."""
    ws = opened(
        tmp_path,
        iteration(1, {"form": FORM, "table": TABLE}),
        iteration(2, {"form": FORM, "table": TABLE + " Use colours."}),
    )
    fair, left = held(ws, "iteration-1", "iteration-2")
    assert left == {"table": "other prompt"}
    assert (fair.level, fair.breaks[0].what) == ("part", "prompts")
    assert fair.breaks[0].mend == (
        "Run the case (table) of iteration-1@with_skill again "
        "with the prompts of iteration-2@with_skill."
    )


def test_white_space_makes_no_other_prompt(tmp_path: Path) -> None:
    """Lines are broken anew without anybody asking something else."""
    ws = opened(
        tmp_path,
        iteration(1, {"form": FORM}),
        iteration(2, {"form": FORM.replace(" ", "\r\n") + "\n"}),
    )
    fair, left = held(ws, "iteration-1", "iteration-2")
    assert (left, "prompts" in fair.unknown) == ({}, False)


def test_a_prompt_of_one_iteration_only_tells_nothing(tmp_path: Path) -> None:
    """What iteration 1 asked is not recorded, so nobody can say that it was something else."""
    ws = opened(tmp_path, iteration(1, {"form": None}), iteration(2, {"form": FORM}))
    fair, left = held(ws, "iteration-1", "iteration-2")
    assert (left, "prompts" in fair.unknown) == ({}, True)


def test_the_prompt_of_the_suite_stands_for_versions_that_keep_none(tmp_path: Path) -> None:
    """One evals.json defines what is asked of every iteration."""
    evals = {"pdf/evals/evals.json": {"evals": [{"id": 1, "name": "form", "prompt": FORM}]}}
    ws = opened(tmp_path, iteration(1, {"form": None}), iteration(2, {"form": None}), evals)
    fair, left = held(ws, "iteration-1", "iteration-2")
    assert (left, "prompts" in fair.unknown) == ({}, False)


def test_inside_one_iteration_both_configurations_are_asked_the_same(tmp_path: Path) -> None:
    """The metadata is next to both; nothing is compared."""
    ws = opened(
        tmp_path,
        iteration(1, {"form": FORM}),
        iteration(1, {"form": FORM}, "without_skill"),
    )
    fair, left = held(ws, "iteration-1@without_skill", "iteration-1@with_skill")
    assert (left, "prompts" in fair.unknown) == ({}, False)


def benchmark(number: int, **prompts: str | None) -> dict[str, Any]:
    """Return the benchmark of one iteration that nothing else is left of, with its prompts."""
    results = {
        name: {"prompt": prompt, "with_skill": {"passed": 1, "total": 2}}
        for name, prompt in prompts.items()
    }
    return {f"pdf-workspace/iteration-{number}/benchmark.json": {"results": results}}


def test_a_benchmark_tells_the_prompts_of_its_runs(tmp_path: Path) -> None:
    """Each iteration keeps what it asked beside the results of its evals."""
    ws = opened(
        tmp_path,
        benchmark(1, form=FORM, table=TABLE),
        benchmark(2, form=FORM, table=TABLE + " Use colours."),
    )
    fair, left = held(ws, "iteration-1", "iteration-2")
    assert left == {"table": "other prompt"}
    assert (fair.level, fair.breaks[0].what) == ("part", "prompts")


def test_a_benchmark_that_changed_since_tells_nothing(tmp_path: Path) -> None:
    """Where the pointer of a run leads nowhere any more, its prompt is not known."""
    ws = opened(tmp_path, benchmark(1, form=FORM))
    write(tmp_path, {"pdf-workspace/iteration-1/benchmark.json": {"results": {}}})
    side = side_of(ws, "pdf", "iteration-1")
    assert prompts_of(ws, "pdf", side.column) == {}


def improving(version: int, prompt: str | None) -> dict[str, Any]:
    """Return the files of one version of a skill that is improved step by step."""
    result = {"criterion": "fields", "score": 4, "passed": True, "reasoning": "There are three."}
    grading = {"case_id": "form", "version": version, "run": 1, "results": [result]}
    files: dict[str, Any] = {f"notes-workspace/grading/form_v{version}_run1.json": grading}
    if prompt is not None:
        kept = f"notes-workspace/v{version}/skill/evals/evals.json"
        files[kept] = cases(prompt)
    return files


def cases(prompt: str, **criterion: Any) -> dict[str, Any]:
    """Return an evals.json with one case of one criterion."""
    known = {"criterion": "fields", "description": "It has three fields.", "required": True}
    expected = [{**known, **criterion}]
    return {
        "version": "1.0",
        "skill": "notes",
        "cases": [{"id": "form", "prompt": prompt, "expectations": expected}],
    }


@pytest.mark.parametrize(
    ("first", "second", "left", "unknown"),
    [
        (FORM, TABLE, {"form": "other prompt"}, False),
        (FORM, FORM, {}, False),
        (None, TABLE, {}, True),
    ],
)
def test_a_kept_skill_tells_the_prompts_of_its_version(
    tmp_path: Path, first: str | None, second: str | None, left: dict[str, str], unknown: bool
) -> None:
    """`vN/skill/evals/evals.json` is what version N was asked, whatever evals.json asks today."""
    versions = [{"version": n, "path": f"v{n}/skill"} for n in (0, 1)]
    told = {
        "notes-workspace/history.json": {"versions": versions, "current_version": 1},
        "notes/evals/evals.json": cases("Make a form as it is made today."),
    }
    ws = opened(tmp_path, improving(0, first), improving(1, second), told)
    fair, found = held(ws, "v0", "v1", "notes")
    assert (found, "prompts" in fair.unknown) == (left, unknown)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"description": "It has three fields, each with a label."}, {"form": "other criteria"}),
        ({"description": "Nobody is asked for a password."}, {"form": "other criteria"}),
        ({"required": False}, {"form": "other criteria"}),
        ({"criterion": "other", "description": "Else."}, {}),
    ],
)
def test_a_kept_skill_tells_what_its_version_meant_by_a_criterion(
    tmp_path: Path, change: dict[str, Any], left: dict[str, str]
) -> None:
    """A label that both versions were judged by must mean the same in the skills they keep."""
    versions = [{"version": n, "path": f"v{n}/skill"} for n in (0, 1)]
    ws = opened(
        tmp_path,
        improving(0, FORM),
        improving(1, FORM),
        {
            "notes-workspace/v1/skill/evals/evals.json": cases(FORM, **change),
            "notes-workspace/history.json": {"versions": versions, "current_version": 1},
            "notes/evals/evals.json": cases(FORM),
        },
    )
    assert held(ws, "v0", "v1", "notes")[1] == left


def test_two_folders_are_compared_by_their_own_prompts(tmp_path: Path) -> None:
    """Each folder's definition of the case counts where its versions keep no prompt."""
    evals = [
        {"pdf/evals/evals.json": {"evals": [{"id": 1, "name": "form", "prompt": prompt}]}}
        for prompt in (FORM, TABLE)
    ]
    one, two = (
        opened(tmp_path / name, iteration(1, {"form": None}), its)
        for name, its in zip("ab", evals, strict=True)
    )
    sides = side_of(one, "pdf", "iteration-1"), side_of(two, "pdf", "iteration-1")
    assert list(shared(*sides).incomparable.values()) == ["other prompt"]


def test_metadata_that_cannot_be_read_tells_nothing(tmp_path: Path) -> None:
    """A file that broke or went since is no prompt."""
    ws = opened(tmp_path, iteration(1, {"form": FORM, "table": TABLE}))
    (tmp_path / "pdf-workspace/iteration-1/eval-form/eval_metadata.json").write_text("{", "utf-8")
    (tmp_path / "pdf-workspace/iteration-1/eval-table/eval_metadata.json").unlink()
    side = side_of(ws, "pdf", "iteration-1")
    assert prompts_of(ws, "pdf", side.column) == {}
