"""Columns of words as small integers, which are compared and counted instead of the words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

NO_WORD: Final = "nan"


@dataclass(frozen=True, eq=False)
class Coded:
    """A column: `codes` are positions in `words`, whose last one stands for a missing word."""

    words: list[str]
    codes: NDArray[np.int64]

    def among(self, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Return for each row whether its word is one of those wanted."""
        named = set(wanted)
        known = [word in named for word in self.words[:-1]]
        return np.array([*known, False])[self.codes]


def coded(column: "pd.Series[str]") -> Coded:
    """Return a categorical column as codes and words."""
    values: Any = column.cat
    words = [*map(str, values.categories), NO_WORD]
    codes = values.codes.to_numpy().astype(np.int64)
    codes[codes < 0] = len(words) - 1
    return Coded(words, codes)
