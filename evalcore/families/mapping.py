"""The interface of a family that reads the tables of others by a mapping stored beside them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.tables.builder import Rows


class Shown(NamedTuple):
    """One thing that a mapping says: what it is of a run, its column, and its first values."""

    what: str
    column: str
    values: tuple[str | None, ...]


class Preview(NamedTuple):
    """A table as it would be read: its rows in all tables, and what its columns are."""

    rows: Rows
    shown: tuple[Shown, ...]


class Mapped(NamedTuple):
    """How a family reads a table: `ending` is that of the mapping beside it.

    `preview(reader, path, mapping, most)` reads a table by a mapping that is not stored, with the
    values of at most so many rows; what cannot be read is noted on the reader.
    """

    ending: str
    preview: Callable[[Reader, str, Mapping[str, Json], int], Preview]
