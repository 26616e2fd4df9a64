"""Trends that documents store (001), with the direction that their own points have."""

from datetime import datetime
from typing import NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.numbers import disagrees
from evalcore.statistics.trend import Trend, trend
from evalcore.tables.aggregated import TrendPointRow
from evalcore.trends.benchmark_runs import benchmark_runs
from evalcore.trends.lines import lines
from evalcore.trends.metrics import Metric
from evalcore.workspace.opened import Workspace


class StoredPoint(NamedTuple):
    """One point of a stored trend, and the mean score of the benchmark run of that date.

    `computed` is None if no run of the benchmark has that date or a score.
    """

    when: datetime | None
    stated: float
    computed: float | None

    @property
    def disagrees(self) -> bool:
        """Whether the runs give another score."""
        return self.computed is not None and disagrees(self.stated, self.computed)


class StoredTrend(NamedTuple):
    """A stored trend: the direction that its document states, and the one of its points."""

    trend_id: str
    dimension: str
    stated: str | None
    computed: Trend
    points: tuple[StoredPoint, ...]
    source: str

    @property
    def disagrees(self) -> bool:
        """Whether the stated direction is another one.

        A document has no words for "no clear direction" (it stores "stable") and "too early".
        """
        word = self.computed.direction
        if self.stated is None or word == "too early":
            return False
        return self.stated != ("stable" if word == "no clear direction" else word)


@memoize_per_workspace
def stored_trends(ws: Workspace, suite: str) -> tuple[StoredTrend, ...]:
    """Return the stored trends of a suite, by dimension.

    Scores above 1 are on a scale that the document does not state: they count relative to the
    largest, and no run is compared with them.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    rows = where(ws, "trend_points", suite=suite).tolist()
    grouped: dict[str, list[TrendPointRow]] = {}
    for row in typed(ws, "trend_points", TrendPointRow, rows):
        grouped.setdefault(row.trend_id or "", []).append(row)
    computed = _computed(ws, suite) if grouped else {}
    found = [_trend(rows, computed) for rows in grouped.values()]
    return tuple(sorted(found, key=lambda each: (each.dimension, each.trend_id)))


def _computed(ws: Workspace, suite: str) -> dict[tuple[str | None, datetime | None], float]:
    """Return the mean score of each benchmark at each date, from its runs."""
    found = lines(ws, suite, Metric("score"), "benchmark-runs")
    values = {
        spot.place.benchmark_run: spot.value
        for line in found
        for spot in line.known
        if spot.value is not None and not spot.from_document
    }
    return {
        (row.benchmark, row.ran_at): values[row.benchmark_run]
        for row in benchmark_runs(ws, suite)
        if row.benchmark_run in values
    }


def _trend(
    rows: list[TrendPointRow], computed: dict[tuple[str | None, datetime | None], float]
) -> StoredTrend:
    known = [row for row in rows if row.score is not None]
    if all(row.date is not None for row in known):
        known.sort(key=lambda row: row.date.timestamp() if row.date else 0.0)
    scores = [row.score for row in known if row.score is not None]
    large, one = any(score > 1 for score in scores), rows[0]
    points = (
        StoredPoint(row.date, score, None if large else computed.get((row.benchmark, row.date)))
        for row, score in zip(known, scores, strict=True)
    )
    return StoredTrend(
        trend_id=one.trend_id or "",
        dimension=one.dimension or "",
        stated=one.direction,
        computed=trend(scores, relative=large),
        points=tuple(points),
        source=one.source or "",
    )
