"""Faults put in by the kernel, not by Python: `strace` kills at, or fails, a call of a write."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from evalcore.judging.storing.store import new_id
from tests.reliability import jobs
from tests.reliability.outcome import Line, made_workspace, verified
from tests.reliability.power import run
from tests.reliability.processes import acknowledged, lines, started
from tests.reliability.writers import ours, record

CALLS = ("openat", "mkdirat", "write", "fsync", "linkat", "unlinkat", "newfstatat", "close")
MOST = 60


def each_call(folder: Path, fault: str) -> Line:
    """Put a fault, `signal=SIGKILL` or `error=EIO`, into each call of each kind in turn.

    Raises:
        OSError: there is no strace here, or it may not trace.
    """
    run("strace", "-o", "/dev/null", "true")
    total = Line(f"strace {fault} at each call (ours)", 0, 0)
    for call in CALLS:
        for at in range(1, MOST):
            line, fired = _one(folder / f"{fault}-{call}-{at}", call, fault, at)
            total += line
            if not fired:
                break
    return total


def _one(folder: Path, call: str, fault: str, at: int) -> tuple[Line, bool]:
    root, book, name = made_workspace(folder / "workspace"), folder / "book", new_id()
    start = folder / "start"
    os.mkfifo(start)
    process = started(jobs.write_when_told, root, book, name, at, start)
    _until(lambda: bool(lines(book)))
    log = folder / "log"
    tracer = subprocess.Popen(
        [
            "strace",
            "-p",
            str(process.pid),
            "-o",
            str(log),
            "-e",
            f"trace={call}",
            "-e",
            f"inject={call}:{fault}:when={at}",
        ],
        stderr=subprocess.PIPE,
    )
    assert tracer.stderr is not None
    tracer.stderr.readline()  # attached
    with start.open("r+b", buffering=0) as pipe:  # waits for nobody, should the process be dead
        pipe.write(b"x")
        process.join(60)
    tracer.wait(60)
    tracer.stderr.close()
    fired = "INJECTED" in log.read_text("utf-8", "replace") or process.exitcode != 0
    first = verified(root, acknowledged(book), kind="", number=int(fired))
    again = ours(root, record(name, at))
    second = verified(root, {again.id: again.sha256}, kind="", number=0)
    more = Line("", 0, 0, second.lost, second.torn, second.duplicated, second.foreign)
    return first + more, fired


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not true() and time.monotonic() < until:
        time.sleep(0.001)
