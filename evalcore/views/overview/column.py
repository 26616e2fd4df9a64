"""What of one column needs attention: weak criteria, flaky cases, runs without a result."""

from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, slots, values
from evalcore.counting.counted import counted_answers
from evalcore.counting.focus import focused
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNREAD, Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import OTHER, UNSCORED, on_scale
from evalcore.counting.score_source import outcomes_by, valued_by
from evalcore.counting.tally import mean
from evalcore.families.base import FAILED_BY_STATUS, IN_RATES, PENDING
from evalcore.statistics.intervals import SAME, mean_interval
from evalcore.views.gradings.grid import case_name
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

WEAK: Final = 6
MAX_ABOUT: Final = 160
_SEVERAL: Final = "has a different meaning in each case"
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


class Weak(NamedTuple):
    """A criterion: its mean over the cases judged by it, and the number of cases that failed it.

    `value`, `low` and `high` are from 0 to 1, the interval None for one case. `failed` is None
    if the criterion has a scale without pass mark; `top` is then the end of the scale.
    `about` says what it stands for where its name does not, `case` names its
    only case.
    """

    criterion: str
    about: str
    case: str | None
    value: float
    low: float | None
    high: float | None
    cases: int
    failed: int | None
    top: float | None


class Weakest(NamedTuple):
    """The weakest criteria, and how many of all criteria lost points."""

    first: tuple[Weak, ...]
    losing: int
    asked: int


def weakest(ws: Workspace, suite: str, column: Column, scores: Scores = "recorded") -> Weakest:
    """Return the weakest criteria over the cases of a column, the largest loss first.

    A criterion's loss is the sum of its cases' missing points, so one that fails in five of fifty
    cases ranks above one that fails in its only case.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found, names = outcomes(ws, suite), coded(ws, "judgments", "criterion")
    runs, width = found.runs, names.width
    here = runs.index[runs["column"] == found.columns.index(column)].to_numpy()
    results = counted_answers(ws, here, scores)
    shares = on_scale(results.value)
    known = ~np.isnan(shares)
    # What people are divided on has passed or failed all the same.
    scaled = values(ws, "judgments", "passed")[results.row[known]] < 0
    case_of = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    case_of[runs.index] = runs["case"]
    # A cell is a case and a criterion: the mean of its runs, and whether one of them failed it.
    keys = case_of[results.run[known]] * width + results.criterion[known]
    cells, of_row = slots(keys, max(len(found.cases), 1) * width)
    filled = np.bincount(of_row, minlength=len(cells)) > 0
    failed, graded = (
        np.bincount(of_row[chosen], minlength=len(cells))[filled] > 0
        for chosen in (results.passed[known] == 0, scaled)
    )
    means = mean(shares[known], of_row, len(cells))[filled]
    case, criterion = np.divmod(cells[filled], width)

    cases = np.bincount(criterion, minlength=width)
    loss = cases - np.bincount(criterion, means, width)
    by_name = sorted(np.flatnonzero(loss > SAME), key=names.words.__getitem__)
    worst = sorted(by_name, key=lambda at: (-loss[at], cases[at]))[:WEAK]
    first = []
    for at in worst:
        mine = criterion == at
        failing = None if graded[mine].any() else int(failed[mine].sum())
        first.append(_weak(ws, suite, names.words[at], means[mine], case[mine], failing))
    return Weakest(tuple(first), len(by_name), int((cases > 0).sum()))


def _weak(
    ws: Workspace, suite: str, name: str, means: Numbers, cases: Numbers, failed: int | None
) -> Weak:
    """Describe a criterion by its means over cases, and in how many it failed (None: graded)."""
    low, high = mean_interval(means) or (None, None)
    criteria = ws.tables.criteria
    defined = criteria[(criteria["suite"] == suite) & (criteria["criterion"] == name)]
    about, described = "", defined["description"].dropna().unique()
    if len(described) > 1 and (defined["kind"] == "structural").all():
        about = _SEVERAL
    elif len(described) == 1 and described[0] != name:
        about = wording.line(str(described[0]), MAX_ABOUT)
    case = None
    if len(cases) == 1:
        case = case_name(outcomes(ws, suite).cases.iloc[int(cases[0])].to_dict())
    tops = defined["max_score"].dropna().unique()
    return Weak(
        criterion=name,
        about=about,
        case=case,
        value=float(means.mean()),
        low=low,
        high=high,
        cases=len(means),
        failed=failed,
        top=float(tops[0]) if failed is None and len(tops) == 1 else None,
    )


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
    runs = outcomes(ws, suite).runs
    runs = runs[runs["column"] == outcomes(ws, suite).columns.index(column)]
    here, case = runs.index.to_numpy(), runs["case"].to_numpy()
    status = coded(ws, "runs", "status")
    words = np.array(status.words, object)[status.keys_of(here)]
    known = valued_by(ws, scores)
    end, unread = known["end"][here], known["unread"][here]
    # What waits for a grading and counts was judged by people.
    words = np.where((words == PENDING) & (end >= OTHER), "completed", words)
    words = np.where((words == PENDING) & unread, UNREAD, words)
    words = np.where((words == "completed") & (end == UNSCORED), NO_SCORE, words)

    def place(word: str) -> tuple[int, str]:
        return (ORDER.index(word) if word in ORDER else len(ORDER), word)

    found = []
    for word in sorted(set(words) - {"completed"}, key=place):
        chosen = np.flatnonzero(words == word)
        names = run_names(ws, suite, here[chosen[:LISTED]], case[chosen[:LISTED]])
        counts = word in IN_RATES & FAILED_BY_STATUS
        found.append(Ended(str(word), len(chosen), counts, names))
    return tuple(found)


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
