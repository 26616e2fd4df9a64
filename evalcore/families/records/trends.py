"""Stored trends: the scores of a benchmark over time."""

from evalcore.families.records.links import Links
from evalcore.families.records.shapes import TRACKED_BY
from evalcore.families.records.store import Store
from evalcore.families.remembering import trend_rows
from evalcore.tables.builder import Rows


def read_trends(store: Store, links: Links, rows: Rows) -> None:
    """Add the points of every stored trend."""
    for record in store.all("eval-trend"):
        benchmark = links.source(TRACKED_BY, record.id)
        for row in trend_rows(store.said(record), benchmark):
            rows.add(row)
