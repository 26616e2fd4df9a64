"""What a run costs beside a bare loop of the same calls: CPU for each case, and waiting."""

import statistics
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.measure import Result, Samples, Way, against

CPU_MS = 5.0
"""Milliseconds of CPU for each case above those of a bare loop."""

MANY = 200
WAITING = ((1, 8, 1.15), (8, 64, 1.05))
"""Cases at once, cases, and how many times as long as the bare loop."""


def running(bench: Bench) -> Iterator[Result]:
    """CPU of many quick cases, then wall time of cases that take a second."""
    for hidden, target in ((False, 1.0), (True, None)):
        found = _compared(bench, cases=MANY, concurrency=1, quick=True, hidden=hidden)
        above = _cpu_above(found["run"], found["bare calls"]) / MANY * 1000
        what = "CPU a case above bare calls" + (", folder hidden" if hidden else "")
        result = Result("run", what, f"{MANY} quick cases", unit=f"{CPU_MS:g} ms", target=target)
        said = f"{above:.1f} ms a case above the bare loop, children included"
        filled = against(result, found["run"], found["bare calls"])
        yield filled._replace(ratio=above / CPU_MS, cpu_ratio=None, detail=said)
    for concurrency, cases, target in WAITING:
        found = _compared(bench, cases=cases, concurrency=concurrency, quick=False, hidden=False)
        what = f"{cases} cases of 1 s, {concurrency} at once"
        result = Result("run", what, f"{cases} slow cases", unit="bare calls", target=target)
        yield against(result, found["run"], found["bare calls"])._replace(cpu_ratio=None)


def _compared(bench: Bench, **asked: int | bool) -> dict[str, Samples]:
    bench.limit()
    given = {"base": str(bench.store.folder("runs")), **asked}
    ways = {name: Way(name, given, bench.empty) for name in ("run", "bare calls")}
    found = bench.compare(ways, rounds=3)
    for sample in (*found["run"], *found["bare calls"]):
        assert (sample.answer["how"], sample.answer["done"]) == ("finished", asked["cases"])
    return found


def _cpu_above(ours: Samples, bare: Samples) -> float:
    """Return the median of the differences of each round, in seconds."""
    return statistics.median(a.cpu - b.cpu for a, b in zip(ours, bare, strict=True))
