"""`evalcore trends`: the direction, the points and the alerts of one metric."""

import os
import sys
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.charts.data import as_csv
from evalcore.charts.png import png
from evalcore.charts.svg import svg
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.terminal import harmless
from evalcore.cli.trending_document import as_document
from evalcore.cli.trending_screen import Shown, show
from evalcore.counting.people import Scores
from evalcore.counting.rates import rates
from evalcore.errors import CannotWrite, SuiteNotNamed, UnknownName
from evalcore.tables.exported import BOM
from evalcore.trends.directions import directions
from evalcore.trends.lines import Over
from evalcore.trends.metrics import Metric, metric_named
from evalcore.views.charts.model import Picture
from evalcore.views.series.chart import Request, drawn, line_picture, with_gaps
from evalcore.views.series.words import metric_words
from evalcore.views.trends.alerts import listed_alerts
from evalcore.workspace.opened import Workspace

SHOWN: Final = 10
"""How many alerts are listed; `--json` has all."""
FORMS: Final = (".svg", ".png", ".csv")


class Asked(NamedTuple):
    """The request as typed."""

    path: Path
    suite: str | None = None
    metric: str | None = None
    over: Over = "versions"
    scores: Scores = "recorded"


def follow(
    asked: Asked, *, as_json: bool, out: Path | None, force: bool, excel: bool = False
) -> int:
    """Print a metric over versions or benchmark runs, or write its picture or numbers to `out`.

    `excel` puts a byte order mark before a CSV.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite, or the suite no such metric.
        CannotWrite: `out` has another form than SVG, PNG and CSV, or exists without `force`.
        PicturesMissing: PNG needs the extra `pictures`.
    """
    if excel and (out is None or out.suffix.lower() != ".csv"):
        raise CannotWrite(out or asked.path, "--excel is for CSV; add --out FILE.csv")
    if out is not None:
        if out.suffix.lower() not in FORMS:
            raise CannotWrite(out, f"its name must end in {', '.join(FORMS[:-1])} or {FORMS[-1]}")
        if os.path.lexists(out) and not force:
            raise CannotWrite(
                out, "it exists already; add --force to replace it, or choose another name"
            )
    ws = open_for_judge(asked.path)
    suite = suite_of(ws, asked.path, asked.suite)
    metric = metric_named(ws, suite, asked.metric)
    if out is not None:
        picture = _picture(ws, suite, metric, asked)
        match out.suffix.lower():
            case ".svg":
                out.write_text(svg(picture), encoding="utf-8")
            case ".png":
                out.write_bytes(png(picture))
            case _:
                out.write_bytes(BOM * excel + as_csv(picture).encode())
    if as_json:
        sys.stdout.write(as_document(ws, suite, metric, asked.over, asked.scores))
    elif out is not None:
        sys.stdout.write(f"{harmless(out)} written\n")
    else:
        found = drawn(ws, suite, Request(metric, asked.over), asked.scores)
        names = tuple(name for name, _ in found.lines) if found else ()
        alerts, total = listed_alerts(ws, suite, metric, asked.over, asked.scores, SHOWN)
        show(
            Shown(
                words=metric_words(ws, suite, metric),
                over=asked.over,
                drawn=found,
                gaps=with_gaps(ws, suite, metric, found.chart, asked.scores).gaps if found else "",
                directions=directions(ws, suite, metric, asked.over, asked.scores, names),
                alerts=alerts,
                older=total - len(alerts),
            )
        )
    return 0


def suite_of(ws: Workspace, path: Path, name: str | None) -> str:
    """Return the suite that is named, else the only one.

    Raises:
        SuiteNotNamed, UnknownName: there are several or none, or none of that name.
    """
    known = list(rates(ws))
    if name is None and len(known) != 1:
        raise SuiteNotNamed(path, known)
    if name is not None and name not in known:
        raise UnknownName("suite", name, known)
    return name or known[0]


def _picture(ws: Workspace, suite: str, metric: Metric, asked: Asked) -> Picture:
    found = drawn(ws, suite, Request(metric, asked.over), asked.scores)
    if found is None:
        raise UnknownName("value of the metric", metric.key, [])
    chart = with_gaps(ws, suite, metric, found.chart, asked.scores)
    return line_picture(ws, suite, metric, chart, asked.scores)
