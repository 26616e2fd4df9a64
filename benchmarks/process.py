"""Run one method in a fresh process, and watch its memory from outside."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.methods import private_bytes

ROOT = Path(__file__).resolve().parent.parent
LOOK_SECONDS = 0.004


class MethodFailed(Exception):
    """A method ended with an error; the message is its last output."""


class OutOfTime(Exception):
    """Measuring ended before a method did."""


class Sample(NamedTuple):
    """One run of one method: seconds, and private bytes where they were asked for."""

    wall: float
    cpu: float
    prepare: float
    answer: Any
    held: int | None  # private memory after the work, above that before it
    peak: int | None  # the most of it on the way


def run(
    name: str,
    asked: dict[str, Any],
    *,
    python: str = sys.executable,
    cache: Path,
    limit: float | None = None,
) -> Sample:
    """Run a method once, for at most `limit` seconds.

    Raises:
        MethodFailed: it ended with an error.
        OutOfTime: it was ended at the limit.
    """
    with _start(name, asked, python, cache) as process:
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired as error:
            raise OutOfTime from error
        finally:
            process.kill()  # of no effect on one that has ended
    return _sample(name, process.returncode, out, err, None)


def watch(name: str, asked: dict[str, Any], *, cache: Path, limit: float) -> Sample:
    """Run a method once, for at most `limit` seconds, and note its private memory on the way.

    Raises:
        MethodFailed: it ended with an error.
        OutOfTime: it was ended at the limit.
    """
    end, most = time.monotonic() + limit, 0
    with _start(name, asked, sys.executable, cache) as process:
        while process.poll() is None:
            most = max(most, private_bytes(process.pid) or 0)
            if time.monotonic() > end:
                process.kill()
                raise OutOfTime
            time.sleep(LOOK_SECONDS)
        out, err = process.communicate()
    return _sample(name, process.returncode, out, err, most)


def _start(name: str, asked: dict[str, Any], python: str, cache: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [python, "-m", "benchmarks.methods", name, json.dumps(asked)],
        cwd=ROOT,
        env={**os.environ, "EVALCORE_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _sample(name: str, code: int, out: str, err: str, most: int | None) -> Sample:
    if code:
        last = err.strip().splitlines()[-1:] or [f"ended with {code}"]
        raise MethodFailed(f"{name}: {last[0]}")
    found = json.loads(out.strip().splitlines()[-1])
    before, after = found["private_before"], found["private_after"]
    known = before is not None
    return Sample(
        found["wall"],
        found["cpu"],
        found["prepare"],
        found["answer"],
        after - before if known else None,
        max(most, after) - before if known and most is not None else None,
    )
