"""Stored trends: the scores of a benchmark over time."""

from datetime import datetime

from evalcore.disk.values import Node, parse_time
from evalcore.families.records.links import Links
from evalcore.families.records.shapes import TRACKED_BY, quoted
from evalcore.families.records.store import Store
from evalcore.families.records.values import decoded
from evalcore.tables.builder import Rows
from evalcore.tables.rows import TrendPointRow


def read_trends(store: Store, links: Links, rows: Rows) -> None:
    """Add the points of every stored trend, which may be written as JSON text."""
    for record in store.all("eval-trend"):
        node = store.node(record)
        benchmark = links.source(TRACKED_BY, record.id)
        dimension, direction = node.text("dimension"), node.text("direction")
        computed_at = node.time("lastComputedAt")
        for at, date, score in _points(node):
            rows.add(
                TrendPointRow(
                    suite=store.suite,
                    benchmark=benchmark,
                    trend_id=record.id,
                    dimension=dimension,
                    date=date,
                    score=score,
                    direction=direction,
                    computed_at=computed_at,
                    source=record.path,
                    pointer=at,
                )
            )


def _points(node: Node) -> list[tuple[str, datetime | None, float | None]]:
    """Return (pointer, date, score) of each data point."""
    value = node.get("dataPoints")
    if value is None or value == "":
        return []
    written_as_text = isinstance(value, str)
    points = decoded(value)
    if not isinstance(points, list):
        node.wrong("dataPoints", "a list of {date, score}, also as JSON text")
        return []
    found = []
    place = f"{node.at}/dataPoints"
    for index, item in enumerate(points):
        at = place if written_as_text else f"{place}/{index}"
        point = Node(node.reader, node.path, item, at, node.suite)
        if not isinstance(item, dict):
            point.type_problem("an object with date and score")
            continue
        date, score = _date(point), point.number("score")
        found.append((at, date, score))
    return found


def _date(point: Node) -> datetime | None:
    value = point.get("date")
    date = parse_time(value)
    if date is None:
        point.note(
            "warning",
            "no-date",
            f"The point's date {quoted(value)} is no ISO 8601 date.",
            "Write it like 2026-02-22 or 2026-02-22T20:00:00Z.",
        )
    return date
