"""Which runs of two sides are one: of a copied folder, a revision, or a version that was copied."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.comparing.model import CasePair, RunsOfSides, Side
from evalcore.comparing.sample import Runs, of_cases
from evalcore.comparing.values import NOT_THERE
from evalcore.counting.cells import typed
from evalcore.counting.copies import copied, left_by
from evalcore.tables.rows import RunRow


def runs_of_sides(a: Side, b: Side, runs: Runs, pairs: Sequence[CasePair]) -> RunsOfSides:
    """Return which runs of the compared cases are of both sides, and how many are copies.

    Two runs are one if everything that they left is the same. In two workspaces (two revisions, a
    copied folder) runs of one number are one even if they left nothing but their gradings. In one
    workspace, runs of which nothing is measured may merely have come out alike.
    """
    ids, apart = [pair.case_id for pair in pairs], a.ws is not b.ws
    alike: list[dict[Any, list[RunRow]]] = []
    copies, counted = [], []
    for side, frame in zip((a, b), runs.counted, strict=True):
        found, rows = defaultdict(list), of_cases(frame, side, ids).index
        for run in typed(side.ws, "runs", RunRow, rows):
            if apart or run.duration_s or run.tokens:
                same = run.run if apart else (run.duration_s, run.tokens)
                found[run.case_id, same].append(run)
        alike.append(found)
        counted.append(len(rows))
    for side, frame in zip((a, b), runs[:2], strict=True):
        rows = of_cases(frame, side, ids).index
        copies.append(int((copied(side.ws)[rows[rows >= 0]] >= 0).sum()))
    same = 0
    for key in alike[0].keys() & alike[1].keys():
        left, other = (
            [left_by(side.ws, run, without_outputs=apart) for run in of[key]]
            for side, of in zip((a, b), alike, strict=True)
        )
        same += sum(min(left.count(one), other.count(one)) for one in {*left} - {None})
    each = np.array([(pair.runs_a, pair.runs_b) for pair in pairs], float).reshape(-1, 2)
    missing = any((frame["lost"] == NOT_THERE).any() for frame in runs[:2])
    unlike = not missing and (each[:, 0] != each[:, 1]).any()
    return RunsOfSides(
        same=same,
        a=counted[0],
        b=counted[1],
        copies=(copies[0], copies[1]),
        each=(float(each[:, 0].mean()), float(each[:, 1].mean())) if unlike else None,
    )
