"""Blocks of heat maps."""

from collections.abc import Sequence

from evalcore.views.blocks.base import Block, Link, Part


class HeatColumn(Part, frozen=True, kw_only=True):
    """One column; `key` names it in the addresses of its cells."""

    key: str
    text: str
    sub: str = ""


class HeatTurn(Part, frozen=True, kw_only=True):
    """The way to columns that are not drawn."""

    text: str
    link: Link


HeatCellParts = tuple[int, str, str]
"""(shade from 0 to 9, number, words on hover behind the name of the row)"""


class HeatLine(Part, frozen=True, kw_only=True):
    """One row: a cell or None for each column; `at` is the key of the column whose cell is open."""

    id: str
    name: str
    about: str
    cells: Sequence[HeatCellParts | None]
    note: str
    mark: str | None
    on: bool
    at: str | None


class Heat(Block, frozen=True, kw_only=True, tag="heat"):
    """A heat map; a cell leads to the page itself with `query`, its criterion and its column."""

    label: str
    columns: Sequence[HeatColumn]
    rows: Sequence[HeatLine]
    noted: str
    turns: Sequence[HeatTurn]
    ends: Sequence[str]
    query: dict[str, str | None]
