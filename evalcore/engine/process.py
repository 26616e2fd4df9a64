"""The process of a run: of its own, so that it outlives the tab and the server that started it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from filelock import Timeout

from evalcore.engine.runner import Runner
from evalcore.engine.store import LOG, RunFolder, run_folder
from evalcore.errors import CannotRun


def start(folder: RunFolder) -> None:
    """Start a process that works on a run, or goes on where an earlier one stopped.

    Raises:
        CannotRun: one works on it already.
    """
    if folder.is_worked_on():
        raise CannotRun(f"Run {folder.id} is being worked on already. `evalcore runs` shows it.")
    folder.forget_stop()
    command = [sys.executable, "-m", "evalcore.engine", folder.id]
    with (folder.path / LOG).open("ab") as log:
        subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            close_fds=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )


def work(name: str) -> str:
    """Work on a run in this process until it ends; return how it ended.

    Raises:
        CannotRun: another process works on it.
        UnknownName: there is no such run.
    """
    folder = run_folder(name)
    try:
        with folder.lock(), _pool(folder) as (pool, where):
            return Runner(folder, pool, where).work()
    except Timeout as error:
        raise CannotRun(f"Run {folder.id} is being worked on already.") from error


@contextmanager
def _pool(folder: RunFolder) -> Iterator[tuple[Executor, str]]:
    """Yield what test runs are handed to, and its name."""
    with ThreadPoolExecutor(folder.plan.limits.concurrency, "evalcore-case") as pool:
        yield pool, "threads"
