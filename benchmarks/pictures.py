"""What is shared: bytes and time of a chart as SVG and as PNG, of a report and a bundle."""
# ruff: noqa: PLC0415 - a method imports what it needs itself, so that no other pays for it

import statistics
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 7


def draw(asked: Any) -> Callable[[], Any]:
    """Draw the chart of a suite's headline, as SVG and as PNG, each a few times."""
    from evalcore import open_workspace
    from evalcore.charts.png import png
    from evalcore.charts.svg import svg
    from evalcore.trends.metrics import HEADLINE
    from evalcore.views.overview.top import headline_drawn
    from evalcore.views.series.chart import line_picture

    workspace = open_workspace(asked["root"])
    suite = str(workspace.tables.suites["suite"].iloc[0])
    drawn = headline_drawn(workspace, suite)
    if drawn is None:
        raise ValueError("The workspace has no two versions with a headline.")
    chart = drawn.chart
    picture = line_picture(workspace, suite, HEADLINE, chart, "recorded")
    png(picture)  # loads the library and the fonts of the system

    def timed(way: Callable[[Any], Any]) -> float:
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            way(picture)
            times.append(time.perf_counter() - began)
        return statistics.median(times)

    def work() -> Any:
        text = svg(picture)
        return {
            "points": max(len(line.points) for line in chart.series),
            "lines": len(chart.series),
            "svg_bytes": len(text.encode()),
            "svg": timed(svg),
            "png": timed(png),
            "png_bytes": len(png(picture)),
        }

    return work


def report(asked: Any) -> Callable[[], Any]:
    """Write the report of a suite, its evidence included, from an open workspace."""
    from evalcore import open_workspace
    from evalcore.report.content import Asked, content
    from evalcore.report.file import report_file

    workspace = open_workspace(asked["root"])
    suite = str(workspace.tables.suites["suite"].iloc[0])

    def work() -> Any:
        made = content(workspace, Asked(suite))
        return {"runs": made.runs, "bytes": len(report_file(made))}

    return work


def bundle(asked: Any) -> Callable[[], Any]:
    """Write all suites of an open workspace as a bundle without reports, and read it back."""
    import tempfile
    from io import BytesIO
    from pathlib import Path

    from evalcore import open_workspace
    from evalcore.bundles.content import content
    from evalcore.bundles.making import About, write_bundle
    from evalcore.bundles.reading import opened

    workspace = open_workspace(asked["root"])
    suites = workspace.tables.suites["suite"].tolist()

    def work() -> Any:
        out = BytesIO()
        about = About("workspace", "evalcore bench", "bench", outputs=True)
        write_bundle(out, workspace.root, content(workspace, suites, outputs=True), about, {})
        with tempfile.NamedTemporaryFile(suffix=".evc.zip") as file:
            Path(file.name).write_bytes(out.getbuffer())
            with opened(Path(file.name)) as found:
                files = sum(1 for _ in found.files())
        return {
            "runs": workspace.tables.rows("runs"),
            "files": files,
            "bytes": out.getbuffer().nbytes,
        }

    return work
