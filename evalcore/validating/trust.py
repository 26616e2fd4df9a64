"""How far a model as judge can be trusted on a suite: all figures of it, bound to one judge."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.families.reviews.review import Review
from evalcore.judging.agreeing.ratings import latest
from evalcore.judging.agreeing.scores import scores
from evalcore.statistics.confidence import Calibration
from evalcore.statistics.judge_error import Rate
from evalcore.statistics.repeated_judging import Flicker, flicker
from evalcore.validating.checked import (
    Checked,
    Confusion,
    Word,
    by_confidence,
    by_criterion,
    checked,
    confusions,
    share_same,
)
from evalcore.validating.judges import JudgeIdentity, ModelJudgments, model_judgments
from evalcore.validating.pairs import (
    Bound,
    PeoplesLabels,
    answers_of,
    between_people,
    bound_answers,
    labels_of,
    paired,
)
from evalcore.validating.rates import Rates, corrected_rates
from evalcore.validating.samples import samples
from evalcore.workspace.opened import Workspace


class Trust(NamedTuple):
    """What is known of one judge of a suite.

    `labels` are criteria of runs that people scored, `blind` those of them that were scored without
    having seen a score of the run; with `independent`, agreement is with these alone. `older`
    belong to this judge under other instructions, another model or other criteria, and count for
    nothing. `divided` are labels of what this judge scored on which people are divided: they are in
    no figure of agreement. `checked` is None without a label that is not. `people` is how often two
    people agree, over `pairs` pairs. `unsure` judgments state no confidence.
    """

    judge: JudgeIdentity
    judges: tuple[JudgeIdentity, ...]
    independent: bool
    labels: int
    blind: int
    divided: int
    older: int
    checked: Checked | None
    people: Rate | None
    pairs: int
    criteria: tuple[Checked, ...]
    confusions: tuple[Confusion, ...]
    numbers: Calibration | None
    words: tuple[Word, ...]
    unsure: int
    rates: Rates
    flicker: Flicker


def trust(
    ws: Workspace,
    suite: str,
    records: tuple[Review, ...],
    *,
    judge: str | None = None,
    independent: bool = False,
) -> Trust | None:
    """Return how far a judge can be trusted; None if no model has judged the suite.

    `judge` is the id of a `JudgeIdentity`, by default the one that judged last; `records` are the
    suite's. With `independent`, agreement is with people who had seen no score of the run before;
    corrected rates always are.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found, answers = _known(ws, suite, records)
    if not found.judges:
        return None
    at = next((at for at, each in enumerate(found.judges) if each.id == judge), 0)
    if (at, independent) not in answers:
        answers[at, independent] = _trust(ws, suite, records, found, at, independent=independent)
    return answers[at, independent]


@latest
def _known(
    ws: Workspace, suite: str, records: tuple[Review, ...]
) -> tuple[ModelJudgments, dict[tuple[int, bool], Trust]]:
    """Return the judgments of models, and where the answers about them are kept."""
    return model_judgments(ws, suite, records), {}


def _trust(
    ws: Workspace,
    suite: str,
    records: tuple[Review, ...],
    found: ModelJudgments,
    at: int,
    *,
    independent: bool,
) -> Trust:
    bound = bound_answers(ws, found, at)
    blind = labels_of(ws, suite, independent=True)
    labels = blind if independent else labels_of(ws, suite, independent=False)
    pairs = paired(bound.answers, labels.decided)
    peers = between_people(ws, scores(ws, suite, independent=independent))
    sample = samples(ws, suite, records, bound.answers, blind.every)
    numbers, words, unsure = by_confidence(ws, pairs)
    some_pairs = len(pairs.same) > 0
    return Trust(
        judge=found.judges[at],
        judges=found.judges,
        independent=independent,
        labels=len(labels.every.key),
        blind=len(blind.every.key),
        divided=len(paired(bound.answers, labels.divided).same),
        older=_older(ws, found, at, bound, labels),
        checked=checked(ws, pairs) if some_pairs else None,
        people=share_same(peers) if len(peers.same) else None,
        pairs=len(peers.same),
        criteria=by_criterion(ws, pairs) if some_pairs else (),
        confusions=confusions(ws, pairs),
        numbers=numbers,
        words=words,
        unsure=unsure,
        rates=corrected_rates(ws, bound.answers, blind, sample),
        flicker=_flicker(ws, found, at),
    )


def _older(
    ws: Workspace, found: ModelJudgments, at: int, bound: Bound, labels: PeoplesLabels
) -> int:
    """Return how many labels are of what this judge said under other instructions or criteria."""
    name = found.judges[at].judge
    same_name = [place for place, each in enumerate(found.judges) if each.judge == name]
    others = found.row[np.isin(found.judge, same_name) & (found.judge != at)]
    keys = np.union1d(bound.older.key, answers_of(ws, others).key)
    return int(np.isin(np.setdiff1d(labels.every.key, bound.answers.key), keys).sum())


def _flicker(ws: Workspace, found: ModelJudgments, at: int) -> Flicker:
    """Return the flicker of all judgments of a judge on the same criteria."""
    mine = np.flatnonzero(found.judge == at)
    given = answers_of(ws, found.row[mine])
    value = np.where(given.passed >= 0, given.passed, given.fraction)
    known = ~np.isnan(value)
    basis, criteria = found.basis[mine], found.criteria[mine]
    columns = (coded(ws, "runs", each).keys_of(given.run) for each in ("version", "configuration"))
    output = _groups(given.key, basis, criteria)
    criterion = _groups(given.case, given.kind, given.name, criteria, *columns)
    return flicker(value[known], output[known], criterion[known], given.case[known])


def _groups(*of: Numbers) -> Numbers:
    """Return a number for each distinct row of some columns, counted from 0."""
    found = np.zeros(len(of[0]), np.int64)
    for column in of:
        codes = np.unique(column, return_inverse=True)[1].reshape(-1)
        found = found * (int(codes.max(initial=0)) + 1) + codes
        found = np.unique(found, return_inverse=True)[1].reshape(-1)
    return found
