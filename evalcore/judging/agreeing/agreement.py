"""Agreement between the judges of a suite: overall, by criterion and by pair, each with its n.

Only current human scores are counted: none that is stale, replaced or withdrawn, and no
adjudication, which is not independent of the scores it resolves. A *unit* is one criterion of one
run that two judges or more scored. Scores on different scales never go into one coefficient: each
scale has its own.
"""

from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.judging.agreeing.scores import (
    Scores,
    choose,
    is_independent,
    scores,
)
from evalcore.statistics.agreement import (
    STEPS,
    Level,
    Ratings,
    Raw,
    ac1,
    alpha,
    kappa,
    raw_agreement,
)
from evalcore.statistics.clustered import Coefficient
from evalcore.workspace.opened import Workspace

SKEWED: Final = 0.8
"""From this share of one answer on, AC1 is shown beside alpha, which is then misleadingly low."""
MOST: Final = 40
"""Upper limit of criteria, and of pairs of judges, that are computed: those with most units."""


class Scale(NamedTuple):
    """The ends of a scale, None if unknown; `pass_fail` if only the two ends are possible."""

    low: float | None
    high: float | None
    pass_fail: bool


class Group(NamedTuple):
    """Scores that go into one coefficient.

    `criterion` is the name of a criterion that several cases share. It is None where scores of
    different criteria are pooled: `criteria` of the same kind that are asked in one case each, or
    all of a scale, whose `kind` is None. `judges` scored some unit of it, `row` is one of their
    judgments (a position). `ac1` is given only for pass/fail scores of which `SKEWED` or more are
    the same.
    """

    kind: str | None
    criterion: str | None
    criteria: int
    scale: Scale
    judges: int
    row: int
    raw: Raw
    alpha: Coefficient
    ac1: Coefficient | None


class Pair(NamedTuple):
    """Two judges on one scale; they gave `same` of their common units equal scores."""

    one: str
    other: str
    scale: Scale
    same: int
    kappa: Coefficient


class Agreement(NamedTuple):
    """Agreement between the judges of a suite.

    `judges` are (name, criteria scored), most first. `units` have two scores or more, `alone` one.
    Of the `human` scores, `independent` were given by people who had seen no score of the run.
    `scales` hold all units of a scale each, most units first, as `criteria` and `pairs`; what goes
    beyond `MOST` of these is counted in `more_criteria` and `more_pairs`.
    """

    judges: tuple[tuple[str, int], ...]
    units: int
    alone: int
    human: int
    independent: int
    raw: Raw
    scales: tuple[Group, ...]
    criteria: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    more_criteria: int
    more_pairs: int


