r"""Case-insensitive text search; large tables are searched with DuckDB.

Two characters are the same in any case when Unicode's simple case folding makes them one: `Ä` is
`ä`, `Σ` is `σ` and `ς`, the Kelvin sign is `k`. No character stands for two: `ß` is `ẞ` and not
`SS`, `İ` is only itself. Every other character means itself, also `%`, `_` and `\`.
"""

from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Rows = NDArray[np.int64]

BLOCK: Final = 32
"""Texts that are first looked at as one, because most of them do not hold the words."""
SAMPLE: Final = 256
"""One block in so many says beforehand whether the words are rare enough for that."""
RARE: Final = 0.25
MANY: Final = 20_000
"""Texts below which it takes longer to ask DuckDB than to look."""
BATCH_BYTES: Final = 4 * 1024 * 1024
"""About what a thread looks at before it takes the next part."""
LAST_CASED: Final = 0x1F000
"""No character from here on has a case."""
ALONE: Final = {
    "threads": 2,
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
CONTAINS: Final = "contains(text, ?)"
MATCHES: Final = "regexp_matches(text, ?, 'il')"


def rows_with(texts: pa.ChunkedArray, words: str) -> Rows:
    """Return the positions of the texts that contain `words` in any case, in order.

    A missing text matches nothing.
    """
    whole = texts.chunk(0) if texts.num_chunks == 1 else texts.combine_chunks()
    if whole.null_count == len(whole):
        return np.empty(0, np.int64)
    if len(whole) < MANY:
        matched = pc.match_substring(whole, words, ignore_case=True).fill_null(False)
        return np.flatnonzero(matched.to_numpy(zero_copy_only=False))
    condition = _condition(words)
    if condition[0] != MATCHES:
        return _asked(whole, *condition)
    # Adjacent texts are joined to blocks without a copy, by the offsets at which blocks start.
    starts = np.append(np.arange(0, len(whole), BLOCK), len(whole))
    offsets = np.frombuffer(whole.buffers()[1], np.int64)[whole.offset :][starts]
    parts = [None, pa.py_buffer(offsets), whole.buffers()[2]]
    blocks = pa.Array.from_buffers(pa.large_string(), len(starts) - 1, parts)
    sample = blocks.take(pa.array(np.arange(0, len(blocks), SAMPLE)))
    if len(_asked(sample, *condition)) > RARE * len(sample):
        return _asked(whole, *condition)
    holds = np.zeros(len(blocks), bool)
    holds[_asked(blocks, *condition)] = True
    rows = np.flatnonzero(np.repeat(holds, np.diff(starts)))
    found: Rows = rows[_asked(whole.take(pa.array(rows)), *condition)]
    return found


def arrow_texts(column: "pd.Series[str]") -> pa.ChunkedArray:
    """Return a column of a frame in searchable form."""
    values: Any = pa.array(column.astype("str"), pa.large_string())
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])


def _condition(words: str) -> tuple[str, list[str]]:
    """Return a condition in SQL, and its parameters.

    A pattern search is fast if the pattern begins with an ASCII character; otherwise two adjacent
    characters are searched first, in all their cases.
    """
    if not any(map(has_case, words)):
        return CONTAINS, [words]
    if words[0].isascii():
        return MATCHES, [words]
    pairs = [list(product(*map(alike, words[at : at + 2]))) for at in range(len(words) - 1 or 1)]
    either = ["".join(pair) for pair in min(pairs, key=len)]
    anyone = " OR ".join([CONTAINS] * len(either))
    return f"({anyone}) AND {MATCHES}", [*either, words]


def _asked(texts: pa.Array, condition: str, given: list[str]) -> Rows:
    """Return the positions of the texts that satisfy a condition."""
    if not len(texts):
        return np.empty(0, np.int64)
    table = pa.table({"text": texts, "place": pa.array(np.arange(len(texts)))})
    size = max(1, len(texts) * BATCH_BYTES // max(texts.nbytes, 1))
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=size), table.schema)
    with _database().cursor() as connection:
        connection.register("texts", batches)
        question = f"SELECT place FROM texts WHERE {condition}"  # noqa: S608 - marks, no words
        answer: Any = connection.execute(question, given).fetchnumpy()
    return np.sort(np.asarray(answer["place"], np.int64))


@lru_cache(maxsize=1)
def _database() -> Any:
    import duckdb  # noqa: PLC0415 - nobody waits for it who does not search

    return duckdb.connect(":memory:", config=dict(ALONE))


def alike(character: str) -> tuple[str, ...]:
    """Return the characters equal to this one in any case, including itself."""
    return _families().get(folded(character), (character,))


def has_case(character: str) -> bool:
    """Return whether a character has case variants."""
    return any(other != character for other in (character.lower(), character.upper()))


def folded(character: str) -> str:
    """Return the folded form of a character, shared by all its case variants."""
    for other in (character.casefold(), character.lower()):
        if len(other) == 1:
            return other
    return character


@lru_cache(maxsize=1)
def _families() -> dict[str, tuple[str, ...]]:
    """Return the characters with case variants by their folded form."""
    found: dict[str, list[str]] = {}
    for character in map(chr, range(LAST_CASED)):
        found.setdefault(folded(character), []).append(character)
    return {one: tuple(many) for one, many in found.items() if len(many) > 1}
