"""A metric over time on the terminal: the direction first, then alerts and points."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
from evalcore.trends.directions import LineTrend
from evalcore.trends.lines import Over
from evalcore.views.series.chart import NOUNS, Drawn, stored_words
from evalcore.views.series.words import MetricWords, likely_words
from evalcore.views.trends.alerts import Listed, alert_text
from evalcore.views.trends.directions import direction_sentence
from evalcore.views.verdict.limits import capital


class Shown(NamedTuple):
    """What is printed; `drawn` is None where the metric was never measured."""

    words: MetricWords
    over: Over
    drawn: Drawn | None
    gaps: str
    directions: Sequence[LineTrend]
    alerts: Sequence[Listed]
    older: int


def show(shown: Shown) -> None:
    """Print the direction of each line, the alerts and the newest points."""
    out = console()
    if shown.drawn is None:
        _say(out, f"No {NOUNS[shown.over]} has a value: {shown.words.name}.", "bold")
        return
    alone = len(shown.directions) == 1 and not shown.drawn.others
    for told in shown.directions:
        _say(out, direction_sentence(shown.words, told, shown.over, alone=alone), "bold")
    for each in shown.alerts:
        style = "red" if each.alert.drop.level == "critical" else ""
        _say(out, alert_text(each), style)
    if shown.older:
        _say(out, f"and {shown.older:,} older alerts (all with --json)")
    out.print()
    _say(out, capital(shown.drawn.chart.sentence))
    if shown.gaps:
        _say(out, shown.gaps)
    out.print(_table(shown, shown.drawn))


def _table(shown: Shown, drawn: Drawn) -> Table:
    several = len(drawn.lines) > 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(NOUNS[shown.over], overflow="fold")
    if several:
        table.add_column("line", overflow="fold")
    for name in ("value", "likely", "cases", "runs"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for line, spot in drawn.newest_first:
        cells = [harmless(spot.place.benchmark_run or spot.place.version)]
        if several:
            cells.append(harmless(line))
        cells += [shown.words.value(spot.value), likely_words(shown.words, spot)]
        cells += [f"{spot.cases:,}", f"{spot.runs:,}", stored_words(shown.words, spot)]
        table.add_row(*map(Text, cells))
    return table


def _say(out: Console, text: str, style: str = "") -> None:
    """Print one line of which any part may come from a file."""
    out.print(Text(harmless(text), style), soft_wrap=True)
