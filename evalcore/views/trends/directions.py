"""The direction of each line in a sentence with its figures."""

from collections.abc import Sequence
from typing import Final

from evalcore.counting.outcomes import SECOND_SIDES
from evalcore.statistics.trend import LAST, Direction
from evalcore.trends.benchmarks import StoredTrend
from evalcore.trends.directions import LineTrend
from evalcore.trends.lines import Over
from evalcore.trends.metrics import Metric
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import FOLD, Cell, Heading, Row, Say, Table, Verdict, heads
from evalcore.views.series.chart import NOUNS
from evalcore.views.series.words import MetricWords
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording

STORED: Final = 200
NO_RUN: Final = "no run of that date"
RULES: Final = (
    "The last five points count. Three or four are early, fewer are too early.",
    "Stable: they lie no more than 5 points of the scale apart.",
    "Time, tokens and cost are steady if they lie no more than 5 % of the largest apart.",
    "Else improving or degrading: all pairs of points are in order, of five all but one.",
    "Chance alone gives such an order in 8 of 100 series.",
    "Else there is no clear direction.",
    "A direction does not cross a break, where cases, criteria, judge or model changed.",
    "A rate that fell by more than 10 percentage points is a critical alert.",
    "One that fell by more than 10 % of what it was, but by fewer points, is a warning.",
)
_WORDS: Final[dict[Direction, str]] = {"improving": "better", "degrading": "worse"}
_AMOUNTS: Final[dict[Direction, str]] = {
    "improving": "rising",
    "degrading": "falling",
    "stable": "steady",
}


def direction_word(metric: Metric, direction: Direction) -> str:
    """Return the word of a direction; more time, tokens or cost is neither better nor worse."""
    return _AMOUNTS.get(direction, direction) if metric.resource else direction


def direction_sentence(words: MetricWords, told: LineTrend, over: Over, *, alone: bool) -> str:
    """Return the direction of one line with its figures, behind what makes them doubtful.

    `alone` says that it is the only line.
    """
    doubts = "".join(f"{each} " for each in told.suspect)
    found, of = told.trend, "" if alone else f" of {told.name}"
    name, noun = f"{doubts}{capital(words.name)}{of}", NOUNS[over]
    if found.direction == "too early":
        since = " since the last break" if told.cut else ""
        have = "has" if found.points == 1 else "have"
        have = f"{wording.count(found.points, noun)}{since} {have} a value"
        return f"{name}: too early to see a direction. {have}; three are needed."
    over_these = f"over the last {wording.count(found.points, noun)}"
    early = f" (early: fewer than {LAST})" if found.early else ""
    if found.direction == "no clear direction":
        values = (spot.value for spot in told.spots if spot.value is not None)
        figures = ", ".join(map(words.value, values))
        return f"{name} has no clear direction {over_these}: {figures}{early}."
    word = direction_word(words.metric, found.direction)
    first, last = map(words.value, (found.first, found.last))
    return f"{name} is {word} {over_these}: {first} → {last}{early}."


def direction_blocks(
    words: MetricWords, found: Sequence[LineTrend], over: Over, others: int = 0
) -> list[Block]:
    """Describe the directions: that of the line with most points first, a baseline last."""

    def rank(at: int) -> tuple[bool, int, int]:
        return found[at].name in SECOND_SIDES, -found[at].trend.points, -at

    order = sorted(range(len(found)), key=rank)
    alone = len(found) == 1
    blocks: list[Block] = []
    for told in (found[at] for at in order):
        sentence = direction_sentence(words, told, over, alone=alone and not others)
        escalated = _ESCALATED if told.escalated else ""
        if blocks:
            blocks.append(Say(f"{sentence}{escalated and ' '}{escalated}", quiet=True))
            continue
        word = "" if words.metric.resource else _WORDS.get(told.trend.direction, "")
        blocks.append(Verdict(sentence, word, RULES, rest=escalated))
    return blocks


def stored_blocks(found: Sequence[StoredTrend]) -> list[Block]:
    """Say which documents state another direction than their points, or other scores than runs."""
    return [Say(said, quiet=True) for each in found if (said := stored_sentence(each))]


def stored_sentence(found: StoredTrend) -> str:
    """Return what is wrong with a stored trend in a sentence; nothing where nothing is."""
    points, wrong = len(found.points), sum(point.disagrees for point in found.points)
    said = []
    if found.disagrees:
        said.append(f"states {found.stated}, its {points:,} points say {found.computed.direction}")
    if wrong:
        differ = "differs" if wrong == 1 else "differ"
        of = wording.count(points, "point")
        said.append(f"has {of}, of which {wrong:,} {differ} from its runs")
    name = found.dimension or found.trend_id
    return f"The stored trend of {name} {', and '.join(said)}." if said else ""


def stored_table(found: Sequence[StoredTrend]) -> list[Block]:
    """Describe the points of stored trends beside the scores of their runs, newest first."""
    if not found:
        return []
    points = [(trend, point) for trend in found for point in reversed(trend.points)][:STORED]
    # A column in which every row says the same as the one before it is a line above them.
    hint = ""
    if all(point.computed is None for _, point in points):
        hint = "no run has their dates"
    elif not any(point.computed is None or point.disagrees for _, point in points):
        hint = "the same as the scores of their runs"
    apart = not hint
    head = heads("Stored trend", "When", "#Stored score", *(["#Of its runs"] if apart else []))
    rows = []
    for trend, point in points:
        known, mark = point.computed is not None, "warn" if point.disagrees else None
        ours = wording.fixed(point.computed, 3) if known else NO_RUN
        cells = [
            Cell(trend.dimension or trend.trend_id, title=trend.source),
            Cell(wording.moment(point.when), keep=True),
            Cell(wording.fixed(point.stated, 3), num=True),
            *([Cell(ours, num=True, quiet=not known, mark=mark)] if apart else []),
        ]
        rows.append(Row(cells))
    return [Heading("Stored trends", hint), Table("Stored trends", head, rows, fold=FOLD)]


_ESCALATED: Final = "It degraded in each of the last three windows of five points: escalate it."
