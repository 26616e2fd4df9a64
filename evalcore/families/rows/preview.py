"""Show how a table would be read by a mapping that is not stored."""

from collections.abc import Mapping
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.disk.sheets import rows_of, text_in
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.mapping import Mapped, Preview, Shown
from evalcore.families.rows.mapping import ENDING, Place, columns
from evalcore.families.rows.read import read
from evalcore.tables.builder import Rows


def preview(reader: Reader, path: str, mapping: Mapping[str, Json], most: int) -> Preview:
    """Return the rows of a table in all tables, and which of its columns is what."""
    by, rows = columns(Node(reader, path, dict(mapping))), Rows()
    plan = Plan(path.rpartition(".")[0], "rows", "", None, (), {path: by})
    read(plan, reader, rows)
    first = [
        row
        for _, row in rows_of(reader, path)
        if all(place.of(row)[0] in place.wanted for place in by.only.values())
    ][:most]
    places: list[tuple[str, Place]] = list(by.places.items())
    for asked in by.criteria:
        name = asked.name or "each criterion"
        fixed = {role: each.constant for role, each in asked.places.items() if each.column is None}
        scale = f", {fixed['low']} to {fixed['high']}" if {"low", "high"} <= fixed.keys() else ""
        for role, place in asked.places.items():
            if role not in ("low", "high") or role not in fixed:
                places.append((f"{name}: {role}{scale if role == 'score' else ''}", place))
    shown = []
    for what, place in places:
        column = place.column if place.column is not None else f"always {text_in(place.constant)}"
        times = f" × {place.times:g}" if place.times is not None else ""
        values = tuple(text_in(place.of(row)[0]) for row in first)
        shown.append(Shown(what + times, column, values))
    return Preview(rows, tuple(shown))


MAPPED: Final = Mapped(ENDING, preview)
