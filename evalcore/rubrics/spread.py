"""The criteria of one column: mean, spread, ends, distribution, and the judgments behind them."""

from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, columns_of_runs
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import Criterion, criterion_cells, judged_criteria
from evalcore.statistics.intervals import mean_interval
from evalcore.workspace.opened import Workspace

HIGH: Final = 0.25
"""From this share of its scale on a spread is high: one step of a scale from 1 to 5."""
BINS: Final = 12
"""Scales with more different scores than this are shown in ten equal steps."""
STEPS: Final = 10
NEAR: Final = 1e-9


class Spread(NamedTuple):
    """A criterion in one column; scores are on its own scale.

    `mean`, `low` and `high` are over cases (the interval is None for one case); `stddev` is the
    sample one over all `judged` judgments, `within` that of runs of the same case, both None below
    two. `scores` counts the judgments by score, or by the start of a step of a tenth of the scale
    (`stepped`). `least` to `top` is the scale, None where its judgments have different ones: all
    values are then shares of the highest score. `key` is the criterion's position.
    """

    criterion: Criterion
    key: int
    mean: float
    low: float | None
    high: float | None
    stddev: float | None
    within: float | None
    lowest: float
    highest: float
    cases: int
    judged: int
    scores: tuple[tuple[float, int], ...]
    stepped: bool
    least: float | None
    top: float | None

    @property
    def rated(self) -> bool:
        """Whether it is scored on a scale, not only passed or failed."""
        return self.top is not None and self.top > 1

    @property
    def share(self) -> float:
        """The mean from 0 at the lowest to 1 at the highest score of the scale."""
        return scaled(self.mean, self.least, self.top)

    @property
    def varies(self) -> bool:
        """Whether the spread is high for the scale."""
        return self.stddev is not None and self.stddev >= HIGH * _length(self) - NEAR

    @property
    def unstable(self) -> bool:
        """Whether runs of the same case differ as much."""
        return self.within is not None and self.within >= HIGH * _length(self) - NEAR


def scaled(value: float, least: float | None, top: float | None) -> float:
    """Return a score as a share of its scale: 0 at the lowest, 1 at the highest score."""
    low, high = least or 0.0, 1.0 if top is None else top
    return (value - low) / (high - low) if high > low else value


def _length(of: Spread) -> float:
    return (1.0 if of.top is None else of.top) - (of.least or 0.0)


