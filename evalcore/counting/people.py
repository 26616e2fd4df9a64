"""Human scores of each run: the median over complete judgments, or an adjudication."""

from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, numbered, positions, values
from evalcore.counting.joined import judged_run, run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.review_rows import from_reviews
from evalcore.families.base import UNATTACHED
from evalcore.families.reviews.review import ADJUDICATED, NOTHING
from evalcore.shapes.judge import REPEATED
from evalcore.workspace.opened import Workspace

Scores = Literal["recorded", "human", "human-first"]
"""The score source: recorded scores, human scores, or human scores where there are any."""

_SCALE_MOST: Final = 0.2
"""The largest share of a scale between two scores that still agree."""
_NEAR: Final = 1e-9


class ByPeople(NamedTuple):
    """Human scores of each completely judged run; NaN without any.

    `passed` is whether it passed and `fraction` its share of the highest score, both from 0 to 1,
    `score` and `max_score` the score itself. `judges` is the number of people who judged all of it.
    """

    passed: Numbers
    fraction: Numbers
    score: Numbers
    max_score: Numbers
    judges: Numbers


@memoize_per_workspace
def by_people(ws: Workspace) -> ByPeople:
    """Return the human scores of each run.

    Several people count as their median; an adjudication outranks them.
    """
    total = len(values(ws, "runs", "passed"))
    adjudicated = coded(ws, "run_scores", "judge").among({ADJUDICATED})
    human = coded(ws, "run_scores", "judge_type").among({"human"})
    rows = np.flatnonzero((adjudicated | human) & ~_repeated(ws))
    rows = rows[(run_of(ws, "run_scores")[rows] >= 0) & _whole(ws, rows)] if len(rows) else rows
    run, adjudicated = run_of(ws, "run_scores")[rows], adjudicated[rows]
    judges = np.bincount(run[~adjudicated], minlength=total)
    # What people said counts only where nothing outranks it.
    outranked = np.bincount(run[adjudicated], minlength=total) > 0
    top = adjudicated | ~outranked[run]
    run, rows = run[top], rows[top]
    passed = values(ws, "run_scores", "passed")[rows].astype(float)
    passed[passed < 0] = np.nan
    score, most = (values(ws, "run_scores", name)[rows] for name in ("score", "max_score"))
    fraction = np.divide(score, most, out=np.full(len(rows), np.nan), where=most > 0)
    middle = [medians(each, run, total) for each in (passed, fraction, score, most)]
    return ByPeople(middle[0], middle[1], middle[2], middle[3], judges)


def _whole(ws: Workspace, rows: Numbers) -> Numbers:
    """Flag the judgments of a run that are part of a complete judgment."""
    judged, expected = (values(ws, "run_scores", name)[rows] for name in ("judged", "expected"))
    whole: Numbers = judged >= expected
    return whole


def rows_of_whole_judges(ws: Workspace) -> Numbers:
    """Return the scores (positions) of people's complete judgments, without adjudications."""
    judges = coded(ws, "run_scores", "judge_type").among({"human"}) & ~_repeated(ws)
    judges &= ~coded(ws, "run_scores", "judge").among({ADJUDICATED})
    rows = np.flatnonzero(judges)
    return rows[_whole(ws, rows)] if len(rows) else rows


def medians(of: Numbers, group: Numbers, groups: int) -> Numbers:
    """Return the median of the known values in each group; NaN without any."""
    found = np.full(groups, np.nan)
    known = ~np.isnan(of)
    if known.any():
        import pandas as pd  # noqa: PLC0415 - who only reads a folder does not wait for it

        middle = pd.Series(of[known]).groupby(group[known]).median()
        found[middle.index.to_numpy(np.int64)] = middle.to_numpy()
    return found


@memoize_per_workspace
def people_rows(ws: Workspace) -> Numbers:
    """Return the judgments (positions) by people that are neither superseded nor unattached.

    Where a suite's own files repeat what people's records say, the records count.
    """
    human = coded(ws, "judgments", "judge_type").among({"human"})
    rows = np.flatnonzero(human)
    rows = rows[judged_run(ws)[rows] >= 0] if len(rows) else rows
    rows = rows[~_repeats(ws, rows)]
    status = coded(ws, "judgments", "status")
    gone = status.places({"superseded", UNATTACHED})
    return rows[~(np.isin(status.codes[rows], gone) & (status.codes[rows] >= 0))]


def _repeated(ws: Workspace) -> Numbers:
    """Flag the scores of runs that a suite's own files repeat from people's records."""
    return coded(ws, "run_scores", "origin").among({REPEATED})


def _repeats(ws: Workspace, rows: Numbers) -> Numbers:
    """Flag the judgments (positions) that a suite's own files repeat from people's records."""
    scores = np.flatnonzero(_repeated(ws))
    if not len(scores):
        return np.zeros(len(rows), bool)
    judge, theirs = coded(ws, "judgments", "judge"), coded(ws, "run_scores", "judge")
    known = positions(theirs.strings, judge.strings)[theirs.codes[scores]]
    repeated = run_of(ws, "run_scores")[scores].astype(np.int64) * judge.width + known
    mine = judged_run(ws)[rows].astype(np.int64) * judge.width + judge.keys_of(rows)
    found: Numbers = np.isin(mine, repeated) & ~from_reviews(ws, "judgments")[rows]
    return found


@memoize_per_workspace
def judged_by_anyone(ws: Workspace) -> Numbers:
    """Flag runs of which a person judged any criterion."""
    found = np.zeros(len(values(ws, "runs", "passed")), bool)
    found[judged_run(ws)[people_rows(ws)]] = True
    found |= by_people(ws).judges > 0
    return found


