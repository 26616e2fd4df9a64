"""The rows of what is shared: a chart over ten versions as a picture, a report and a bundle."""

from collections.abc import Iterator

from benchmarks import process
from benchmarks.bench import Bench
from benchmarks.measure import Result, Samples, against
from benchmarks.pictures import ROUNDS
from benchmarks.workspaces import Made

KILOBYTES = 4
SECONDS = 0.3
BYTES_A_RUN = 725
"""A twentieth of what the viewer of skill-creator takes for a run."""
RUNS = 1_000
REPORT = 200.0
BUNDLE = 20.0


def pictures(bench: Bench) -> Iterator[Result]:
    """The chart of ten versions as a picture: SVG by bytes, PNG by time after imports."""
    made = bench.main
    index = bench.indexed(made)
    bench.say("pictures")
    found = process.run("draw", {"root": str(made.root)}, cache=index, limit=bench.limit()).answer
    about = f"{found['points']} versions, {found['lines']} line(s)"
    base = Result("pictures", "SVG of a chart", made.name, rounds=ROUNDS)
    yield base._replace(
        wall_s=found["svg"],
        unit="KB",
        ratio=found["svg_bytes"] / 1024,
        target=float(KILOBYTES),
        detail=about,
    )
    yield base._replace(
        what="PNG of a chart",
        wall_s=found["png"],
        unit="s",
        ratio=found["png"],
        target=SECONDS,
        detail=f"{about}, {found['png_bytes'] / 1024:.0f} KB",
    )


def report(bench: Bench) -> Iterator[Result]:
    """The report of a suite, by bytes a run, and by its time from an open workspace."""
    made, found = _beside_reading(bench, "report")
    runs, size = found["report"][0].answer["runs"], found["report"][0].answer["bytes"]
    base = Result("report", "report of a suite", made.name)
    yield base._replace(
        unit="bytes a run",
        ratio=size / runs,
        target=float(BYTES_A_RUN),
        rounds=len(found["report"]),
        detail=f"{runs:,} runs, {size / 1024:,.0f} KB",
    )
    told = base._replace(what="report, from an open workspace", unit="R", target=REPORT)
    yield against(told, found["report"], found["R"])


def bundle(bench: Bench) -> Iterator[Result]:
    """A bundle of a suite, by bytes a run, and by the time to write it and to read it back."""
    made, found = _beside_reading(bench, "bundle")
    told = found["bundle"][0].answer
    base = Result("bundle", "bundle, written and read", made.name, unit="R", target=BUNDLE)
    each = told["bytes"] / told["runs"]
    detail = f"{told['files']:,} files, {told['bytes'] / 1024:,.0f} KB, {each:,.0f} bytes a run"
    yield against(base._replace(detail=detail), found["bundle"], found["R"])


def _beside_reading(bench: Bench, method: str) -> tuple[Made, dict[str, Samples]]:
    """Measure a method on an open workspace of `RUNS` runs against reading its files."""
    made = bench.made("improve", RUNS)
    index = bench.indexed(made)
    reading, way = bench.way("R", made, bench.empty), bench.way(method, made, lambda: index)
    return made, bench.compare({"R": reading, method: way})
