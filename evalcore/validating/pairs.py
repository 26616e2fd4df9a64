"""What a model and people said of the same criterion of the same run, side by side."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import judged_run
from evalcore.counting.people import Criteria, criteria_by_people, differ
from evalcore.judging.agreeing.scores import Scores
from evalcore.validating.judges import ModelJudgments
from evalcore.workspace.opened import Workspace


class Answers(NamedTuple):
    """Results on criteria of runs, one row each; `passed` is 1, 0 or -1 (unknown).

    `row` is a position in `tables.judgments`, `run` one in `tables.runs`; `case`, `kind` and `name`
    are keys of their columns; `fraction` is a part of the scale. `key` tells criteria of runs
    apart, whoever judged them.
    """

    row: Numbers
    run: Numbers
    case: Numbers
    kind: Numbers
    name: Numbers
    passed: Numbers
    fraction: Numbers
    key: Numbers


class Pairs(NamedTuple):
    """A model's and people's answers to the same, row by row; `same` says that they agree."""

    model: Answers
    people: Answers
    same: Numbers


class PeoplesLabels(NamedTuple):
    """What people said: `decided` labels, and those on which they are `divided`.

    No judge agrees or disagrees with a divided one; as many people passed it as failed it, so it is
    half a pass (`passed`) in a rate.
    """

    decided: Answers
    divided: Answers

    @property
    def every(self) -> Answers:
        """All of them."""
        return Answers(*map(np.concatenate, zip(self.decided, self.divided, strict=True)))


class Bound(NamedTuple):
    """The answers of one model that rest on the same criteria, and how many older ones do not."""

    answers: Answers
    older: Answers


def bound_answers(ws: Workspace, found: ModelJudgments, judge: int) -> Bound:
    """Return a judge's current answers: of each case, those to the criteria it was asked last."""
    mine = np.flatnonzero(found.is_current & (found.judge == judge))
    rows = found.row[mine]
    if len(np.unique(found.criteria[mine])) < 2:
        return Bound(answers_of(ws, rows), answers_of(ws, rows[:0]))
    case = coded(ws, "runs", "case_id").keys_of(found.run[mine])
    when = values(ws, "judgments", "judged_at")[found.row[mine]]
    order = np.lexsort((np.arange(len(mine)), when, case))
    last = np.append(np.diff(case[order]) != 0, True)[: len(order)]
    newest = dict(
        zip(case[order[last]].tolist(), found.criteria[mine[order[last]]].tolist(), strict=True)
    )
    bound = found.criteria[mine] == np.array([newest[each] for each in case.tolist()], np.int64)
    return Bound(answers_of(ws, rows[bound]), answers_of(ws, rows[~bound]))


def answers_of(ws: Workspace, rows: Numbers) -> Answers:
    """Return judgments (positions) as answers."""
    run = judged_run(ws)[rows].astype(np.int64)
    kind, name = (coded(ws, "judgments", each).keys_of(rows) for each in ("kind", "criterion"))
    passed = values(ws, "judgments", "passed")[rows].astype(float)
    fraction = values(ws, "judgments", "fraction")[rows]
    return _answers(ws, rows, run, kind, name, passed, fraction)


def labels_of(ws: Workspace, suite: str, *, independent: bool) -> PeoplesLabels:
    """Return what people said: the adjudication, else the median of their current scores.

    With `independent`, only what people said who had seen no score of the run before.
    """
    found: Criteria = criteria_by_people(ws, independent=independent)
    mine = np.flatnonzero(coded(ws, "runs", "suite").among({suite})[found.run])
    labels = _answers(
        ws,
        found.row[mine],
        found.run[mine].astype(np.int64),
        found.kind[mine],
        found.criterion[mine],
        found.passed[mine].astype(float),
        found.fraction[mine],
    )
    split = found.divided[mine]
    divided = chosen(labels, np.flatnonzero(split))
    half = np.full(len(divided.key), 0.5)
    return PeoplesLabels(chosen(labels, np.flatnonzero(~split)), divided._replace(passed=half))


def _answers(
    ws: Workspace,
    row: Numbers,
    run: Numbers,
    kind: Numbers,
    name: Numbers,
    passed: Numbers,
    fraction: Numbers,
) -> Answers:
    kinds, names = (coded(ws, "judgments", each).width for each in ("kind", "criterion"))
    key = (run * kinds + kind) * names + name
    case = coded(ws, "runs", "case_id").keys_of(run)
    return Answers(row, run, case, kind, name, passed, fraction, key)


def paired(model: Answers, people: Answers) -> Pairs:
    """Return the answers that both gave."""
    _, mine, theirs = np.intersect1d(model.key, people.key, return_indices=True)
    one, other = chosen(model, mine), chosen(people, theirs)
    far = differ(one.passed, one.fraction, other.passed, other.fraction)
    return Pairs(one, other, ~far)


def chosen(given: Answers, rows: Numbers) -> Answers:
    """Return some of the answers."""
    return Answers(*(each[rows] for each in given))


def some(given: Pairs, rows: Numbers) -> Pairs:
    """Return some of the pairs."""
    return Pairs(chosen(given.model, rows), chosen(given.people, rows), given.same[rows])


def between_people(ws: Workspace, given: Scores) -> Pairs:
    """Return any two people's current scores of the same criterion of a run."""
    order = np.lexsort((given.judge, given.unit))
    unit, ones, others = given.unit[order], [order[:0]], [order[:0]]
    for step in range(1, len(given.judges)):  # the judges of a unit stand beside each other
        here = np.flatnonzero(unit[step:] == unit[:-step])
        ones.append(order[here])
        others.append(order[here + step])
    one, other = (answers_of(ws, given.row[np.concatenate(rows)]) for rows in (ones, others))
    far = differ(one.passed, one.fraction, other.passed, other.fraction)
    return Pairs(one, other, ~far)
