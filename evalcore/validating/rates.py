"""The judge's pass rate of each version and configuration, and what people would have found."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.statistics.judge_error import (
    Accuracy,
    Corrected,
    Labels,
    Rate,
    Results,
    accuracy,
    over_cases,
    prediction_powered,
    rogan_gladen,
)
from evalcore.validating.pairs import Answers, PeoplesLabels, chosen
from evalcore.validating.samples import Sample, columns_of
from evalcore.workspace.opened import Workspace

NO_RANDOM: Final = Corrected(None, "few labels")


class ColumnRate(NamedTuple):
    """Of the criteria of one version and configuration, the share that passed, over cases.

    `judged` is the judge's rate. `sampled` is corrected by the labels of the column's own random
    sample, None where it has no complete one; `corrected` by the judge's errors in all samples.
    """

    version: str
    configuration: str
    results: int
    runs: int
    cases: int
    judged: Rate
    sample: Sample
    labels: int
    sampled: Corrected | None
    corrected: Corrected


class Rates(NamedTuple):
    """The rates by column, and how often the judge errs in the `labels` of random samples."""

    columns: tuple[ColumnRate, ...]
    accuracy: Accuracy | None
    labels: int


def corrected_rates(
    ws: Workspace, model: Answers, blind: PeoplesLabels, samples: Mapping[str, Sample]
) -> Rates:
    """Return the rates of a judge whose answers pass or fail, with corrections where they hold.

    In a column's own sample a label on which people are divided is half a pass, so that the hard
    ones are not left out. What the judge does of those that people pass or fail is of the others.
    """
    model = chosen(model, np.flatnonzero(model.passed >= 0))
    every, decided = (
        chosen(each, np.flatnonzero(each.passed >= 0)) for each in (blind.every, blind.decided)
    )
    whole = [each for each in samples.values() if each.state == "complete"]
    random = frozenset[int]().union(*(each.runs for each in whole))
    pooled = _labels(model, decided, random)
    columns = columns_of(ws, model)
    found = [
        _column(ws, chosen(model, rows), every, samples[name], pooled)
        for name, rows in columns.items()
    ]
    errors = accuracy(pooled) if len(pooled.people) else None
    return Rates(tuple(found), errors, len(pooled.people))


def _column(
    ws: Workspace, model: Answers, blind: Answers, sample: Sample, pooled: Labels
) -> ColumnRate:
    every = Results(model.passed, model.case, _weights(model.case))
    mine = _labels(model, blind, sample.runs)
    version, configuration = (coded(ws, "runs", name) for name in ("version", "configuration"))
    first = int(model.run[0])
    return ColumnRate(
        version=version.words[version.codes[first]],
        configuration=configuration.words[configuration.codes[first]],
        results=len(model.passed),
        runs=len(np.unique(model.run)),
        cases=len(np.unique(model.case)),
        judged=over_cases(every),
        sample=sample,
        labels=len(mine.people),
        sampled=prediction_powered(every, mine) if sample.state == "complete" else None,
        corrected=rogan_gladen(every, pooled) if len(pooled.people) else NO_RANDOM,
    )


def _labels(model: Answers, blind: Answers, runs: frozenset[int]) -> Labels:
    """Return the labels of some runs; each case counts once in its rate, as in the judge's."""
    mine = np.flatnonzero(np.isin(model.run, list(runs)))
    _, one, other = np.intersect1d(model.key[mine], blind.key, return_indices=True)
    rows = mine[one]
    weight = _weights(model.case)[rows]
    return Labels(model.passed[rows], blind.passed[other], model.case[rows], weight)


def _weights(case: Numbers) -> Numbers:
    """Return weights with which each case counts once, however many results it has."""
    _, place, n = np.unique(case, return_inverse=True, return_counts=True)
    found: Numbers = 1 / n[place.reshape(-1)]
    return found
