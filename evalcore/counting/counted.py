"""The judgments that figures are made of: those that count and have a value, by score source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.counting.people import Scores
from evalcore.counting.rates import ASIDE, OUTSIDE, on_scale
from evalcore.counting.score_source import Answers, answers, valued_by
from evalcore.workspace.opened import Workspace

if TYPE_CHECKING:
    import pandas as pd

_OF_RUNS: Final = ["run_id", "suite", "case_id", "version", "configuration", "run"]


def counted_answers(ws: Workspace, runs: Numbers, scores: Scores = "recorded") -> Answers:
    """Return the results of some runs (positions) that figures are made of: each has a value.

    Runs whose status keeps them out of the rates, those of draft cases and those that a person
    excluded do not count, nor do conventions, superseded and second judgments.
    """
    ends = valued_by(ws, scores)["end"][runs]
    found = answers(ws, runs[~np.isin(ends, (ASIDE, OUTSIDE))], scores)
    known = ~np.isnan(found.share)
    return found if known.all() else Answers(*(of[known] for of in found))


def counted(ws: Workspace, scores: Scores) -> pd.DataFrame:
    """Return the judgments that figures are made of as a frame (see `Tables.counted`)."""
    import pandas as pd  # noqa: PLC0415 - who only reads a folder does not wait for it

    found = counted_answers(ws, np.arange(len(coded(ws, "runs", "run_id").codes)), scores)
    order = np.argsort(found.row, kind="stable")
    found = Answers(*(of[order] for of in found))
    rows = pd.Index(found.row, name="judgment")
    frame = ws.tables.runs[_OF_RUNS].iloc[found.run].set_axis(rows, axis="index")
    asked = ws.tables.judgments[["kind", "criterion"]].iloc[found.row].set_axis(rows, axis="index")
    return frame.assign(
        kind=asked["kind"],
        criterion=asked["criterion"],
        passed=pd.arrays.BooleanArray(found.passed == 1, found.passed < 0),
        fraction=found.share,
        value=on_scale(found.value),
    )
