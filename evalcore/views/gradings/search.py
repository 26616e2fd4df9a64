"""Full-text search in a workspace: cases, judgments and remarks.

`matching` describes how words are compared.
"""

from typing import Final

import numpy as np
import pyarrow as pa

from evalcore.counting.coded import Numbers
from evalcore.counting.joined import judged_run, judgments_of, run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.views.matching import arrow_texts, rows_with
from evalcore.workspace.opened import Workspace

OF_CASE: Final = ("case_id", "name", "prompt", "expected")
BESIDE: Final = ("claims", "notes", "feedback")
OF_RUN: Final = {
    "judgments": ("rationale", "evidence"),
    "claims": ("claim", "evidence"),
    "notes": ("text", "target"),
    "feedback": ("text", "target", "action"),
}
SETTLED: Final = 0.3
"""The share of searched cases that must match for sampling to continue."""


@memoize_per_workspace
def rows_with_text(ws: Workspace, table: str, text: str) -> Numbers:
    """Return the positions of the rows of a table of `OF_RUN` that hold `text`, in any case."""
    holds = np.zeros(len(getattr(ws.tables, table)), bool)
    for name in OF_RUN[table]:
        holds[rows_with(_column(ws, table, name), text)] = True
    return np.flatnonzero(holds)


@memoize_per_workspace
def cases_with_text(ws: Workspace, suite: str, text: str) -> Numbers:
    """Return the positions of the cases of a suite that have `text`, in any case.

    Searched are a case's prompt, expectation and name, the judgments of its runs, their claims and
    the notes about them.
    """
    found = outcomes(ws, suite)
    cases = found.cases.reindex(columns=list(OF_CASE))
    holds = np.zeros(len(cases) + 1, bool)  # the last one: rows of no case of this suite
    of_run = np.full(len(ws.tables.runs) + 1, -1)
    of_run[found.runs.index] = found.runs["case"]
    for name in OF_CASE:
        holds[rows_with(arrow_texts(cases[name]), text)] = True
    # Feedback that names a case and no run.
    about = ws.tables.feedback.iloc[rows_with_text(ws, "feedback", text)]
    ids = about.loc[(about["suite"] == suite) & about["run_id"].isna(), "case_id"].astype("str")
    holds[np.flatnonzero(found.cases["case_id"].isin(ids.unique()))] = True
    _look_into_judgments(ws, suite, text, holds)
    for table in BESIDE:
        if not holds[found.runs["case"]].all():
            holds[of_run[run_of(ws, table)[rows_with_text(ws, table, text)]]] = True
    return np.flatnonzero(holds[:-1])


def _look_into_judgments(ws: Workspace, suite: str, text: str, holds: Numbers) -> None:
    """Mark the cases with a judgment that has `text`, among those not marked yet.

    Most searches match nearly every case, so one run of each is searched, then two more of the
    remaining ones, and so on. If that finds little, all judgments are searched.
    """
    runs, turn = outcomes(ws, suite).runs, _turns(ws, suite)
    run, case = runs.index.to_numpy(), runs["case"].to_numpy()
    of_case = np.full(len(ws.tables.runs) + 1, -1)  # the last one: judgments of no run
    of_case[run] = case
    begun, ended = 0, 1
    while (open_ := (turn >= begun) & (turn < ended) & ~holds[case]).any():
        rows = judgments_of(ws, run[open_])
        has_text = np.zeros(len(rows), bool)
        for name in OF_RUN["judgments"]:
            column = _column(ws, "judgments", name)
            if column.null_count < len(column):
                has_text[rows_with(column.take(pa.array(rows)), text)] = True
        found = of_case[judged_run(ws)[rows[has_text]]]
        holds[found] = True
        if len(np.unique(found)) < SETTLED * len(np.unique(case[open_])):
            found = of_case[judged_run(ws)[rows_with_text(ws, "judgments", text)]]
            holds[found] = True
            return
        begun, ended = ended, 2 * ended + 1


@memoize_per_workspace
def _turns(ws: Workspace, suite: str) -> Numbers:
    """Return the number of earlier runs of the same case for each run."""
    case = outcomes(ws, suite).runs["case"].to_numpy()
    order = np.argsort(case, kind="stable")
    first = np.searchsorted(case[order], case[order])
    turns = np.empty(len(case), np.int64)
    turns[order] = np.arange(len(case)) - first
    return turns


def _column(ws: Workspace, table: str, name: str) -> pa.ChunkedArray:
    frame = getattr(ws.tables, table)
    return arrow_texts(frame[name]) if name in frame else ws.tables.text_columns(table)[name]
