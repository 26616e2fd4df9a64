"""Agreement of a model with people: per criterion, by score, and by its stated confidence."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.people import differ
from evalcore.judging.agreeing.agreement import Scale, parts, steps_of
from evalcore.statistics.agreement import Level, kappa
from evalcore.statistics.clustered import Coefficient
from evalcore.statistics.confidence import Calibration, calibration
from evalcore.statistics.judge_error import Rate, mean_of, share
from evalcore.validating.pairs import Answers, Pairs, chosen, some
from evalcore.workspace.opened import Workspace


class Constant(NamedTuple):
    """What always giving the answer that people give most often would agree with: `same` of all.

    `passed` is that answer where there is a pass mark, `score` that on a scale without one; where
    labels are of both sorts, each gets its own answer.
    """

    same: float
    passed: bool | None
    score: float | None


class Confusion(NamedTuple):
    """How often a model gave each score where people gave each: `counts[people][model]`."""

    scale: Scale
    steps: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]


class Checked(NamedTuple):
    """Agreement of a model with people on some criteria.

    `criterion` is the name of one that several cases share; None where `criteria` of one case each
    are pooled. `row` is one of the model's judgments (a position). `direction` is the model's score
    less people's, as a part of the scale.
    """

    kind: str | None
    criterion: str | None
    criteria: int
    row: int
    n: int
    runs: int
    cases: int
    same: Rate
    kappa: Coefficient | None
    direction: Rate | None
    constant: Constant


class Word(NamedTuple):
    """Of the model's judgments with one word of confidence, how many agree with people."""

    word: str
    n: int
    right: Rate


def share_same(given: Pairs) -> Rate:
    """Return in which share of pairs both agree."""
    return share(given.same.astype(float), given.model.case)


def checked(
    ws: Workspace, given: Pairs, kind: str | None = None, name: str | None = None
) -> Checked:
    """Return the agreement on some pairs, at least one."""
    people = given.people
    return Checked(
        kind=kind,
        criterion=name,
        criteria=len(np.unique(np.column_stack([people.kind, people.name]), axis=0)),
        row=int(given.model.row[0]),
        n=len(given.same),
        runs=len(np.unique(people.run)),
        cases=len(np.unique(people.case)),
        same=share_same(given),
        kappa=_kappa(ws, given),
        direction=mean_of(given.model.fraction - people.fraction, people.case),
        constant=_constant(ws, people),
    )


def _constant(ws: Workspace, people: Answers) -> Constant:
    """Return the agreement of the one answer that agrees with people most often."""
    marked = people.passed >= 0
    rest = chosen(people, np.flatnonzero(~marked))
    ones = int(people.passed[marked].sum())
    passed = ones * 2 >= int(marked.sum()) if marked.any() else None
    fractions, first = np.unique(rest.fraction, return_index=True)
    none = np.full(len(rest.passed), -1.0)
    agree = [
        int((~differ(none, np.full(len(none), each), rest.passed, rest.fraction)).sum())
        for each in fractions.tolist()
    ]
    same = max(ones, int(marked.sum()) - ones) + max(agree, default=0)
    score = float(_scores(ws, rest)[first[int(np.argmax(agree))]]) if agree else None
    return Constant(same / len(marked), passed, score)


def _scores(ws: Workspace, given: Answers) -> Numbers:
    """Return the scores of answers; where there is only passed or failed, 1 or 0.

    Of several people it is their median, as everywhere, and not the score of one of them.
    """
    score, most = (values(ws, "judgments", name)[given.row] for name in ("score", "max_score"))
    score = np.where(np.isnan(given.fraction * most), score, np.round(given.fraction * most, 9))
    found: Numbers = np.where(np.isnan(score), given.passed, score)
    return found


