"""Reading a hostile folder starts no process and opens no connection: seen from outside."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.opening import OPTIONS, programs_and_connections, tracer, write_hostile

OPENING = """
import sys
from evalcore.lint import check
from evalcore.workspace.opened import open_workspace
found = open_workspace(sys.argv[1])
check(found)
print(len(found.tables.cases))
"""
READS = {
    "check": ("check", "."),
    "tables": ("tables", ".", "--out", "../out", "--format", "csv"),
    "compare": ("compare", "../plain"),
    "rubric": ("rubric", "."),
    "failures": ("failures", "."),
    "runs": ("runs", "."),
    "dry run": ("run", ".", "--executor", "theirs", "--dry-run"),
    "scripts": ("allow", "."),
    "executors": ("executors",),
}
SAID = {
    "check": "iteration-1",
    "tables": "27 tables",
    "compare": "iteration-2",
    "runs": "No run was started here",
    "dry run": "6 test runs of 2 cases",
    "scripts": "not allowed",
    "executors": "stored",
}


@pytest.fixture(scope="module")
def strace() -> str:
    """Return strace where it can trace."""
    return tracer()


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Make a folder that would like to be run."""
    return write_hostile(tmp_path / "folder")


def _traced(strace: str, root: Path, *command: str) -> tuple[list[str], list[str], str]:
    """Run a command in a folder; return the programs it started and what it connected to."""
    log = root.parent / "trace"
    done = subprocess.run(
        [strace, *OPTIONS, "-o", str(log), *command],
        cwd=root,
        env=environment(root.parent / "home", PYTHONSAFEPATH="1"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return *programs_and_connections(log), done.stdout + done.stderr


@pytest.mark.parametrize("name", READS)
def test_a_command_that_reads_starts_nothing(strace: str, hostile: Path, name: str) -> None:
    """The interpreter itself is the only program, and nothing is connected to."""
    command = (sys.executable, "-m", "evalcore", *READS[name])
    programs, far, said = _traced(strace, hostile, *command)
    assert (set(programs), far) == ({sys.executable}, [])
    assert SAID.get(name, "") in said
    assert not list(hostile.parent.rglob("PWN"))


def test_opening_starts_nothing(strace: str, hostile: Path) -> None:
    """Nor does reading and checking it by the functions that the pages use."""
    programs, far, said = _traced(strace, hostile, sys.executable, "-c", OPENING, str(hostile))
    assert (set(programs), far) == ({sys.executable}, [])
    assert int(said) == 2
    assert not list(hostile.parent.rglob("PWN"))


def test_the_trace_shows_a_program_and_a_connection(strace: str, hostile: Path) -> None:
    """The control: what one of them would do is found out."""
    code = (
        "import socket, subprocess; subprocess.run(['touch', 'PWN']); s = socket.socket();"
        "s.connect_ex(('127.0.0.1', 9))"
    )
    programs, far, _ = _traced(strace, hostile, sys.executable, "-c", code)
    assert len(programs) == 2
    assert len(far) >= 2
    assert (hostile / "PWN").exists()
