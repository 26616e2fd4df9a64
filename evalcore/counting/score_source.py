"""Values of runs by the chosen score source: recorded scores, people's, or people's first."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Coded, Numbers, coded, positions, values
from evalcore.counting.joined import counting, judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, Outcomes, outcomes
from evalcore.counting.people import (
    Criteria,
    Scores,
    by_people,
    criteria_by_people,
    judged_by_anyone,
)
from evalcore.counting.rates import (
    EFFICIENCY,
    GATE_FAILED,
    OTHER,
    PASSED,
    SHARE,
    UNSCORED,
    Rate,
    measured_by,
    of_columns,
    on_scale,
    rates,
    structural_share,
    valued,
)
from evalcore.counting.tally import FAIL, OUTSIDE, PASS, SCORED, Cells
from evalcore.counting.tally import UNSCORED as NOT_SCORED
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def people_values(ws: Workspace) -> Numbers:
    """Return each run's value for its suite's headline by human scores; NaN without any."""
    rated = by_people(ws)
    if not (rated.judges.any() or (~np.isnan(rated.fraction)).any()):
        return rated.fraction
    found = np.where(measured_by(ws, SHARE), rated.passed, rated.fraction)
    efficiency = measured_by(ws, EFFICIENCY)
    if efficiency.any():
        found[efficiency] = ((found + structural_share(ws)) / 2)[efficiency]
    return on_scale(found)


@memoize_per_workspace
def valued_by(ws: Workspace, scores: Scores) -> dict[str, Numbers]:
    """Return what `rates.valued` does by the chosen score source; `people` flags human values.

    With human scores alone, a run without a complete human judgment has no value, whatever its
    status.
    """
    known = valued(ws)
    if scores == "recorded":
        return known | {"people": np.zeros(len(known["value"]), bool)}
    human = people_values(ws)
    people = ~np.isnan(human)
    if scores == "human-first" and not people.any():
        return known | {"people": people}
    alone = scores == "human"
    rated = by_people(ws)
    value = np.where(people, human, np.nan if alone else known["value"])
    score, top = (
        np.where(people, mine, np.nan if alone else known[name])
        for name, mine in (("score", rated.score), ("max_score", rated.max_score))
    )
    end = np.where(np.isnan(value), UNSCORED, np.where(value == 1, PASSED, OTHER))
    # Neither a status that keeps a run out, nor a draft case, nor an exclusion is a judge's to say;
    # what waits for a grading is graded by who judged it whole.
    graded = known["ungraded"] & people
    fixed = ~np.isin(known["end"], (GATE_FAILED, UNSCORED, OTHER, PASSED)) & ~graded
    fixed |= (known["end"] == GATE_FAILED) & np.isnan(value)
    end[fixed] = known["end"][fixed]
    found = {"value": value, "score": score, "max_score": top, "end": end, "people": people}
    return known | found | {name: known[name] & ~graded for name in ("ungraded", "unread")}


@memoize_per_workspace
def rates_by(ws: Workspace, scores: Scores) -> dict[str, dict[Column, Rate]]:
    """Return the headline of every column of every suite by the chosen score source."""
    if scores == "recorded" or (scores == "human-first" and not judged_by_anyone(ws).any()):
        return rates(ws)
    return of_columns(ws, valued_by(ws, scores))


class Answers(NamedTuple):
    """Results of runs for their criteria, one row for each judgment.

    `run` is a position, `kind` and `criterion` keys of their columns, `row` the judgment behind
    it. `passed` is 1, 0 or -1 (unknown), `fraction` a share of the scale.
    """

    run: Numbers
    kind: Numbers
    criterion: Numbers
    row: Numbers
    passed: Numbers
    fraction: Numbers

    @property
    def value(self) -> Numbers:
        """From 0 to 1: whether it passed, else the share of the scale; NaN if neither is known."""
        return np.where(self.passed >= 0, self.passed, self.fraction)

    @property
    def share(self) -> Numbers:
        """The share of the scale, else whether it passed; NaN if neither is known."""
        return np.where(np.isnan(self.fraction), self.value, self.fraction)


def answers(ws: Workspace, runs: Numbers, scores: Scores = "recorded") -> Answers:
    """Return the results of some runs (positions) by the chosen score source.

    With `human-first`, a criterion that nobody judged has its recorded result.
    """
    people = answers_of_people(ws, runs) if scores != "recorded" else None
    if people is not None and scores == "human":
        return people
    return _people_first(ws, people, _recorded(ws, judgments_of(ws, runs)))


def answers_to(ws: Workspace, kind: int, criterion: int, scores: Scores = "recorded") -> Answers:
    """Return the results of all runs for one criterion (codes), by the chosen score source."""
    known = criteria_by_people(ws)
    mine = (known.kind == kind) & (known.criterion == criterion)
    people = _answers_in(known, mine) if scores != "recorded" else None
    if people is not None and scores == "human":
        return people
    rows = coded(ws, "judgments", "criterion").codes == criterion
    rows &= coded(ws, "judgments", "kind").codes == kind
    return _people_first(ws, people, _recorded(ws, np.flatnonzero(rows)))


def _people_first(ws: Workspace, people: Answers | None, recorded: Answers) -> Answers:
    if people is None or not len(people.run):
        return recorded
    kinds, words = (coded(ws, "judgments", name).width for name in ("kind", "criterion"))
    mine, theirs = (
        (each.run.astype(np.int64) * kinds + each.kind) * words + each.criterion
        for each in (people, recorded)
    )
    left = ~np.isin(theirs, mine)
    both = (np.concatenate([a, b[left]]) for a, b in zip(people, recorded, strict=True))
    return Answers(*both)


def answers_of_people(ws: Workspace, runs: Numbers) -> Answers:
    """Return what people say of the criteria of some runs, each the median of all of them."""
    found = criteria_by_people(ws)
    return _answers_in(found, np.isin(found.run, runs))


def _answers_in(found: Criteria, rows: Numbers) -> Answers:
    return Answers(*(getattr(found, name)[rows] for name in Answers._fields))


def _recorded(ws: Workspace, rows: Numbers) -> Answers:
    rows = of_own_judge(ws, rows[counting(ws)[rows]])
    kind, criterion = (coded(ws, "judgments", name).keys_of(rows) for name in ("kind", "criterion"))
    passed, fraction = (values(ws, "judgments", name)[rows] for name in ("passed", "fraction"))
    return Answers(judged_run(ws)[rows], kind, criterion, rows, passed, fraction)


def of_own_judge(ws: Workspace, rows: Numbers) -> Numbers:
    """Keep the judgments of the run's own judge if several judges judged one criterion."""
    judge = coded(ws, "judgments", "judge")
    if not len(rows) or np.ptp(judge.codes[rows]) == 0:
        return rows
    kind, criterion = (coded(ws, "judgments", name).codes[rows] for name in ("kind", "criterion"))
    run, own = judged_run(ws)[rows], coded(ws, "runs", "judge")
    asked = np.column_stack([run, kind, criterion])
    theirs = _known_judges(judge, own)[judge.codes[rows]]
    order = np.lexsort((theirs != own.codes[run], *asked.T))
    first = np.append(True, (np.diff(asked[order], axis=0) != 0).any(axis=1))
    return np.sort(rows[order[first]])


