"""The runs of two sides as the statistics take them: values by case, by what both sides share."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.comparing.comparability import Shared
from evalcore.comparing.definitions import Key
from evalcore.comparing.model import CasePair, RunsOfSides, Side
from evalcore.comparing.values import (
    NOT_GRADED,
    NOT_READ,
    NOT_SCORED,
    NOT_THERE,
    bounded,
    runs_of,
    with_missing,
)
from evalcore.counting.cells import typed
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.copies import copied, left_by
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import EFFICIENCY, SHARE, on_scale
from evalcore.counting.score_source import answers
from evalcore.families.base import FAILED_BY_STATUS
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.tables.rows import RunRow

SHARED_HEADLINE: Final = "mean of shared criteria"


class Runs(NamedTuple):
    """The runs of both sides (see `values.runs_of`), and the headline that their values are of.

    `clusters` has the number of the cluster of each case, None if every case stands for itself.
    """

    a: pd.DataFrame
    b: pd.DataFrame
    headline: str
    clusters: Mapping[str, int] | None = None

    @property
    def counted(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The runs of both sides that count."""
        return self.a[self.a["counted"].to_numpy(bool)], self.b[self.b["counted"].to_numpy(bool)]


def runs_of_both(a: Side, b: Side, scores: Scores, shared: Shared) -> Runs:
    """Return the runs of both sides, valued by the criteria that both were asked.

    Where the criteria of a case differ, its runs have the mean of those that both sides share. If
    the headline is not such a mean itself, all runs have it, so that no two measures are mixed.
    """
    runs = [runs_of(side.ws, side.suite, side.column, scores) for side in (a, b)]
    headline = outcomes(b.ws, b.suite).headline
    if not shared.criteria:
        return _complete(Runs(runs[0], runs[1], headline), (a, b), scores)
    everywhere = headline in (SHARE, EFFICIENCY)
    keys_a = {case: match.a for case, match in shared.criteria.items()}
    keys_b = {case: match.b for case, match in shared.criteria.items()}
    found = Runs(
        _restricted(a, runs[0], scores, keys_a, everywhere=everywhere),
        _restricted(b, runs[1], scores, keys_b, everywhere=everywhere),
        SHARED_HEADLINE if everywhere else headline,
    )
    return _complete(found, (a, b), scores)


def _complete(runs: Runs, sides: tuple[Side, Side], scores: Scores) -> Runs:
    """Return runs with those that are not there; people alone cannot have judged these."""
    if scores == "human":
        return runs
    a, b = (
        with_missing(frame, side.ws, side.suite, side.column) if len(frame) else frame
        for frame, side in zip(runs[:2], sides, strict=True)
    )
    return runs._replace(a=a, b=b)


def _restricted(
    side: Side,
    runs: pd.DataFrame,
    scores: Scores,
    keys: Mapping[str, frozenset[Key]],
    *,
    everywhere: bool,
) -> pd.DataFrame:
    """Return runs whose value is the mean of some of their criteria."""
    positions = outcomes(side.ws, side.suite).positions
    cases = {positions[case]: of for case, of in keys.items() if case in positions}
    case = runs["case"].to_numpy()
    touched = runs["counted"].to_numpy(bool) & (everywhere | np.isin(case, list(cases)))
    found = answers(side.ws, runs.index.to_numpy()[touched], scores)
    place = pd.Series(np.arange(len(runs)), runs.index).reindex(found.run).to_numpy(np.int64)
    chosen = _chosen(side, found.kind, found.criterion, case[place], cases)
    value, place = on_scale(found.value)[chosen], place[chosen]
    scored = ~np.isnan(value)
    asked = np.bincount(place, minlength=len(runs))
    n = np.bincount(place[scored], minlength=len(runs))
    sums = np.bincount(place[scored], value[scored], minlength=len(runs))
    mean = np.divide(sums, n, out=np.full(len(runs), np.nan), where=n > 0)
    # A run that was refused, cut or timed out has failed, also where nobody could judge it.
    failed = coded(side.ws, "runs", "status").among(FAILED_BY_STATUS)[runs.index.to_numpy()]
    lacking = touched & (n == 0) & ~failed
    new = runs.assign(
        value=np.where(touched & (n > 0), mean, runs["value"]),
        counted=runs["counted"].to_numpy(bool) & ~lacking,
        lost=np.where(lacking, NOT_SCORED, runs["lost"]),
        unscored=np.where(touched, asked - n, runs["unscored"]),
        criteria=np.where(touched, asked, runs["criteria"]),
    )
    return bounded(new, whole=False)


def _chosen(
    side: Side,
    kind: Numbers,
    criterion: Numbers,
    case: Numbers,
    cases: Mapping[int, Iterable[Key]],
) -> Numbers:
    """Flag the answers to the criteria that are shared; those of other cases all are."""
    kinds, words = (coded(side.ws, "judgments", name) for name in ("kind", "criterion"))
    wanted = [
        (at * kinds.width + kinds.places([key[0]])[0]) * words.width + words.places([key[1]])[0]
        for at, keys in cases.items()
        for key in keys
    ]
    given = (case.astype(np.int64) * kinds.width + kind) * words.width + criterion
    flags: Numbers = ~np.isin(case, list(cases)) | np.isin(given, wanted)
    return flags