@memoize_per_workspace
def has_human_scores(ws: Workspace, suite: str) -> bool:
    """Return whether a person has judged anything in a suite."""
    found = judged_by_anyone(ws)
    return bool(found.any()) and bool((found & coded(ws, "runs", "suite").among({suite})).any())


class Criteria(NamedTuple):
    """Human results for each criterion of each run, one row each.

    `run` is a position, `kind` and `criterion` keys of their columns, `row` the judgment to show.
    `passed` is 1, 0 or (divided, or a scale without pass mark) -1, `fraction` a part of the scale.
    `divided` says that as many people are on one side as on the other: one half passed it and the
    other failed it, or, without a pass mark, the two scores in the middle `differ`. Whatever a
    judge says of it, it agrees with as many as it contradicts.
    """

    run: Numbers
    kind: Numbers
    criterion: Numbers
    row: Numbers
    passed: Numbers
    fraction: Numbers
    divided: Numbers


@memoize_per_workspace
def criteria_by_people(ws: Workspace, *, independent: bool = False) -> Criteria:
    """Return the human result for each criterion: the adjudication, else the median.

    Only current scores count: not stale, not superseded, not unscored, not unattached. With
    `independent`, only those of people who had seen no score of the run before: whoever
    adjudicates has seen some.
    """
    rows = people_rows(ws)
    if independent and len(rows):
        rows = rows[coded(ws, "judgments", "seen").among({NOTHING})[rows]]
    if len(rows):
        status = coded(ws, "judgments", "status")
        rows = rows[~np.isin(status.codes[rows], status.places({"stale", "unscored"}))]
        kind = coded(ws, "judgments", "kind")
        rows = rows[~np.isin(kind.codes[rows], kind.places({"convention"}))]
    passed = values(ws, "judgments", "passed")[rows].astype(float)
    passed[passed < 0] = np.nan
    fraction = values(ws, "judgments", "fraction")[rows]
    known = ~(np.isnan(passed) & np.isnan(fraction))
    rows, passed, fraction = rows[known], passed[known], fraction[known]
    return _grouped(ws, rows, passed, fraction)


def _grouped(ws: Workspace, rows: Numbers, passed: Numbers, fraction: Numbers) -> Criteria:
    kind, criterion = (coded(ws, "judgments", name) for name in ("kind", "criterion"))
    asked = judged_run(ws)[rows].astype(np.int64) * kind.width + kind.keys_of(rows)
    asked = asked * criterion.width + criterion.keys_of(rows)
    keys, group, _ = numbered(asked, int(asked.max(initial=0)) + 1)
    groups = len(keys)
    adjudicated = is_adjudication(ws, rows)
    outranked = np.bincount(group[adjudicated], minlength=groups) > 0
    top = adjudicated | ~outranked[group]
    rows, passed, fraction, group = rows[top], passed[top], fraction[top], group[top]
    share = medians(passed, group, groups)
    decided = np.where(share > 0.5 + _NEAR, 1, np.where(share < 0.5 - _NEAR, 0, -1))
    decided[np.isnan(share)] = -1
    middle = medians(fraction, group, groups)
    halved = ~np.isnan(share) & (decided < 0)
    middle[halved | np.isnan(middle)] = share[halved | np.isnan(middle)]
    return Criteria(
        keys // (kind.width * criterion.width),
        keys // criterion.width % kind.width,
        keys % criterion.width,
        _shown(rows, np.where(np.isnan(passed), fraction, passed), group, share, middle),
        decided.astype(np.int8),
        middle,
        halved | (np.isnan(share) & _far_in_the_middle(fraction, group, groups)),
    )


def _far_in_the_middle(fraction: Numbers, group: Numbers, groups: int) -> Numbers:
    """Flag the groups whose two values in the middle are far apart on the scale."""
    known = np.flatnonzero(~np.isnan(fraction))
    order = known[np.lexsort((fraction[known], group[known]))]
    n = np.bincount(group[known], minlength=groups)
    first, some = np.cumsum(n) - n, n > 0
    low, high = (fraction[order[(first + at)[some]]] for at in ((n - 1) // 2, n // 2))
    none = np.full(len(low), -1)
    found = np.zeros(groups, bool)
    found[some] = differ(none, low, none, high)
    return found


def is_adjudication(ws: Workspace, rows: Numbers) -> Numbers:
    """Flag adjudications."""
    judge = coded(ws, "judgments", "judge")
    place = judge.places({ADJUDICATED})
    found: Numbers = np.isin(judge.codes[rows], place[place >= 0])
    return found


def differ(passed: Numbers, fraction: Numbers, other: Numbers, other_fraction: Numbers) -> Numbers:
    """Flag pairs that differ: one passed and the other failed, or they are far apart on the scale.

    `passed` is 1, 0 or -1 (unknown); far apart is more than a fifth of the scale.
    """
    decided = (passed >= 0) & (other >= 0)
    far = np.abs(fraction - other_fraction) > _SCALE_MOST + _NEAR
    found: Numbers = np.where(decided, passed != other, far)
    return found


def _shown(
    rows: Numbers, value: Numbers, group: Numbers, share: Numbers, middle: Numbers
) -> Numbers:
    """Return in each group the judgment nearest to the value that counts, the newest of several."""
    aim = np.where(np.isnan(share), middle, share)
    order = np.lexsort((-rows, np.abs(value - aim[group]), group))
    first = np.append(True, np.diff(group[order]) != 0)[: len(order)]
    found: Numbers = rows[order[first]]
    return found
