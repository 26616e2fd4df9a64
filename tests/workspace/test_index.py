"""The index: a second open parses nothing, and is never wrong."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import Workspace, open_workspace
from evalcore.disk.files import Files
from evalcore.tables import store
from evalcore.tables.spool import SpoolFailed
from evalcore.workspace import index, opened
from evalcore.workspace.digests import with_digest
from tests.workspace.trees import FAMILIES, SEEDS, everything, in_any_order, settle, small

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small workspace whose files are old."""
    folder = small(tmp_path / "root")
    settle(folder)
    return folder


@contextmanager
def nothing_may_be_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every reading of a workspace's file fail."""

    def refuse(*_: object) -> bytes:
        raise AssertionError("a file was read")

    with monkeypatch.context() as patch:
        patch.setattr(Files, "read", refuse)
        patch.setattr(opened, "read_all", refuse)
        yield


def test_a_second_open_parses_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unchanged files are not read again, and the tables are the same."""
    first = everything(open_workspace(root))
    with nothing_may_be_read(monkeypatch):
        again = open_workspace(root)
        assert (again.from_index, everything(again)) == (True, first)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_indexed_open_equals_a_fresh_one(tmp_path: Path, family: str) -> None:
    """Tables, texts, problems and unrecognised files of every family come back as they were."""
    shutil.copytree(SEEDS / family, tmp_path, dirs_exist_ok=True)
    settle(tmp_path)
    fresh = open_workspace(tmp_path, cache=False)
    made, indexed = open_workspace(tmp_path), open_workspace(tmp_path)
    assert (made.from_index, indexed.from_index) == (False, True)
    assert everything(fresh) == everything(made) == everything(indexed)
    assert fresh.fingerprint == made.fingerprint == indexed.fingerprint


def test_without_cache_nothing_is_written(root: Path, cache: Path) -> None:
    """`cache=False` neither reads nor writes an index."""
    open_workspace(root, cache=False)
    assert list(cache.iterdir()) == []


def test_young_files_are_not_trusted(tmp_path: Path) -> None:
    """A file written within the last seconds may change again in the same tick of its clock."""
    root = small(tmp_path / "root")
    open_workspace(root)
    assert not open_workspace(root).from_index


def test_a_rewrite_of_the_same_size_is_seen(root: Path) -> None:
    """Within the racy window, size and time may stay the same; the content is read again."""
    path = root / "w/iteration-1/eval-1/with_skill/grading.json"
    text = path.read_text()
    path.write_text(text)
    about = path.stat()
    assert open_workspace(root).tables.judgments["passed"].all()
    path.write_text(
        text.replace("true ", "false") if "true " in text else text.replace("true", "null")
    )
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert path.stat().st_size == about.st_size
    assert open_workspace(root).tables.judgments["passed"].isna().sum() == 1


def change(root: Path, pick: int, deed: str) -> None:
    """Do one thing to one of the files below a folder."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    path = files[pick % len(files)] if files else root / "first.json"
    if deed == "create" or not files:
        path.with_name(f"new-{pick}.json").write_text('{"rubric_scores": {}}')
    elif deed == "delete":
        path.unlink()
    elif deed == "rename":
        path.rename(path.with_name(f"moved-{pick}.json"))
    elif deed == "truncate":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif deed == "replace":
        other = files[(pick + 1) % len(files)]
        path.write_bytes(other.read_bytes())
    elif deed == "folder":
        (path.parent / f"folder-{pick}").mkdir(exist_ok=True)
    elif deed == "link":
        target = path.with_name(f"link-{pick}.json")
        if not target.is_symlink():
            target.symlink_to(path)


DEEDS = ("create", "delete", "rename", "truncate", "replace", "folder", "link", "nothing")
CHANGES = st.tuples(st.integers(0, 40), st.sampled_from(DEEDS), st.booleans())


@settings(max_examples=15)
@given(st.sampled_from(FAMILIES), st.lists(CHANGES, max_size=4))
def test_after_any_changes_the_index_is_right(
    family: str, deeds: list[tuple[int, str, bool]]
) -> None:
    """Whatever is done to the files, young or old, an indexed open equals a fresh one."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        shutil.copytree(SEEDS / family, root)
        settle(root)
        open_workspace(root)
        for pick, deed, old in deeds:
            change(root, pick, deed)
            assert same(open_workspace(root), open_workspace(root, cache=False))
            if old:
                settle(root)
        assert same(open_workspace(root), open_workspace(root, cache=False))


def same(one: Workspace, two: Workspace) -> bool:
    """Say whether two openings say the same, in whatever order."""
    return in_any_order(one) == in_any_order(two)


def test_a_version_kept_beside_the_documents_is_watched(tmp_path: Path) -> None:
    """The content of `vN/skill` is no document, but its digest is a column: a change is seen."""
    shutil.copytree(SEEDS / "improve", tmp_path, dirs_exist_ok=True)
    settle(tmp_path)
    before = open_workspace(tmp_path).tables.versions["content_hash"].tolist()
    assert open_workspace(tmp_path).from_index
    skill = next(tmp_path.rglob("v0/skill"))
    (skill / "MORE.md").write_text("more")
    settle(skill)
    os.utime(skill, ns=(1_600_000_001_000_000_000, 1_600_000_001_000_000_000))
    assert open_workspace(tmp_path).tables.versions["content_hash"].tolist() != before


def index_of(root: Path) -> Path:
    """The folder of a workspace's index."""
    return index.folder_of(root)


