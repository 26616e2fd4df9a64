"""Opening a folder: a snapshot that changes nothing and says everything."""

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from evalcore import UnknownName, WorkspaceNotFound, open_workspace
from evalcore.disk.parsing import MISSING
from evalcore.tables.rows import TABLES
from evalcore.workspace import opened
from tests.families.build import write
from tests.workspace.trees import FAMILIES, SEEDS, everything, settle, small, tree


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_seeds_own_documents_open_without_an_error(family: str) -> None:
    """Each golden workspace has a suite with runs, cases and judgments, and no error."""
    ws = open_workspace(SEEDS / family)
    assert [problem for problem in ws.problems if problem.severity == "error"] == []
    assert (len(ws.tables.suites), ws.unrecognised) == (1, [])
    assert ws.tables.suites["family"].tolist() == [family.removesuffix("_sharded")]
    for table in (ws.tables.runs, ws.tables.cases, ws.tables.judgments, ws.tables.documents):
        assert len(table) > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_row_leads_back_to_its_document(family: str) -> None:
    """`source` and `pointer` name a place that is there."""
    ws = open_workspace(SEEDS / family, cache=False)
    for name in TABLES:
        table = getattr(ws.tables, name)
        if not {"source", "pointer"} <= set(table):
            continue
        for source, pointer in table[["source", "pointer"]].dropna().itertuples(index=False):
            assert ws.raw(source, pointer) not in (None, MISSING)


def test_all_families_live_in_one_tree(tmp_path: Path) -> None:
    """Suites of several families are found wherever they lie, each as it is alone."""
    shutil.copytree(SEEDS, tmp_path, dirs_exist_ok=True)
    ws, here = open_workspace(tmp_path, cache=False), (*FAMILIES, "inspect", "promptfoo", "rows")
    assert set(ws.tables.suites["family"]) == {f.removesuffix("_sharded") for f in here}
    alone = [len(open_workspace(SEEDS / family, cache=False).tables.runs) for family in here]
    assert len(ws.tables.runs) == sum(alone)


def test_opening_changes_nothing(tmp_path: Path) -> None:
    """No byte, no time and no name of the folder changes, with and without an index."""
    shutil.copytree(SEEDS, tmp_path, dirs_exist_ok=True)
    before = tree(tmp_path)
    for cache in (True, True, False):
        everything(open_workspace(tmp_path, cache=cache))
    assert tree(tmp_path) == before


def test_a_read_only_folder_opens(tmp_path: Path) -> None:
    """Nothing needs to be written where the evaluations lie."""
    root = small(tmp_path / "root")
    for folder, _, _ in os.walk(root):
        Path(folder).chmod(0o500)
    try:
        assert len(open_workspace(root).tables.runs) == 2
    finally:
        for folder, _, _ in os.walk(root):
            Path(folder).chmod(0o700)


@pytest.mark.parametrize("name", ["nowhere", "a.json"])
def test_only_a_folder_opens(tmp_path: Path, name: str) -> None:
    """What is not there or no folder is the caller's fault, and said."""
    write(tmp_path, {"a.json": "{}"})
    with pytest.raises(WorkspaceNotFound):
        open_workspace(tmp_path / name)


def test_an_empty_folder_has_every_table(tmp_path: Path) -> None:
    """All tables exist without a row; nothing is wrong with an empty folder."""
    ws = open_workspace(tmp_path)
    assert [len(getattr(ws.tables, name)) for name in ws.tables.names] == [0] * len(ws.tables.names)
    assert (ws.problems, ws.unrecognised, ws.name) == ([], [], tmp_path.name)


def test_a_broken_file_hides_nothing_else(tmp_path: Path) -> None:
    """The other documents are read as if it were not there, and it is one problem."""
    root = small(tmp_path)
    write(root, {"w/iteration-1/eval-2/with_skill/grading.json": '{"expectations": ['})
    ws = open_workspace(root)
    assert len(ws.tables.runs) == 2
    assert [(p.path, p.code) for p in ws.problems] == [
        ("w/iteration-1/eval-2/with_skill/grading.json", "half-written")
    ]


def test_evaluations_in_the_wrong_place_are_named(tmp_path: Path) -> None:
    """A grading where none is expected is not lost: it is listed and a warning."""
    write(tmp_path, {"odd/grading.json": {"expectations": [], "summary": {}}, "package.json": {}})
    ws = open_workspace(tmp_path)
    assert ws.unrecognised == ["odd/grading.json"]
    assert [problem.code for problem in ws.problems] == ["unrecognised"]


def test_what_holds_evaluations_in_an_unknown_form_is_named(tmp_path: Path) -> None:
    """It is a note with what it holds; what holds none is nobody's business."""
    items = [{"text": "It runs", "passed": True}]
    write(tmp_path, {"odd/my-own.json": {"graded": items}, "package.json": {"name": "x"}})
    ws = open_workspace(tmp_path)
    assert ws.unrecognised == []
    (problem,) = ws.problems
    assert (problem.path, problem.severity, problem.code) == ("odd/my-own.json", "info", "not-read")
    assert problem.message == "This holds 1 judged item in 'graded', in a format that is not read."


