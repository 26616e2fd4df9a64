"""Who looks at a run sees how it is, and never disturbs it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.engine.journal import Begun, Executed, Started
from evalcore.engine.process import start, work
from evalcore.engine.progress import progress_of
from evalcore.engine.store import RunFolder, run_folder
from evalcore.errors import CannotRun
from evalcore.families.running import Execution
from tests.engine.conftest import Made, fake, fake_json, planned, ran

READER = """
import sys
from evalcore.engine.store import run_folder
folder, seen = run_folder(sys.argv[1]), []
while not (seen and seen[-1] in ("finished", "interrupted", "cancelled")):
    found = folder.progress()
    state = folder.state(found)
    if not seen or seen[-1] != state:
        seen.append(state)
        print("ready" if len(seen) == 1 else "", flush=True)
print(" ".join(seen), found.done)
"""


def _until(folder: RunFolder, *, done: int) -> None:
    """Wait until so many test runs are written and another one is in work."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = folder.progress()
        if found.done >= done and any(one.is_in_work for one in found.runs):
            return
        time.sleep(0.02)
    raise AssertionError((folder.path / "log.txt").read_text())


def _ended(folder: RunFolder) -> None:
    end = time.monotonic() + 60
    while folder.is_worked_on() and time.monotonic() < end:
        time.sleep(0.02)


def _killed(folder: RunFolder) -> None:
    (*_, begun) = (event for event in folder.progress().log if isinstance(event, Begun))
    os.kill(begun.pid, signal.SIGKILL)
    _ended(folder)


@pytest.fixture
def readers() -> Iterator[list["subprocess.Popen[str]"]]:
    """Keep processes that read, and end them."""
    found: list[subprocess.Popen[str]] = []
    yield found
    for each in found:
        each.kill()
        each.communicate()


def test_two_processes_follow_a_run(made: Made, readers: list["subprocess.Popen[str]"]) -> None:
    """Both see it planned, running and finished, never interrupted, while it is not disturbed."""
    folder = planned(made(*["wait=0.1"] * 6))
    for _ in range(2):
        command = [sys.executable, "-c", READER, folder.id]
        readers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    for each in readers:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    time.sleep(0.2)
    start(folder)
    said = [each.communicate(timeout=60)[0].strip() for each in readers]
    assert said == ["planned running finished 6"] * 2


def test_a_started_run_is_worked_on_at_once(made: Made) -> None:
    """Nobody can start it again in the moment that its process needs to begin."""
    folder = planned(made("wait=4"))
    start(folder)
    assert (folder.is_worked_on(), folder.state()) == (True, "running")
    with pytest.raises(CannotRun, match="in progress already"):
        start(folder)
    _ended(folder)
    assert folder.state() == "finished"


def test_a_resumed_run_is_worked_on_at_once(made: Made) -> None:
    """The journal says for a moment longer that it was stopped."""
    folder = planned(made("wait=4"))
    start(folder)
    folder.ask_to_stop("now")
    _ended(folder)
    assert folder.state() == "cancelled"
    start(folder)
    assert folder.state() == "running"
    folder.ask_to_stop("now")
    _ended(folder)
    assert folder.state() == "cancelled"


def test_who_looks_at_a_run_keeps_nobody_from_it(made: Made) -> None:
    """Looking takes the lock for a moment, which a starting process waits for."""
    folder = planned(made("write=a.txt"))
    looking = "import sys\nfrom evalcore.engine.store import run_folder\n"
    looking += "folder = run_folder(sys.argv[1])\nprint('ready', flush=True)\n"
    looking += "while True: folder.is_worked_on()"
    command = [sys.executable, "-c", looking, folder.id]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        try:
            for _ in range(50):
                with folder.lock():
                    pass
        finally:
            reader.kill()


def test_what_a_killed_process_had_in_work_is_interrupted(made: Made) -> None:
    """What it had not begun is pending, and what it journaled is kept; it can be resumed."""
    folder = planned(made("write=a.txt", "wait=30", "write=a.txt"), limits={"concurrency": 1})
    start(folder)
    _until(folder, done=1)
    assert [one.status for one in folder.progress().runs] == ["completed", "pending", "pending"]
    _killed(folder)
    found = folder.progress()
    assert folder.state(found) == "interrupted"
    assert [one.status for one in found.runs] == ["completed", "interrupted", "pending"]


