"""The process of a run: of its own, so that it outlives the tab and the server that started it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Final, NamedTuple

from evalcore.disk.temporary import sweep_temporary
from evalcore.engine.kept import sweep_kept
from evalcore.engine.own_commands import keep_what_worked
from evalcore.engine.runner import Runner, note_refusal
from evalcore.engine.store import LOG, RunFolder, run_folder
from evalcore.errors import CannotRun, EvalcoreError
from evalcore.sandbox.orphans import end_marked, marking
from evalcore.starting import start_python

_started: Final[list["subprocess.Popen[bytes]"]] = []


class Pool(NamedTuple):
    """What test runs are handed to, and its name in the journal."""

    executor: Executor
    where: str
    is_lost: Callable[[], bool] = lambda: False


def start(folder: RunFolder, cluster: str | None = None) -> None:
    """Start a process that works on a run, or goes on where an earlier one stopped.

    When this returns the run is being worked on: the process is given the lock. `cluster` is the
    address of a dask scheduler; without it the run works in threads.

    Raises:
        CannotRun: one works on it already.
    """
    with folder.lock() as handle, (folder.path / LOG).open("ab") as log:
        folder.forget_stop()
        folder.note_start()
        _started[:] = [each for each in _started if each.poll() is None]
        where = [] if cluster is None else [cluster]
        process = start_python(
            ["-m", "evalcore.engine", folder.id, str(handle), *where],
            environment={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=[handle],
        )
        _started.append(process)  # asked for its end later, so that no dead process stays


def work(name: str, lock: int | None = None, cluster: str | None = None) -> str:
    """Work on a run in this process until it ends; return how it ended.

    `lock` is the handle of the run's lock, where who started this process holds it.

    Raises:
        CannotRun: another process works on it, or the cluster cannot be used.
        UnknownName: there is no such run.
    """
    folder = run_folder(name)
    with folder.lock(lock):
        _end_what_is_left(folder)
        with marking(_mark(folder)), _pool(folder, cluster) as pool:
            how = Runner(folder, pool.executor, pool.where, pool.is_lost).work()
        try:
            keep_what_worked(folder)
        except EvalcoreError as error:  # the log of the run says that it was not kept
            sys.stderr.write(f"The command was not kept: {error}\n")
        return how


def _end_what_is_left(folder: RunFolder) -> None:
    """End the executors of a process that was killed, and remove the folders that it made.

    Nobody waits for them, and their cases are executed again.
    """
    end_marked(_mark(folder))
    sweep_temporary()
    sweep_kept(folder)


def _mark(folder: RunFolder) -> str:
    return f"run-{folder.id}"


@contextmanager
def _pool(folder: RunFolder, cluster: str | None) -> Iterator[Pool]:
    if cluster is None:
        with ThreadPoolExecutor(folder.plan.limits.concurrency, "evalcore-case") as threads:
            yield Pool(threads, "threads")
        return
    from evalcore.engine.cluster import (  # noqa: PLC0415 - without a cluster it is never needed
        cluster_executor,
    )

    where = f"cluster {cluster}"
    with ExitStack() as stack:
        try:
            workers = stack.enter_context(cluster_executor(cluster))
        except CannotRun as error:
            note_refusal(folder, where, str(error))
            raise
        yield Pool(workers.executor, where, workers.is_lost)