def test_an_unknown_table_is_answered(tmp_path: Path) -> None:
    """A misspelt table is an error with the nearest name."""
    tables = open_workspace(tmp_path).tables
    with pytest.raises(UnknownName, match="Did you mean 'judgments'"):
        _ = tables.judgements
    with pytest.raises(UnknownName, match="long texts"):
        tables.text("runs")
    assert set(TABLES) < set(dir(tables))


def test_long_texts_come_by_position(tmp_path: Path) -> None:
    """The index is the positions asked for, in that order; a missing text is None."""
    ws = open_workspace(small(tmp_path))
    found = ws.tables.text("judgments", [1, 0])
    assert found.index.tolist() == [1, 0]
    assert found["evidence"].tolist() == ["log", "log"]
    assert found["rationale"].tolist() == [None, None]
    assert ws.tables.text("judgments", []).empty
    assert list(ws.tables.text("judgments").index) == [0, 1]


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", {"a/b": [10, {"~": None}]}),
        ("/a~1b/0", 10),
        ("/a~1b/1/~0", None),
        ("/a~1b/1", {"~": None}),
    ],
)
def test_raw_follows_a_pointer(tmp_path: Path, pointer: str, value: Any) -> None:
    """Any place of any file can be looked up as it is now."""
    write(tmp_path, {"a.json": {"a/b": [10, {"~": None}]}})
    assert open_workspace(tmp_path).raw("a.json", pointer) == value


@pytest.mark.parametrize(
    ("source", "pointer"),
    [
        ("a.json", "/b"),
        ("a.json", "/a/-1"),
        ("a.json", "/a/7"),
        ("a.json", "/a/0/x"),
        ("gone.json", ""),
        ("../a.json", ""),
        ("broken.json", ""),
        ("a\0b", ""),
    ],
)
def test_raw_says_what_is_gone(tmp_path: Path, source: str, pointer: str) -> None:
    """A place or a file that is not there is an error of the caller, and nothing else."""
    root = write(tmp_path / "root", {"a.json": {"a": [1]}, "broken.json": "{"})
    write(tmp_path, {"a.json": {}})
    with pytest.raises(UnknownName):
        open_workspace(root).raw(source, pointer)


def test_lines_are_counted_as_they_were_read(tmp_path: Path) -> None:
    """A JSONL file is a list of those of its lines that can be read."""
    write(tmp_path, {"a.jsonl": '{"n": 1}\n\nbroken\n{"n": 2}\n'})
    assert open_workspace(tmp_path).raw("a.jsonl", "/1/n") == 2


def test_a_change_while_open_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change to any tracked file the snapshot says that it is old, and stays as it was."""
    root = small(tmp_path)
    settle(root)
    ws = open_workspace(root)
    monkeypatch.setattr(opened, "CHECK_SECONDS", 0)
    assert not ws.changed()
    write(root, {"w/iteration-1/eval-3/with_skill/grading.json": {"expectations": []}})
    assert ws.changed()
    assert (len(ws.tables.runs), ws.changed()) == (2, True)


def test_looks_for_changes_are_throttled(tmp_path: Path) -> None:
    """Within two seconds the folder is not walked again."""
    ws = open_workspace(small(tmp_path))
    (tmp_path / "new.json").write_text("{}")
    assert not ws.changed()


def test_the_fingerprint_follows_the_files(tmp_path: Path) -> None:
    """Equal files have an equal fingerprint; any change gives another one."""
    root = small(tmp_path)
    settle(root)
    first = open_workspace(root, cache=False).fingerprint
    assert open_workspace(root).fingerprint == first == open_workspace(root).fingerprint
    time.sleep(0.01)
    (root / "w/iteration-1/eval-1/with_skill/timing.json").write_text(json.dumps({"a": 1}))
    assert open_workspace(root).fingerprint != first


def test_real_workspaces_open(realworld: Path) -> None:
    """Other people's folders open with rows and without a fault of ours."""
    ws = open_workspace(realworld, cache=False)
    assert len(ws.tables.runs) > 700
    assert len(ws.tables.judgments) > 3500
    errors = [problem for problem in ws.problems if problem.severity == "error"]
    assert len(errors) < 20


def test_scores_in_a_form_of_their_own_are_named(tmp_path: Path) -> None:
    """A list of runs with scores that no family reads is a problem, not silence."""
    scores = {"version": "1.0", "runs": [{"name": "axios-1", "score": 71.5}]}
    write(tmp_path, {"results/harness-scores.json": scores, "package.json": {"scores": [1, 2]}})
    found = [(problem.path, problem.code) for problem in open_workspace(tmp_path).problems]
    assert found == [("results/harness-scores.json", "scores-unread")]
