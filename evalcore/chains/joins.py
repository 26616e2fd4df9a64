"""Find the rows of one table by the rows of another: codes that are sorted once and looked up."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.coded import Coded, Numbers, coded, positions
from evalcore.counting.memo import memoize_per_workspace
from evalcore.workspace.opened import Workspace

LISTED: Final = ("contains", "scores")
"""Relations of which there is one for each judgment: the table of judgments has them too."""


class Column(NamedTuple):
    """A column of codes of a table."""

    table: str
    name: str


class Sorted(NamedTuple):
    """The rows of a column, by their codes in rising order."""

    codes: Numbers
    rows: Numbers

    def having(self, codes: Numbers) -> Numbers:
        """Return the rows that have one of some codes, each once and in the table's order."""
        starts = np.searchsorted(self.codes, codes, "left")
        counts = np.searchsorted(self.codes, codes, "right") - starts
        ends = np.cumsum(counts)
        places = np.arange(counts.sum()) + np.repeat(starts - ends + counts, counts)
        return np.unique(self.rows[places])


@memoize_per_workspace
def sorted_rows(ws: Workspace, column: Column) -> Sorted:
    """Return the rows of a column by code; of relations those that only their table has."""
    codes = coded(ws, *column).codes
    rows = np.arange(len(codes), dtype=np.int32)
    if column.table == "relations":
        rows = rows[~coded(ws, "relations", "relation").among(LISTED)]
    order = np.argsort(codes[rows], kind="stable")
    return Sorted(codes[rows][order], rows[order])


@memoize_per_workspace
def translated(ws: Workspace, have: Column, wanted: Column) -> Numbers:
    """Return for each code of a column that of the same word in another; -1 if it is not there."""
    one, other = coded(ws, *have), coded(ws, *wanted)
    if one.strings is other.strings:
        return np.arange(len(one.strings))
    return positions(one.strings, other.strings)


def word_at(ws: Workspace, column: Column, row: int) -> str:
    """Return the word of a row in a column; empty without one."""
    found = coded(ws, *column)
    code = int(found.codes[row])
    return "" if code < 0 else str(found.strings[code].as_py())


def joined(ws: Workspace, have: Column, rows: Numbers, wanted: Column) -> Numbers:
    """Return the rows of a column that have a word which some rows of another column have."""
    codes = np.unique(coded(ws, *have).codes[rows])
    found = translated(ws, have, wanted)[codes[codes >= 0]]
    return sorted_rows(ws, wanted).having(found[found >= 0])


def named(ws: Workspace, column: Column, names: Iterable[str]) -> Numbers:
    """Return the rows of a column that have one of a few words."""
    words = coded(ws, *column).strings
    codes = np.array([pc.index(words, name).as_py() for name in names], np.int64)
    return sorted_rows(ws, column).having(codes[codes >= 0])


def unmatched(
    ws: Workspace, have: Column, rows: Numbers, wanted: Column, found: Numbers
) -> list[str]:
    """Return the words of some rows of a column that none of the found rows of another has."""
    codes = np.unique(coded(ws, *have).codes[rows])
    codes = codes[codes >= 0]
    there = np.isin(translated(ws, have, wanted)[codes], coded(ws, *wanted).codes[found])
    strings = coded(ws, *have).strings
    return [strings[code].as_py() for code in codes[~there].tolist()]


def code_of(words: Coded, word: str) -> int:
    """Return the code of a word, or one that no row has."""
    at = int(words.places([word])[0])
    return at if at >= 0 else len(words.strings)


def with_word(ws: Workspace, column: Column, rows: Numbers, word: str) -> Numbers:
    """Return those of some rows that have a word in a column."""
    words = coded(ws, *column)
    mine: Numbers = rows[words.codes[rows] == code_of(words, word)]
    return mine


def words_of(ws: Workspace, column: Column, rows: Numbers) -> list[str]:
    """Return the distinct words that some rows have in a column."""
    found = coded(ws, *column)
    codes = np.unique(found.codes[rows])
    return [found.strings[code].as_py() for code in codes[codes >= 0].tolist()]


def first_of_each(ws: Workspace, column: Column, rows: Numbers) -> Numbers:
    """Return the first of the rows that have the same word in a column, for each word."""
    _, first = np.unique(coded(ws, *column).codes[rows], return_index=True)
    return rows[np.sort(first)]
