"""Files that change while they are read: no crash, nothing from outside, nothing torn is kept."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.workspace import opened
from evalcore.workspace.read import read_all
from tests.bounded import bounded
from tests.families.build import write
from tests.workspace.hostile import IMPROVE, ITERATIONS
from tests.workspace.trees import LONG_AGO, settle

# Another process that does to the named files whatever can be done to a file, without pause.
MUTATOR = """
import os, random, shutil, signal, sys
from pathlib import Path
ended = []
signal.signal(signal.SIGINT, lambda *_: ended.append(True))  # a step is never cut in the middle
started_by = os.getppid()
outside, seed, *paths = sys.argv[1:]
chance = random.Random(int(seed))
wholes = {path: Path(path).read_bytes() for path in paths}
print("ready", flush=True)
def clear(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)
def step(path, deed):
    whole = wholes[path]
    if deed == "pieces":
        clear(path)
        with open(path, "wb", buffering=0) as file:
            for at in range(0, len(whole), 97):
                file.write(whole[at:at + 97])
    elif deed == "overwrite" and os.path.isfile(path) and not os.path.islink(path):
        with open(path, "r+b", buffering=0) as file:
            file.write(whole[: len(whole) // 2])
            file.truncate()
            file.write(whole[len(whole) // 2 :])
    elif deed == "replace":
        Path(path + ".new").write_bytes(whole.replace(b"4", b"3"))
        if os.path.isdir(path) and not os.path.islink(path):
            clear(path)
        os.replace(path + ".new", path)
    elif deed == "cut" and os.path.isfile(path) and not os.path.islink(path):
        os.truncate(path, chance.randrange(len(whole)))
    elif deed in ("link", "delete", "pipe", "folder"):
        clear(path)
        if deed == "link":
            os.symlink(outside, path)
        elif deed == "pipe":
            os.mkfifo(path)
        elif deed == "folder":
            os.mkdir(path)
    elif deed == "move":
        folder = os.path.dirname(path)
        os.rename(folder, folder + ".away")
        os.rename(folder + ".away", folder)
while not ended and os.getppid() == started_by:  # nothing goes on when the tests were killed
    step(chance.choice(paths), chance.choice(
        "pieces overwrite replace cut link delete pipe folder move".split()))
for path, whole in wholes.items():
    clear(path)
    Path(path).write_bytes(whole)
"""


def everything(ws: Workspace) -> dict[str, list[str]]:
    """All rows of all tables in an order of their own, with their texts, and all problems."""
    found = {"problems": sorted(map(str, ws.problems)), "lost": sorted(ws.unrecognised)}
    for name in ws.tables.names:
        table = getattr(ws.tables, name).astype(str)
        if name == "judgments":
            table = table.join(ws.tables.text(name).astype(str))
        if name != "problems":
            found[name] = sorted(map(str, table.values.tolist()))
    return found


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own for each test."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))


@contextmanager
def changing(outside: Path, paths: list[Path], seed: int) -> Iterator[None]:
    """Let another process change files without pause; at the end each is whole again."""
    process = subprocess.Popen(
        [sys.executable, "-c", MUTATOR, str(outside), str(seed), *map(str, paths)],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    try:
        yield
    finally:
        process.send_signal(2)
        process.communicate(timeout=10)
        assert process.returncode == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_files_that_change_all_the_time(tmp_path: Path, seed: int) -> None:
    """Opened again and again meanwhile; afterwards the index says what the files say."""
    root = write(tmp_path / "root", {**IMPROVE, **ITERATIONS})
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps({"results": [{"criterion": "SECRET", "score": 5}]}))
    settle(root)
    paths = sorted(path for path in root.rglob("*.json") if "grading" in str(path))
    whole = everything(open_workspace(root))
    kept = root / "deploy/evals/evals.json"
    for _ in range(3):
        with changing(outside, paths, seed):
            end = time.monotonic() + 0.7
            while time.monotonic() < end:
                with bounded():
                    ws = open_workspace(root)
                assert "SECRET" not in str(everything(ws))
                assert str(kept.relative_to(root)) in set(ws.tables.documents["path"])
        assert everything(open_workspace(root)) == whole
    settle(root)
    assert everything(open_workspace(root)) == everything(open_workspace(root)) == whole


def meanwhile(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], object]) -> None:
    """Do something between the listing of the files and their reading, once."""

    def first(*given: Any) -> list[str]:
        monkeypatch.setattr(opened, "read_all", read_all)
        deed()
        return read_all(*given)

    monkeypatch.setattr(opened, "read_all", first)


def scores(ws: Workspace) -> dict[str, list[float]]:
    """The scores of each grading of the `improve` workspace."""
    table = ws.tables.judgments.query("kind == 'expectation'").astype({"source": str})
    names = table["source"].str[-9:-5]
    return {str(name): list(part["score"]) for name, part in table.groupby(names)}


def put(path: Path, kind: str) -> None:
    """Put something else in the place of a file."""
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a link out":
        path.symlink_to("/etc/hostname")


def change(path: Path, deed: str) -> None:
    """Do one thing to a file."""
    whole = path.read_bytes()
    if deed == "rewritten":
        path.write_bytes(whole.replace(b'"score": 4', b'"score": 3'))
    elif deed == "cut":
        path.write_bytes(whole[:100])
    elif deed == "grown":
        path.write_bytes(whole + b" " * 100_000)
    else:
        put(path, deed)


DEEDS = ("rewritten", "cut", "grown", "deleted", "a link out", "a pipe", "a folder")


@pytest.mark.parametrize("deed", DEEDS)
def test_what_changes_between_listing_and_reading_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    """The first opening takes what it finds; the index it leaves is not believed about it."""
    root = write(tmp_path / "root", IMPROVE)
    settle(root)
    path = root / "deploy-workspace/grading/case-01_v0_run2.json"
    whole = path.read_bytes()
    meanwhile(monkeypatch, lambda: change(path, deed))
    torn = open_workspace(root)
    assert scores(torn)["run1"] == [4.0, 5.0]
    assert everything(open_workspace(root)) == everything(open_workspace(root, cache=False))
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    path.write_bytes(whole)
    settle(root)
    os.utime(path, ns=(LONG_AGO, LONG_AGO + 1))
    assert scores(open_workspace(root)) == {"run1": [4.0, 5.0], "run2": [4.0, 5.0]}


def test_a_half_written_file_is_read_when_it_is_whole(tmp_path: Path) -> None:
    """It is said to be half-written, never that it is broken, and then it is there."""
    root = write(tmp_path / "root", IMPROVE)
    settle(root)
    path = root / "deploy-workspace/grading/case-01_v0_run2.json"
    whole = path.read_bytes()
    step = len(whole) // 12
    for size in range(0, len(whole), step):
        with path.open("wb") as file:
            file.write(whole[:size])
        ws = open_workspace(root)
        codes = [problem.code for problem in ws.problems if problem.path.endswith("run2.json")]
        assert codes == ["half-written" if size else "empty"]
    path.write_bytes(whole)
    ws = open_workspace(root)
    assert scores(ws) == {"run1": [4.0, 5.0], "run2": [4.0, 5.0]}
    assert [problem.code for problem in ws.problems if "run2" in problem.path] == []


def test_a_folder_that_vanishes_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its files is one problem; what lies elsewhere is there."""
    root = write(tmp_path / "root", {**IMPROVE, **ITERATIONS})
    meanwhile(monkeypatch, lambda: (root / "pdf-workspace").rename(tmp_path / "away"))
    ws = open_workspace(root)
    assert scores(ws) == {"run1": [4.0, 5.0], "run2": [4.0, 5.0]}
    lost = [problem.path for problem in ws.problems if problem.code == "unreadable"]
    assert set(lost) >= {path for path in ITERATIONS if path.endswith("/grading.json")}
    assert len(lost) == len(set(lost))


def test_a_folder_that_was_away_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be read is read at the next opening, though its size and time are the same."""
    root = write(tmp_path / "root", {**IMPROVE, **ITERATIONS})
    settle(root)
    whole = everything(open_workspace(root, cache=False))
    meanwhile(monkeypatch, lambda: (root / "pdf-workspace").rename(tmp_path / "away"))
    assert everything(open_workspace(root)) != whole
    (tmp_path / "away").rename(root / "pdf-workspace")
    assert everything(open_workspace(root)) == whole
    assert everything(open_workspace(root)) == whole
