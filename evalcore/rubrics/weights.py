"""Which weights of the criteria would turn the order of two versions."""

import math
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.cells import where
from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, cases_of_runs
from evalcore.counting.people import Scores
from evalcore.families.scoring import RUBRIC
from evalcore.rubrics.cells import criterion_cells
from evalcore.statistics.roots import nearest_factor
from evalcore.workspace.opened import Workspace

SAME: Final = 1e-9
NEVER: Final = 1e6
"""How far a weight of none is, in the order of criteria."""

Weights = dict[tuple[str, str, str], float]
"""By case, kind and criterion."""


class Turn(NamedTuple):
    """A criterion (position), and the factor on its weight from which on the order turns.

    `weight` is None where cases state different ones, `change` the mean of B minus A over the cases
    of both. `factor` is None where this criterion alone cannot turn the order.
    """

    criterion: int
    weight: float | None
    change: float
    cases: int
    factor: float | None


class Weighing(NamedTuple):
    """Weighted means of two columns: over `cases` cases of both, each over its criteria.

    `a` and `b` are shares of the highest score. `turns` has every criterion, those first of which
    the smallest change of weight turns the order. `given` says that the files state weights; else
    each weighs 1. `fixed`: no weights at all turn it, as no criterion of any case points the other
    way.
    """

    before: Column
    after: Column
    a: float
    b: float
    cases: int
    turns: tuple[Turn, ...]
    given: bool
    fixed: bool

    @property
    def equal(self) -> bool:
        """Whether the weighted means are the same, so that there is no order to turn."""
        return abs(self.b - self.a) <= SAME


@memoize_per_workspace
def weighing(
    ws: Workspace, suite: str, before: int, after: int, scores: Scores = "recorded"
) -> Weighing | None:
    """Return which weights turn the order of two columns (positions).

    The criteria are those of the kinds for which definitions state weights, else the dimensions of
    a rubric. None with fewer than two that both columns judged in the same cases.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    cells, stated = criterion_cells(ws, suite, scores), stated_weights(ws, suite)
    kinds = {kind for _, kind, _ in stated} or {RUBRIC}
    # What both columns judged: an element for each case and criterion (positions).
    criterion, column, case = cells.places
    wanted = np.array([each.kind in kinds for each in cells.criteria], bool)[criterion]
    slot = criterion * cells.all_cases + case
    first, second = (np.flatnonzero(wanted & (column == place)) for place in (before, after))
    keys, old, new = np.intersect1d(
        slot[first], slot[second], assume_unique=True, return_indices=True
    )
    criterion, case = keys // cells.all_cases, keys % cells.all_cases
    names = cases_of_runs(ws, suite)[0]["case_id"].astype(str).to_numpy()
    weights = [
        stated.get((str(names[at]), *cells.criteria[which]), 0.0 if stated else 1.0)
        for which, at in zip(criterion.tolist(), case.tolist(), strict=True)
    ]
    weight = np.array(weights, float)
    fields = (criterion, case, cells.of_case[first][old], cells.of_case[second][new], weight)
    criterion, case, a, b, weight = (each[weight > 0] for each in fields)
    if len(np.unique(criterion)) < 2:
        return None
    cases, of_case = np.unique(case, return_inverse=True)
    total = np.bincount(of_case, weight)
    if not (total > 0).all():
        return None
    mean_a, mean_b = (float((np.bincount(of_case, weight * of) / total).mean()) for of in (a, b))
    change = b - a
    turns = [
        _turn(at, criterion == at, change, weight, of_case) for at in np.unique(criterion).tolist()
    ]
    return Weighing(
        before=cells.columns[before],
        after=cells.columns[after],
        a=mean_a,
        b=mean_b,
        cases=len(cases),
        turns=tuple(sorted(turns, key=_least)),
        given=bool(stated),
        fixed=bool((change >= -SAME).all() or (change <= SAME).all()),
    )


@memoize_per_workspace
def stated_weights(ws: Workspace, suite: str) -> Weights:
    """Return the weight of each criterion that definitions state, by case, kind and name."""
    frame = ws.tables.criteria.iloc[where(ws, "criteria", suite=suite)]
    frame = frame[frame["weight"].notna()]
    columns = (frame[name] for name in ("case_id", "kind", "criterion", "weight"))
    return {
        (str(case), str(kind), str(name)): float(weight)
        for case, kind, name, weight in zip(*columns, strict=True)
        if weight >= 0
    }


def _turn(
    criterion: int, mine: Numbers, change: Numbers, weight: Numbers, of_case: Numbers
) -> Turn:
    """Return a criterion with the factor next to 1 at which both weighted means are equal.

    `mine` says which changes are of the criterion.
    """
    rest = np.bincount(of_case, np.where(mine, 0.0, weight * change))
    rest_weight = np.bincount(of_case, np.where(mine, 0.0, weight))
    own = np.bincount(of_case, np.where(mine, weight * change, 0.0))
    own_weight = np.bincount(of_case, np.where(mine, weight, 0.0))

    def difference(factor: float) -> float:
        total = rest_weight + factor * own_weight
        known = total > 0
        return float(((rest + factor * own)[known] / total[known]).sum())

    known = np.unique(weight[mine])
    return Turn(
        criterion,
        float(known[0]) if len(known) == 1 else None,
        float(change[mine].mean()),
        int(mine.sum()),
        nearest_factor(difference),
    )


def _least(turn: Turn) -> tuple[float, int]:
    """Order by how little has to change; criteria that cannot turn the order come last."""
    if turn.factor is None:
        return math.inf, turn.criterion
    return abs(math.log(turn.factor)) if turn.factor > 0 else NEVER, turn.criterion