@memoize_per_workspace
def spreads(
    ws: Workspace, suite: str, column: int, scores: Scores = "recorded"
) -> tuple[Spread, ...]:
    """Return the criteria judged in a column (position), the weakest first.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    _, judged = judged_criteria(ws, suite, scores)
    here = np.flatnonzero((judged.column == column)[judged.run])
    here = here[np.argsort(judged.criterion[here], kind="stable")]
    starts = np.flatnonzero(np.diff(judged.criterion[here], prepend=-1))
    parts = np.split(here, starts[1:]) if len(here) else []
    found = [_spread(ws, suite, column, rows, scores) for rows in parts]
    return tuple(sorted(found, key=lambda one: (one.share, -one.cases, one.criterion)))


@memoize_per_workspace
def spread_in(
    ws: Workspace, suite: str, criterion: int, column: int, scores: Scores = "recorded"
) -> Spread:
    """Return one criterion (position) in a column (position) that judged it."""
    _, judged = judged_criteria(ws, suite, scores)
    rows = rows_of(ws, suite, criterion, scores)
    rows = rows[judged.column[judged.run[rows]] == column]
    return _spread(ws, suite, column, rows, scores)


@memoize_per_workspace
def rows_of(ws: Workspace, suite: str, criterion: int, scores: Scores) -> Numbers:
    """Return the judgments (positions among those of `judged_criteria`) of a criterion."""
    found: Numbers = np.flatnonzero(judged_criteria(ws, suite, scores)[1].criterion == criterion)
    return found


def _spread(ws: Workspace, suite: str, column: int, rows: Numbers, scores: Scores) -> Spread:
    criteria, judged = judged_criteria(ws, suite, scores)
    cells = criterion_cells(ws, suite, scores)
    at = int(judged.criterion[rows[0]])
    one_scale = not np.isnan(cells.top[at])
    top, least = (float(cells.top[at]), float(cells.least[at])) if one_scale else (1.0, 0.0)
    bottom = 0.0 if np.isnan(least) else least
    given = judged.share[rows] * top
    _, of_cases = cells.values_of(at, column)
    low, high = None, None
    if top > bottom:  # the interval of the mean, inside the scale
        shares = np.clip((of_cases * top - bottom) / (top - bottom), 0.0, 1.0)
        if (found := mean_interval(shares)) is not None:
            low, high = (bottom + end * (top - bottom) for end in found)
    counted, stepped = distribution(given, bottom, top)
    return Spread(
        criterion=criteria[at],
        key=at,
        mean=float(of_cases.mean()) * top,
        low=low,
        high=high,
        stddev=float(given.std(ddof=1)) if len(given) > 1 else None,
        within=_within(given, judged.case[judged.run[rows]]),
        lowest=float(given.min()),
        highest=float(given.max()),
        cases=len(of_cases),
        judged=len(given),
        scores=counted,
        stepped=stepped,
        least=least if one_scale and not np.isnan(least) else None,
        top=top if one_scale else None,
    )


def distribution(
    given: Numbers, least: float, top: float
) -> tuple[tuple[tuple[float, int], ...], bool]:
    """Return how often each score was given, every whole score of a short scale included.

    Of more than twelve different scores it counts tenths of the scale; the second value says so.
    """
    rounded = np.round(given, 9)
    seen, n = np.unique(rounded, return_counts=True)
    whole = float(least).is_integer() and float(top).is_integer() and top - least < BINS
    if len(seen) <= BINS:
        found = dict.fromkeys(np.arange(least, top + 1).tolist(), 0) if whole else {}
        found |= dict(zip(seen.tolist(), n.tolist(), strict=True))
        return tuple(sorted(found.items())), False
    n, edges = np.histogram(rounded, bins=STEPS, range=(least, top))
    return tuple(zip(edges[:-1].tolist(), n.tolist(), strict=True)), True


def _within(given: Numbers, case: Numbers) -> float | None:
    """Return the mean sample deviation of cases with two or more runs; None without any."""
    n = np.bincount(case)
    several = n > 1
    if not several.any():
        return None
    # Around the mean of each case, as a difference of large sums of squares would lose digits.
    apart = given - (np.bincount(case, given) / np.maximum(n, 1))[case]
    squares = np.bincount(case, apart * apart)[several]
    return float(np.sqrt(squares / (n[several] - 1)).mean())


class Given(NamedTuple):
    """One judgment of a criterion: its run and case, its column, its share of the highest score.

    `row` is its position in `tables.judgments`, `run` and `case` are positions, too.
    """

    run: int
    case: int
    column: Column
    share: float
    row: int


@memoize_per_workspace
def judgments_of_criterion(
    ws: Workspace, suite: str, criterion: int, column: int | None, scores: Scores = "recorded"
) -> Numbers:
    """Return the judgments of a criterion (position), the lowest scores first, the newest before.

    They are positions among those of `judged_criteria`; see `given`.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    _, judged = judged_criteria(ws, suite, scores)
    rows = rows_of(ws, suite, criterion, scores)
    of_row = judged.column[judged.run[rows]]
    if column is not None:
        rows, of_row = rows[of_row == column], of_row[of_row == column]
    order = np.lexsort((judged.case[judged.run[rows]], -of_row, judged.share[rows]))
    found: Numbers = rows[order]
    return found


def given(
    ws: Workspace, suite: str, rows: Numbers, scores: Scores = "recorded"
) -> tuple[Given, ...]:
    """Return some judgments by their positions among those of `judged_criteria`."""
    _, judged = judged_criteria(ws, suite, scores)
    columns, run = columns_of_runs(ws, suite).columns, judged.run[rows]
    fields = (run, judged.case[run], judged.column[run], judged.share[rows], judged.row[rows])
    found = zip(*(of.tolist() for of in fields), strict=True)
    return tuple(Given(run, case, columns[at], share, row) for run, case, at, share, row in found)
