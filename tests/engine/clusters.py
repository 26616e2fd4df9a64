"""A real dask cluster on this machine: a scheduler and workers, each a process of its own."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCAL = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--host", "127.0.0.1")
SETTINGS = {
    "PYTHONSAFEPATH": "1",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}
PATIENCE = 120.0


class Cluster:
    """A scheduler, and workers that can be added and killed."""

    def __init__(
        self,
        folder: Path,
        options: Sequence[str] = (),
        more: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self._folder, self._stack, self._workers = folder, ExitStack(), 0
        self._cwd = cwd or folder
        own = {f"EVALCORE_{kind}_DIR": str(folder) for kind in ("STATE", "CACHE", "CONFIG")}
        more = {"PYTHONPATH": str(ROOT), **SETTINGS, **own, **(more or {})}
        self._environment = {**os.environ, **more}
        folder.mkdir(parents=True)
        self._log = folder / "log.txt"
        self._file = folder / "scheduler.json"
        given = ("--port", "0", *LOCAL, "--scheduler-file", str(self._file), *options)
        self._scheduler = self._stack.enter_context(self._process("scheduler", given))
        until(self._told)
        self.address = str(self._told()["address"])
        self.nannies: list[int] = []
        self._killed = 0

    def _told(self) -> dict[str, Any]:
        """Return what the scheduler says of itself; nothing until it has written all of it."""
        try:
            found: dict[str, Any] = json.loads(self._file.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return found

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, number: int, *options: str) -> "Cluster":
        """Start workers that stay until the end, and wait for them."""
        before = self._registered()
        for _ in range(number):
            nanny = self._stack.enter_context(self._process("worker", self._options(options)))
            self.nannies.append(nanny.pid)
        until(lambda: self._registered() == before + number)
        return self

    @contextmanager
    def worker(self, *options: str, preload: str = "") -> Iterator[None]:
        """Have one more worker for a while; it runs `preload` before anything else."""
        given = self._options(options)
        if preload:
            code = self._folder / f"preload-{self._workers}.py"
            code.write_text(preload)
            given += ["--preload", str(code)]
        before = self._registered()
        with self._process("worker", given):
            until(lambda: self._registered() > before)
            yield

    def workers(self) -> list[int]:
        """Return the processes that do the work: the children of the nannies."""
        return [pid for nanny in self.nannies for pid in _children(nanny)]

    def kill_a_worker(self, chance: random.Random) -> bool:
        """Kill a worker with all its threads at once; its nanny starts another one.

        Not before all are there again: False. Else there would soon be none.
        """
        if self._registered() < len(self.nannies) + self._killed:
            return False
        self._killed += 1
        os.kill(chance.choice(self.workers()), signal.SIGKILL)
        return True

    def wait_for_deaths(self, number: int) -> None:
        """Wait until workers that died of something else are there again."""
        self._killed += number
        until(lambda: self._registered() >= len(self.nannies) + self._killed)

    def log(self) -> str:
        """Return what all of them wrote."""
        return self._log.read_text("utf-8", "replace")

    def kill_scheduler(self) -> None:
        """Kill the scheduler, which forgets everything."""
        self._scheduler.kill()

    def _registered(self) -> int:
        """Return how many workers the scheduler ever had."""
        return self.log().count("Register worker addr")

    def _options(self, options: Sequence[str]) -> list[str]:
        self._workers += 1
        own = str(self._folder / f"worker-{self._workers}")
        given = ["--scheduler-file", str(self._file), *LOCAL, "--nthreads", "2"]
        nanny = () if "--no-nanny" in options else ("--nanny",)
        return [*given, *nanny, "--local-directory", own, *options]

    @contextmanager
    def _process(self, kind: str, options: Sequence[str]) -> "Iterator[subprocess.Popen[bytes]]":
        command = [sys.executable, "-m", "dask", kind, *options]
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                command, env=self._environment, stdout=log, stderr=log, cwd=self._cwd
            )
        try:
            yield process
        finally:
            children = _children(process.pid)
            process.kill()
            process.wait()
            for pid in children:  # of a nanny that had no time to end it
                if _is_ours(pid):
                    os.kill(pid, signal.SIGKILL)


def until(true: "object", seconds: float = PATIENCE) -> None:
    """Wait until a function returns something true."""
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def with_word(word: str) -> list[int]:
    """Return the processes that have a word in their command line, but for this one."""
    pids = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if word.encode() in _line(pid) and pid != os.getpid()]


def _children(pid: int) -> list[int]:
    """Return the workers below a nanny, and not what multiprocessing has beside them."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_bytes().split())
        except OSError:
            continue
    return [each for each in found if _is_ours(each)]


def _is_ours(pid: int) -> bool:
    return b"spawn_main" in _line(pid)


def _line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
