"""Human activity on runs: judged, judged differently than recorded, or excluded."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, columns_of_runs
from evalcore.counting.people import (
    Scores,
    by_people,
    criteria_by_people,
    differ,
    judged_by_anyone,
    rows_of_whole_judges,
)
from evalcore.counting.rates import ASIDE, OUTSIDE
from evalcore.counting.review_rows import excluded
from evalcore.counting.score_source import answers, valued_by
from evalcore.workspace.opened import Workspace


class RunActivity(NamedTuple):
    """For each run: did `people` judge it, do they `differ` from the record, is it `excluded`.

    They differ if one says passed and the other failed, for the run or a criterion, or if two
    scores of a criterion without a pass mark are more than a fifth of its scale apart.
    """

    people: Numbers
    differ: Numbers
    excluded: Numbers


@memoize_per_workspace
def human_activity(ws: Workspace) -> RunActivity:
    """Return the human activity on each run."""
    people = judged_by_anyone(ws)
    return RunActivity(people, _differing(ws) if people.any() else people, excluded(ws))


def _differing(ws: Workspace) -> Numbers:
    people, passed = by_people(ws).passed, values(ws, "runs", "passed")
    decided = ~np.isnan(people) & (people != 0.5) & (passed >= 0)
    found: Numbers = decided & ((people > 0.5) != (passed == 1))
    mine = criteria_by_people(ws)
    recorded = answers(ws, np.unique(mine.run))
    kinds, words = (coded(ws, "judgments", name).width for name in ("kind", "criterion"))
    asked, known = (
        (each.run.astype(np.int64) * kinds + each.kind) * words + each.criterion
        for each in (mine, recorded)
    )
    if not len(known):
        return found
    order = np.argsort(known, kind="stable")
    at = order[np.minimum(np.searchsorted(known, asked, sorter=order), len(known) - 1)]
    apart = differ(mine.passed, mine.fraction, recorded.passed[at], recorded.fraction[at])
    found[mine.run[apart & (known[at] == asked)]] = True
    return found


def people_of_column(
    ws: Workspace, suite: str, column: Column | None, scores: Scores
) -> tuple[int, int, tuple[str, ...]]:
    """Return how many runs of a column people judged completely, of how many, and who did.

    The runs are those that are in its rate, or could be once they have a score.
    """
    here, columns, column_of = columns_of_runs(ws, suite)
    runs = here[column_of == (columns.index(column) if column in columns else -1)]
    runs = runs[~np.isin(valued_by(ws, scores)["end"][runs], (ASIDE, OUTSIDE))]
    judged, names = people_of(ws, runs)
    return judged, len(runs), names


def people_of(ws: Workspace, runs: Numbers) -> tuple[int, tuple[str, ...]]:
    """Return how many of some runs (positions) people judged completely, and who did."""
    rows = rows_of_whole_judges(ws)
    rows = rows[np.isin(run_of(ws, "run_scores")[rows], runs)] if len(rows) else rows
    judges = coded(ws, "run_scores", "judge")
    names = tuple(judges.words[code] for code in np.unique(judges.codes[rows]).tolist())
    judged = ~np.isnan(by_people(ws).fraction[runs]) | ~np.isnan(by_people(ws).passed[runs])
    return int(judged.sum()), tuple(sorted(names))
