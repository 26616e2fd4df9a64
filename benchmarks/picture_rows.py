"""The row of pictures: a chart over ten versions as SVG, by bytes, and as PNG, by time."""

from collections.abc import Iterator

from benchmarks import process
from benchmarks.bench import Bench
from benchmarks.measure import Result
from benchmarks.pictures import ROUNDS

KILOBYTES = 4
SECONDS = 0.3


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
