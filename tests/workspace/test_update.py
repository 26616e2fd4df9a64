"""A change that is taken in gives what reading everything again gives."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcore import open_workspace
from evalcore.workspace import opened
from evalcore.workspace.opened import reopened
from tests.families.build import changed, write
from tests.families.improve_documents import ANALYSIS, COMPARISON, EVALS, grading, history
from tests.workspace.trees import in_any_order, settle

HOME = "deploy-workspace"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own for each test."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two cases, two versions, two runs each; one case is known from its gradings alone."""
    return made(tmp_path / "root")


def made(root: Path) -> Path:
    """Write the workspace of these tests, with files that are old."""
    gradings = {
        f"{HOME}/grading/{case}_v{version}_run{run}.json": graded(case, version, run)
        for case in ("case-01", "case-02")
        for version in (0, 1)
        for run in (1, 2)
    }
    write(
        root,
        {
            "deploy/evals/evals.json": EVALS,
            f"{HOME}/history.json": history(4.5, None),
            f"{HOME}/v0/skill/SKILL.md": "---\nname: deploy\n---\n",
            f"{HOME}/v1/runs/run-1/outputs/out.txt": "done",
            f"{HOME}/comparison.json": COMPARISON,
            f"{HOME}/analysis.json": ANALYSIS,
            "other-workspace/grading/case-09_v0_run1.json": graded("case-09", 0, 1),
            **gradings,
        },
    )
    settle(root)
    return root


def graded(case: str, version: int, run: int, valid: int = 4, **fields: Any) -> dict[str, Any]:
    """One grading of this workspace."""
    return grading(valid, case_id=case, version=version, run=run, **fields)


def put(root: Path, path: str, document: Any) -> str:
    """Write one document and return its path."""
    text = document if isinstance(document, str) else json.dumps(document)
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")
    return path


@contextmanager
def nothing_else_is_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make a reading of all files fail."""

    def refuse(*_: object) -> list[str]:
        raise AssertionError("all files were read")

    with monkeypatch.context() as patch:
        patch.setattr(opened, "read_all", refuse)
        yield


GRADING = f"{HOME}/grading/case-01_v0_run1.json"
ONE_AT_A_TIME: dict[str, Callable[[Path], str]] = {
    "another score": lambda root: put(root, GRADING, graded("case-01", 0, 1, valid=2)),
    "another text": lambda root: put(
        root, GRADING, graded("case-01", 0, 1, eval_feedback="too easy", user_notes_summary="ok")
    ),
    "a new run": lambda root: put(
        root, f"{HOME}/grading/case-01_v1_run3.json", graded("case-01", 1, 3)
    ),
    "a run that is gone": lambda root: gone(root, GRADING),
    "a file that ends in the middle": lambda root: put(root, GRADING, '{"case_id": "case-'),
    "a claim and a measured time": lambda root: put(
        root,
        GRADING,
        graded(
            "case-01",
            0,
            1,
            claims=[{"claim": "done", "verified": False, "evidence": "log"}],
            execution_metrics={"duration_ms": 1500, "model": "m"},
        ),
    ),
}


def gone(root: Path, path: str) -> str:
    """Remove a file and return its path."""
    (root / path).unlink()
    return path


@pytest.mark.parametrize("named", [True, False], ids=["named", "found by looking"])
@pytest.mark.parametrize("kind", ONE_AT_A_TIME)
def test_a_changed_grading_is_taken_in_alone(
    root: Path, kind: str, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only it and the documents around the gradings are read, and nothing is missing."""
    before = open_workspace(root)
    path = ONE_AT_A_TIME[kind](root)
    with nothing_else_is_read(monkeypatch):
        after = reopened(before, [path] if named else None)
    assert in_any_order(after) == in_any_order(open_workspace(root, cache=False))
    assert after.fingerprint != before.fingerprint