def test_a_run_outlives_the_process_that_started_it(made: Made, tmp_path: Path) -> None:
    """A server that is killed, or the terminal that is closed, takes nothing with it."""
    folder = planned(made(*["wait=0.2"] * 4), limits={"concurrency": 1})
    code = (
        "import sys, time\nfrom evalcore.engine.process import start\n"
        "from evalcore.engine.store import run_folder\nstart(run_folder(sys.argv[1]))\n"
        "print('started', flush=True)\ntime.sleep(60)"
    )
    command = [sys.executable, "-c", code, folder.id]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        _until(folder, done=0)
        os.killpg(server.pid, signal.SIGKILL)
    assert folder.state() == "running"
    _ended(folder)
    assert (folder.state(), folder.progress().done) == ("finished", 4)


def test_executors_of_a_killed_process_are_ended_by_the_next_one(
    made: Made, tmp_path: Path
) -> None:
    """Those that see the folder have no namespace to die with: two would work on one case."""
    beats, others = tmp_path / "beats", tmp_path / "tmp"
    others.mkdir()
    folder = planned(made(f"daemon={beats} wait=3"), fake(sees_workspace=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(others))
        patch.setattr("tempfile.tempdir", str(others))
        start(folder)
        while not beats.exists():
            time.sleep(0.02)
        _killed(folder)
        work(folder.id)
        assert list(others.iterdir()) == []
    size = beats.stat().st_size
    time.sleep(0.3)
    assert beats.stat().st_size == size
    assert folder.state() == "finished"


def test_a_result_that_was_not_journaled_is_not_executed_again(made: Made, tmp_path: Path) -> None:
    """It is kept on disk before the journal says so, and costs no further attempt."""
    note = tmp_path / "calls"
    root = made(f"note={note}", expectations=["Nobody can decide this by rules."])
    folder = ran(root)
    journal = folder.path / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:2]))  # begun, started
    work(folder.id)
    assert note.read_text() == "started\n"
    (one,) = folder.progress().runs
    assert (one.attempts, one.is_written) == (1, True)


def test_money_is_counted_once_for_each_try(made: Made) -> None:
    """A try that is reported again after a kill is none; one that failed has cost something."""
    folder = planned(made("write=a.txt"), fake_json())
    dear = Execution("error", tokens=10, cost_usd=1.0)
    done = Execution("completed", tokens=20, cost_usd=2.0)
    found = progress_of(
        folder.plan,
        [
            Begun("", 1),
            Started("", 0, 1),
            Executed("", 0, dear, 1),
            Started("", 0, 2),
            Executed("", 0, done, 2),
            Begun("", 2),
            Executed("", 0, done, 2),
        ],
    )
    assert (found.tokens, found.cost_usd, found.calls) == (30, 3.0, 2)


def test_a_failed_try_is_journaled_with_what_it_cost(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound counts it, also when the run is resumed."""
    monkeypatch.setattr("evalcore.engine.runner.FIRST_WAIT", 0.01)
    folder = ran(made("exit=3"), limits={"retries": 2})
    found = run_folder(folder.id).progress()
    assert sum(isinstance(event, Executed) for event in found.log) == 3
    assert found.calls == 3


def test_what_could_not_be_run_is_tried_again_when_resumed(made: Made, tmp_path: Path) -> None:
    """Its program may be installed by then; until that nothing of it is done."""
    program = tmp_path / "agent"
    executor = fake()
    assert executor.template is not None
    template = type(executor.template)(command=(str(program),))
    folder = ran(made("x"), type(executor)("own", "command", template, "yours"))
    (one,) = folder.progress().runs
    assert (one.status, one.is_done) == ("not_run", False)
    program.write_text("#!/bin/sh\necho done\n")
    program.chmod(0o755)
    work(folder.id)
    (one,) = folder.progress().runs
    assert (one.status, one.is_done) == ("completed", True)
