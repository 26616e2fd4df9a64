"""Which run each row of a table belongs to, and which judgments count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Coded, Numbers, coded, distinct, positions, values
from evalcore.counting.copies import copied
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.review_rows import from_reviews
from evalcore.workspace.opened import Workspace

if TYPE_CHECKING:
    import pandas as pd

_KINDS: Final = 8
"""The categories of judgments: missing, no, yes; the same three unscored; not counting."""
_OPEN: Final = 3
_APART: Final = 7


class Judged(NamedTuple):
    """Numbers of judgments of each run: all `rows`, and those that count by result.

    `failed` of the `scored` criteria failed, `unscored` ones have no score.
    """

    rows: Numbers
    failed: Numbers
    scored: Numbers
    unscored: Numbers


@memoize_per_workspace
def run_of(ws: Workspace, table: str) -> Numbers:
    """Return, for each row of a table, the position of its run in `tables.runs`; -1 without one."""
    runs, rows = coded(ws, "runs", "run_id"), coded(ws, table, "run_id")
    total = len(runs.codes)
    same = rows.strings is runs.strings or rows.strings.equals(runs.strings)
    if same and total == len(runs.strings) and np.array_equal(runs.codes, np.arange(total)):
        return rows.codes
    place = np.full(runs.width, -1, np.int32)
    # Backwards, so that of several runs with one id the first one stays.
    place[runs.codes[::-1]] = np.arange(total, dtype=np.int32)[::-1]
    place[-1] = -1  # the code of a missing word
    of_row: Numbers = place[_words_in(rows, runs)[rows.codes]]
    return of_row


def _words_in(rows: Coded, runs: Coded) -> Numbers:
    """Return for each word of one column its code in the other; -1 if unknown, and at the end."""
    return np.append(positions(rows.strings, runs.strings), -1)


def judged_run(ws: Workspace) -> Numbers:
    """Return, for each judgment, the position of its run in `tables.runs`; -1 without one."""
    return run_of(ws, "judgments")


def judgments_of(ws: Workspace, runs: Sequence[int] | Numbers | pd.Index[int]) -> Numbers:
    """Return the positions of the judgments of some runs (positions), in the order of the table."""
    first, rows = _by_run(ws)
    wanted = distinct(np.asarray(runs, np.int64), len(first) - 1)
    starts = first[wanted]
    counts = first[wanted + 1] - starts
    ends = np.cumsum(counts)
    places: Numbers = np.arange(counts.sum()) + np.repeat(starts - ends + counts, counts)
    return places if rows is None else np.sort(rows[places])


@memoize_per_workspace
def _by_run(ws: Workspace) -> tuple[Numbers, Numbers | None]:
    """Return the offsets of each run's judgments, and the positions of all judgments by run.

    The positions are None if the judgments are already in the order of the runs.
    """
    run = judged_run(ws)
    of_run = np.bincount(run + 1, minlength=len(values(ws, "runs", "passed")) + 1)[1:]
    in_order = bool((run[1:] >= run[:-1]).all())
    first = np.full(len(of_run) + 1, len(run) - of_run.sum())  # those without a run stand first
    first[1:] += np.cumsum(of_run)
    return first, None if in_order else np.argsort(run, kind="stable")


@memoize_per_workspace
def counting(ws: Workspace) -> Numbers:
    """Return which judgments count in rates: those with a run, no conventions, not superseded.

    Those of a run that is a copy of another do not. People's judgments do not count here; see
    `people`.
    """
    mask: Numbers = judged_run(ws) >= 0
    mask &= ~coded(ws, "judgments", "kind").among({"convention"})
    mask &= ~coded(ws, "judgments", "status").among({"superseded"})
    mask &= ~from_reviews(ws, "judgments")
    copies = copied(ws) >= 0
    if copies.any():
        mask &= ~copies[judged_run(ws)]
    return mask


@memoize_per_workspace
def judged(ws: Workspace) -> Judged:
    """Count the judgments of each run."""
    kind = values(ws, "judgments", "passed") + np.int8(1)
    kind[coded(ws, "judgments", "status").among({"unscored"})] += np.int8(_OPEN)
    kind[~counting(ws)] = _APART
    key = judged_run(ws).astype(np.int32)
    key += 1
    key *= _KINDS
    key += kind
    runs = len(values(ws, "runs", "passed"))
    counts = np.bincount(key, minlength=(runs + 1) * _KINDS).reshape(runs + 1, _KINDS)[1:]
    none, no, yes, open_none, open_no, open_yes, _, apart = counts.T.copy()
    open_ = open_none + open_no + open_yes
    rows = none + no + yes + open_ + apart
    return Judged(rows, no, no + yes, open_)
