"""The largest disagreements between judges, as a queue for adjudication.

A person sees others' scores of a run only after judging all of it. Before that, they see how many
disagreements there are but not where, so adjudicators have always scored first without influence.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.reviews.review import Chain
from evalcore.ids import within
from evalcore.judging.agreeing.ratings import Rating, Records, latest, ratings, with_rationale
from evalcore.judging.asking.asked import asked
from evalcore.judging.asking.keys import left
from evalcore.judging.model import Asked, Judge
from evalcore.judging.storing.record_factory import standing_id
from evalcore.judging.storing.run_reviews import NO_REVIEWS, reviews_by_run, reviews_of_run
from evalcore.statistics.intervals import SAME
from evalcore.workspace.opened import Workspace

LISTED: Final = 30
"""Number of disagreements returned, enough for one sitting."""


class Disagreement(NamedTuple):
    """One criterion of one run that judges score differently.

    `spread` is how far the highest score lies above the lowest, as a share of the scale. `over` is
    the `standing_id` of what was decided before, None where nothing was: a newer judgment, or
    another decision at the same time, has reopened it.
    """

    run_id: str
    asked: Asked
    spread: float
    ratings: tuple[Rating, ...]
    over: str | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The judgments to weigh."""
        return tuple(rating.id for rating in self.ratings)


class Disagreements(NamedTuple):
    """Open disagreements, the largest first, and the number of those not shown.

    `open` are the first of them and `more` follow; `opened` is the one that was asked for. `hidden`
    lie in `hidden_runs` runs that the judge has yet to judge whole; `settled` are adjudicated.
    """

    open: tuple[Disagreement, ...]
    more: int
    hidden: int
    hidden_runs: int
    settled: int
    opened: Disagreement | None = None


class _Found(NamedTuple):
    run: int
    run_id: str
    key: str
    spread: float
    weight: float
    ratings: list[Rating]
    over: Chain | None
    settled: bool


def disagreements(
    ws: Workspace,
    suite: str,
    judge: Judge | None,
    records: Records,
    wanted: tuple[str, str] | None = None,
) -> Disagreements:
    """Return the disagreements of a suite, ordered by spread, then by the weight of the criterion.

    `wanted` is the run id and key of one to return whatever its position.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    rated, differing = ratings(ws, suite, records), _differing(ws, suite, records)
    waiting = [one for one in differing if not one.settled]
    runs = {one.run_id: one.run for one in waiting}
    whole = set[str]()
    for run_id, run in runs.items():
        by_key, said = rated[within(run_id)], reviews_of_run(records, run_id)
        mine = {
            key
            for key, given in by_key.items()
            if judge is not None and any(rating.judge == judge.id for rating in given)
        }
        if mine and left(ws, suite, run, said) <= mine:
            whole.add(run_id)
    shown = [one for one in waiting if one.run_id in whole]
    asked_for = next((one for one in shown if (one.run_id, one.key) == wanted), None)
    return Disagreements(
        tuple(filter(None, (_shown(ws, one) for one in shown[:LISTED]))),
        max(len(shown) - LISTED, 0),
        len(waiting) - len(shown),
        len(runs) - len(whole),
        len(differing) - len(waiting),
        _shown(ws, asked_for) if asked_for else None,
    )


@latest
def _differing(ws: Workspace, suite: str, records: Records) -> list[_Found]:
    """Return every criterion of every run that judges score differently, in their order."""
    people, weights = reviews_by_run(records), _weights(ws, suite)
    runs = {within(run_id): (at, run_id, case) for at, run_id, case in _runs(ws, suite)}
    found = []
    for run, by_key in ratings(ws, suite, records).items():
        if run not in runs:
            continue
        at, run_id, case = runs[run]
        said = people.get(run, NO_REVIEWS)
        for key, given in by_key.items():
            if (spread := _spread(given)) > SAME:
                weight = weights.get((case, key), 0.0)
                over = said.decided.get(key)
                settled = said.settled(key).issuperset(rating.id for rating in given)
                found.append(_Found(at, run_id, key, spread, weight, given, over, settled))
    return sorted(found, key=lambda one: (-one.spread, -one.weight, one.run_id, one.key))


def _shown(ws: Workspace, one: _Found) -> Disagreement | None:
    criterion = next((each for each in asked(ws, one.run_id) if each.key == one.key), None)
    if criterion is None:
        return None
    ordered = sorted(one.ratings, key=lambda rating: (-rating.score, rating.judge))
    return Disagreement(
        one.run_id,
        criterion,
        one.spread,
        tuple(ordered),
        standing_id(one.over) if one.over else None,
    )


def with_rationales(ws: Workspace, given: Disagreement) -> Disagreement:
    """Return a disagreement with the rationale of each judge."""
    return given._replace(ratings=tuple(with_rationale(ws, rating) for rating in given.ratings))


def _spread(given: list[Rating]) -> float:
    """Return the largest distance between scores on one scale, as a share of it."""
    found = 0.0
    for scale in {rating.scale for rating in given}:
        same = [rating.score for rating in given if rating.scale == scale]
        found = max(found, (max(same) - min(same)) / (scale[1] - scale[0]))
    return found


def _runs(ws: Workspace, suite: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, id and case of each run of a suite."""
    runs, cases = coded(ws, "runs", "run_id"), coded(ws, "runs", "case_id")
    for at in np.flatnonzero(coded(ws, "runs", "suite").among({suite})).tolist():
        yield at, runs.words[runs.codes[at]], cases.words[cases.codes[at]]


@memoize_per_workspace
def _weights(ws: Workspace, suite: str) -> dict[tuple[str, str], float]:
    """Return the weight of each criterion that has one, by case and key."""
    rules = ws.tables.criteria
    rules = rules[(rules["suite"] == suite) & rules["weight"].notna()]
    columns = (rules[name].astype(str) for name in ("case_id", "kind", "criterion"))
    return {
        (case, f"{kind}:{name}"): float(weight)
        for case, kind, name, weight in zip(*columns, rules["weight"], strict=True)
    }
