"""Current scores of judges as numeric columns, the input of the agreement statistics."""

from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import counting, judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import is_adjudication, people_rows
from evalcore.counting.review_rows import excluded
from evalcore.errors import UnknownName
from evalcore.families.reviews.review import NOTHING
from evalcore.workspace.opened import Workspace

RECORDED: Final = "the recorded judge"
"""The name shown for the recorded judge, a model or a rule."""


class Scores(NamedTuple):
    """Scores of one suite, one row each; a judge scores a unit once.

    `row` is a position in `tables.judgments`, `case` one among the words of the runs' cases. The
    others are positions in the lists below. A `unit` is one criterion of one run on one scale.
    """

    row: Numbers
    unit: Numbers
    judge: Numbers
    case: Numbers
    kind: Numbers
    name: Numbers
    scale: Numbers
    score: Numbers
    judges: tuple[str, ...]
    kinds: list[str]
    names: list[str]
    scales: tuple[tuple[float | None, float | None], ...]


@memoize_per_workspace
def scores(
    ws: Workspace, suite: str, *, recorded: bool = False, independent: bool = False
) -> Scores:
    """Return the current scores of people; with `recorded`, also those of the recorded judge.

    With `independent`, only those of people who had seen no score of the run before.

    Adjudications, stale, unscored and replaced judgments and excluded runs are left out; of
    several scores of one unit by one judge the newest is used.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = ws.tables.suites["suite"]
    if not (known == suite).any():
        raise UnknownName("suite", suite, known.astype(str))
    mine = _standing(ws, suite, people_rows(ws))
    mine = mine[~is_adjudication(ws, mine)]
    if independent:
        mine = mine[is_independent(ws)[mine]]
    files = _standing(ws, suite, _by_machines(ws)) if recorded else mine[:0]
    rows = np.concatenate([mine, files])
    score = _score(ws, rows)
    scored = ~np.isnan(score)
    human = (np.arange(len(rows)) < len(mine))[scored]
    return _laid(ws, rows[scored], score[scored], human)


def is_independent(ws: Workspace) -> Numbers:
    """Return which judgments were made by people who had seen no score of the run before."""
    found: Numbers = coded(ws, "judgments", "seen").among({NOTHING})
    return found


def _by_machines(ws: Workspace) -> Numbers:
    machine = ~coded(ws, "judgments", "judge_type").among({"human"})
    rows: Numbers = np.flatnonzero(machine & counting(ws))
    return rows


def _standing(ws: Workspace, suite: str, rows: Numbers) -> Numbers:
    run = judged_run(ws)[rows]
    here = coded(ws, "runs", "suite").among({suite}) & ~excluded(ws)
    rows = rows[(run >= 0) & here[run]] if len(here) else rows[:0]
    scored = coded(ws, "judgments", "status").among({"scored"})[rows]
    found: Numbers = rows[scored & ~coded(ws, "judgments", "kind").among({"convention"})[rows]]
    return found


def _score(ws: Workspace, rows: Numbers) -> Numbers:
    """Return the score of each judgment; if there is only pass or fail, 1 or 0."""
    score = values(ws, "judgments", "score")[rows].astype(float)
    passed = values(ws, "judgments", "passed")[rows]
    found: Numbers = np.where(np.isnan(score) & (passed >= 0), passed, score)
    return found


def _laid(ws: Workspace, rows: Numbers, score: Numbers, human: Numbers) -> Scores:
    """Number units, judges and scales, and keep the newest of each judge and unit."""
    judge, kind, name, case = (
        coded(ws, *one)
        for one in (
            ("judgments", "judge"),
            ("judgments", "kind"),
            ("judgments", "criterion"),
            ("runs", "case_id"),
        )
    )
    by = np.where(human, judge.keys_of(rows), judge.width)
    ends = np.column_stack(
        [values(ws, "judgments", end)[rows] for end in ("min_score", "max_score")]
    )
    scales, scale = _distinct(np.where(np.isnan(ends), np.inf, ends))
    run = judged_run(ws)[rows].astype(np.int64)
    kinds, names = kind.keys_of(rows), name.keys_of(rows)
    _, unit = _distinct(np.column_stack([run, kinds, names, scale]))
    newest = _newest(np.column_stack([unit, by]), values(ws, "judgments", "judged_at")[rows])
    rows, unit, by, run, scale, score, kinds, names = (
        each[newest] for each in (rows, unit, by, run, scale, score, kinds, names)
    )
    who, of_judge = _distinct(by[:, None])
    words = [*judge.words, RECORDED]
    return Scores(
        row=rows,
        unit=unit,
        judge=of_judge,
        case=case.keys_of(run),
        kind=kinds,
        name=names,
        scale=scale,
        score=score,
        judges=tuple(words[int(at)] for at in who[:, 0]),
        kinds=kind.words,
        names=name.words,
        scales=tuple((_end(low), _end(high)) for low, high in scales.tolist()),
    )


def _newest(key: Numbers, when: Numbers) -> Numbers:
    """Return the rows that are the newest of their key, the later of two at once, in order."""
    order = np.lexsort((np.arange(len(key)), when))
    _, last = np.unique(key[order][::-1], axis=0, return_index=True)
    found: Numbers = np.sort(order[::-1][last])
    return found


def _distinct(rows: Numbers) -> tuple[Numbers, Numbers]:
    """Return the distinct rows in order, and the index of each row among them."""
    found, which = np.unique(rows, axis=0, return_inverse=True)
    return found, which.reshape(-1).astype(np.int64)


def _end(value: float) -> float | None:
    return None if np.isinf(value) else float(value)


def choose(given: Scores, rows: Numbers) -> Scores:
    """Return a subset of the scores; the lists of names are unchanged."""
    return given._replace(
        row=given.row[rows],
        unit=given.unit[rows],
        judge=given.judge[rows],
        case=given.case[rows],
        kind=given.kind[rows],
        name=given.name[rows],
        scale=given.scale[rows],
        score=given.score[rows],
    )
