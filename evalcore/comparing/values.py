"""The value of each case of one side: the mean over its runs, or why it has none."""

from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import family_of
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.copies import copied
from evalcore.counting.joined import counting, judged, judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import (
    ASIDE,
    GATE_FAILED,
    OTHER,
    OUTSIDE,
    SHARE,
)
from evalcore.counting.score_source import outcomes_by, valued_by
from evalcore.problems import SIDE_UNKNOWN
from evalcore.tables.planned import expected_runs, planned_runs
from evalcore.workspace.opened import Workspace

MissingReason = Literal[
    "set aside", "excluded", "gate failed", "not finished", "not graded", "not scored", "hidden",
    "side unknown", "not read",
]  # fmt: skip

(
    NOT_LOST, COUNTED, NOT_SCORED, EXCLUDED, NOT_FINISHED, GATE_STOPPED, NOT_GRADED, NOT_READ,
    NOT_THERE,
) = range(-1, 8)  # fmt: skip
"""What became of a run.

That of a draft case is not lost, nor is a copy, or one that no person has judged yet, or that is
hidden. Of one that is not read there is a grading, which cannot be. One that is not there was
planned, or its number is missing.
"""
TIMEOUT: Final = "timeout"


class CaseValue(NamedTuple):
    """One case of one side.

    `value` is from 0 to 1, None if no run counts (`lack` says why); `runs` is the number that
    count; `run` is the id of the one to open; `people` says that the value includes a human score.
    """

    name: str | None
    value: float | None
    runs: int
    run: str
    lack: MissingReason | None
    people: bool


