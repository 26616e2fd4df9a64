"""Whatever an executor or the machine does, each case has its status and a run can be resumed."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evalcore.engine.executing.command import MAX_OUTPUT
from evalcore.engine.journal import Begun, events
from evalcore.engine.plan import Executor, Template
from evalcore.engine.process import start, work
from evalcore.engine.progress import RunProgress
from evalcore.engine.store import RunFolder, run_folder
from evalcore.sandbox.bubblewrap import missing
from tests.engine.conftest import Made, fake, planned, ran
from tests.sandbox.running import survivors

SMALL = "size=1200k"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a small disk of its own; only root can make one."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", SMALL, "none", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here; it takes root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def _enlarge(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)


def _one(folder: RunFolder) -> RunProgress:
    (one,) = folder.progress().runs
    return one


def _why(one: RunProgress) -> str:
    assert one.execution is not None
    return one.execution.why


def _wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def _in_work(folder: RunFolder) -> int:
    return sum(one.is_in_work for one in folder.progress().runs)


@pytest.mark.parametrize(
    ("prompt", "status", "why"),
    [
        ("exit=1", "error", "code 1"),
        ("refused=Error:_429_Too_Many_Requests", "rate_limited", "429 Too Many Requests"),
        ("refused=You've_hit_your_usage_limit.", "rate_limited", "usage limit"),
        ("refused=Line_4290_is_wrong.", "error", "4290"),
        ("note429=rate_limit", "completed", ""),
        ("crash", "error", "signal 11"),
        ("wait=60", "timeout", "did not end within 1 s"),
        ("deaf wait=60", "timeout", "did not end within 1 s"),
        ("bytes", "completed", ""),
    ],
)
@pytest.mark.parametrize("sees", [False, True], ids=["hidden", "plain"])
def test_each_end_of_an_executor_has_its_status(
    made: Made, prompt: str, status: str, why: str, sees: bool
) -> None:
    """In a namespace of its own or not: the word is the same, and the reason is said."""
    seconds = 1.0 if status == "timeout" else 60.0
    folder = ran(made(prompt), fake(sees_workspace=sees), limits={"seconds": seconds})
    one = _one(folder)
    said = _why(one)
    # A namespace has an init, which says a signal as a code.
    as_code = prompt == "crash" and "code 139" in said
    assert (one.status, why in said or as_code) == (status, True)


@pytest.mark.parametrize("sees", [False, True], ids=["hidden", "plain"])
@pytest.mark.parametrize(("then", "status"), [("", "completed"), ("wait=60", "timeout")])
def test_a_process_left_behind_ends_with_the_executor(
    made: Made, tmp_path: Path, sees: bool, then: str, status: str
) -> None:
    """Also one in a session of its own, after a success as after a timeout."""
    beats = tmp_path / "beats"
    folder = ran(
        made(f"daemon={beats} wait=0.3 {then}"),
        fake(sees_workspace=sees),
        limits={"seconds": 3.0},
    )
    assert beats.stat().st_size > 0
    assert survivors(str(beats)) == []
    assert _one(folder).status == status


def test_a_gigabyte_of_output_is_cut_and_the_executor_ended(made: Made) -> None:
    """It is a failure of the version, and what is kept stays small."""
    folder = ran(made("torrent=1000000000"), limits={"seconds": 60.0})
    one = _one(folder)
    assert (one.status, "more than 64 MiB" in _why(one)) == ("length_cut", True)
    assert sum(path.stat().st_size for path in folder.path.rglob("*") if path.is_file()) < 100_000


def test_much_output_is_kept_up_to_its_bound(made: Made) -> None:
    """What is longer is cut, and the transcript says so."""
    root = made("torrent=20000000")
    ran(root, limits={"seconds": 60.0})
    (transcript,) = root.rglob("transcript.md")
    assert MAX_OUTPUT < transcript.stat().st_size < MAX_OUTPUT + 200
    assert "is cut here" in transcript.read_text()


def test_a_prompt_of_a_megabyte_arrives_whole(made: Made) -> None:
    """On standard input there is no limit to it."""
    prompt = "count=out.txt " + "x" * 1_000_000
    root = made(prompt)
    ran(root)
    (found,) = root.rglob("out.txt")
    assert found.read_text() == f"{len(prompt)} done"


def test_a_prompt_that_is_too_long_for_a_command_line_is_said(made: Made) -> None:
    """Nothing was run then, and that is what the status says."""
    template = Template(command=("echo", "{prompt}"))
    folder = ran(made("x" * 1_000_000), Executor("echo", "command", template, "yours"))
    one = _one(folder)
    assert (one.status, "Argument list too long" in _why(one)) == ("not_run", True)


@pytest.mark.parametrize("kind", ["missing", "not executable", "a folder"])
def test_a_command_that_cannot_be_run_is_not_run(made: Made, tmp_path: Path, kind: str) -> None:
    """It is no failure of the version: nothing is written, and the reason names the program."""
    program = tmp_path / "agent"
    if kind == "a folder":
        program.mkdir()
    elif kind == "not executable":
        program.write_text("#!/bin/sh\n")
    root = made("x")
    folder = ran(root, Executor("own", "command", Template((str(program),)), "yours"))
    one = _one(folder)
    assert (one.status, str(program) in _why(one)) == ("not_run", True)
    assert not list(root.rglob("iteration-*"))


def test_what_an_executor_writes_into_the_folder_or_the_runs_is_lost(made: Made) -> None:
    """Both are hidden from it: what it finds there is an empty place of its own."""
    if reason := missing():
        pytest.skip(reason)
    root = made("x")
    state = Path(os.environ["EVALCORE_STATE_DIR"]) / "runs"
    made(f"write={root}/leak.txt write={root}/writer/SKILL.md write={state}/leak.txt")
    folder = ran(root)
    assert not list(root.rglob("leak.txt"))
    assert not list(state.rglob("leak.txt"))
    assert "Write." in (root / "writer/SKILL.md").read_text()
    assert _one(folder).status == "error"  # the skill's folder is not there for it


def test_a_program_of_the_user_may_write_where_the_user_may(made: Made, tmp_path: Path) -> None:
    """Hiding keeps answers from it; it is no sandbox, which only a workspace's own commands get."""
    ran(made(f"write={tmp_path}/elsewhere.txt"))
    assert (tmp_path / "elsewhere.txt").exists()


