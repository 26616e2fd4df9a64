"""A hostile file is one problem, hides nothing else, costs little, and leads nowhere outside."""

import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.disk.head import read_head
from evalcore.errors import EvalcoreError
from evalcore.lint import check
from evalcore.views.files.outputs import MAX_TEXT, content
from evalcore.views.files.source_excerpt import source_excerpt
from tests.bounded import bounded
from tests.families.build import write
from tests.families.descriptions_documents import grading as descriptions_grading
from tests.families.improve_documents import grading as improve_grading
from tests.families.iterations_documents import grading as iterations_grading
from tests.workspace.hostile import (
    IMPROVE,
    KINDS,
    NEEDS_A_USER,
    PLACES,
    RECORDS,
    THOROUGH,
    VALUES,
    sound,
)
from tests.workspace.trees import everything, settle

NO_FILE = {"unreadable", "link-not-followed", "folder-named-like-a-file"}
"""What is said of something that is no file, or no readable one, wherever it lies."""

BY_CONTENT = {"activation loop"}
"""A place of which neither the name nor the folder says what belongs there."""

# What is said about a value that is read, but means nothing: not about the file as a file.
Judged = set[tuple[Any, ...]]


@pytest.fixture(autouse=True)
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for each test, and a file beside the workspace."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOSTILE_OUTSIDE", str(tmp_path / "outside.json"))


def judged(ws: Workspace, but: str = "") -> Judged:
    """What was judged in all files but one."""
    found = ws.tables.judgments[["source", "pointer", "score", "status"]].astype(str)
    return {row for row in found.itertuples(index=False, name=None) if row[0] != but}


def said(ws: Workspace) -> list[Any]:
    """What an opening found, in short."""
    return [
        ws.problems,
        sorted(judged(ws)),
        ws.unrecognised,
        sorted(map(tuple, ws.tables.documents.astype(str).values.tolist())),
    ]


def look_at(ws: Workspace, path: str) -> None:
    """Look at a file in each way in which a person can."""
    with suppress(EvalcoreError):
        ws.raw(path)
    source_excerpt(ws, path)
    with suppress(OSError, EvalcoreError):
        shown = content(path, read_head(ws.root, path, MAX_TEXT))
        assert "SECRET" not in (shown.text or "")
    assert "SECRET" not in "".join(ws.tables.text("judgments")["rationale"].dropna())


