"""The runs of one case in one column added up, for every cell of a suite at once."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.views.coded import coded
from evalcore.views.joined import counting, judged_run, judgments_of
from evalcore.workspace.opened import Workspace

Numbers = NDArray[Any]

PASS, FAIL, UNSCORED, SCORED, OUTSIDE = 1, 0, -1, 2, 3
COUNTED: Final = {"passes": PASS, "fails": FAIL, "scored": SCORED, "outside": OUTSIDE}
LOWEST: Final = UNSCORED


class Tally(NamedTuple):
    """The runs of one case in one column, added up; scores are means, `run` is the one to open.

    The run to open is one that failed where there is one.
    """

    n: int
    passes: int
    fails: int
    scored: int
    outside: int
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

    def __init__(self, runs: pd.DataFrame, split: Numbers, columns: int) -> None:
        """Add up runs; in the cells `split` (case * columns + column) the runs disagree."""
        self._columns = max(columns, 1)
        key = cell_of(runs, self._columns)
        self._key, group = np.unique(key, return_inverse=True)
        self.case, self.column = self._key // self._columns, self._key % self._columns
        self._values = _summed(runs, group, len(self._key))
        mixed = (self._values["passes"] > 0) & (self._values["fails"] > 0)
        self._values["flaky"] = mixed | np.isin(self._key, split)

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
        here = np.flatnonzero(self.column == (-1 if column is None else column))
        values = {name: self._values[name][here] for name in Tally._fields}
        return pd.DataFrame(values, index=pd.Index(self.case[here], name="case"))

    def newest(self) -> tuple[Numbers, Numbers]:
        """Return the cases that have runs, and the run to open in the last column of each."""
        last = np.append(self.case[1:] != self.case[:-1], np.ones(min(len(self), 1), bool))
        return self.case[last], self._values["run"][last]


def cell_of(runs: pd.DataFrame, columns: int) -> Numbers:
    """Return case * columns + column of each run."""
    key: Numbers = runs["case"].to_numpy() * columns + runs["column"].to_numpy()
    return key


def _summed(runs: pd.DataFrame, group: Numbers, cells: int) -> dict[str, Numbers]:
    def total(of: Numbers) -> Numbers:
        return np.bincount(group, of, cells).astype(np.int64)

    outcome, failed = runs["outcome"].to_numpy(), runs["failed"].to_numpy()
    values: dict[str, Numbers] = {"n": np.bincount(group, minlength=cells)}
    values |= {name: total(outcome == value) for name, value in COUNTED.items()}
    values |= {"failed": total(failed), "unscored": total(runs["unscored"].to_numpy())}
    values |= {
        name: mean(runs[name].to_numpy(), group, cells)
        for name in ("score", "max_score", "fraction")
    }
    values["run"] = runs.index.to_numpy()[_to_open(outcome, failed, group, cells)]
    values["gate_failed"] = total(runs["gate_failed"].to_numpy()) > 0
    return values


def mean(of: Numbers, group: Numbers, cells: int) -> Numbers:
    """Return the mean of what is known in each group; NaN where nothing is."""
    known = ~np.isnan(of)
    n = np.bincount(group[known], minlength=cells)
    found: Numbers = np.divide(
        np.bincount(group[known], of[known], cells), n, out=np.full(cells, np.nan), where=n > 0
    )
    return found


def _to_open(outcome: Numbers, failed: Numbers, group: Numbers, cells: int) -> Numbers:
    """Return in each cell the run to open: a failed one, then one with most failed criteria."""
    undecided = ~np.isin(outcome, (PASS, FAIL))
    most = int(failed.max(initial=0)) + 1
    rank = (undecided * 8 + outcome - LOWEST) * most + (most - 1 - failed)
    order = np.argsort(group * (16 * most) + rank, kind="stable")
    return order[np.searchsorted(group[order], np.arange(cells))]


def split_cells(ws: Workspace, runs: pd.DataFrame, columns: int) -> Numbers:
    """Return the cells whose runs disagree: a criterion passed in one and failed in another."""
    key = cell_of(runs, columns)
    in_order = np.sort(key)
    again = runs.index.to_numpy()[np.isin(key, in_order[1:][in_order[1:] == in_order[:-1]])]
    rows = judgments_of(ws, again)
    judgments = ws.tables.judgments
    rows = rows[counting(ws)[rows] & judgments["passed"].notna().to_numpy()[rows]]
    cell = np.full(len(ws.tables.runs), -1, np.int64)
    cell[runs.index] = key
    kind, criterion = coded(judgments["kind"]), coded(judgments["criterion"])
    asked = cell[judged_run(ws)[rows]] * len(kind.words) + kind.codes[rows]
    asked = asked * len(criterion.words) + criterion.codes[rows]
    answers = np.sort(asked * 2 + judgments["passed"].to_numpy(bool, na_value=False)[rows])
    both = answers[1:][(answers[1:] ^ answers[:-1]) == 1]  # the same criterion, no and then yes
    return np.unique(both // (2 * len(criterion.words) * len(kind.words)))
