"""Human activity on cells of the grid: judged, and excluded from the rates."""

from collections import Counter
from itertools import compress
from typing import Final

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.human_activity import human_activity
from evalcore.counting.outcomes import Outcomes
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

SIGN: Final = "✎"
"""Stands beside what a person judged; its words say so too."""


def judged_runs(ws: Workspace, found: Outcomes, case_id: str) -> frozenset[str]:
    """Return the ids of the runs of a case that people judged."""
    case = found.positions.get(case_id, -1)
    rows = found.runs.index[(found.runs["case"] == case).to_numpy()].to_numpy()
    rows = rows[human_activity(ws).people[rows]]
    return frozenset(map(str, ws.tables.runs["run_id"].array[rows]))


def activity_of(
    ws: Workspace, found: Outcomes, cases: Numbers, columns: list[int]
) -> dict[tuple[int, int], tuple[str, bool]]:
    """Return what people did on some cells (case, column), in words, and whether they judged."""
    seen = human_activity(ws)
    at = found.runs.index.to_numpy()
    runs = found.runs[(seen.people | seen.excluded)[at]]
    runs = runs[np.isin(runs["case"], cases) & np.isin(runs["column"], columns)]
    cells = list(zip(runs["case"].tolist(), runs["column"].tolist(), strict=True))
    judged, differ, excluded = (Counter(compress(cells, of[runs.index].tolist())) for of in seen)
    told = {}
    for cell in dict.fromkeys(cells):
        words = f"; {count(judged[cell], 'run')} judged by people" if judged[cell] else ""
        words += ", not as recorded" if differ[cell] else ""
        words += f"; {count(excluded[cell], 'run')} excluded" if excluded[cell] else ""
        told[cell] = words, judged[cell] > 0
    return told
