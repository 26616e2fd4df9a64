"""A comparison with the judge's error in it: by how much people would have found B above A."""

from typing import Final, Literal, NamedTuple

import numpy as np
import pandas as pd

from evalcore.comparing.comparability import shared
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison, Side
from evalcore.comparing.sample import of_cases, runs_of_both
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.joined import judged_run
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores, people_rows
from evalcore.counting.review_rows import from_reviews
from evalcore.judging.agreeing.scores import is_independent
from evalcore.judging.storing.populations import column_of
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.statistics.judge_error import CASES, Labels, Rate, Results, powered_difference
from evalcore.statistics.verdict import Word
from evalcore.validating.judges import JudgeIdentity, model_judgments
from evalcore.validating.pairs import bound_answers, labels_of
from evalcore.validating.samples import samples
from evalcore.workspace.opened import Workspace

Refused = Literal[
    "", "nothing", "people", "no model", "several judges", "other judge",
    "none", "changed", "open", "not blind", "few",
]  # fmt: skip
RUNS: Final = 10
"""Below so many labelled runs on a side, or below `CASES` cases, nothing is computed."""


class JudgeError(NamedTuple):
    """The difference that people would have found; None with the reason `why`.

    `side` is the side that the reason is about, A or B, empty for both. `labels` counts the
    labelled runs of A and B. `word` is what the comparison tells with the judge's error in it.
    """

    rate: Rate | None
    why: Refused = ""
    side: str = ""
    labels: tuple[int, int] = (0, 0)
    word: Word = "can't tell"


class _Sampled(NamedTuple):
    """The runs of a side that a random sample chose, and who judged them, or why not."""

    why: Refused
    judge: JudgeIdentity | None = None
    runs: frozenset[int] = frozenset()


def judge_error(
    a: Side, b: Side, scores: Scores = "recorded", clusters: tuple[str, ...] = ()
) -> JudgeError:
    """Return the difference of `b` from `a` with the error of the recorded judge in it.

    Prediction-powered: the judge's values of all compared runs, and in a random sample of each side
    by how much people's differ from them. It needs such a sample of both, judged whole and blind.

    Raises:
        UnknownName: a workspace has no such suite.
        CannotCompare: no case has one of the tags of `clusters`.
    """
    found = compare(a, b, scores, clusters)
    if scores != "recorded":
        return JudgeError(None, "people")
    if found.verdict is None or not found.pairs:
        return JudgeError(None, "nothing")
    sampled = _sampled(a), _sampled(b)
    for one, side in zip(sampled, "AB", strict=True):
        if one.why:
            return JudgeError(None, one.why, side)
    if sampled[0].judge != sampled[1].judge:
        return JudgeError(None, "other judge")
    return _with_error(found, (a, b), sampled)


def _sampled(side: Side) -> _Sampled:
    ws, suite = side.ws, side.suite
    records = load_reviews(review_folder(ws, suite))
    found = model_judgments(ws, suite, records)
    runs = _runs_of(side)
    own = np.isin(found.run, runs) & ~from_reviews(ws, "judgments")[found.row]
    judges = np.unique(found.judge[own]).tolist()
    if len(judges) != 1:
        return _Sampled("several judges" if judges else "no model")
    words = coded(ws, "runs", "run_id")
    column = column_of(words.words[words.codes[runs[0]]])
    answers = bound_answers(ws, found, judges[0]).answers
    blind = labels_of(ws, suite, independent=True).every
    sample = samples(ws, suite, records, answers, blind).get(column)
    if sample is None or sample.state in ("none", "changed", "open"):
        return _Sampled("none" if sample is None or sample.state == "complete" else sample.state)
    if _sees(ws, sample.runs):
        return _Sampled("not blind")
    return _Sampled("", found.judges[judges[0]], sample.runs)


def _runs_of(side: Side) -> Numbers:
    found = outcomes(side.ws, side.suite)
    place = found.columns.index(side.column) if side.column in found.columns else -1
    rows: Numbers = found.runs.index.to_numpy()[found.runs["column"].to_numpy() == place]
    return rows


def _sees(ws: Workspace, runs: frozenset[int]) -> bool:
    """Say whether a score of people who had seen others counts in the value of some runs."""
    rows = people_rows(ws)
    mine = rows[np.isin(judged_run(ws)[rows], list(runs))]
    return not bool(is_independent(ws)[mine].all())


def _with_error(
    found: Comparison, sides: tuple[Side, Side], sampled: tuple[_Sampled, _Sampled]
) -> JudgeError:
    common = shared(sides[0], sides[1], "recorded")
    recorded, human = (
        runs_of_both(sides[0], sides[1], scores, common) for scores in ("recorded", "human")
    )
    cases = [pair.case_id for pair in found.pairs]
    both = [
        _side(side, frames, cases, one.runs)
        for side, frames, one in zip(
            sides, ((recorded.a, human.a), (recorded.b, human.b)), sampled, strict=True
        )
    ]
    labels = len(both[0][1].people), len(both[1][1].people)
    labelled = [len(np.unique(each.case)) for _, each in both]
    if min(labels) < RUNS or min(labelled) < CASES:
        return JudgeError(None, "few", labels=labels)
    rate = powered_difference(both[0], both[1], min(labelled))
    assert rate is not None
    return JudgeError(rate, labels=labels, word=_word(found, rate))


def _side(
    side: Side, frames: tuple[pd.DataFrame, pd.DataFrame], cases: list[str], chosen: frozenset[int]
) -> tuple[Results, Labels]:
    """Return the judge's values of the runs of some cases, and people's of those in a sample."""
    counted = (each[each["counted"].to_numpy(bool)] for each in frames)
    recorded, human = (of_cases(each, side, cases) for each in counted)
    places = outcomes(side.ws, side.suite).positions
    number = {places[case]: at for at, case in enumerate(cases)}
    case = np.array([number[each] for each in recorded["case"].tolist()], np.int64)
    weight = 1 / np.bincount(case)[case]
    value = recorded["value"].to_numpy(float)
    mine = np.isin(recorded.index, list(chosen)) & np.isin(recorded.index, human.index)
    people = human["value"].reindex(recorded.index[mine]).to_numpy(float)
    return (
        Results(value, case, weight),
        Labels(value[mine], people, case[mine], weight[mine]),
    )


def _word(found: Comparison, rate: Rate) -> Word:
    """Return the verdict that both the comparison and the wider interval leave."""
    word = found.verdict.word if found.verdict is not None else "can't tell"
    if (word == "better" and rate.low > 0) or (word == "worse" and rate.high < 0):
        return word
    return "can't tell"