def by_criterion(ws: Workspace, pairs: Pairs) -> tuple[Checked, ...]:
    """Return a row for each criterion that several cases share; others are pooled by kind."""
    kinds, names = (coded(ws, "judgments", each) for each in ("kind", "criterion"))
    asked = pairs.people.kind * names.width + pairs.people.name
    several = np.zeros(len(asked), bool)
    for rows in parts(asked):
        several[rows] = (pairs.people.case[rows] != pairs.people.case[rows[0]]).any()
    found = []
    for rows in parts(np.where(several, asked, -1 - pairs.people.kind)):
        first = rows[0]
        name = names.words[int(pairs.people.name[first])] if several[first] else None
        kind = kinds.words[int(pairs.people.kind[first])]
        found.append(checked(ws, some(pairs, rows), kind, name))
    return tuple(found)


def _kappa(ws: Workspace, given: Pairs) -> Coefficient | None:
    """Return Cohen's kappa; None where the scores are of several scales."""
    scales = _scales(ws, given)
    if len(scales) != 1:
        return None
    ((scale, _),) = scales
    one, other = _scores(ws, given.model), _scores(ws, given.people)
    steps = steps_of(np.concatenate([one, other]), scale)
    places = np.searchsorted(steps, one), np.searchsorted(steps, other)
    level: Level = "nominal" if scale.pass_fail else "ordinal"
    return kappa(*places, given.people.case, steps, level)


def _scales(ws: Workspace, given: Pairs) -> list[tuple[Scale, Numbers]]:
    """Return each scale on which both scored, with its pairs (rows)."""
    ends = np.column_stack(
        [
            values(ws, "judgments", end)[of.row]
            for of in (given.model, given.people)
            for end in ("min_score", "max_score")
        ]
    )
    ends = np.where(np.isnan(ends), np.inf, ends)
    found = []
    for low, high in np.unique(ends[:, 2:], axis=0).tolist():
        rows = np.flatnonzero((ends == (low, high, low, high)).all(axis=1))
        if not len(rows):
            continue
        part = some(given, rows)
        both = np.concatenate([_scores(ws, part.model), _scores(ws, part.people)])
        either_or = (low, high) == (0.0, 1.0) and bool(np.isin(both, (0.0, 1.0)).all())
        known = tuple(None if np.isinf(end) else end for end in (low, high))
        found.append((Scale(known[0], known[1], either_or), rows))
    return found


def confusions(ws: Workspace, given: Pairs) -> tuple[Confusion, ...]:
    """Return the table of scores of each scale that both used."""
    found = []
    for scale, rows in _scales(ws, given):
        part = some(given, rows)
        model, people = _scores(ws, part.model), _scores(ws, part.people)
        steps = steps_of(np.concatenate([model, people]), scale)
        counts = np.zeros((len(steps), len(steps)), int)
        np.add.at(counts, (np.searchsorted(steps, people), np.searchsorted(steps, model)), 1)
        table = tuple(tuple(row) for row in counts.tolist())
        found.append(Confusion(scale, tuple(steps.tolist()), table))
    return tuple(found)


def by_confidence(ws: Workspace, given: Pairs) -> tuple[Calibration | None, tuple[Word, ...], int]:
    """Return the calibration of numbers, that of words, and how many pairs have neither."""
    level = coded(ws, "judgments", "confidence_level")
    code = level.codes[given.model.row]
    number = values(ws, "judgments", "confidence")[given.model.row].astype(float)
    right, case = given.same.astype(float), given.people.case
    in_words, in_numbers = code >= 0, (code < 0) & ~np.isnan(number)
    numbers = (
        calibration(number[in_numbers], right[in_numbers], case[in_numbers])
        if in_numbers.any()
        else None
    )
    words = [
        Word(level.words[at], int((code == at).sum()), share(right[code == at], case[code == at]))
        for at in np.unique(code[in_words]).tolist()
    ]
    known = [*("high", "medium", "low"), *sorted(each.word for each in words)]
    words.sort(key=lambda each: known.index(each.word))
    return numbers, tuple(words), int((~in_words & ~in_numbers).sum())