@pytest.mark.parametrize("name", ["about", *index.Manifest._fields[:-1], "columns"])
@pytest.mark.parametrize("damage", ["gone", "empty", "half", "other", "bit"])
def test_a_damaged_index_is_ignored(root: Path, name: str, damage: str) -> None:
    """An index that is not whole is as good as none, and is made anew."""
    first = everything(open_workspace(root))
    path = index_of(root) / name
    data = path.read_bytes()
    path.unlink()
    made = {
        "empty": b"",
        "half": data[: len(data) // 2],
        "other": b"[1, 2]" + data[6:],
        "bit": data[:-1] + bytes([data[-1] ^ 4]) if data else b"x",
    }
    if damage in made:
        path.write_bytes(made[damage])
    again = open_workspace(root)
    assert (everything(again), again.from_index) == (first, made.get(damage) == data)
    again = open_workspace(root)
    assert (everything(again), again.from_index) == (first, True)


@pytest.mark.parametrize("about", [[], {}, {"schema": "x"}, None])
def test_an_index_of_another_make_is_ignored(root: Path, about: Any) -> None:
    """Another version's index, or something else in its place, is read anew."""
    open_workspace(root)
    (index_of(root) / "about").write_bytes(with_digest(orjson.dumps(about)))
    assert not open_workspace(root).from_index
    assert open_workspace(root).from_index


def test_an_index_of_another_folder_is_ignored(root: Path, tmp_path: Path) -> None:
    """An index is of one folder alone, though another has files of the same names and times."""
    other = shutil.copytree(root, tmp_path / "other")
    for path in other.rglob("grading.json"):
        path.write_text(path.read_text("utf-8").replace("well", "ill!"), "utf-8")
    settle(other)
    first = everything(open_workspace(root))
    open_workspace(other)
    shutil.rmtree(index_of(root))
    shutil.copytree(index_of(other), index_of(root))
    again = open_workspace(root)
    assert (everything(again), again.from_index) == (first, False)


def test_an_index_of_another_user_is_ignored(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody else put there is not read, in a cache that several may write."""
    open_workspace(root)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not open_workspace(root).from_index


def test_another_code_makes_another_index(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What reads the files is part of what an index stands for."""
    open_workspace(root)
    monkeypatch.setattr(index, "schema", lambda: "newer")
    assert not open_workspace(root).from_index


def test_all_code_that_reads_is_told_apart() -> None:
    """What the parts import is a part too, but for what decides how documents are written."""
    package = Path(index.__file__).parent.parent
    imported = {
        found
        for part in index.READING
        for path in (package / part).rglob("*.py")
        for found in re.findall(r"^ *from evalcore\.(\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    folders = {name for name in imported if (package / name).is_dir()}
    assert folders - {"proposals"} == set(index.READING)


def test_a_cache_that_cannot_be_written_is_done_without(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only or impossible cache folder costs time and nothing else."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "cache", Path("/proc/evalcore")):
        monkeypatch.setenv("EVALCORE_CACHE_DIR", str(folder))
        assert len(open_workspace(root).tables.runs) == 2


def test_a_disk_that_is_full_is_done_without(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the index cannot be finished the files are read without one, and nothing is left."""

    def full(*_: object) -> None:
        raise SpoolFailed("full")

    monkeypatch.setattr(store, "write", full)
    assert len(open_workspace(root).tables.runs) == 2
    assert list((cache / "index").iterdir()) == []


def test_the_index_is_private_and_lies_outside(root: Path, cache: Path) -> None:
    """What evaluations say is readable by its owner alone, and never beside them."""
    open_workspace(root)
    assert index_of(root).stat().st_mode & 0o077 == 0
    assert index_of(root).is_relative_to(cache)
    assert [path.name for path in (cache / "index").iterdir()] == [index_of(root).name]


def test_what_a_stopped_process_left_is_swept(root: Path, cache: Path) -> None:
    """An index in the making that nobody finishes is removed after a day."""
    left = cache / "index" / "new-left"
    left.mkdir(parents=True)
    young = cache / "index" / "new-young"
    young.mkdir()
    settle(left)
    open_workspace(root)
    assert (left.exists(), young.exists()) == (False, True)


def test_a_replaced_index_stays_readable(root: Path) -> None:
    """A snapshot keeps its tables when another process writes a newer index."""
    open_workspace(root)
    held = open_workspace(root)
    (root / "w/iteration-1/eval-1/with_skill/grading.json").write_text('{"expectations": []}')
    open_workspace(root)
    assert len(held.tables.judgments) == 2
    assert held.tables.text("judgments")["evidence"].tolist() == ["log", "log"]


def test_processes_open_at_once(root: Path, cache: Path) -> None:
    """Several processes that open a new folder together all read it whole."""
    code = (
        "import sys, evalcore; ws = evalcore.open_workspace(sys.argv[1]); "
        "print(len(ws.tables.runs), len(ws.tables.judgments))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(root)], cwd=ROOT, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    assert {process.communicate()[0] for process in started} == {b"2 2\n"}
    assert open_workspace(root).from_index
    assert [path.name for path in (cache / "index").iterdir()] == [index_of(root).name]
