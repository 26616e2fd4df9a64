"""The row of clusters: what dask costs for each test run, above threads."""

from collections.abc import Iterator

from benchmarks import process
from benchmarks.bench import Bench
from benchmarks.handing_out import THREADS, WORKERS
from benchmarks.measure import Result

NUMBER = 1_000
MILLISECONDS = 10.0


def cluster(bench: Bench) -> Iterator[Result]:
    """Handing out a test run that does nothing, to dask and to threads: the difference."""
    bench.say("cluster")
    asked = {"number": NUMBER}
    found = process.run("hand out", asked, cache=bench.empty(), limit=bench.limit()).answer
    wall, cpu = (found["dask"][name] - found["threads"][name] for name in ("wall", "cpu"))
    yield Result(
        "cluster",
        "dask above threads, a test run",
        "–",
        wall_s=wall,
        cpu_s=cpu,
        unit="ms",
        ratio=wall * 1000,
        cpu_ratio=cpu * 1000,
        target=MILLISECONDS,
        rounds=NUMBER,
        detail=f"{WORKERS} workers of {THREADS} threads, all CPU time of all processes",
    )
