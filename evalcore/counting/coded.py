"""Dictionary-encoded columns: integer codes that are compared and counted instead of words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.arrays import strings
from evalcore.workspace.opened import Workspace

NO_WORD: Final = "nan"
SPARSE: Final = 32
"""Above so many times as many possible keys as rows, keys are sorted, not marked in a table."""
SMALL: Final = 1 << 16
MOST_ASKED: Final = 1024
FEW_WORDS: Final = 256
"""Words up to which it takes no longer to compare all codes than to remember their rows."""
FEW: Final = 4
"""Words up to which words and codes are compared with each in turn."""
_NONE: Final = pa.Array.from_buffers(pa.int32(), 1, [None, pa.py_buffer(np.array([-1], "i4"))])[0]

Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column: `codes` are positions in `words`; -1, the last one, is a missing word."""

    codes: Numbers
    strings: Any

    @cached_property
    def words(self) -> list[str]:
        """The words; the last one is what a missing word is shown as."""
        return [*self.strings.to_pylist(), NO_WORD]

    @property
    def width(self) -> int:
        """How many different values `keys` can have."""
        return len(self.strings) + 1

    @cached_property
    def keys(self) -> Numbers:
        """The codes, all 0 or more: a missing word (-1 in `codes`) is the highest one."""
        return _keys(self.codes, len(self.strings))

    def keys_of(self, rows: Numbers) -> Numbers:
        """Return the `keys` of some rows."""
        return _keys(self.codes[rows], len(self.strings))

    def place(self, word: str) -> int:
        """Return the code of a word; -1 if it is unknown."""
        # Pages ask for what is open again and again.
        found = self._asked.get(word)
        if found is None:
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
            found = self._asked[word] = int(self.places([word])[0])
        return found

    @cached_property
    def _asked(self) -> dict[str, int]:
        return {}

    def rows_of(self, code: int) -> Numbers:
        """Return the rows that have a code, in order; -1 asks for those without a word."""
        if self.width <= FEW_WORDS or code < 0:
            return np.flatnonzero(self.codes == code)
        first, rows = self._by_word
        return rows[first[code] : first[code + 1]]

    @cached_property
    def _by_word(self) -> tuple[Numbers, Numbers]:
        """Return where the rows of each code begin, and all rows by their code."""
        n = np.bincount(self.keys, minlength=self.width)
        return np.append(0, np.cumsum(n)), np.argsort(self.keys, kind="stable")

    def column(self) -> list[str]:
        """Return the word of each row, for columns of few rows."""
        return [self.words[code] for code in self.codes.tolist()]

    def among(self, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Return for each row whether its word is one of those wanted."""
        places = self.places(wanted)
        places = places[places >= 0]
        if len(places) > FEW:
            chosen = np.zeros(self.width, bool)
            chosen[places] = True
            return chosen[self.codes]
        found = np.zeros(len(self.codes), bool)
        for place in places:
            found |= self.codes == place
        return found

    def are(self, word: str, rows: Numbers) -> NDArray[np.bool_]:
        """Return for each of some rows whether its word is this one."""
        code = self.place(word)
        return np.zeros(len(rows), bool) if code < 0 else self.codes[rows] == code

    def places(self, wanted: Iterable[str]) -> Numbers:
        """Return the codes of some words; -1 for unknown ones."""
        words = strings(list(wanted))
        if len(words) > FEW:
            return positions(words, self.strings)
        # To compare all words with one takes a fortieth of the time of a table of all of them.
        found = (pc.index(self.strings, word).as_py() for word in words)
        return np.fromiter(found, np.int32, len(words))


@memoize_per_workspace
def coded(ws: Workspace, table: str, column: str) -> Coded:
    """Return a column of short strings as codes and words."""
    found = ws.tables.columns[table][column]
    return Coded(values(ws, table, column), found.strings)


def values(ws: Workspace, table: str, column: str) -> Numbers:
    """Return the numbers of a column; booleans are 1, 0, or -1 (missing)."""
    found = ws.tables.columns[table][column].values
    if found is None:
        raise TypeError(f"The column {column!r} of {table!r} holds texts, not numbers.")
    return found


def _keys(codes: Numbers, missing: int) -> Numbers:
    keys: Numbers = codes.astype(np.int64)
    keys[keys < 0] = missing
    return keys


def positions(words: Any, among: Any) -> Numbers:
    """Return the position of each word in another list; -1 if it is missing there."""
    # Neither a scalar of a number nor a conversion to numpy: for both, Arrow imports pandas.
    found = pc.index_in(words, value_set=among).fill_null(_NONE)
    if not len(found):
        return np.zeros(0, np.int32)
    return np.frombuffer(found.buffers()[1], np.int32)[found.offset : found.offset + len(found)]


def distinct(keys: Numbers, space: int) -> Numbers:
    """Return the distinct keys (from 0, below `space`) in order."""
    if _sparse(keys, space):
        return np.unique(keys)
    seen = np.zeros(space, bool)
    seen[keys] = True
    return np.flatnonzero(seen)


def numbered(keys: Numbers, space: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the distinct keys in order, the index of each row's key, and the first row of each."""
    if _sparse(keys, 8 * space):  # the table has eight bytes a key
        found, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
        return found, of_row, first
    first = np.full(space, -1, np.int64)
    first[keys[::-1]] = np.arange(len(keys))[::-1]  # backwards, so that the first one stays
    there = first >= 0
    found = np.flatnonzero(there)
    place = np.cumsum(there) - 1
    return found, place[keys], first[found]


def slots(keys: Numbers, space: int) -> tuple[Numbers, Numbers]:
    """Return the key of each slot, in order, and the slot of each row; some slots may be empty."""
    if _sparse(keys, 8 * space):
        found, of_row = np.unique(keys, return_inverse=True)
        return found, of_row
    return np.arange(space), keys


def _sparse(keys: Numbers, space: int) -> bool:
    return space > max(SPARSE * len(keys), SMALL)