def _known_judges(judge: Coded, own: Coded) -> Numbers:
    """Return for each judge of judgments the code among those of runs; -2 for none."""
    known = positions(judge.strings, own.strings)
    return np.append(np.where(known < 0, -2, known), -2)


@memoize_per_workspace
def outcomes_by(ws: Workspace, suite: str, scores: Scores) -> Outcomes:
    """Return the outcome of every run of a suite by the chosen score source.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    if scores == "recorded":
        return found
    here = found.runs.index.to_numpy()
    rated = by_people(ws)
    people = ~np.isnan(np.where(np.isnan(rated.passed), rated.fraction, rated.passed))[here]
    if scores == "human-first" and not people.any():
        return found
    runs = found.runs.copy()
    counted = people | (scores == "human")
    for name in ("score", "max_score", "fraction"):
        runs[name] = np.where(counted, getattr(rated, name)[here], runs[name])
    replaced = answers(ws, here[people], scores)
    failed, judged = (
        np.bincount(replaced.run[chosen], minlength=len(rated.passed))[here]
        for chosen in (replaced.passed == 0, replaced.passed >= 0)
    )
    decided = _decided(rated.passed[here], failed, judged)
    graded = valued(ws)["ungraded"] & ~valued_by(ws, scores)["ungraded"]
    outside = (runs["outcome"].to_numpy() == OUTSIDE) & ~graded[here]
    for name, of, none in (
        ("failed", failed, 0),
        ("judged", judged, 0),
        ("unscored", 0, 0),
        ("outcome", decided, NOT_SCORED),
    ):
        new = np.where(people, of, none)
        runs[name] = np.where(counted & ~outside, new, runs[name])
    cells = Cells(runs, len(found.cases), len(found.columns))
    return replace(found, runs=runs, cells=cells)


def _decided(passed: Numbers, failed: Numbers, judged: Numbers) -> Numbers:
    """Decide the outcome of runs that people judged: by the whole run, else by its criteria."""
    result = np.where(judged > 0, np.where(failed > 0, FAIL, PASS), SCORED)
    known = ~np.isnan(passed)
    replaced = np.where(passed > 0.5, PASS, np.where(passed < 0.5, FAIL, SCORED))
    return np.where(known, replaced, result)
