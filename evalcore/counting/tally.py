"""Totals of the runs of one case in one column, for every cell of a suite at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, numbered

# `evalcore check` counts outcomes too, and pandas takes longer to import than a check does.
if TYPE_CHECKING:
    import pandas as pd

PASS, FAIL, UNSCORED, SCORED, OUTSIDE = 1, 0, -1, 2, 3
COUNTED: Final = {"passes": PASS, "fails": FAIL, "scored": SCORED, "outside": OUTSIDE}
"""Outcomes that are counted; of those outside, some may be hidden from the reader."""
LOWEST: Final = UNSCORED
ENDS: Final = 5


class Tally(NamedTuple):
    """Totals of the runs of one case in one column; scores are means, `run` is the one to open.

    The run to open is a failed one if there is any. A cell is flaky if some of its runs passed and
    some failed.
    """

    n: int
    passes: int
    fails: int
    scored: int
    outside: int
    hidden: int
    failed: int
    unscored: int
    score: float
    max_score: float
    fraction: float
    run: int
    flaky: bool
    gate_failed: bool


class Cells:
    """Every (case, column) of a suite that has runs, by case and then column."""

    def __init__(self, runs: pd.DataFrame, cases: int, columns: int) -> None:
        """Add up runs, in so many cases and columns."""
        self._columns = max(columns, 1)
        key = runs["case"].to_numpy() * self._columns + runs["column"].to_numpy()
        self._key, group, _ = numbered(key, max(cases, 1) * self._columns)
        self.case, self.column = self._key // self._columns, self._key % self._columns
        self._values = _summed(runs, group, len(self._key))

    def __len__(self) -> int:
        """Return how many cells there are."""
        return len(self._key)

    def at(self, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Tally]:
        """Return the cells at some (case, column) that have runs."""
        wanted = np.array([c * self._columns + column for c, column in pairs], np.int64)
        place = np.minimum(np.searchsorted(self._key, wanted), max(len(self) - 1, 0))
        place = place[self._key[place] == wanted] if len(self) else place[:0]
        fields = (self._values[name][place].tolist() for name in Tally._fields)
        keys = zip(self.case[place].tolist(), self.column[place].tolist(), strict=True)
        return dict(zip(keys, map(Tally, *fields), strict=True))

    def of(self, column: int | None) -> pd.DataFrame:
        """Return the cells of one column as a frame by case, with the fields of `Tally`."""
        import pandas as pd  # noqa: PLC0415

        here = np.flatnonzero(self.column == (-1 if column is None else column))
        values = {name: self._values[name][here] for name in Tally._fields}
        return pd.DataFrame(values, index=pd.Index(self.case[here], name="case"))

    def newest(self) -> tuple[Numbers, Numbers]:
        """Return the cases that have runs, and the run to open in the last column of each."""
        last = np.append(self.case[1:] != self.case[:-1], np.ones(min(len(self), 1), bool))
        return self.case[last], self._values["run"][last]


def _summed(runs: pd.DataFrame, group: Numbers, cells: int) -> dict[str, Numbers]:
    def total(of: Numbers) -> Numbers:
        return np.bincount(group, of, cells).astype(np.int64)

    outcome, failed = runs["outcome"].to_numpy(), runs["failed"].to_numpy()
    ends = np.bincount((outcome - LOWEST) * cells + group, minlength=cells * ENDS)
    ends = ends.reshape(ENDS, cells)
    sums: dict[str, Numbers] = {"n": np.bincount(group, minlength=cells)}
    sums |= {name: ends[value - LOWEST] for name, value in COUNTED.items()}
    sums["hidden"] = total(runs["hidden"].to_numpy())
    sums["flaky"] = (sums["passes"] > 0) & (sums["fails"] > 0)
    sums |= {"failed": total(failed), "unscored": total(runs["unscored"].to_numpy())}
    sums |= {
        name: mean(runs[name].to_numpy(), group, cells)
        for name in ("score", "max_score", "fraction")
    }
    sums["run"] = runs.index.to_numpy()[_to_open(outcome, failed, group, cells)]
    sums["gate_failed"] = total(runs["gate_failed"].to_numpy()) > 0
    return sums


def mean(of: Numbers, group: Numbers, cells: int) -> Numbers:
    """Return the mean of the known values in each group; NaN without any."""
    known = ~np.isnan(of)
    if not known.any():
        return np.full(cells, np.nan)
    if not known.all():
        of, group = of[known], group[known]
    n = np.bincount(group, minlength=cells)
    found: Numbers = np.divide(
        np.bincount(group, of, cells), n, out=np.full(cells, np.nan), where=n > 0
    )
    return found


def _to_open(outcome: Numbers, failed: Numbers, group: Numbers, cells: int) -> Numbers:
    """Return in each cell the run to open: a failed one, then one with most failed criteria."""
    undecided = (outcome != PASS) & (outcome != FAIL)
    most = int(failed.max(initial=0)) + 1
    rank = (undecided * 8 + outcome - LOWEST) * most + (most - 1 - failed)
    worst = np.full(cells, np.iinfo(np.int64).max)
    np.minimum.at(worst, group, rank * len(group) + np.arange(len(group)))
    return worst % max(len(group), 1)
