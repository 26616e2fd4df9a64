"""A child process is run to its end, and leaves nothing behind."""

import os
import secrets
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evalcore.sandbox import orphans
from evalcore.sandbox.child import run
from evalcore.sandbox.pipes import MAX_FLOOD
from tests.sandbox.running import plain, python, survivors

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can find daemons")

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("daemon", flush=True)
        time.sleep(1000)
    os._exit(0)
os.wait()
if sys.argv[2:]:
    time.sleep(1000)
"""


def number() -> str:
    """Return a number that no other process has in its command line."""
    return str(secrets.randbelow(10**9) + 10**9)


def test_output_and_code_are_returned() -> None:
    """Both streams are kept apart, byte by byte."""
    ended = plain("sh", "-c", r"printf '\377out'; printf err >&2; exit 3")
    assert (ended.how, ended.code) == ("exited", 3)
    assert (ended.stdout, ended.stderr, ended.cut) == (b"\xffout", b"err", False)
    assert ended.why == "It ended with code 3."


def test_a_signal_is_a_negative_code() -> None:
    """A crash is told from an exit code."""
    ended = plain("sh", "-c", "kill -SEGV $$")
    assert (ended.how, ended.code) == ("exited", -signal.SIGSEGV)
    assert "signal 11" in ended.why


def test_input_of_any_size_is_given() -> None:
    """The child may answer before it has read everything."""
    data = os.urandom(3 * 1024 * 1024)
    assert plain("cat", stdin=data, max_output=len(data)).stdout == data


def test_a_child_that_reads_nothing_gets_its_input_thrown_away() -> None:
    """A closed input is no failure."""
    assert plain("true", stdin=b"x" * 1024 * 1024).code == 0


def test_without_input_it_reads_the_end() -> None:
    """A child never waits for the keyboard."""
    assert plain("cat").stdout == b""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["no-such-program"], "is not installed, or not on the PATH"),
        (["/no/such/program"], "There is no program"),
        (["/etc/passwd"], "is not a program that may be run"),
        (["/etc"], "is not a program that may be run"),
        ([], "is empty"),
        (["echo", "a\0b"], "NUL"),
    ],
)
def test_what_cannot_be_started_is_said(command: list[str], said: str) -> None:
    """Nothing is raised, and the sentence names the reason."""
    ended = plain(*command)
    assert (ended.how, ended.code) == ("not_started", None)
    assert said in ended.why
    assert ended.why.endswith(".")


def test_a_program_without_its_first_line_is_not_started(tmp_path: Path) -> None:
    """No shell is tried in its place."""
    program = tmp_path / "program"
    program.write_text("echo hi\n")
    program.chmod(0o755)
    ended = plain("./program", cwd=tmp_path)
    assert ended.how == "not_started"
    assert "Exec format error" in ended.why


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    """It is not taken for a missing program."""
    assert "folder" in plain("true", cwd=tmp_path / "none").why


def test_a_program_in_the_current_folder_is_not_taken(tmp_path: Path) -> None:
    """A workspace cannot replace a program by one of the same name."""
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\necho caught\n")
    program.chmod(0o755)
    for path in (".", "", f"{os.path.relpath(tmp_path)}", "/usr/bin::"):
        ended = run(["tool"], cwd=tmp_path, env={"PATH": path}, seconds=9)
        assert ended.how == "not_started"
    assert plain("./tool", cwd=tmp_path).stdout == b"caught\n"


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    """Its parts reach the program as they stand."""
    part = "$(touch x); `touch x` & > x"
    assert plain("echo", part, cwd=tmp_path).stdout.decode() == f"{part}\n"
    assert not list(tmp_path.iterdir())


def test_the_environment_is_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret of this process is not passed on."""
    monkeypatch.setenv("SOME_API_KEY", "canary-1234")
    assert b"canary" not in plain("env").stdout


def test_the_time_is_limited() -> None:
    """What was written until then is kept."""
    ended = plain("sh", "-c", "echo begun; sleep 1000", seconds=0.5)
    assert (ended.how, ended.stdout) == ("timeout", b"begun\n")
    assert ended.why == "It did not end within 0.5 s and was ended."


def test_it_may_say_good_bye() -> None:
    """SIGTERM comes first, and output is read until the end."""
    code = "trap 'echo good bye; exit 0' TERM; echo begun; while :; do sleep 0.05; done"
    ended = plain("sh", "-c", code, seconds=0.5)
    assert (ended.how, ended.code, ended.stdout) == ("timeout", 0, b"begun\ngood bye\n")


def test_who_ignores_the_request_is_killed() -> None:
    """SIGKILL follows."""
    ended = plain("sh", "-c", "trap '' TERM; while :; do sleep 0.05; done", seconds=0.3)
    assert (ended.how, ended.code) == ("timeout", -signal.SIGKILL)


def test_it_can_be_stopped() -> None:
    """The caller is asked again and again."""
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(1)
        return len(asked) == 2

    ended = plain("sleep", "1000", stopped=stopped)
    assert (ended.how, len(asked)) == ("stopped", 2)


def test_an_exception_of_the_caller_leaves_nothing() -> None:
    """The child is gone when `stopped` fails."""
    seconds = number()

    def stopped() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plain("sleep", seconds, stopped=stopped)
    assert not survivors(seconds)


