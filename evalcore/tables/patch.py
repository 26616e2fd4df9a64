"""Remove and add rows of finished columns, sharing everything else with the old ones."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.tables.arrays import Array
from evalcore.tables.builder import TableBuilder
from evalcore.tables.columns import FinishedColumn

FEW: Final = 32
"""So many words are looked up one by one; a hash of all known words is worth its while above."""

MANY: Final = 256
"""A column of strings in more pieces than this is put together again."""

Ranges = list[tuple[int, int]]


def patched(
    table: Mapping[str, FinishedColumn], dropped: Array | None, added: TableBuilder
) -> Mapping[str, FinishedColumn]:
    """Return a table without the rows marked in `dropped`, and with those of `added`.

    New rows are inserted at the first dropped row, else at the end. Unchanged parts are shared.
    Unused words stay among a column's words.
    """
    added.flush()
    out = int(dropped.sum()) if dropped is not None else 0
    if not out and not len(added):
        return table
    rows = next(iter(table.values())).rows
    kept = _kept(dropped) if out and dropped is not None else _Kept([(0, rows)], [])
    return {name: _column(table[name], kept, added.columns[name].finished()) for name in table}


class _Kept(NamedTuple):
    """The remaining rows, as (start, end): those before the new rows, and those after them."""

    before: Ranges
    after: Ranges


def _kept(dropped: Array) -> _Kept:
    edges = np.flatnonzero(np.diff(dropped.astype(np.int8), prepend=1, append=1))
    ranges = [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
    first = int(np.argmax(dropped))
    return _Kept(
        [each for each in ranges if each[0] < first], [each for each in ranges if each[0] > first]
    )


def _column(old: FinishedColumn, kept: _Kept, new: FinishedColumn) -> FinishedColumn:
    if old.values is None:
        assert old.strings is not None
        before, after = (
            [old.strings.slice(start, end - start) for start, end in part] for part in kept
        )
        chunks = [
            c
            for p in (*before, new.strings, *after)
            if p is not None
            for c in (p.chunks if isinstance(p, pa.ChunkedArray) else [p])
        ]
        if len(chunks) > MANY:
            chunks = [pa.concat_arrays(chunks)]
        return FinishedColumn(old.kind, None, pa.chunked_array(chunks, pa.large_string()))
    if old.kind != "code":
        return FinishedColumn(old.kind, _values(old.values, kept, new.values), None)
    words, codes = _joined(old.strings, new.strings)
    return FinishedColumn("code", _values(old.values, kept, _recoded(new.values, codes)), words)


def _values(old: Array, kept: _Kept, new: Array | None) -> Array:
    before, after = ([old[start:end] for start, end in ranges] for ranges in kept)
    return np.concatenate([*before, *([] if new is None else [new]), *after])


def _recoded(values: Array | None, codes: Array) -> Array | None:
    """Return codes translated to the numbering of another column."""
    return None if values is None else np.where(values < 0, -1, codes[values]).astype(codes.dtype)


def _joined(known: pa.Array | None, new: pa.Array | None) -> tuple[pa.Array, Array]:
    """Return the words of both, known ones first, and the position of each of `new` among them."""
    assert known is not None
    if new is None or not len(new):
        return known, np.zeros(1, np.int8)
    found = _places(known, new)
    unknown = np.flatnonzero(found < 0)
    found[unknown] = len(known) + np.arange(len(unknown))
    words = known
    if len(unknown):
        words = pa.concat_arrays([known, new.take(pa.array(unknown))])
    size = len(words)
    narrow = np.int8 if size < 128 else np.int16 if size < 32_768 else np.int32
    return words, found.astype(narrow)


def _places(known: pa.Array, new: pa.Array) -> Array:
    """Return the position of each of `new` among `known`; -1 where it is not."""
    if len(new) <= FEW:
        return np.array([pc.index(known, word).as_py() for word in new], np.int64)
    found: Array = pc.index_in(new, known).fill_null(-1).to_numpy(zero_copy_only=False)
    return found.astype(np.int64)
