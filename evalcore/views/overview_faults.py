"""What is wrong in the files of a suite, counted by how bad it is."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded
from evalcore.counting.kept import kept
from evalcore.problems import Severity
from evalcore.tables.rows import ProblemRow
from evalcore.views.faults import SEVERITIES
from evalcore.workspace.opened import Workspace


class Faults(NamedTuple):
    """Problems of one severity: how many, and the first in words."""

    severity: Severity
    n: int
    first: str


@kept
def faults(ws: Workspace, suite: str) -> tuple[Faults, ...]:
    """Return the problems that opening met in the files of a suite, the worst ones first."""
    rows, severity = where(ws, "problems", suite=suite), coded(ws, "problems", "severity")
    found = []
    for word, place in zip(SEVERITIES, severity.places(SEVERITIES).tolist(), strict=True):
        own = rows[severity.codes[rows] == place] if place >= 0 else np.empty(0, np.int64)
        if len(own):
            first = next(iter(typed(ws, "problems", ProblemRow, own[:1])))
            found.append(Faults(word, len(own), first.message or first.code or ""))
    return tuple(found)