def paired_runs(
    runs: tuple[pd.DataFrame, pd.DataFrame],
    sides: tuple[Side, Side],
    cases: Sequence[str],
    columns: tuple[str, str] = ("value", "value"),
    clusters: Mapping[str, int] | None = None,
) -> PairedRuns:
    """Return the values of the runs of some cases on both sides.

    Each frame holds only the runs to take; `columns` name the values of each. Every case has a run
    on each side.
    """
    values, numbers = [], []
    for frame, side, column in zip(runs, sides, columns, strict=True):
        number = _numbers(side, cases)[frame["case"].to_numpy()]
        values.append(frame[column].to_numpy(float)[number >= 0])
        numbers.append(number[number >= 0])
    return PairedRuns(
        values[0], values[1], numbers[0], numbers[1], cluster_numbers(clusters, cases)
    )


def cluster_numbers(clusters: Mapping[str, int] | None, cases: Sequence[str]) -> Numbers | None:
    """Return the cluster of each of some cases."""
    return None if clusters is None else np.array([clusters[case] for case in cases], np.int64)


def of_cases(runs: pd.DataFrame, side: Side, cases: Iterable[str]) -> pd.DataFrame:
    """Return the runs of some cases."""
    places = outcomes(side.ws, side.suite).positions
    return runs[np.isin(runs["case"].to_numpy(), [places[case] for case in cases])]


def run_on_both(
    runs: tuple[pd.DataFrame, pd.DataFrame], sides: tuple[Side, Side], cases: Iterable[str]
) -> list[str]:
    """Return those of some cases that have a run on each side."""
    there = []
    for frame, side in zip(runs, sides, strict=True):
        ids = outcomes(side.ws, side.suite).cases["case_id"].to_numpy()
        there.append(set(ids[frame["case"].unique()].tolist()))
    return [case for case in cases if case in there[0] and case in there[1]]


def _numbers(side: Side, cases: Sequence[str]) -> Numbers:
    """Return for each case of a suite its place among some cases; -1 for the others."""
    found = outcomes(side.ws, side.suite)
    numbers = np.full(len(found.cases), -1, np.int64)
    places = found.positions
    numbers[[places[case] for case in cases]] = np.arange(len(cases))
    return numbers


def runs_of_sides(a: Side, b: Side, runs: Runs, pairs: Sequence[CasePair]) -> RunsOfSides:
    """Return which runs of the compared cases are of both sides, and how many are copies.

    Two runs are one if everything that they left is the same. In two workspaces (two revisions, a
    copied folder) runs of one number are one even if they left nothing but their gradings. In one
    workspace, runs of which nothing is measured may merely have come out alike.
    """
    ids, apart = [pair.case_id for pair in pairs], a.ws is not b.ws
    alike: list[dict[Any, list[RunRow]]] = []
    copies, counted = [], []
    for side, frame in zip((a, b), runs.counted, strict=True):
        found: dict[Any, list[RunRow]] = defaultdict(list)
        rows: Numbers = of_cases(frame, side, ids).index.to_numpy()
        if not apart:
            time, tokens = (
                values(side.ws, "runs", name)[rows] for name in ("duration_s", "tokens")
            )
            marked = (np.nan_to_num(time) != 0) | (np.nan_to_num(tokens) != 0)
        for run in typed(side.ws, "runs", RunRow, rows if apart else rows[marked]):
            mark = run.run if apart else (run.duration_s, run.tokens)
            found[run.case_id, mark].append(run)
        alike.append(found)
        counted.append(len(rows))
    for side, frame in zip((a, b), runs[:2], strict=True):
        rows = of_cases(frame, side, ids).index.to_numpy()
        copies.append(int((copied(side.ws)[rows[rows >= 0]] >= 0).sum()))
    same = 0
    for key in alike[0].keys() & alike[1].keys():
        left, other = (
            [left_by(side.ws, run, without_outputs=apart) for run in of[key]]
            for side, of in zip((a, b), alike, strict=True)
        )
        same += sum(min(left.count(one), other.count(one)) for one in {*left} - {None})
    each = np.array([(pair.runs_a, pair.runs_b) for pair in pairs], float).reshape(-1, 2)
    missing = any(frame["lost"].isin((NOT_GRADED, NOT_READ, NOT_THERE)).any() for frame in runs[:2])
    unlike = not missing and (each[:, 0] != each[:, 1]).any()
    return RunsOfSides(
        same=same,
        a=counted[0],
        b=counted[1],
        copies=(copies[0], copies[1]),
        each=(float(each[:, 0].mean()), float(each[:, 1].mean())) if unlike else None,
    )
