"""What people say of each run: the median of those who judged it whole, or an adjudication."""

from typing import Final

import numpy as np
import pandas as pd

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import run_of
from evalcore.counting.kept import kept
from evalcore.workspace.opened import Workspace

ADJUDICATED: Final = "adjudicated"


@kept
def by_people(ws: Workspace, *, share: bool) -> Numbers:
    """Return of each run what people say of it, from 0 to 1; NaN where nobody judged it whole.

    With `share` it is whether the run passed, else its part of the highest score. Several people
    count as their median; an adjudication outranks them.
    """
    rows = pd.DataFrame(
        {
            "run": run_of(ws, "run_scores"),
            "value": _passed(ws) if share else _fraction(ws),
            "adjudicated": coded(ws, "run_scores", "judge").among({ADJUDICATED}),
            "human": coded(ws, "run_scores", "judge_type").among({"human"}),
        }
    )
    whole = values(ws, "run_scores", "judged") >= values(ws, "run_scores", "expected")
    rows = rows[(rows["run"] >= 0) & rows["value"].notna() & whole]
    said = np.full(len(values(ws, "runs", "passed")), np.nan)
    for chosen in (rows[rows["human"]], rows[rows["adjudicated"]]):
        middle = chosen.groupby("run")["value"].median()
        said[middle.index.to_numpy(np.int64)] = middle.to_numpy()
    return said


@kept
def has_human_scores(ws: Workspace, suite: str) -> bool:
    """Say whether a person has judged any run of a suite whole."""
    here = coded(ws, "runs", "suite").among({suite})
    return bool((~np.isnan(by_people(ws, share=False)) & here).any())


def _passed(ws: Workspace) -> Numbers:
    passed = values(ws, "run_scores", "passed")
    return np.where(passed < 0, np.nan, passed)


def _fraction(ws: Workspace) -> Numbers:
    score, top = values(ws, "run_scores", "score"), values(ws, "run_scores", "max_score")
    fraction: Numbers = np.divide(score, top, out=np.full(len(score), np.nan), where=top > 0)
    return fraction
