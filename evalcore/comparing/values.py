"""What each case of one side is worth: the mean over its runs, or why it has no value."""

from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from evalcore.comparing.human import by_people
from evalcore.comparing.model import Scores
from evalcore.counting.coded import Numbers
from evalcore.counting.kept import kept
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.rates import (
    ASIDE,
    EFFICIENCY,
    OUTSIDE,
    SHARE,
    structural_share,
    valued,
)
from evalcore.statistics.intervals import SAME
from evalcore.workspace.opened import Workspace

Lack = Literal["set aside", "not finished", "not scored"]


class Worth(NamedTuple):
    """One case of one side.

    `value` is from 0 to 1, None where nothing counts (`lack` says why); `runs` are those that
    count; `run` is the id of the one to open.
    """

    name: str | None
    value: float | None
    runs: int
    run: str
    lack: Lack | None


@kept
def worths(ws: Workspace, suite: str, column: Column, scores: Scores) -> dict[str, Worth]:
    """Return what each case that ran in a column of a suite is worth, in the order of the cases.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    runs = runs_of(ws, suite, column, scores)
    total = len(found.cases)
    counted = runs["counted"].to_numpy(bool)
    case, value = runs["case"].to_numpy(), runs["value"].to_numpy()
    n = np.bincount(case[counted], minlength=total)
    sums = np.bincount(case[counted], value[counted], minlength=total)
    lacks = _lacks(case, runs["end"].to_numpy(), total)
    place = found.columns.index(column) if column in found.columns else None
    opens = found.cells.of(place)["run"]
    ids, names = found.cases["case_id"].tolist(), found.cases["name"].tolist()
    run_ids = ws.tables.runs["run_id"].array
    return {
        str(ids[at]): Worth(
            names[at] if isinstance(names[at], str) and names[at].strip() else None,
            sums[at] / n[at] if n[at] else None,
            int(n[at]),
            str(run_ids[int(opens[at])]),
            None if n[at] else lacks[at],
        )
        for at in np.unique(case).tolist()
    }


@kept
def runs_of(ws: Workspace, suite: str, column: Column, scores: Scores) -> pd.DataFrame:
    """Return the runs of a column: `case` (position), `value`, `end`, and whether it is `counted`.

    The index is their position in the table of runs.
    """
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    mine = found.runs["column"].to_numpy() == place
    rows = found.runs.index.to_numpy()[mine]
    known = valued(ws)
    value, end = known["value"][rows], known["end"][rows]
    if scores != "recorded":
        human = _human(ws, found.headline)[rows]
        value = human if scores == "human" else np.where(np.isnan(human), value, human)
    # A score beyond its own scale says nothing that could be averaged with others.
    value = on_scale(value)
    # A status may keep a run out, or a draft case; a missing score does by itself.
    counted = ~np.isnan(value) & (end != ASIDE) & (end != OUTSIDE)
    case = found.runs["case"].to_numpy()[mine]
    return pd.DataFrame({"case": case, "value": value, "end": end, "counted": counted}, index=rows)


def on_scale(value: Numbers) -> Numbers:
    """Return values that are parts of a scale; NaN where one lies below 0 or above 1."""
    inside = (value >= -SAME) & (value <= 1 + SAME)
    return np.where(inside, np.clip(value, 0.0, 1.0), np.nan)


def _human(ws: Workspace, headline: str) -> Numbers:
    """Return of each run the value that people give it in a headline; NaN where they do not."""
    said = by_people(ws, share=headline == SHARE)
    return (said + structural_share(ws)) / 2 if headline == EFFICIENCY else said


def _lacks(case: Numbers, end: Numbers, total: int) -> list[Lack]:
    """Return for each case why it would have no value: what most of what is missing lacks."""
    aside, outside = (
        np.bincount(case[end == what], minlength=total) > 0 for what in (ASIDE, OUTSIDE)
    )
    other = np.bincount(case[(end != ASIDE) & (end != OUTSIDE)], minlength=total) > 0
    words: list[Lack] = []
    for at in range(total):
        if aside[at]:
            words.append("set aside")
        else:
            words.append("not finished" if outside[at] and not other[at] else "not scored")
    return words