def values_of(
    ws: Workspace, suite: str, column: Column, scores: Scores, runs: pd.DataFrame
) -> dict[str, CaseValue]:
    """Return the value of each case with runs in a column of a suite, in the order of the cases.

    `runs` are those of the column (see `runs_of`).

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes_by(ws, suite, scores)
    total = len(found.cases)
    counted = runs["counted"].to_numpy(bool)
    case, value = runs["case"].to_numpy(), runs["value"].to_numpy()
    n = np.bincount(case[counted], minlength=total)
    sums = np.bincount(case[counted], value[counted], minlength=total)
    reasons = _missing_reasons(case, runs, total, _beside_their_grading(ws, suite, runs))
    place = found.columns.index(column) if column in found.columns else None
    opens = found.cells.of(place)["run"]
    ids, names = found.cases["case_id"].tolist(), found.cases["name"].tolist()
    ran = np.unique(case)
    run_ids = ws.tables.runs["run_id"].iloc[opens.loc[ran].to_numpy(np.int64)].tolist()
    runs_by_case, sums_by_case = n.tolist(), sums.tolist()
    people = np.bincount(case[runs["people"].to_numpy(bool) & counted], minlength=total) > 0
    return {
        str(ids[at]): CaseValue(
            names[at] if isinstance(names[at], str) and names[at].strip() else None,
            sums_by_case[at] / runs_by_case[at] if runs_by_case[at] else None,
            runs_by_case[at],
            str(run_id),
            None if runs_by_case[at] else reasons[at],
            bool(people[at]),
        )
        for at, run_id in zip(ran.tolist(), run_ids, strict=True)
    }


@memoize_per_workspace
def runs_of(ws: Workspace, suite: str, column: Column, scores: Scores) -> pd.DataFrame:
    """Return the runs of a column: `case` (position), `value`, `end`, and whether it is `counted`.

    `low` and `high` bound the value that it could have with all of its criteria scored; those of a
    lost run are 0 and 1. `lost` says what became of it (`COUNTED`, `EXCLUDED` and so on),
    `unscored` of `criteria` have no score, `timeout` and `gate` say that it was stopped by them,
    and `people` that the score is a human one. The index is the position in the table of runs.
    """
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    mine = found.runs["column"].to_numpy() == place
    rows = found.runs.index.to_numpy()[mine]
    known = valued_by(ws, scores)
    of_runs = {name: known[name][rows] for name in ("value", "end", "people", "excluded", "hidden")}
    # A run does not count because of its status, a draft case, or a missing score.
    counted = of_runs["end"] >= OTHER
    status = coded(ws, "runs", "status")
    runs = pd.DataFrame(
        {
            "case": found.runs["case"].to_numpy()[mine],
            **of_runs,
            "counted": counted,
            "lost": np.where(
                known["ungraded"][rows],
                np.where(known["unread"][rows], NOT_READ, NOT_GRADED),
                _lost(of_runs, scores),
            ),
            # Who judged a run whole left no criterion open, whatever the recorded judge did.
            "unscored": np.where(of_runs["people"], 0, judged(ws).unscored[rows]),
            "criteria": _criteria(ws)[rows],
            "timeout": status.among({TIMEOUT})[rows],
            "gate": status.among({"gate_failed"})[rows],
        },
        index=rows,
    )
    return bounded(runs, whole=found.headline == SHARE)


def _lost(runs: dict[str, Numbers], scores: Scores) -> Numbers:
    """Return what became of each run."""
    end, excluded = runs["end"], runs["excluded"]
    unjudged = NOT_LOST if scores == "human" else NOT_SCORED
    found: Numbers = np.select(
        [end >= OTHER, excluded, runs["hidden"], end == OUTSIDE, end == GATE_FAILED, end == ASIDE],
        [COUNTED, EXCLUDED, NOT_LOST, NOT_FINISHED, GATE_STOPPED, NOT_LOST],
        unjudged,
    )
    return found


@memoize_per_workspace
def missing_runs(ws: Workspace, suite: str, column: Column) -> dict[int, tuple[int, int]]:
    """Return of each case (position) that lacks planned runs how many are missing, and of how many.

    Planned are as many of each case that was run as the version or the suite says, and those whose
    numbers are missing. In a store, runs have ids that are no numbers.
    """
    planned, number = planned_runs(ws.tables, suite, column.version), coded(ws, "runs", "run")
    runs = runs_of(ws, suite, column, "recorded")
    rows = runs.index.to_numpy()
    copies = np.bincount(runs["case"].to_numpy()[copied(ws)[rows] >= 0], minlength=1)
    ids = not family_of(ws, suite).is_store
    names: dict[int, list[str]] = {}
    for case, code in zip(runs["case"].tolist(), number.codes[rows].tolist(), strict=True):
        names.setdefault(case, []).append(number.words[code] if ids else "")
    missing = {}
    for case, own in names.items():
        there = len(own) - int(copies[case] if case < len(copies) else 0)
        expected = expected_runs(planned, own, there)
        if expected > there:
            missing[case] = expected - there, expected
    return missing


def with_missing(runs: pd.DataFrame, ws: Workspace, suite: str, column: Column) -> pd.DataFrame:
    """Return all runs of a column with one lost run for each that was planned and is not there."""
    missing = missing_runs(ws, suite, column)
    cases = [case for case, (n, _) in missing.items() for _ in range(n)]
    if not cases:
        return runs
    blank: dict[str, Any] = dict.fromkeys(runs.columns, 0)
    blank |= {"value": np.nan, "end": OUTSIDE, "lost": NOT_THERE, "high": 1.0, "case": cases}
    gone = pd.DataFrame(blank, index=-1 - np.arange(len(cases)))
    return pd.concat([runs, gone.astype(runs.dtypes)])


@memoize_per_workspace
def _criteria(ws: Workspace) -> Numbers:
    """Return how many criteria each run was judged by or should have been."""
    runs = judged_run(ws)[counting(ws)]
    return np.bincount(runs, minlength=len(values(ws, "runs", "passed")))


def bounded(runs: pd.DataFrame, *, whole: bool) -> pd.DataFrame:
    """Return runs with the `low` and `high` of their values.

    A value that is a share of criteria moves by those without a score; one that passes or fails as
    a `whole` may be either as soon as a criterion has none.
    """
    value, unscored, criteria = (
        runs[name].to_numpy(float) for name in ("value", "unscored", "criteria")
    )
    missing = np.divide(unscored, criteria, out=np.zeros(len(runs)), where=criteria > 0)
    low = np.where(missing > 0, 0.0, value) if whole else value * (1 - missing)
    high = np.where(missing > 0, 1.0, value) if whole else value * (1 - missing) + missing
    counted = runs["counted"].to_numpy(bool)
    return runs.assign(low=np.where(counted, low, 0.0), high=np.where(counted, high, 1.0))


def _beside_their_grading(ws: Workspace, suite: str, runs: pd.DataFrame) -> Numbers:
    """Return which runs wait for a grading that lies in their case's folder and names no side."""
    found: Numbers = (runs["lost"] == NOT_GRADED).to_numpy(copy=True)
    if not found.any():
        return found
    misplaced = (each for each in ws.problems if each.code == SIDE_UNKNOWN and each.suite == suite)
    folders = tuple(f"{each.path.rpartition('/')[0]}/" for each in misplaced)
    outputs = ws.tables.runs["outputs"].iloc[runs.index[found]]
    found[found] = [isinstance(each, str) and each.startswith(folders) for each in outputs]
    return found


def _missing_reasons(
    case: Numbers, runs: pd.DataFrame, total: int, beside: Numbers
) -> list[MissingReason]:
    """Return for each case why it would have no value: the main reason among its runs."""
    end, excluded, hidden = (runs[name].to_numpy() for name in ("end", "excluded", "hidden"))
    waits, faulty = ((runs["lost"] == why).to_numpy() for why in (NOT_GRADED, NOT_READ))
    outside = (end == OUTSIDE) & ~waits & ~faulty
    kinds = (
        *((end == ASIDE) & ~excluded, hidden, excluded, end == GATE_FAILED),
        *(beside, faulty, waits, outside),
    )
    aside, unseen, gone, gate, misplaced, broken, ungraded, ended = (
        np.bincount(case[of], minlength=total) > 0 for of in kinds
    )
    other = np.bincount(case[(end != ASIDE) & (end != OUTSIDE)], minlength=total) > 0
    found = np.select(
        [
            *(aside, unseen, gate, gone & ~other),
            *(of & ~other for of in (misplaced, broken, ungraded, ended)),
        ],
        [
            *("set aside", "hidden", "gate failed", "excluded"),
            *("side unknown", "not read", "not graded", "not finished"),
        ],
        "not scored",
    )
    words: list[MissingReason] = found.tolist()
    return words