@cache
def judged_beside(place: str) -> Judged:
    """What is judged in the sound workspace of a place, in all files but the one at the place."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = sound(root, place).relative_to(root).as_posix()
        return judged(open_workspace(root, cache=False), but=path)


def lost(ws: Workspace, path: str, place: str) -> Judged:
    """What was judged beside a file and is not found as it was.

    People's scores of a run that cannot be read are kept, and count for nothing.
    """
    found = judged(ws, but=path)
    if place == "record of a run":
        found |= {(*row[:3], "scored") for row in found if row[3] == "unattached"}
    return judged_beside(place) - found


@pytest.mark.parametrize("place", PLACES)
def test_a_hostile_file_is_one_problem(
    tmp_path: Path, place: str, subtests: pytest.Subtests
) -> None:
    """Opened anew and from the index, checked and looked at: one problem, all else is there."""
    for number, kind in enumerate(KINDS):
        if kind in NEEDS_A_USER and os.geteuid() == 0:  # root may read everything
            continue
        with subtests.test(kind):
            _is_one_problem(tmp_path / f"root-{number}", place, kind)


def _is_one_problem(root: Path, place: str, kind: str) -> None:
    file = sound(root, place)
    path = file.relative_to(root).as_posix()
    KINDS[kind].make(file)
    settle(root)
    thorough = kind in THOROUGH or place == "improve grading"
    with bounded():
        ws = open_workspace(root, cache=thorough)
    about = [problem for problem in ws.problems if problem.path == path]
    codes = KINDS[kind].codes
    elsewhere = place == "any JSON file" and codes.isdisjoint(NO_FILE)
    if elsewhere or (place in BY_CONTENT and {problem.code for problem in about} == {"left-alone"}):
        assert {(problem.severity, problem.code) for problem in about} <= {("info", "left-alone")}
    elif None in codes:
        assert {problem.severity for problem in about} <= {"info", "warning"}
    elif codes == {"not-strict-json"}:
        assert [problem.code for problem in about].count("not-strict-json") == 1
    else:
        assert [problem.code for problem in about if problem.code in codes] == list(codes)
        assert [problem.code for problem in about if problem.code not in codes] == []
    assert lost(ws, path, place) == set()
    if thorough:
        assert said(open_workspace(root)) == said(ws)
        look_at(ws, path)
        assert {problem[:5] for problem in ws.problems} <= {found[:5] for found in check(ws)}


@pytest.mark.parametrize("place", PLACES)
def test_any_value_is_no_reason_to_fail(tmp_path: Path, place: str) -> None:
    """JSON that is no document hides nothing and costs nothing."""
    root = tmp_path / "root"
    file = sound(root, place)
    path = file.relative_to(root).as_posix()
    for value in VALUES:
        file.write_text(value)
        ws = open_workspace(root, cache=False)
        assert lost(ws, path, place) == set()
        look_at(ws, path)
        check(ws)


NAMES = (
    "case:01",
    "a\nb",
    "\u202ejson.x",
    "\u200b",
    "x" * 230,
    "²",
    "１２",
    "a b ",
    "%2F",
    "-",
    "'\"`;--",
    "$(touch pwned)",
    "<b>",
    "\x1b[31m",
    "\\",
    "é",
    "e\u0301",
    "🙂",
    "0" * 200,
    "9" * 200,
    "::@#",
    "9223372036854775808",
    "1e400",
    "nan",
    ".",
    "...",
    "~",
    "a..b",
    "con",
)


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_a_name(tmp_path: Path, name: str) -> None:
    """Colons, line breaks, marks that turn the text, digits of any script, 255 bytes."""
    root = tmp_path / "root"
    grade, run, rated = improve_grading(), iterations_grading(), descriptions_grading()
    tree = {
        f"w-workspace/grading/{name}_v0_run1.json": grade,
        f"w-workspace/grading/a_v{name}_run1.json": grade,
        f"w-workspace/grading/a_v0_run{name}.json": grade,
        f"v{name}/skill/evals/evals.json": {"cases": []},
        f"i/iteration-{name}/eval-1/with_skill/grading.json": run,
        f"i/iteration-1{name}/eval-1/with_skill/grading.json": run,
        f"i/iteration-1/eval-{name}/with_skill/grading.json": run,
        f"i/iteration-1/eval-2/c{name}/run-{name}/grading.json": run,
        f"d/eval/runs/r{name}/grading/c{name}.json": rated,
        f"s/test-case/{name}.json": {"id": name, "type": "test-case", "fields": {"name": name}},
        "i/iteration-1/eval-1/with_skill/grading.json": run,
    }
    for path, value in tree.items():
        if max(len(part.encode()) for part in path.split("/")) <= 255:
            write(root, {path: value})
    settle(root)
    ws = open_workspace(root)
    assert "i/iteration-1/eval-1/with_skill/grading.json" in set(ws.tables.runs["source"])
    assert {row[0] for row in judged(ws)} >= {
        path for path in tree if path.startswith("i/") and (root / path).exists()
    }
    assert everything(open_workspace(root)) == everything(ws)
    check(ws)
    for path in ws.tables.documents["path"]:
        look_at(ws, path)


def test_a_name_that_is_no_text_hides_only_itself(tmp_path: Path) -> None:
    """Bytes that are not UTF-8, in the name of a file or of a folder above one."""
    root = write(tmp_path / "root", IMPROVE)
    before = judged(open_workspace(root, cache=False))
    for name in (b"grading/\xff_v0_run1.json", b"\xff/grading.json"):
        path = os.path.join(os.fsencode(root), b"deploy-workspace", name)  # noqa: PTH118 - bytes
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - bytes
        Path(os.fsdecode(path)).write_text("{}")
    settle(root)
    ws = open_workspace(root)
    assert judged(ws) == before
    codes = [problem.code for problem in ws.problems if "udcff" in problem.path]
    assert codes == ["unreadable", "unreadable"]
    assert said(open_workspace(root)) == said(ws)
    check(ws)


def test_folders_within_folders(tmp_path: Path) -> None:
    """A document that lies too many folders deep is one problem; so is a path that is too long."""
    root = write(tmp_path / "root", IMPROVE)
    before = judged(open_workspace(root, cache=False))
    write(root, {"/".join(["d"] * 100) + "/history.json": {}})
    here = Path.cwd()
    os.chdir(root)
    for _ in range(30):
        Path("n" * 250).mkdir()
        os.chdir("n" * 250)
    os.chdir(here)
    ws = open_workspace(root)
    assert judged(ws) == before
    assert [problem.code for problem in ws.problems if problem.code == "unreadable"] == [
        "unreadable",
        "unreadable",
    ]


def test_a_hostile_line_hides_no_other(tmp_path: Path) -> None:
    """Each line of a file of records stands alone."""
    lines = [json.dumps(value).encode() for value in RECORDS.values()]
    bad = [b"{", b"\xff", b"[" * 5000 + b"]" * 5000, b"nope", b'{"a": NaN}', b"\0", b"5", b"[]"]
    root = write(tmp_path / "root", {"store/all.jsonl": ""})
    (root / "store/all.jsonl").write_bytes(b"\n".join(lines))
    before = {row[2] for row in judged(open_workspace(root, cache=False))}
    (root / "store/all.jsonl").write_bytes(b"\r\n".join([*bad, *lines, b'{"id": "x'][:-1] + bad))
    ws = open_workspace(root, cache=False)
    assert {row[2] for row in judged(ws)} == before
    found = {(problem.pointer, problem.code) for problem in ws.problems}
    last = len(bad) + len(lines)
    for at in (0, last):
        assert found >= {
            (f"/{at}", "invalid-json"),
            (f"/{at + 1}", "not-utf8"),
            (f"/{at + 2}", "too-deep"),
            (f"/{at + 3}", "invalid-json"),
            (f"/{at + 4}", "not-strict-json"),
        }


def test_a_document_of_faults_does_not_flood_the_list(tmp_path: Path) -> None:
    """A million wrong items are a bounded number of problems in bounded time."""
    root = write(tmp_path / "root", IMPROVE)
    grade = '{"case_id": "case-01", "version": 0, "run": 2, "results": [%s]}' % (
        "7," * 900_000 + "7"
    )
    (root / "deploy-workspace/grading/case-01_v0_run2.json").write_text(grade)
    with bounded():
        ws = open_workspace(root, cache=False)
    assert len(ws.problems) < 1000
    assert len(ws.tables.judgments) >= 2
