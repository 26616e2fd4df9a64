"""Blocks of heat maps."""

from collections.abc import Sequence

from evalcore.views.blocks.base import Block, PanelData


class Heat(Block, frozen=True, kw_only=True, tag="heat"):
    """A heat map; a cell leads to the page itself with `query`, its criterion and its column.

    `key` of a column names it in the addresses of its cells. A row has a cell or None for each
    column: its shade from 0 to 9, its number, and its words on hover behind the name of the row;
    `at` is the column whose cell is open. `turns` lead to the columns that are not drawn.
    """

    label: str
    columns: Sequence[PanelData]
    rows: Sequence[PanelData]
    noted: str
    turns: Sequence[PanelData]
    ends: Sequence[str]
    query: dict[str, str | None]
