"""What of a column needs attention: flaky cases, runs that ended badly or have no score."""

from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.counting.focus import focused
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import (
    FAILED_BY_STATUS,
    IN_RATES,
    UNREAD,
    Column,
    Outcomes,
    outcomes,
)
from evalcore.counting.people import Scores
from evalcore.counting.rates import OTHER, UNSCORED
from evalcore.counting.score_source import outcomes_by, valued_by
from evalcore.families.base import PENDING
from evalcore.views.gradings.grid import case_name
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

LISTED: Final = 12
"""How many runs or cases a list names; its count is that of all."""
NO_SCORE: Final = "no score"
WORDS: Final = {
    **wording.ENDED,
    "budget_stopped": "stopped by the budget",
    "not_run": "not run",
    PENDING: wording.UNGRADED,
    UNREAD: wording.UNREAD,
    HIDDEN: wording.HIDDEN,
    NO_SCORE: "without a score",
}
ORDER: Final = tuple(WORDS)


class RunName(NamedTuple):
    """A run in a list: its case, its number, and its id to open."""

    case: str
    run: str
    run_id: str


class Ended(NamedTuple):
    """Runs of one status; `counts` says whether they count in the rates, as failed."""

    status: str
    n: int
    counts: bool
    runs: tuple[RunName, ...]


class Flaky(NamedTuple):
    """A case of which some runs passed and some failed: `passed` of `runs`."""

    case_id: str
    name: str
    run_id: str
    passed: int
    runs: int


@memoize_per_workspace
def ended(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> tuple[Ended, ...]:
    """Return the runs of a column that ended badly or have no score, by status.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    here, case = _runs(outcomes(ws, suite), column)
    status = coded(ws, "runs", "status")
    words = np.array(status.words, object)[status.keys_of(here)]
    known = valued_by(ws, scores)
    end, unread = known["end"][here], known["unread"][here]
    # What waits for a grading and counts was judged by people.
    words = np.where((words == PENDING) & (end >= OTHER), "completed", words)
    words = np.where((words == PENDING) & unread, UNREAD, words)
    words = np.where((words == "completed") & (end == UNSCORED), NO_SCORE, words)
    found = []
    for word in sorted(set(words) - {"completed"}, key=_place):
        chosen = np.flatnonzero(words == word)
        names = run_names(ws, suite, here[chosen[:LISTED]], case[chosen[:LISTED]])
        counts = word in IN_RATES & FAILED_BY_STATUS
        found.append(Ended(str(word), len(chosen), counts, names))
    return tuple(found)


def _place(word: str) -> tuple[int, str]:
    return (ORDER.index(word) if word in ORDER else len(ORDER), word)


def _runs(found: Outcomes, column: Column) -> tuple[Numbers, Numbers]:
    """Return the runs of a column (positions in the table of runs) and their cases."""
    mine = found.runs["column"].to_numpy() == found.columns.index(column)
    return found.runs.index.to_numpy()[mine], found.runs["case"].to_numpy()[mine]


def run_names(ws: Workspace, suite: str, runs: Numbers, cases: Numbers) -> tuple[RunName, ...]:
    """Return the list names of runs (positions) of cases (positions, one for each run)."""
    table, about = ws.tables.runs, outcomes(ws, suite).cases
    names = about.iloc[cases].to_dict("records")
    ids, numbers = (table[name].array[runs] for name in ("run_id", "run"))
    return tuple(
        RunName(case_name(name), str(number), str(run_id))
        for name, number, run_id in zip(names, numbers, ids, strict=True)
    )


@memoize_per_workspace
def flaky_cases(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> tuple[Flaky, ...]:
    """Return the first cases of a column that are flaky, the most divided ones first.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes_by(ws, suite, scores)
    cells = found.cells.of(found.columns.index(column))
    cells = cells[cells["flaky"].to_numpy(bool)]
    divided = np.minimum(cells["passes"], cells["fails"]) / cells["n"]
    first = cells.iloc[np.argsort(-divided.to_numpy(), kind="stable")[:LISTED]]
    about = found.cases.iloc[first.index].to_dict("records")
    ids = map(str, ws.tables.runs["run_id"].array[first["run"]])
    ends = zip(first["passes"].tolist(), first["fails"].tolist(), strict=True)
    return tuple(
        Flaky(str(case["case_id"]), case_name(case), run_id, passed, passed + failed)
        for case, run_id, (passed, failed) in zip(about, ids, ends, strict=True)
    )


@memoize_per_workspace
def not_run(ws: Workspace, suite: str, column: Column) -> tuple[str, ...]:
    """Return the ids of the active cases without a run in a column."""
    found = outcomes(ws, suite)
    missing = focused(ws, suite, found.columns.index(column), None).masks["not_run"]
    return tuple(map(str, found.cases["case_id"][missing]))
