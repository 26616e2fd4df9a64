"""The value of each case of one side: the mean over its runs, or why it has none."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import (
    ASIDE,
    GATE_FAILED,
    OTHER,
    OUTSIDE,
)
from evalcore.counting.score_source import outcomes_by, valued_by
from evalcore.workspace.opened import Workspace

MissingReason = Literal["set aside", "excluded", "gate failed", "not finished", "not scored"]


class CaseValue(NamedTuple):
    """One case of one side.

    `value` is from 0 to 1, None if no run counts (`lack` says why); `runs` is the number that
    count; `run` is the id of the one to open. `stopped` of `ran` runs failed their gate and have no
    score; `people` says that the value includes a human score.
    """

    name: str | None
    value: float | None
    runs: int
    run: str
    lack: MissingReason | None
    stopped: int
    ran: int
    people: bool


@memoize_per_workspace
def values_by_case(
    ws: Workspace, suite: str, column: Column, scores: Scores
) -> dict[str, CaseValue]:
    """Return the value of each case with runs in a column of a suite, in the order of the cases.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes_by(ws, suite, scores)
    runs = runs_of(ws, suite, column, scores)
    total = len(found.cases)
    counted = runs["counted"].to_numpy(bool)
    case, value = runs["case"].to_numpy(), runs["value"].to_numpy()
    n = np.bincount(case[counted], minlength=total)
    sums = np.bincount(case[counted], value[counted], minlength=total)
    reasons = _missing_reasons(case, runs["end"].to_numpy(), runs["excluded"].to_numpy(), total)
    place = found.columns.index(column) if column in found.columns else None
    opens = found.cells.of(place)["run"]
    ids, names = found.cases["case_id"].tolist(), found.cases["name"].tolist()
    ran = np.unique(case)
    run_ids = ws.tables.runs["run_id"].iloc[opens.loc[ran].to_numpy(np.int64)].tolist()
    runs_by_case, sums_by_case = n.tolist(), sums.tolist()
    more = _more(runs, total)
    return {
        str(ids[at]): CaseValue(
            names[at] if isinstance(names[at], str) and names[at].strip() else None,
            sums_by_case[at] / runs_by_case[at] if runs_by_case[at] else None,
            runs_by_case[at],
            str(run_id),
            None if runs_by_case[at] else reasons[at],
            *more[at],
        )
        for at, run_id in zip(ran.tolist(), run_ids, strict=True)
    }


def _more(runs: pd.DataFrame, total: int) -> list[tuple[int, int, bool]]:
    """Return for each case the runs stopped by the gate, the runs, and whether people scored it."""
    case, end = runs["case"].to_numpy(), runs["end"].to_numpy()
    stopped = np.bincount(case[end == GATE_FAILED], minlength=total)
    ran = np.bincount(case[(end != ASIDE) & (end != OUTSIDE)], minlength=total)
    judged = runs["people"].to_numpy(bool) & runs["counted"].to_numpy(bool)
    people = np.bincount(case[judged], minlength=total) > 0
    return list(zip(stopped.tolist(), ran.tolist(), people.tolist(), strict=True))


@memoize_per_workspace
def runs_of(ws: Workspace, suite: str, column: Column, scores: Scores) -> pd.DataFrame:
    """Return the runs of a column: `case` (position), `value`, `end`, and whether it is `counted`.

    `people` says that it is a human score. The index is the position in the table of runs.
    """
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    mine = found.runs["column"].to_numpy() == place
    rows = found.runs.index.to_numpy()[mine]
    known = valued_by(ws, scores)
    of_runs = {name: known[name][rows] for name in ("value", "end", "people", "excluded")}
    # A run does not count because of its status, a draft case, or a missing score.
    counted = of_runs["end"] >= OTHER
    case = found.runs["case"].to_numpy()[mine]
    return pd.DataFrame({"case": case, **of_runs, "counted": counted}, index=rows)


def runs_by_case(
    ws: Workspace, suite: str, column: Column, scores: Scores, cases: Sequence[str]
) -> tuple[Numbers, Numbers]:
    """Return the values of the counted runs of some cases, and which of the cases each is of."""
    runs = runs_of(ws, suite, column, scores)
    ids = outcomes(ws, suite).cases["case_id"].astype(str).tolist()
    position = {case: at for at, case in enumerate(cases)}
    chosen = np.array([position.get(case, -1) for case in ids], np.int64)[runs["case"].to_numpy()]
    counted = runs["counted"].to_numpy(bool) & (chosen >= 0)
    return runs["value"].to_numpy(np.float64)[counted], chosen[counted]


def _missing_reasons(
    case: Numbers, end: Numbers, excluded: Numbers, total: int
) -> list[MissingReason]:
    """Return for each case why it would have no value: the main reason among its runs."""
    kinds = ((end == ASIDE) & ~excluded, excluded, end == GATE_FAILED, end == OUTSIDE)
    aside, gone, gate, outside = (np.bincount(case[of], minlength=total) > 0 for of in kinds)
    other = np.bincount(case[(end != ASIDE) & (end != OUTSIDE)], minlength=total) > 0
    found = np.select(
        [aside, gate, gone & ~other, outside & ~other],
        ["set aside", "gate failed", "excluded", "not finished"],
        "not scored",
    )
    words: list[MissingReason] = found.tolist()
    return words
