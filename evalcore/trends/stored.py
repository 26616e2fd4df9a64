"""Trends that documents store (001), with the direction that their own points have."""

from datetime import datetime
from typing import NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.statistics.trend import Trend, trend
from evalcore.tables.aggregated import TrendPointRow
from evalcore.workspace.opened import Workspace


class StoredTrend(NamedTuple):
    """A stored trend: the direction that its document states, and the one of its points.

    `first` to `last` are the dates of the points that count.
    """

    trend_id: str
    dimension: str
    stated: str | None
    computed: Trend
    points: int
    first: datetime | None
    last: datetime | None
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
    largest.
    """
    rows = where(ws, "trend_points", suite=suite).tolist()
    grouped: dict[str, list[TrendPointRow]] = {}
    for row in typed(ws, "trend_points", TrendPointRow, rows):
        grouped.setdefault(row.trend_id or "", []).append(row)
    return tuple(sorted(map(_trend, grouped.values()), key=lambda each: each[:2][::-1]))


def _trend(rows: list[TrendPointRow]) -> StoredTrend:
    known = [row for row in rows if row.score is not None]
    if all(row.date is not None for row in known):
        known.sort(key=lambda row: row.date.timestamp() if row.date else 0.0)
    scores = [row.score for row in known if row.score is not None]
    told = trend(scores, relative=any(score > 1 for score in scores))
    used, one = known[-told.points :] if told.points else [], rows[0]
    return StoredTrend(
        trend_id=one.trend_id or "",
        dimension=one.dimension or "",
        stated=one.direction,
        computed=told,
        points=len(scores),
        first=used[0].date if used else None,
        last=used[-1].date if used else None,
        source=one.source or "",
    )
