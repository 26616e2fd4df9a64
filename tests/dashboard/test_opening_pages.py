"""Reading a hostile folder on the pages starts no program and opens no connection."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.dashboard.live import Served
from tests.opening import TRACED, programs_and_connections, tracer, write_hostile
from tests.reliability.client import Session
from tests.reliability.serving import serving

RUN = "$(touch PWN)::1@iteration-2/with_skill#1"
VISITS: dict[str, tuple[str, dict[str, str]]] = {
    "overview": ("overview", {}),
    "a grading": ("gradings", {"run": RUN}),
    "its output": ("gradings", {"run": RUN, "tab": "output"}),
    "compare": ("compare", {}),
    "rubric": ("rubric", {}),
    "trends": ("trends", {}),
    "failures": ("failures", {}),
    "judge": ("judge", {}),
    "runs": ("runs", {}),
    "a new run": ("runs", {"new": "1"}),
    "data": ("data", {}),
}


@contextmanager
def traced(process: int, log: Path) -> Iterator[None]:
    """Note what a running server does from now on."""
    command = [tracer(), "-f", "-o", str(log), "-e", f"trace={TRACED}", "-p", str(process)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as tracing:
        assert tracing.stderr is not None
        if b"attached" not in tracing.stderr.readline():
            pytest.skip("strace may not look at a process that runs already")
        try:
            yield
        finally:
            tracing.terminate()


def seen(served: Served, page: str, **query: str) -> bytes:
    """Visit a page, open all that opens on a click, let a second pass; return what was sent."""
    with Session(served, page, **query) as window:
        window.open()
        window.open_boxes()
        window.tick()
        return b"".join(window.frames)


def test_pages_start_nothing(tmp_path: Path) -> None:
    """Every page, with all that it does by itself afterwards."""
    root, log = write_hostile(tmp_path / "folder"), tmp_path / "trace"
    with serving(root, tmp_path / "state") as (served, dashboard):
        served.let_in()
        with traced(dashboard.process.pid, log):
            for page, query in VISITS.values():
                assert b"touch PWN" in seen(served, page, **query), page
    assert programs_and_connections(log) == ([], [])
    assert not list(tmp_path.rglob("PWN"))


def test_the_trace_of_a_process_that_runs_shows_what_it_starts(tmp_path: Path) -> None:
    """The control."""
    code = (
        "import subprocess, sys; print(1, flush=True); sys.stdin.readline();"
        "subprocess.run(['true'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with traced(process.pid, tmp_path / "trace"):
            process.communicate(b"\n")
    programs, _ = programs_and_connections(tmp_path / "trace")
    assert [Path(each).name for each in programs] == ["true"]
