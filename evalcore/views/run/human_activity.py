"""Human activity on cells of the grid: judged, and excluded from the rates."""

from collections import Counter
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.human_activity import human_activity
from evalcore.counting.outcomes import Outcomes
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace


class HumanActivity(NamedTuple):
    """The numbers of judged, differing and excluded runs of a cell."""

    judged: int
    differ: int
    excluded: int

    @property
    def words(self) -> str:
        """These counts in words for the cell; empty without activity."""
        judged = f"; {count(self.judged, 'run')} judged by people" if self.judged else ""
        differ = ", not as recorded" if self.differ else ""
        gone = f"; {count(self.excluded, 'run')} excluded" if self.excluded else ""
        return f"{judged}{differ}{gone}"


SIGN: Final = "✎"
"""Stands beside what a person judged; its words say so too."""
NO_ACTIVITY: Final = HumanActivity(0, 0, 0)


def judged_runs(ws: Workspace, found: Outcomes, case_id: str) -> frozenset[str]:
    """Return the ids of the runs of a case that people judged."""
    case = found.positions.get(case_id, -1)
    rows = found.runs.index[(found.runs["case"] == case).to_numpy()].to_numpy()
    rows = rows[human_activity(ws).people[rows]]
    return frozenset(map(str, ws.tables.runs["run_id"].array[rows]))


def activity_of(
    ws: Workspace, found: Outcomes, cases: Numbers, columns: list[int]
) -> dict[tuple[int, int], HumanActivity]:
    """Return the human activity on some cells (case, column), if any."""
    seen = human_activity(ws)
    at = found.runs.index.to_numpy()
    looked = (seen.people | seen.excluded)[at]
    if not looked.any():
        return {}
    runs = found.runs[looked]
    runs = runs[np.isin(runs["case"], cases) & np.isin(runs["column"], columns)]
    cells = list(zip(runs["case"].tolist(), runs["column"].tolist(), strict=True))
    counted = [
        Counter(cell for cell, chosen in zip(cells, of[runs.index].tolist(), strict=True) if chosen)
        for of in seen
    ]
    return {cell: HumanActivity(*(each[cell] for each in counted)) for cell in dict.fromkeys(cells)}
