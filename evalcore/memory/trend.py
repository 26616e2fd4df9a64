"""The stored trend of a benchmark: a point for each of its runs, and the direction they have."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.disk.values import decoded, parse_time, time_text
from evalcore.errors import AlreadyStored
from evalcore.families.reviews.models import TrendFields
from evalcore.families.reviews.review import BY_RULE, TREND
from evalcore.ids import derived_id
from evalcore.judging.model import Receipt
from evalcore.memory.store import Current, New, remember, revise
from evalcore.statistics.trend import escalates, trend
from evalcore.tables.aggregated import BenchmarkRunRow, TrendPointRow
from evalcore.workspace.opened import Workspace

Word = Literal["improving", "degrading", "stable"]
WORDS: Final[dict[str, Word]] = {"improving": "improving", "degrading": "degrading"}
"""The directions that a record has a word for; it says stable of the others."""


class Followed(NamedTuple):
    """A stored trend after a run: its id, its points, its direction, whether it escalates."""

    id: str
    points: list[dict[str, Any]]
    direction: Word
    escalates: bool
    receipts: tuple[Receipt, ...] = ()


def follow_trend(ws: Workspace, suite: str, about: BenchmarkRunRow, at: str) -> Followed:
    """Add a benchmark run to the trend of its benchmark, which is begun with the first one.

    A run without a date or a score, or whose point is there already, changes nothing.

    Raises:
        CannotWrite: it cannot be written.
    """
    rows = _stored(ws, suite, about)
    held = [_point(row.date, row.score) for row in rows if row.date and row.score is not None]
    old = _record(rows[0]) if rows else None
    if about.ran_at is None or about.overall_score is None or _has(held, about.ran_at):
        return _as_of(_followed(old.id if old else "", held), about.ran_at)
    identity = derived_id(about.benchmark_run or "", TREND)
    point = _point(about.ran_at, about.overall_score)
    found = _followed(old.id if old else identity, _added(held, point))
    found = _as_of(found, about.ran_at)
    if old is None:
        new = New(TREND, identity, _fields(about, found), about=about.name or "", at=at)
        return found._replace(receipts=remember(ws, suite, [new]))

    def change(fields: Mapping[str, Any]) -> dict[str, Any]:
        return _changed(fields, point)

    try:
        receipt = revise(ws, suite, old, change, identity, BY_RULE, at)
    except AlreadyStored:  # the run was changed since its point was added, which stays
        return _followed(old.id, held)
    if receipt is None:
        return found
    return found._replace(id=receipt.id, receipts=(receipt,))


def _record(row: TrendPointRow) -> Current:
    """Return the record that a point is of: its pointer leads into the record's fields."""
    pointer = (row.pointer or "").partition("/fields")[0]
    return Current(TREND, row.trend_id or "", row.source or "", pointer)


def _stored(ws: Workspace, suite: str, about: BenchmarkRunRow) -> list[TrendPointRow]:
    """Return the points of the benchmark's newest trend; of its own dimension where it has one."""
    mine = where(ws, "trend_points", suite=suite, benchmark=about.benchmark).tolist()
    grouped: dict[str, list[TrendPointRow]] = {}
    for row in typed(ws, "trend_points", TrendPointRow, mine):
        grouped.setdefault(row.trend_id or "", []).append(row)

    def rank(rows: list[TrendPointRow]) -> tuple[bool, float, str]:
        when = rows[0].computed_at
        same = rows[0].dimension == about.dimension
        return same, when.timestamp() if when else 0.0, rows[0].trend_id or ""

    return max(grouped.values(), key=rank, default=[])


def _changed(fields: Mapping[str, Any], point: dict[str, Any]) -> dict[str, Any]:
    """Return what changes in the fields of a stored trend: others may have added points."""
    stored = fields.get("dataPoints")
    known = decoded(stored)
    held = [each for each in known if isinstance(each, dict)] if isinstance(known, list) else []
    when = parse_time(point["date"])
    points = held if when is None or _has(held, when) else _added(held, point)
    found = _followed("", points)
    written = json.dumps(points) if isinstance(stored, str) or stored is None else points
    return {"dataPoints": written, "direction": found.direction, "lastComputedAt": point["date"]}


def _fields(about: BenchmarkRunRow, found: Followed) -> TrendFields:
    return TrendFields(
        benchmark_id=about.benchmark or "",
        dimension=about.dimension or "",
        data_points=json.dumps(found.points),
        direction=found.direction,
        last_computed_at=found.points[-1]["date"],
    )


def _followed(identity: str, points: list[dict[str, Any]]) -> Followed:
    scores = [each["score"] for each in points if isinstance(each.get("score"), (int, float))]
    word = trend(scores, relative=any(score > 1 for score in scores)).direction
    return Followed(identity, points, WORDS.get(word, "stable"), escalates(scores))


def _as_of(found: Followed, when: datetime | None) -> Followed:
    """Return a trend that escalates if it did when the run of a date was its newest point."""
    if when is None:
        return found._replace(escalates=False)
    until = [each for each in found.points if _moment(each) <= when.timestamp()]
    return found._replace(escalates=_followed("", until).escalates)


def _point(when: datetime | None, score: float | None) -> dict[str, Any]:
    return {"date": time_text(when) if when else None, "score": score}


def _has(points: Iterable[Mapping[str, Any]], when: datetime) -> bool:
    return any(parse_time(each.get("date")) == when for each in points)


def _added(points: list[dict[str, Any]], point: dict[str, Any]) -> list[dict[str, Any]]:
    """Return points with one more, in the order of their dates."""
    return sorted([*points, point], key=_moment)


def _moment(point: Mapping[str, Any]) -> float:
    when = parse_time(point.get("date"))
    return when.timestamp() if when else 0.0
