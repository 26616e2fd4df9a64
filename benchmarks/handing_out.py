"""What it costs to hand out a test run that does nothing: threads, and three workers of dask."""
# ruff: noqa: PLC0415 - a method imports what it needs itself, so that no other pays for it

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

WORKERS = 3
THREADS = 2
ALL = WORKERS * THREADS


def hand_out(asked: Any) -> Callable[[], Any]:
    """Hand out a number of empty test runs, as many at once as there are threads."""
    number = int(asked["number"])

    def work() -> Any:
        return {
            way: _measured(pool, number) for way, pool in (("threads", _threads), ("dask", _dask))
        }

    return work


def _measured(pool: Callable[[], Any], number: int) -> dict[str, float]:
    """Return wall and CPU seconds of one test run, those of all workers included."""
    with pool() as executor:
        _handed_out(executor, ALL * 4)  # workers import what they need
        cpu, wall = _cpu_seconds(), time.perf_counter()
        _handed_out(executor, number)
        wall, cpu = time.perf_counter() - wall, _cpu_seconds() - cpu
    return {"wall": wall / number, "cpu": cpu / number}


def _handed_out(executor: Executor, number: int) -> None:
    """Do as evalcore.engine.runner does: never more at once than there are threads."""
    working: set[Future[bytes]] = set()
    for index in range(number):
        if len(working) == ALL:
            done, working = wait(working, return_when=FIRST_COMPLETED)
            for each in done:
                each.result()
        working.add(executor.submit(_nothing, "/a/folder/of/a/run", index, "0.1.0"))
    wait(working)


def _nothing(folder: str, index: int, asked_by: str) -> bytes:
    return f"{folder} {index} {asked_by}".encode()


@contextmanager
def _threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(ALL) as pool:
        yield pool


@contextmanager
def _dask() -> Iterator[Executor]:
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=THREADS,
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client.get_executor(pure=False)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of all that run below it."""
    import psutil  # type: ignore[import-untyped] # it ships none

    own = psutil.Process()
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))
