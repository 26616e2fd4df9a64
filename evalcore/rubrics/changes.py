"""What changed in the criteria from one version to the next, and what that did to the scores."""

from collections.abc import Iterable
from itertools import pairwise
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from evalcore.comparing.model import OtherCriterion, Side
from evalcore.comparing.shared_criteria import shared_criteria
from evalcore.counting.coded import Numbers, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, cases_of_runs
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import CriterionCells, criterion_cells, judged_criteria
from evalcore.workspace.opened import Workspace

NEWEST: Final = 24
"""So many steps from the newest version back are compared."""


ByCriterion = dict[int, float]
"""The means of one case by criterion (position)."""
ByCase = dict[int, ByCriterion]


class Rescaled(NamedTuple):
    """A criterion (position) with another scale: lowest and highest score, before and after."""

    criterion: int
    before: tuple[float, float]
    after: tuple[float, float]


class CriteriaChange(NamedTuple):
    """The criteria that differ between a column and the next of its configuration.

    `other` has them case by case, `rescaled` those with another scale. `cases` is how many cases
    both columns judged, `differing` in how many the criteria differ. `before` and `after` are the
    means over these cases of the share of the highest score, over all criteria of each column;
    `before_shared` and `after_shared` those over the criteria that both have, None without any.
    """

    earlier: Column
    later: Column
    cases: int
    differing: int
    other: tuple[OtherCriterion, ...]
    rescaled: tuple[Rescaled, ...]
    before: float
    after: float
    before_shared: float | None
    after_shared: float | None

    @property
    def effect(self) -> float | None:
        """What the other criteria did to the change of the mean; None if nothing is shared."""
        if self.before_shared is None or self.after_shared is None:
            return None
        return (self.after - self.before) - (self.after_shared - self.before_shared)


@memoize_per_workspace
def criteria_changes(
    ws: Workspace, suite: str, configuration: str | None, scores: Scores = "recorded"
) -> tuple[CriteriaChange, ...]:
    """Return the steps between versions at which criteria changed, the newest first.

    Each column is compared with the next of its configuration, the newest `NEWEST` of each.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    cells = criterion_cells(ws, suite, scores)
    judged = cells.cases.sum(axis=0) > 0
    sides: dict[str, list[int]] = {}
    for at, column in enumerate(cells.columns):
        if judged[at] and configuration in {None, column.configuration}:
            sides.setdefault(column.configuration, []).append(at)
    newest = {name: places[-NEWEST - 1 :] for name, places in sides.items()}
    cases = {at: _by_case(cells, at) for places in newest.values() for at in places}
    scales = _scales(ws, suite, cells, scores)
    found = []
    for places in newest.values():
        for pair in pairwise(places):
            first, second = pair
            rescaled = _rescaled(scales[:, first], scales[:, second])
            step = _step(ws, suite, cells, pair, (cases[first], cases[second]), rescaled)
            if step is not None:
                found.append((second, step))
    return tuple(step for _, step in sorted(found, key=lambda one: -one[0]))


def _step(
    ws: Workspace,
    suite: str,
    cells: CriterionCells,
    places: tuple[int, int],
    judged: tuple[ByCase, ByCase],
    rescaled: tuple[Rescaled, ...],
) -> CriteriaChange | None:
    """Return what differs between two columns (positions), judged by case; None if nothing."""
    shared = sorted(judged[0].keys() & judged[1].keys())
    if not shared:
        return None
    ids = cases_of_runs(ws, suite)[0]["case_id"]
    names = {str(ids.iloc[case]): case for case in shared}
    earlier, later = (cells.columns[at] for at in places)
    sides = Side(ws, suite, earlier), Side(ws, suite, later)
    matches = shared_criteria(*sides, tuple(names)).differing
    if not matches and not rescaled:
        return None
    scaled = {one.criterion for one in rescaled}
    pairs = [(judged[0][case], judged[1][case]) for case in names.values()]
    # The same over the criteria that both sides have.
    kept: list[list[ByCriterion]] = []
    for name, pair in zip(names, pairs, strict=True):
        match = matches.get(name)
        keys = (None, None) if match is None else (match.a, match.b)
        both = [
            {
                at: value
                for at, value in of.items()
                if at not in scaled and (known is None or tuple(cells.criteria[at]) in known)
            }
            for of, known in zip(pair, keys, strict=True)
        ]
        kept.append(both)
    alike = all(old and new for old, new in kept)
    return CriteriaChange(
        earlier=earlier,
        later=later,
        cases=len(shared),
        differing=len(matches),
        other=tuple(one for match in matches.values() for one in match.other),
        rescaled=rescaled,
        before=_over_cases(old for old, _ in pairs),
        after=_over_cases(new for _, new in pairs),
        before_shared=_over_cases(old for old, _ in kept) if alike else None,
        after_shared=_over_cases(new for _, new in kept) if alike else None,
    )


def _by_case(cells: CriterionCells, column: int) -> ByCase:
    """Return the means of a column by case and criterion (positions)."""
    criterion, in_column, case = cells.places
    here = in_column == column
    found: ByCase = {}
    fields = (criterion[here], case[here], cells.of_case[here])
    for at, of, value in zip(*(each.tolist() for each in fields), strict=True):
        found.setdefault(of, {})[at] = value
    return found


def _over_cases(of: Iterable[ByCriterion]) -> float:
    return fmean(fmean(values.values()) for values in of)


def _rescaled(before: Numbers, after: Numbers) -> tuple[Rescaled, ...]:
    """Return the criteria whose judgments have another scale in the second column."""
    differs = ~np.isclose(before, after, equal_nan=True).all(axis=1)
    both = ~np.isnan(before[:, 1]) & ~np.isnan(after[:, 1])
    return tuple(
        Rescaled(at, tuple(before[at].tolist()), tuple(after[at].tolist()))
        for at in np.flatnonzero(differs & both).tolist()
    )


def _scales(ws: Workspace, suite: str, cells: CriterionCells, scores: Scores) -> Numbers:
    """Return lowest and highest score by criterion and column; NaN where it was not judged.

    Without a lowest score a scale begins at 0.
    """
    _, judged = judged_criteria(ws, suite, scores)
    found = np.full((len(cells.criteria), len(cells.columns), 2), np.nan)
    low, high = (values(ws, "judgments", name)[judged.row] for name in ("min_score", "max_score"))
    column = judged.column[judged.run]
    found[judged.criterion, column, 0] = np.nan_to_num(low)
    found[judged.criterion, column, 1] = high
    return found
