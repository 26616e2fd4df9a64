"""One case side by side: what each side's runs say about each of its criteria."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.comparing.alike import paired
from evalcore.comparing.model import Scores, Side
from evalcore.counting.cells import where
from evalcore.counting.coded import coded, values
from evalcore.counting.focus import EPSILON
from evalcore.counting.joined import counting, judged_run, judgments_of
from evalcore.counting.outcomes import outcomes
from evalcore.workspace.opened import Workspace

Direction = Literal["regressed", "improved", "same", "only in A", "only in B"]
ORDER: Final[tuple[Direction, ...]] = ("regressed", "improved", "only in A", "only in B", "same")
_Key = tuple[str, str]


@dataclass(frozen=True)
class Answers:
    """What the runs of one side say about one criterion.

    `runs` is how many were asked it; `answered` of them have a score. `passed` counts the yes
    among those (None where none says yes or no). `value` is their mean from 0 to 1, `score` that
    on the criterion's own scale up to `max_score`; None where nothing is scored. `row` is the
    position in the side's own `tables.judgments` of what the opened run says, else None.
    """

    words: str
    runs: int
    answered: int
    passed: int | None
    value: float | None
    score: float | None
    max_score: float | None
    row: int | None


@dataclass(frozen=True)
class CriterionPair:
    """One criterion on both sides; None on a side that was not asked it.

    `criterion` is its name on side B, else on A. `reworded` says that the sides word it
    differently, and were paired by their likeness or by their place.
    """

    kind: str
    criterion: str
    a: Answers | None
    b: Answers | None
    direction: Direction
    reworded: bool


class _Said(NamedTuple):
    """A judgment with its position and that of its run; `value` is from 0 to 1."""

    run: int
    row: int
    kind: str
    criterion: str
    judge: str
    judge_type: str
    passed: bool | None
    value: float | None
    score: float | None
    max_score: float | None


def criterion_changes(
    a: Side,
    b: Side,
    case_id: str,
    *,
    run_a: str | None = None,
    run_b: str | None = None,
    scores: Scores = "recorded",
) -> tuple[CriterionPair, ...]:
    """Return the criteria of one case side by side: regressed, improved, the others.

    `run_a` and `run_b` are the ids of the opened runs; without one, the run that `CasePair` opens.
    Conventions, which no rate counts, are left out.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    one = _answers(a, case_id, run_a, scores)
    two = _answers(b, case_id, run_b, scores)
    alone = a.ws is b.ws and a.suite == b.suite and a.column.version == b.column.version
    pairs: list[CriterionPair] = []
    for kind in dict.fromkeys(key[0] for key in (*two, *one)):
        names_a, names_b = ([name for k, name in side if k == kind] for side in (one, two))
        matches = {at_b: at_a for at_a, at_b in paired(names_a, names_b, by_place=alone)}
        for at, name in enumerate(names_b):
            other = one[kind, names_a[matches[at]]] if at in matches else None
            pairs.append(_pair(kind, other, two[kind, name]))
        gone = set(range(len(names_a))) - set(matches.values())
        pairs += [_pair(kind, one[kind, names_a[at]], None) for at in sorted(gone)]
    return tuple(sorted(pairs, key=_place))


def _pair(kind: str, a: Answers | None, b: Answers | None) -> CriterionPair:
    known = b or a
    words = known.words if known else ""
    reworded = a is not None and b is not None and a.words != b.words
    return CriterionPair(kind, words, a, b, _direction(a, b), reworded)


def _direction(a: Answers | None, b: Answers | None) -> Direction:
    if a is None or b is None:
        return "only in B" if a is None else "only in A"
    if a.value is None or b.value is None or abs(b.value - a.value) <= EPSILON:
        return "same"
    return "improved" if b.value > a.value else "regressed"


def _place(pair: CriterionPair) -> tuple[int, float]:
    """Order pairs by what became of them, the largest change first."""
    moved = pair.a is not None and pair.b is not None
    change = (pair.b.value or 0) - (pair.a.value or 0) if moved and pair.a and pair.b else 0.0
    return ORDER.index(pair.direction), -abs(change) if pair.direction in ORDER[:2] else 0.0


