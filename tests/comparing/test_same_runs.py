"""Copies count once, planned runs that are not there are lost, the same runs are no new ones."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from evalcore import open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison, Lost, Side
from evalcore.comparing.sides import newest_side
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import rates
from evalcore.lint.run import check
from evalcore.views.verdict.sentence import cautions, sentence
from evalcore.workspace.opened import Workspace
from tests.families.build import write
from tests.families.improve_documents import EVALS as IMPROVE_EVALS
from tests.families.improve_documents import grading as improve_grading
from tests.families.improve_documents import history
from tests.families.iterations_documents import scores, structural

CASES: Final = 14
A, B = Column("iteration-1", "with_skill"), Column("iteration-2", "with_skill")
SUITE: Final = "tool"


def run(passed: bool, mark: str = "", **more: Any) -> dict[str, Any]:
    """The files of a run by name: its grading, what it wrote, and what it took."""
    item = {"text": "Works", "passed": passed, "evidence": f"seen {passed} {mark}"}
    return {
        "grading.json": {"expectations": [item]},
        "outputs/answer.md": f"passed: {passed} {mark}",
        **more,
    }


def tree(iteration: int, runs: Mapping[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """The files of an iteration in which each case has these runs, by the name of their folder."""
    base = f"tool-workspace/iteration-{iteration}"
    files = {
        f"{base}/eval-{case}/with_skill/{name}/{path}": value
        for case in range(CASES)
        for name, own in runs.items()
        for path, value in own.items()
    }
    return files | {f"{base}/{path}": value for path, value in more.items()}


def opened(root: Path, *trees: Mapping[str, Any]) -> Workspace:
    """Return a workspace with these files."""
    for files in trees:
        write(root, files)
    return open_workspace(root, cache=False)


def said(found: Comparison) -> str:
    """Return the sentence and the cautions beside it."""
    return " ".join([sentence(found), *cautions(found)])


def compared(ws: Workspace) -> Comparison:
    """Return the comparison of the second iteration with the first."""
    return compare(Side(ws, SUITE, A), Side(ws, SUITE, B))


MIXED: Final = {"run-1": run(True), "run-2": run(False), "run-3": run(False, "b")}
GOOD: Final = {"run-1": run(True)}


def test_copies_count_once_and_are_named(tmp_path: Path) -> None:
    """One run copied three times is one run: in rates, comparison, and as a problem each."""
    four = {f"run-{n}": run(True) for n in range(1, 5)}
    two = {"run-1": run(True), "run-2": run(False)}
    ws = opened(tmp_path, tree(1, two), tree(2, four))
    rate = rates(ws)[SUITE][B]
    assert (rate.counted, rate.copied, rate.set_aside) == (CASES, 3 * CASES, 0)
    found = compared(ws)
    assert {pair.runs_b for pair in found.pairs} == {1}
    assert (found.runs.copies, found.lost.b) == ((0, 3 * CASES), ())
    assert f"Not counted: {3 * CASES} copies of other runs" in said(found)
    named = [each for each in check(ws) if each.code == "copied-run"]
    assert len(named) == 3 * CASES
    assert all("run-1/grading.json" in each.message for each in named)


@pytest.mark.parametrize(
    "change",
    [
        {"grading.json": run(True, "x")["grading.json"]},
        {"outputs/answer.md": "something else"},
        {"outputs/more.md": "another file"},
        {"timing.json": {"duration_ms": 2001, "total_tokens": 100}},
        {"transcript.md": "Another turn."},
    ],
    ids=lambda change: next(iter(change)),
)
def test_runs_that_came_out_alike_are_runs(tmp_path: Path, change: dict[str, Any]) -> None:
    """Whatever differs in what they left: grading, outputs, timing or transcript."""
    beside: dict[str, Any] = {
        "timing.json": {"duration_ms": 2000, "total_tokens": 100},
        "transcript.md": "A turn.",
    }
    both = {"run-1": run(True, **beside), "run-2": run(True, **beside)}
    same = opened(tmp_path / "same", tree(1, MIXED), tree(2, both))
    assert rates(same)[SUITE][B].copied == CASES
    both["run-2"] = both["run-2"] | change
    apart = opened(tmp_path / "apart", tree(1, MIXED), tree(2, both))
    assert (rates(apart)[SUITE][B].copied, rates(apart)[SUITE][B].counted) == (0, 2 * CASES)


def test_equal_grades_without_outputs_are_runs(tmp_path: Path) -> None:
    """Nothing tells two runs that passed alike from two copies of one."""
    bare = {"grading.json": run(True)["grading.json"]}
    ws = opened(tmp_path, tree(1, MIXED), tree(2, {"run-1": bare, "run-2": bare}))
    assert (rates(ws)[SUITE][B].copied, rates(ws)[SUITE][B].counted) == (0, 2 * CASES)


def test_a_copy_with_a_number_of_its_own_is_a_copy(tmp_path: Path) -> None:
    """In `improve` each grading names its run: all else is the same."""
    base = "deploy-workspace"
    files: dict[str, Any] = {
        "deploy/evals/evals.json": IMPROVE_EVALS,
        f"{base}/history.json": history(None),
    }
    for number in (1, 2, 10):
        name = f"case-01_v0_run{number}"
        files[f"{base}/grading/{name}.json"] = improve_grading(run=number)
        files[f"{base}/v0/runs/case-01/run-{number}/answer.md"] = "done"
    files[f"{base}/v0/runs/case-01/run-3/answer.md"] = "done otherwise"
    files[f"{base}/grading/case-01_v0_run3.json"] = improve_grading(run=3)
    ws = opened(tmp_path, files)
    rate = rates(ws)["deploy"][Column("v0", "-")]
    assert (rate.counted, rate.copied) == (2, 2)


def by_rubric(score: int, mark: str = "") -> dict[str, Any]:
    """The files of a run that is judged by a rubric."""
    checks = structural(("S1", True, False))
    return {"grading.json": scores(quality=score), "structural.json": checks, "a.md": mark}


@pytest.mark.parametrize("plan", ["runs_per_configuration", "runs_per_eval"])
def test_planned_runs_that_are_not_there_are_lost(tmp_path: Path, plan: str) -> None:
    """Only the good run of three is on disk: nothing gets better by that."""
    mixed, good = MIXED, GOOD
    benchmark = {"benchmark.json": {"metadata": {plan: 3}}}
    if plan == "runs_per_eval":
        mixed = {f"run-{n}": by_rubric(5 if n == 1 else 1, str(n)) for n in (1, 2, 3)}
        good, benchmark = {"run-1": by_rubric(5)}, {}
        write(tmp_path, {"tool/evals/evals.json": {"eval_config": {plan: 3}, "evals": []}})
    found = compared(opened(tmp_path, tree(1, mixed), tree(2, good, **benchmark)))
    assert found.lost.b == (Lost("runs", "not there", 2 * CASES, 3 * CASES),)
    assert (found.lost.a, found.lost.unequal) == ((), True)
    assert found.verdict is not None
    assert (found.verdict.word, found.verdict.kind) == ("can't tell", "lost")
    assert found.lost.without == "better"
    assert "(missing)" in said(found)


@pytest.mark.parametrize(
    ("names", "lost"),
    [(("run-2", "run-7", "run-9"), 6), (("run-2",), 1), (("run-1", "run-3"), 1),
     (("run-1", "run-2"), 0), (("run-20261126", "run-20261127"), 0)],
)  # fmt: skip
def test_gaps_in_the_numbers_are_lost_runs(
    tmp_path: Path, names: tuple[str, ...], lost: int
) -> None:
    """Runs 2, 7 and 9 are three of nine; dates and ids are no numbers."""
    runs = {name: run(True, name) for name in names}
    found = compared(opened(tmp_path, tree(1, MIXED), tree(2, runs)))
    assert sum(one.n for one in found.lost.b if one.why == "not there") == lost * CASES
    assert found.lost.a == ()


def test_without_a_plan_the_sentence_says_how_many_runs_each_side_has(tmp_path: Path) -> None:
    """Three runs a case against one; equal numbers are not said."""
    found = compared(opened(tmp_path / "1", tree(1, MIXED), tree(2, GOOD)))
    assert "with 1 run of each against 3 (" in sentence(found)
    two = {"run-1": run(True), "run-2": run(True, "b"), "run-3": run(True, "c")}
    found = compared(opened(tmp_path / "2", tree(1, MIXED), tree(2, two)))
    assert found.runs.each is None and "of each against" not in sentence(found)


@pytest.mark.parametrize("outputs", [True, False])
def test_a_copied_folder_is_the_same_runs(tmp_path: Path, outputs: bool) -> None:
    """Both sides are one; where some were run anew, it says how many."""
    runs = {"run-1": run(True), "run-2": run(False)}
    if not outputs:
        runs = {name: {"grading.json": of["grading.json"]} for name, of in runs.items()}
    here = opened(tmp_path / "here", tree(1, runs))
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    there = open_workspace(tmp_path / "there", cache=False)
    a, b = newest_side(here, SUITE), newest_side(there, SUITE)
    assert a is not None and b is not None
    found = compare(a, b)
    assert sentence(found) == f"Both sides are the same {2 * CASES} runs: nothing was run anew."
    assert found.verdict is not None and found.verdict.word == "can't tell"

    grading = tmp_path / "there/tool-workspace/iteration-1/eval-0/with_skill/run-1/grading.json"
    grading.write_text(json.dumps(run(False)["grading.json"]))
    b = newest_side(open_workspace(tmp_path / "there", cache=False), SUITE)
    assert b is not None
    found = compare(a, b)
    assert (found.runs.same, found.runs.nothing_new) == (2 * CASES - 1, False)
    assert f"Run anew: 1 of {2 * CASES} runs" in said(found)


def test_versions_that_came_out_alike_are_not_the_same_runs(tmp_path: Path) -> None:
    """Unless what they took is measured, and is the same too: then one is a copy of the other."""
    found = compared(opened(tmp_path / "1", tree(1, GOOD), tree(2, GOOD)))
    assert found.runs.same == 0
    took: dict[str, Any] = {"timing.json": {"duration_ms": 2417, "total_tokens": 4012}}
    timed = {"run-1": run(True, **took)}
    found = compared(opened(tmp_path / "2", tree(1, timed), tree(2, timed)))
    assert found.runs.nothing_new
