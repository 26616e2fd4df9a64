"""Which run each row of a table belongs to, and which judgments count."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.views.coded import coded
from evalcore.views.kept import kept
from evalcore.workspace.opened import Workspace

Numbers = NDArray[Any]


@kept
def run_of(ws: Workspace, table: str) -> Numbers:
    """Return, for each row of a table, the position of its run in `tables.runs`; -1 without one."""
    runs: Any = ws.tables.runs["run_id"].cat
    rows: Any = getattr(ws.tables, table)["run_id"].cat
    place = np.full(len(runs.categories) + 1, -1, np.int64)
    # Backwards, so that of several runs with one id the first one stays.
    place[runs.codes.to_numpy()[::-1]] = np.arange(len(runs.codes))[::-1]
    place[-1] = -1  # the code of a missing word
    of_row: Numbers = place[_same_words(rows, runs)][rows.codes.to_numpy()]
    return of_row


def _same_words(rows: Any, runs: Any) -> Numbers:
    """Return for each word of the one column its code in the other; -1 at the end, and for none."""
    if rows.categories.equals(runs.categories):
        return np.append(np.arange(len(rows.categories)), -1)
    words = pd.Index(runs.categories.astype(object))
    return np.append(words.get_indexer(rows.categories.astype(object)), -1)


def judged_run(ws: Workspace) -> Numbers:
    """Return, for each judgment, the position of its run in `tables.runs`; -1 where it has none."""
    return run_of(ws, "judgments")


def judgments_of(ws: Workspace, runs: Iterable[int]) -> Numbers:
    """Return the positions of the judgments of some runs (positions), in the order of the table."""
    first, rows = _by_run(ws)
    wanted = np.unique(np.fromiter(runs, np.int64))
    starts, ends = first[wanted], first[wanted + 1]
    if len(wanted) * 4 > len(first):
        chosen = np.zeros(len(first), bool)
        chosen[wanted] = True
        return np.flatnonzero(chosen[judged_run(ws)])
    return np.sort(np.concatenate([rows[:0], *map(rows.__getitem__, map(slice, starts, ends))]))


@kept
def _by_run(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return where the judgments of each run begin in the positions of all of them by run."""
    run, total = judged_run(ws), len(ws.tables.runs)
    rows = np.argsort(run, kind="stable")
    counts = np.bincount(run[run >= 0], minlength=total)
    begun = len(run) - int(counts.sum())  # those without a run stand first
    return begun + np.concatenate([[0], np.cumsum(counts)]), rows


@kept
def counting(ws: Workspace) -> Numbers:
    """Return which judgments count in rates: those of a run, no convention, not superseded."""
    judgments = ws.tables.judgments
    counts = ~coded(judgments["kind"]).among({"convention"})
    counts &= ~coded(judgments["status"]).among({"superseded"})
    mask: Numbers = counts & (judged_run(ws) >= 0)
    return mask
