"""What records of people cost: many of them, and a long chain of corrections."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.measure import Result, Way, against

JUDGES = 20
STEPS = ("first open", "check", "first task")


def people(bench: Bench) -> Iterator[Result]:
    """First open of many records, and a chain of corrections beside as many records apart."""
    bench.limit()
    many = bench.store.judged(bench.sizes.main, JUDGES, "apart")
    found = bench.openings(many)
    said = f"{bench.sizes.main:,} records of {JUDGES} judges"
    base = Result("people", "first open, index written", many.name, unit="R", target=6.0)
    yield against(base._replace(detail=said), found["first open"], found["R"])
    number = bench.sizes.main // 10
    apart, chained = (bench.store.judged(number, 1, kind) for kind in ("apart", "chained"))
    for step in STEPS:
        ways: dict[str, Way] = {
            made.name: bench.way(step, made, bench.empty) for made in (apart, chained)
        }
        samples = bench.compare(ways)
        what = f"{step}, a chain of {number:,} corrections"
        result = Result("people", what, chained.name, unit="without chain", target=2.0)
        yield against(result, samples[chained.name], samples[apart.name])
