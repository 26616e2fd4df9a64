"""Totals of the runs of one case in one column, for every cell of a suite at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, distinct, numbered, values
from evalcore.counting.joined import counting, judged, judged_run, judgments_of
from evalcore.workspace.opened import Workspace

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

    The run to open is a failed one if there is any.
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


class ReplacedResults(NamedTuple):
    """Results that replace the recorded ones, one for each run (position) and criterion.

    `asked` numbers the criteria, `passed` is 1, 0 or -1. Cells without any of the runs `of` keep
    their flakiness from `before`.
    """

    run: Numbers
    asked: Numbers
    passed: Numbers
    of: Numbers
    before: Numbers


class Cells:
    """Every (case, column) of a suite that has runs, by case and then column."""

    def __init__(
        self,
        ws: Workspace,
        runs: pd.DataFrame,
        cases: int,
        columns: int,
        replaced: ReplacedResults | None = None,
    ) -> None:
        """Add up runs, in so many cases and columns; `replaced` counts instead."""
        self._columns = max(columns, 1)
        key = runs["case"].to_numpy() * self._columns + runs["column"].to_numpy()
        self._key, group, _ = numbered(key, max(cases, 1) * self._columns)
        self.case, self.column = self._key // self._columns, self._key % self._columns
        self._values = _summed(runs, group, len(self._key))
        if replaced is None:
            self._values["flaky"] = _flaky(ws, runs, group, self._values)
        else:
            self._values["flaky"] = _flaky_by(replaced, runs, group, self._values)

    @property
    def flaky(self) -> Numbers:
        """Whether the runs of each cell disagree."""
        return self._values["flaky"]

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


def _flaky(ws: Workspace, runs: pd.DataFrame, group: Numbers, sums: dict[str, Numbers]) -> Numbers:
    """Flag cells whose runs disagree: one passed and one failed, or did so in a criterion."""
    flaky: Numbers = (sums["passes"] > 0) & (sums["fails"] > 0)
    answers, here = judged(ws), runs.index.to_numpy()
    no, yes = (np.bincount(group, of[here], len(flaky)) for of in (answers.no, answers.yes))
    # Only there is a closer look at the criteria needed.
    unsure = ~flaky & (sums["n"] > 1) & (no > 0) & (yes > 0)
    look = unsure[group]
    flaky[_disagreeing(ws, here[look], group[look])] = True
    return flaky


def _flaky_by(
    replaced: ReplacedResults, runs: pd.DataFrame, group: Numbers, sums: dict[str, Numbers]
) -> Numbers:
    """Flag cells whose runs disagree by the replaced results."""
    import pandas as pd  # noqa: PLC0415

    flaky: Numbers = (sums["passes"] > 0) & (sums["fails"] > 0)
    cell = pd.Series(group, runs.index).reindex(replaced.run).to_numpy(np.float64)
    answered = (replaced.passed >= 0) & ~np.isnan(cell)
    asked = pd.DataFrame(
        {"cell": cell[answered].astype(np.int64), "asked": replaced.asked[answered]}
    )
    several = asked.assign(passed=replaced.passed[answered]).groupby(["cell", "asked"])["passed"]
    divided = several.min() < several.max()
    flaky[divided.index.get_level_values("cell")[divided.to_numpy(bool)]] = True
    touched = np.zeros(len(flaky), bool)
    touched[group[np.isin(runs.index.to_numpy(), replaced.of)]] = True
    return np.where(touched, flaky, replaced.before)


def _disagreeing(ws: Workspace, runs: Numbers, cell: Numbers) -> Numbers:
    """Return the cells of runs (positions) that disagree on the same criterion."""
    rows = judgments_of(ws, runs)
    passed = values(ws, "judgments", "passed")
    rows = rows[counting(ws)[rows] & (passed[rows] >= 0)]
    of_run = np.zeros(len(values(ws, "runs", "passed")), np.int64)
    of_run[runs] = cell
    kind, criterion = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    width = kind.width * criterion.width
    asked = of_run[judged_run(ws)[rows]] * kind.width + kind.keys_of(rows)
    asked = (asked * criterion.width + criterion.keys_of(rows)) * 2 + passed[rows]
    answers = distinct(asked, 2 * width * (int(cell.max(initial=0)) + 1))
    both = answers[1:][(answers[1:] ^ answers[:-1]) == 1]
    cells: Numbers = both // (2 * width)
    return cells