def test_cancelling_now_ends_what_is_in_work(made: Made, tmp_path: Path) -> None:
    """Its cases are cancelled, no process of them is left, and resuming executes them."""
    flags = [tmp_path / f"flag-{number}" for number in range(2)]
    folder = planned(made(*(f"deaf wait_once={flag}" for flag in flags), "write=a.txt"))
    start(folder)
    _wait(lambda: all(flag.exists() for flag in flags))
    folder.ask_to_stop("now")
    _wait(lambda: not folder.is_worked_on())
    found = folder.progress()
    assert folder.state(found) == "cancelled"
    assert [one.status for one in found.runs] == ["cancelled", "cancelled", "pending"]
    assert survivors(str(folder.path)) == []
    start(folder)
    _wait(lambda: not folder.is_worked_on())
    found = run_folder(folder.id).progress()
    assert [one.status for one in found.runs] == ["completed"] * 3
    assert [one.attempts for one in found.runs] == [2, 2, 1]


def test_resuming_ends_what_a_killed_process_left(made: Made, tmp_path: Path) -> None:
    """Nothing of the earlier try works on beside the one that repeats its case."""
    beats, flag = tmp_path / "beats", tmp_path / "flag"
    prompt = f"alone={beats} daemon={beats} wait_once={flag}"
    # Plain: bubblewrap would end its own by itself.
    folder = planned(made(prompt), fake(sees_workspace=True))
    start(folder)
    _wait(lambda: flag.exists() and beats.exists())
    (pid,) = (each.pid for each in events(folder.path) if isinstance(each, Begun))
    os.kill(pid, signal.SIGKILL)
    _wait(lambda: not folder.is_worked_on())
    assert len(survivors(str(beats))) == 1
    start(folder)
    _wait(lambda: not folder.is_worked_on())
    assert (_one(folder).status, _one(folder).attempts) == ("completed", 2)
    assert survivors(str(beats)) == []


def test_cancelling_gently_lets_what_is_in_work_finish(made: Made) -> None:
    """Nothing more is handed out, and nothing is lost of what was."""
    folder = planned(made(*["wait=1"] * 4))
    start(folder)
    _wait(lambda: _in_work(folder) == 2)
    folder.ask_to_stop("gently")
    _wait(lambda: not folder.is_worked_on())
    found = folder.progress()
    assert folder.state(found) == "cancelled"
    assert [one.status for one in found.runs] == ["completed"] * 2 + ["pending"] * 2


def test_a_full_disk_of_the_folder_keeps_what_is_there(
    made: Made, disk: Path, tmp_path: Path
) -> None:
    """The run stops as interrupted, keeps what was executed, and writes it once there is room."""
    note = tmp_path / "calls"
    root = _on(disk, made(*[f"note={note} flood=150000 write=a.txt"] * 20))
    old = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    folder = ran(root)
    found = folder.progress()
    failed = [one.failed for one in found.runs if one.failed]
    assert 0 < len(failed) < 20
    assert all("the disk is full" in why for why in (*failed, found.why))
    assert folder.state(found) == "interrupted"
    assert 0 < found.done <= note.read_text().count("started") - len(failed) < 20
    _whole(root, old)
    _enlarge(disk)
    work(folder.id)
    assert folder.progress().done == 20
    assert note.read_text().count("started") == 20
    _whole(root, old)


def test_a_full_disk_of_the_journal_is_resumed(
    made: Made, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends or its cases fail with that reason; no journaled one is executed again."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(disk / "state"))
    notes = [tmp_path / f"calls-{number}" for number in range(20)]
    root = made(
        *(f"note={note} flood=150000" for note in notes), expectations=["Nobody can decide this."]
    )
    old = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    folder = planned(root)
    start(folder)
    _wait(lambda: not folder.is_worked_on())
    found = folder.progress()
    assert folder.state(found) == "interrupted"
    done = [one.is_done for one in found.runs]
    whys = {_why(one) for one in found.runs if one.execution and one.status == "error"}
    assert 0 < sum(done) < 20
    assert all("No space left" in why for why in whys)
    before = [note.read_text() if note.exists() else "" for note in notes]
    _whole(root, old)
    _enlarge(disk)
    work(folder.id)
    assert folder.progress().done == 20
    again = [note.read_text() for note in notes]
    assert [now for now, is_done in zip(again, done, strict=True) if is_done] == [
        then for then, is_done in zip(before, done, strict=True) if is_done
    ]
    _whole(root, old)


def _on(disk: Path, root: Path) -> Path:
    """Move a folder to a disk."""
    root.rename(disk / "folder") if root.stat().st_dev == disk.stat().st_dev else (
        subprocess.run(["cp", "-r", str(root), str(disk / "folder")], check=True)
    )
    return disk / "folder"


def _whole(root: Path, old: dict[Path, bytes]) -> None:
    """Check that no document is cut off, and that those that were there are as they were."""
    for path in root.rglob("*.json"):
        if ".tmp" not in path.parts:
            json.loads(path.read_bytes())
    assert {path: path.read_bytes() for path in old} == old
