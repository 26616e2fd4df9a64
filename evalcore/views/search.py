"""Search the words of a workspace: what was asked, how it was judged and what was said beside it.

How words are compared is told in `matching`.
"""

from typing import Final

import numpy as np
import pyarrow as pa

from evalcore.views.joined import Numbers, run_of
from evalcore.views.kept import kept
from evalcore.views.matching import arrow_texts, rows_with
from evalcore.views.outcomes import outcomes
from evalcore.workspace.opened import Workspace

OF_CASE: Final = ("case_id", "name", "prompt", "expected")
OF_RUN: Final = {
    "judgments": ("rationale", "evidence"),
    "claims": ("claim", "evidence"),
    "notes": ("text", "target"),
    "feedback": ("text", "target", "action"),
}


@kept
def rows_with_text(ws: Workspace, table: str, text: str) -> Numbers:
    """Return the positions of the rows of a table of `OF_RUN` that hold `text`, in any case."""
    holds = np.zeros(len(getattr(ws.tables, table)), bool)
    for name in OF_RUN[table]:
        holds[rows_with(_column(ws, table, name), text)] = True
    return np.flatnonzero(holds)


def judgments_with_text(ws: Workspace, text: str) -> Numbers:
    """Return the positions of the judgments whose rationale or evidence has `text`, in any case."""
    return rows_with_text(ws, "judgments", text)


@kept
def cases_with_text(ws: Workspace, suite: str, text: str) -> Numbers:
    """Return the positions of the cases of a suite that have `text`, in any case.

    Looked at are what a case asks and expects, its name, how its runs were judged, what they
    claimed, and what was noted beside them.
    """
    found = outcomes(ws, suite)
    cases = found.cases.reindex(columns=list(OF_CASE))
    holds = np.zeros(len(cases) + 1, bool)  # the last one: rows of no case of this suite
    of_run = np.full(len(ws.tables.runs) + 1, -1)
    of_run[found.runs.index] = found.runs["case"]
    for name in OF_CASE:
        holds[rows_with(arrow_texts(cases[name]), text)] = True
    for table in OF_RUN:
        holds[of_run[run_of(ws, table)[rows_with_text(ws, table, text)]]] = True
    holds[_told_of(ws, suite, rows_with_text(ws, "feedback", text))] = True
    return np.flatnonzero(holds[:-1])


def _told_of(ws: Workspace, suite: str, rows: Numbers) -> Numbers:
    """Return the cases that some rows of feedback speak of without naming a run."""
    about = ws.tables.feedback.iloc[rows]
    ids = about.loc[(about["suite"] == suite) & about["run_id"].isna(), "case_id"].astype("str")
    cases = outcomes(ws, suite).cases["case_id"]
    return np.flatnonzero(cases.isin(ids.unique()))


def _column(ws: Workspace, table: str, name: str) -> pa.ChunkedArray:
    frame = getattr(ws.tables, table)
    return arrow_texts(frame[name]) if name in frame else ws.tables.text_columns(table)[name]