def test_output_is_cut_and_the_child_goes_on() -> None:
    """The rest is thrown away, and its end is its own."""
    ended = plain("sh", "-c", "head -c 5000000 /dev/zero; echo done >&2; exit 7", max_output=1000)
    assert (ended.how, ended.code, ended.cut) == ("exited", 7, True)
    assert (len(ended.stdout), ended.stderr) == (1000, b"done\n")


def test_a_flood_ends_it() -> None:
    """A child that writes without end is ended before its time."""
    ended = plain("yes", max_output=1000)
    assert (ended.how, len(ended.stdout), ended.cut) == ("flooded", 1000, True)
    assert str(MAX_FLOOD // 1024**2) in ended.why


def test_background_processes_end_with_it() -> None:
    """One that holds the pipe keeps nobody waiting."""
    seconds = number()
    ended = plain("sh", "-c", f"sleep {seconds} & echo done")
    assert (ended.how, ended.stdout) == ("exited", b"done\n")
    assert not survivors(seconds)


@linux
@pytest.mark.parametrize("how", ["exited", "timeout"])
def test_a_daemon_ends_with_it(how: str) -> None:
    """A new session and two forks do not save it, nor keep the caller waiting for its pipe."""
    name = number()
    stays = ["stay"] if how == "timeout" else []
    ended = python(DAEMON, name, *stays, seconds=2 if stays else 60)
    assert ended.how == how
    assert ended.stdout in (b"daemon\n", b"")
    assert not survivors(name)


@linux
def test_the_control_leaves_a_daemon() -> None:
    """Killing the group alone, as is usual, does not end it: the tests above see the difference."""
    name = number()
    command = [sys.executable, "-c", DAEMON, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"daemon\n"
        child.wait()
        left = survivors(name)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
    assert len(left) == 1


@linux
def test_daemons_of_daemons_end_with_it() -> None:
    """Each generation is found when the one above is gone."""
    seconds = number()
    sleep = f"sleep {seconds}"
    script = f"setsid sh -c 'setsid sh -c \"setsid {sleep} & {sleep}\" & {sleep}' &"
    assert plain("sh", "-c", f"{script} sleep 0.3").how == "exited"
    assert not survivors(seconds)


@linux
def test_children_of_an_inner_call_end_too() -> None:
    """A child that itself runs children, and is killed, leaves none of them."""
    seconds = number()
    code = (
        "from pathlib import Path; from evalcore.sandbox.child import run; import os, sys;"
        "command = ['setsid', '-f', '-w', 'sleep', sys.argv[1]];"
        "run(command, cwd=Path('/'), env=os.environ, seconds=99)"
    )
    root = Path(__file__).resolve().parents[2]
    ended = python(
        f"import sys; sys.path.insert(0, {str(root)!r}); {code}",
        seconds,
        stopped=lambda: bool(survivors(f"sleep\0{seconds}")),
    )
    assert ended.how == "stopped"
    assert not survivors(seconds)


@linux
def test_calls_beside_each_other_leave_each_other_alone() -> None:
    """While one ends its daemons, those of another go on."""
    started, release = threading.Event(), threading.Event()
    name = number()

    def other() -> str:
        def stopped() -> bool:
            if survivors(name):
                started.set()
            return release.is_set()

        return python(DAEMON, name, "stay", stopped=stopped).how

    with ThreadPoolExecutor(8) as pool:
        waiting = pool.submit(other)
        assert started.wait(60)
        results = list(pool.map(lambda _: python(DAEMON, number()).code, range(12)))
        alive = survivors(name)
        release.set()
        assert waiting.result(60) == "stopped"
    assert results == [0] * 12
    assert len(alive) == 2
    assert not survivors(name)


@linux
def test_other_children_of_this_process_are_left_alone() -> None:
    """Neither ended nor waited for: their owner gets their code."""
    code = "import time; time.sleep(0.2); raise SystemExit(5)"
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as other:
        for _ in range(20):
            plain("true")
        assert other.wait() == 5


@linux
def test_the_dead_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adopted processes that ended by themselves do not pile up."""
    monkeypatch.setattr(orphans, "_PATIENCE", 0.0)
    for _ in range(3):
        python(DAEMON, number())
    plain("true")
    dead = [pid for pid in orphans._children() if orphans._about(pid).state == "Z"]
    assert not dead


@linux
def test_orphans_are_adopted_only_meanwhile() -> None:
    """A daemon of another part of this process goes to init, as ever."""
    assert not orphans._is_reaper()
    with orphans.adopting(), orphans.adopting():
        assert orphans._is_reaper()
    assert not orphans._is_reaper()


@pytest.mark.parametrize("missing", ["pidfd", "proc"])
def test_it_runs_where_the_system_offers_less(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """Without a handle of a process, or /proc, as on macOS, the group is still ended."""
    if missing == "pidfd":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    monkeypatch.setattr(orphans, "_TASKS", Path("/nowhere"))
    seconds = number()
    ended = plain("sh", "-c", f"sleep {seconds} & echo done; exit 4")
    assert (ended.how, ended.code, ended.stdout) == ("exited", 4, b"done\n")
    assert plain("sleep", seconds, seconds=0.3).how == "timeout"
    assert plain("cat", stdin=b"x" * 500_000).stdout == b"x" * 500_000


def test_a_handle_is_passed_only_when_named() -> None:
    """Open files of this process are not the child's."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    try:
        code = f"import os; os.write({writing}, b'hi')"
        assert python(code).code != 0
        assert python(code, pass_fds=[writing]).code == 0
        assert os.read(reading, 9) == b"hi"
    finally:
        os.close(reading)
        os.close(writing)