@memoize_per_workspace
def agreement(
    ws: Workspace, suite: str, *, recorded: bool = False, independent: bool = False
) -> Agreement:
    """Return the agreement between the people who judged a suite.

    With `recorded`, the recorded judge of the suite's files is one more judge. With `independent`,
    only scores of people who had seen no score of the run before are used.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    every = scores(ws, suite, recorded=recorded, independent=independent)
    human = every.row[coded(ws, "judgments", "judge_type").among({"human"})[every.row]]
    judges = np.bincount(every.judge, minlength=len(every.judges))
    per_unit = np.bincount(every.unit)
    shared = choose(every, per_unit[every.unit] >= 2)
    groups = [_group(shared, rows, None, None) for rows in parts(shared.scale)]
    criteria = _criteria(shared)
    pairs = _pairs(shared)
    return Agreement(
        judges=tuple(
            sorted(zip(every.judges, map(int, judges), strict=True), key=lambda one: -one[1])
        ),
        units=int((per_unit >= 2).sum()),
        alone=int((per_unit == 1).sum()),
        human=len(human),
        independent=int(is_independent(ws)[human].sum()),
        raw=Raw(sum(one.raw.same for one in groups), sum(one.raw.pairs for one in groups)),
        scales=tuple(groups),
        criteria=tuple(_group(shared, *one) for one in criteria[:MOST]),
        pairs=tuple(_pair(shared, *one) for one in pairs[:MOST]),
        more_criteria=max(len(criteria) - MOST, 0),
        more_pairs=max(len(pairs) - MOST, 0),
    )


def parts(key: Numbers) -> list[Numbers]:
    """Return the rows of each key, those of most rows first."""
    order = np.argsort(key, kind="stable")
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    parts = np.split(order, cuts) if len(order) else []
    return sorted(parts, key=lambda rows: (-len(rows), int(rows[0])))


def _criteria(given: Scores) -> list[tuple[Numbers, str, str | None]]:
    """Return the rows, kind and name of each criterion that several cases share on one scale.

    Those of one case each are pooled by kind and scale, without a name.
    """
    asked = (given.kind * len(given.names) + given.name) * len(given.scales) + given.scale
    several = np.zeros(len(asked), bool)
    for rows in parts(asked):
        several[rows] = (given.case[rows] != given.case[rows[0]]).any()
    pooled = np.where(several, asked, -1 - (given.kind * len(given.scales) + given.scale))
    return [
        (
            rows,
            given.kinds[given.kind[rows[0]]],
            given.names[given.name[rows[0]]] if several[rows[0]] else None,
        )
        for rows in parts(pooled)
    ]


def _group(given: Scores, rows: Numbers, kind: str | None, name: str | None) -> Group:
    part = choose(given, rows)
    scale = _scale(part)
    ratings, level = _ratings(part, scale)
    most = np.bincount(ratings.score).max() / len(ratings.score)
    names = part.kind * len(part.names) + part.name
    return Group(
        kind=kind,
        criterion=name,
        criteria=len(np.unique(names)),
        scale=scale,
        judges=len(np.unique(part.judge)),
        row=int(part.row[0]),
        raw=raw_agreement(ratings),
        alpha=alpha(ratings, level),
        ac1=ac1(ratings) if scale.pass_fail and most >= SKEWED else None,
    )


def _scale(given: Scores) -> Scale:
    low, high = given.scales[given.scale[0]]
    either_or = (low, high) == (0.0, 1.0) and np.isin(given.score, (0.0, 1.0)).all()
    return Scale(low, high, bool(either_or))


def _ratings(given: Scores, scale: Scale) -> tuple[Ratings, Level]:
    """Return the scores of one scale as statistics take them, and how they are to be read."""
    steps = steps_of(given.score, scale)
    level: Level = (
        "nominal" if scale.pass_fail else "ordinal" if len(steps) <= STEPS else "interval"
    )
    _, first, unit = np.unique(given.unit, return_index=True, return_inverse=True)
    score = np.searchsorted(steps, given.score)
    return Ratings(unit, score, given.case[first], steps), level


def steps_of(found: Numbers, scale: Scale) -> Numbers:
    """Return every score there could be: whole ones from end to end, and those that were given."""
    if scale.low is None or scale.high is None or not 0 < scale.high - scale.low < STEPS:
        return np.unique(found)
    return np.union1d(np.arange(scale.low, scale.high + 1), found)


def _pairs(given: Scores) -> list[tuple[int, int, Numbers, Numbers]]:
    """Return any two judges who scored the same units of a scale, and both rows of each unit.

    Those of most units come first.
    """
    order = np.lexsort((given.judge, given.unit))
    unit, width = given.unit[order], len(given.judges)
    ones, others = [order[:0]], [order[:0]]
    for step in range(1, width):  # the judges of a unit stand beside each other
        here = np.flatnonzero(unit[step:] == unit[:-step])
        ones.append(order[here])
        others.append(order[here + step])
    one, other = np.concatenate(ones), np.concatenate(others)
    key = (given.judge[one] * width + given.judge[other]) * len(given.scales) + given.scale[one]
    return [
        (int(given.judge[one[at[0]]]), int(given.judge[other[at[0]]]), one[at], other[at])
        for at in parts(key)
    ]


def _pair(given: Scores, one: int, other: int, rows: Numbers, beside: Numbers) -> Pair:
    scale = _scale(choose(given, np.concatenate([rows, beside])))
    first, second = given.score[rows], given.score[beside]
    steps = steps_of(np.concatenate([first, second]), scale)
    level: Level = "nominal" if scale.pass_fail else "ordinal"
    found = kappa(
        np.searchsorted(steps, first),
        np.searchsorted(steps, second),
        given.case[rows],
        steps,
        level,
    )
    return Pair(given.judges[one], given.judges[other], scale, int((first == second).sum()), found)