def _answers(
    side: Side, case_id: str, opened: str | None, scores: Scores
) -> Mapping[_Key, Answers]:
    """Return what one side says about each criterion of a case, in the order of its documents."""
    runs = runs_of_case(side, case_id)
    found: dict[_Key, list[_Said]] = {}
    for said in _said(side.ws, runs):
        found.setdefault((said.kind, said.criterion), []).append(said)
    judge = coded(side.ws, "runs", "judge")
    recorded = {run: judge.words[judge.codes[run]] for run in runs}
    open_run = _opened(side, case_id, runs, opened)
    return {key: _added(key[1], rows, recorded, open_run, scores) for key, rows in found.items()}


def runs_of_case(side: Side, case_id: str) -> list[int]:
    """Return the positions in `tables.runs` of one side's runs of a case."""
    version, configuration = side.column
    found = where(
        side.ws, "runs", suite=side.suite, case_id=case_id, version=version,
        configuration=configuration,
    )  # fmt: skip
    return [int(at) for at in found]


def _opened(side: Side, case_id: str, runs: Iterable[int], opened: str | None) -> int | None:
    """Return the position of the run that is open on a side."""
    if opened is not None:
        ids = {row: str(side.ws.tables.runs["run_id"].iloc[row]) for row in runs}
        return next((row for row, run_id in ids.items() if run_id == opened), None)
    found = outcomes(side.ws, side.suite)
    case = found.place.get(case_id)
    if case is None or side.column not in found.columns:
        return None
    cell = case, found.columns.index(side.column)
    tally = found.tallies([case], [cell[1]]).get(cell)
    return None if tally is None else tally.run


def _said(ws: Workspace, runs: list[int]) -> list[_Said]:
    rows = judgments_of(ws, runs) if runs else np.zeros(0, np.int64)
    rows = rows[counting(ws)[rows]]
    words = (coded(ws, "judgments", name) for name in ("kind", "criterion", "judge", "judge_type"))
    named = [[each.words[code] for code in each.codes[rows].tolist()] for each in words]
    passed = [None if said < 0 else bool(said) for said in values(ws, "judgments", "passed")[rows]]
    fraction, score, top = (
        [
            None if np.isnan(number) else float(number)
            for number in values(ws, "judgments", name)[rows]
        ]
        for name in ("fraction", "score", "max_score")
    )
    # What is not scored counts nowhere, whatever else its judgment holds.
    scored = ~coded(ws, "judgments", "status").among({"unscored"})[rows]
    value = [
        (_number(passed[at]) if fraction[at] is None else fraction[at]) if scored[at] else None
        for at in range(len(rows))
    ]
    found = zip(
        judged_run(ws)[rows].tolist(), rows.tolist(), *named, passed, value, score, top, strict=True
    )
    return [_Said(*said) for said in found]


def _added(
    words: str,
    said: list[_Said],
    recorded: Mapping[int, str],
    opened: int | None,
    scores: Scores,
) -> Answers:
    by_run: dict[int, list[_Said]] = {}
    for one in said:
        by_run.setdefault(one.run, []).append(one)
    chosen = {run: _counting(rows, recorded.get(run), scores) for run, rows in by_run.items()}
    known = ([one for one in rows if one.value is not None] for rows in chosen.values())
    scored = [rows for rows in known if rows]
    passed = [row.passed for rows in scored for row in rows[:1] if row.passed is not None]
    tops = [row.max_score for rows in scored for row in rows if row.max_score is not None]
    mine = chosen.get(opened, []) if opened is not None else []
    return Answers(
        words,
        len(by_run),
        len(scored),
        sum(passed) if passed else None,
        _mean(_mean(one.value for one in rows) for rows in scored),
        _mean(_mean(row.score for row in rows) for rows in scored),
        max(tops, default=None),
        mine[0].row if mine else None,
    )


def _counting(rows: list[_Said], judge: str | None, scores: Scores) -> list[_Said]:
    """Return whose scores of one criterion of one run count, of all who judged it."""
    people = [one for one in rows if one.judge_type == "human"]
    if scores == "human" or (scores == "human-first" and people):
        return people
    return [one for one in rows if one.judge == judge][:1] or rows[:1]


def _number(passed: bool | None) -> float | None:
    return None if passed is None else float(passed)


def _mean(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None