@pytest.mark.parametrize("named", [True, False], ids=["named", "found by looking"])
def test_a_run_comes_with_its_outputs(
    root: Path, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of a new run's outputs is seen, though no document lies in it."""
    before = open_workspace(root)
    put(root, f"{HOME}/v1/runs/case-01/run-3/outputs/out.txt", "done")
    path = put(root, f"{HOME}/grading/case-01_v1_run3.json", graded("case-01", 1, 3))
    with nothing_else_is_read(monkeypatch):
        after = reopened(before, [path] if named else None)
    assert in_any_order(after) == in_any_order(open_workspace(root, cache=False))
    with nothing_else_is_read(monkeypatch):
        assert in_any_order(reopened(after)) == in_any_order(after)


def test_an_index_is_brought_up_to_date(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next open after a change reads what changed, on top of what the index holds."""
    open_workspace(root)
    put(root, GRADING, graded("case-01", 0, 1, valid=1))
    put(root, f"{HOME}/grading/case-01_v1_run7.json", graded("case-01", 1, 7))
    with nothing_else_is_read(monkeypatch):
        after = open_workspace(root)
    assert in_any_order(after) == in_any_order(open_workspace(root, cache=False))


def test_an_unchanged_folder_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a change the tables are those of before."""
    before = open_workspace(root)
    with nothing_else_is_read(monkeypatch):
        assert reopened(before).opened.tables is before.opened.tables


def test_a_note_at_the_first_grading_outlives_its_change(root: Path) -> None:
    """That a suite has no history is noted at its first grading, also where that is broken."""
    (root / HOME / "history.json").unlink()
    first = f"{HOME}/grading/case-01_v0_run1.json"
    (root / first).write_text("{")
    before = open_workspace(root)
    (root / first).write_text("{{")
    after = reopened(before, [first])
    assert "history-not-found" in {problem.code for problem in after.problems}
    assert in_any_order(after) == in_any_order(open_workspace(root, cache=False))


def test_changes_add_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One change after the other is taken in."""
    ws = open_workspace(root)
    for run in range(3, 9):
        path = put(root, f"{HOME}/grading/case-01_v0_run{run}.json", graded("case-01", 0, run))
        with nothing_else_is_read(monkeypatch):
            ws = reopened(ws, [path])
    assert in_any_order(ws) == in_any_order(open_workspace(root, cache=False))


def edits() -> st.SearchStrategy[list[tuple[str, int]]]:
    """Several edits in a row: what, and a seed for the rest."""
    return st.lists(st.tuples(st.sampled_from(sorted(EDITS)), st.integers(0, 999)), max_size=5)


def any_grading(dice: random.Random, **fields: Any) -> tuple[str, dict[str, Any]]:
    """The path and the content of some grading, new or not."""
    case = dice.choice(("case-01", "case-02", "case-03"))
    version, run = dice.randrange(3), dice.randrange(1, 4)
    path = f"{HOME}/grading/{case}_v{version}_run{run}.json"
    return path, graded(case, version, run, dice.randrange(1, 6), **fields)


def remove(root: Path, dice: random.Random) -> list[str]:
    """Remove one grading."""
    found = sorted(root.glob(f"{HOME}/grading/*.json"))
    return [gone(root, str(dice.choice(found).relative_to(root)))] if found else []


def odd(root: Path, dice: random.Random) -> list[str]:
    """Write a grading that is not quite as it should be."""
    path, document = any_grading(dice)
    twist: dict[str, Any] = dice.choice(
        (
            {"version": 9},
            {"case_id": "case-09"},
            {"overall_score": 1.1},
            {"results": []},
            {"results": [{"criterion": "new", "score": 3, "passed": True, "reasoning": "r"}]},
            {"convention_compliance": {"own": {"passed": True, "details": ""}}},
            {"run": None},
        )
    )
    return [put(root, path, changed(document, **twist))]


def output(root: Path, dice: random.Random) -> list[str]:
    """Add the folder of a run's outputs."""
    place = f"{HOME}/v{dice.randrange(2)}/runs/run-{dice.randrange(1, 3)}/outputs/out.txt"
    put(root, place, "done")
    return []


EDITS: dict[str, Callable[[Path, random.Random], list[str]]] = {
    "write": lambda root, dice: [put(root, *any_grading(dice))],
    "remove": remove,
    "odd": odd,
    "half": lambda root, dice: [put(root, any_grading(dice)[0], '{"case_id": ')],
    "output": output,
    "history": lambda root, dice: [
        put(root, f"{HOME}/history.json", history(*[dice.random() * 5] * dice.randrange(1, 4)))
    ],
    "evals": lambda root, dice: [
        put(root, "deploy/evals/evals.json", changed(EVALS, version=str(dice.random())))
    ],
}


@given(made_edits=edits(), named=st.booleans())
@example(made_edits=[("odd", 241), ("write", 384)], named=True)
@example(made_edits=[("history", 581), ("remove", 227), ("write", 716)], named=True)
@example(made_edits=[("history", 988), ("write", 873), ("remove", 609)], named=True)
@settings(max_examples=15)
def test_any_edits_give_what_reading_all_gives(
    tmp_path_factory: pytest.TempPathFactory, made_edits: list[tuple[str, int]], named: bool
) -> None:
    """Whatever is written, changed or removed, taken in or not, the tables are the same."""
    root = made(tmp_path_factory.mktemp("edited") / "root")
    ws = open_workspace(root)
    for what, seed in made_edits:
        paths = EDITS[what](root, random.Random(seed))
        ws = reopened(ws, paths if named and what != "output" else None)
        assert in_any_order(ws) == in_any_order(open_workspace(root, cache=False))
    assert in_any_order(open_workspace(root)) == in_any_order(open_workspace(root, cache=False))


UNGRADED = f"{HOME}/v1/runs/case-01/run-9/out.txt"


@pytest.mark.parametrize("named", [True, False], ids=["named", "found by looking"])
@pytest.mark.parametrize("graded_too", [True, False])
def test_outputs_without_a_grading_come_and_are_graded(
    root: Path, named: bool, graded_too: bool
) -> None:
    """A run that was made is taken in as pending, and its grading takes its place."""
    before = open_workspace(root)
    put(root, UNGRADED, "done")
    middle = reopened(before)
    assert in_any_order(middle) == in_any_order(open_workspace(root, cache=False))
    assert "pending" in set(middle.tables.runs["status"])
    version, run = (1, 9) if graded_too else (0, 1)
    path = f"{HOME}/grading/case-01_v{version}_run{run}.json"
    put(root, path, graded("case-01", version, run, valid=1))
    after = reopened(middle, [path] if named else None)
    assert in_any_order(after) == in_any_order(open_workspace(root, cache=False))


@pytest.mark.parametrize("named", [True, False], ids=["named", "found by looking"])
def test_a_run_whose_grading_is_removed_is_pending_again(root: Path, named: bool) -> None:
    """Its outputs are still there."""
    put(root, UNGRADED, "done")
    path = put(root, f"{HOME}/grading/case-01_v1_run9.json", graded("case-01", 1, 9))
    settle(root)
    before = open_workspace(root)
    gone(root, path)
    after = reopened(before, [path] if named else None)
    assert in_any_order(after) == in_any_order(open_workspace(root, cache=False))
    assert set(after.tables.runs["status"]) == {"completed", "pending"}
