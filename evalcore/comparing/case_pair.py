"""One case side by side: each side's results for each of its criteria."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.comparing.alike import paired
from evalcore.comparing.model import Side
from evalcore.counting.cells import where
from evalcore.counting.coded import coded, values
from evalcore.counting.focus import EPSILON
from evalcore.counting.people import Scores
from evalcore.counting.score_source import answers, outcomes_by
from evalcore.workspace.opened import Workspace

Direction = Literal["regressed", "improved", "same", "only in A", "only in B"]
ORDER: Final[tuple[Direction, ...]] = ("regressed", "improved", "only in A", "only in B", "same")
_Key = tuple[str, str]


@dataclass(frozen=True)
class Answers:
    """The results of one side's runs for one criterion.

    `runs` is the number of runs judged by it; `answered` of them have a score. `passed` counts
    those that passed (None without pass or fail). `value` is their mean from 0 to 1, `score` the
    mean on the criterion's own scale up to `max_score`; None if nothing is scored. `row` is the
    position in the side's `tables.judgments` of the opened run's judgment, or None.
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
    """One criterion on both sides; None on a side that was not judged by it.

    `criterion` is its name on side B, else on A. `reworded` says that the wordings differ and were
    paired by similarity or position.
    """

    kind: str
    criterion: str
    a: Answers | None
    b: Answers | None
    direction: Direction
    reworded: bool


class _Answer(NamedTuple):
    """One judgment with the positions of its row and of its run; `value` is from 0 to 1."""

    run: int
    row: int
    kind: str
    criterion: str
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
    Conventions are left out, as they do not count in rates.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    one = _answers(a, case_id, run_a, scores)
    two = _answers(b, case_id, run_b, scores)
    alone = a.ws is b.ws and a.suite == b.suite and a.column.version == b.column.version
    pairs: list[CriterionPair] = []
    for kind in dict.fromkeys(key[0] for key in (*two, *one)):
        names_a, names_b = ([name for k, name in side if k == kind] for side in (one, two))
        matches = {at_b: at_a for at_a, at_b in paired(names_a, names_b, by_position=alone)}
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
    """Return the sort key of a pair: by direction, then the largest change first."""
    moved = pair.a is not None and pair.b is not None
    change = (pair.b.value or 0) - (pair.a.value or 0) if moved and pair.a and pair.b else 0.0
    return ORDER.index(pair.direction), -abs(change) if pair.direction in ORDER[:2] else 0.0


def _answers(
    side: Side, case_id: str, opened: str | None, scores: Scores
) -> Mapping[_Key, Answers]:
    """Return one side's results for each criterion of a case, in document order."""
    runs = runs_of_case(side, case_id)
    given: dict[_Key, list[_Answer]] = {}
    runs_asked: dict[_Key, set[int]] = {}
    for answer in _answers_of(side.ws, runs, "recorded"):
        runs_asked.setdefault((answer.kind, answer.criterion), set()).add(answer.run)
    for answer in _answers_of(side.ws, runs, scores):
        given.setdefault((answer.kind, answer.criterion), []).append(answer)
        runs_asked.setdefault((answer.kind, answer.criterion), set()).add(answer.run)
    open_run = _opened(side, case_id, runs, opened, scores)
    return {
        key: _added(key[1], given.get(key, []), len(of_runs), open_run)
        for key, of_runs in runs_asked.items()
    }


def runs_of_case(side: Side, case_id: str) -> list[int]:
    """Return the positions in `tables.runs` of one side's runs of a case."""
    version, configuration = side.column
    found = where(
        side.ws,
        "runs",
        suite=side.suite,
        case_id=case_id,
        version=version,
        configuration=configuration,
    )
    return [int(at) for at in found]


def _opened(
    side: Side, case_id: str, runs: Iterable[int], opened: str | None, scores: Scores
) -> int | None:
    """Return the position of the run that is open on a side."""
    if opened is not None:
        ids = {row: str(side.ws.tables.runs["run_id"].iloc[row]) for row in runs}
        return next((row for row, run_id in ids.items() if run_id == opened), None)
    found = outcomes_by(side.ws, side.suite, scores)
    case = found.positions.get(case_id)
    if case is None or side.column not in found.columns:
        return None
    cell = case, found.columns.index(side.column)
    tally = found.tallies([case], [cell[1]]).get(cell)
    return None if tally is None else tally.run


def _answers_of(ws: Workspace, runs: list[int], scores: Scores) -> list[_Answer]:
    given = answers(ws, np.array(runs, np.int64), scores)
    kinds, names = (coded(ws, "judgments", name).words for name in ("kind", "criterion"))
    # What is not scored counts nowhere, whatever else its judgment holds.
    unscored = coded(ws, "judgments", "status").among({"unscored"})[given.row].tolist()
    top = values(ws, "judgments", "max_score")[given.row].tolist()
    score = values(ws, "judgments", "score")[given.row].tolist()
    found = []
    for at, (run, kind, name, row, passed, fraction) in enumerate(
        zip(*(each.tolist() for each in given), strict=True)
    ):
        yes = None if passed < 0 else bool(passed)
        part = None if np.isnan(fraction) else float(fraction)
        value = None if unscored[at] else _number(yes) if part is None else part
        # Of several people it is the median that counts, and no single one's score.
        mine = score[at] if scores == "recorded" or part is None else part * top[at]
        found.append(
            _Answer(run, row, kinds[kind], names[name], yes, value, _known(mine), _known(top[at]))
        )
    return found


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _added(words: str, answers: list[_Answer], runs_asked: int, opened: int | None) -> Answers:
    scored = [one for one in answers if one.value is not None]
    passed = [one.passed for one in scored if one.passed is not None]
    tops = [one.max_score for one in scored if one.max_score is not None]
    mine = [one for one in answers if one.run == opened]
    return Answers(
        words,
        runs_asked,
        len(scored),
        sum(passed) if passed else None,
        _mean(one.value for one in scored),
        _mean(one.score for one in scored),
        max(tops, default=None),
        mine[0].row if mine else None,
    )


def _number(passed: bool | None) -> float | None:
    return None if passed is None else float(passed)


def _mean(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None
