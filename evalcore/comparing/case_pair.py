"""One case side by side: each side's results for each of its criteria."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.comparing.alike import paired
from evalcore.comparing.model import Change, Side
from evalcore.counting.cells import where
from evalcore.counting.coded import coded, values
from evalcore.counting.focus import EPSILON
from evalcore.counting.people import Scores
from evalcore.counting.score_source import answers
from evalcore.workspace.opened import Workspace

Direction = Literal["regressed", "improved", "same", "only in A", "only in B"]
ORDER: Final[tuple[Direction, ...]] = ("regressed", "improved", "only in A", "only in B", "same")
_SIGNS: Final[dict[Direction, int]] = {"regressed": -1, "improved": 1}
_Key = tuple[str, str]


class RunAnswer(NamedTuple):
    """What one run says: 1 if it passed, 0 if it failed (else the value), and the value."""

    passed: float
    value: float

    def signed(self, sign: int) -> tuple[float, float]:
        """Return what the largest is best of for a sign of 1, and worst for one of -1."""
        return sign * self.passed, sign * self.value


_NOTHING: Final = RunAnswer(0.0, 0.0)


@dataclass(frozen=True)
class Answers:
    """The results of one side's runs for one criterion.

    `runs` is the number of runs judged by it; `answered` of them have a score. `passed` counts
    those that passed (None without pass or fail). `value` is their mean from 0 to 1, `score` the
    mean on the criterion's own scale up to `max_score`; None if nothing is scored. `by_run` is
    what each scored run says, by its id.
    """

    words: str
    runs: int
    answered: int
    passed: int | None
    value: float | None
    score: float | None
    max_score: float | None
    by_run: Mapping[str, RunAnswer]


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
    """One judgment with the position of its run; `value` is from 0 to 1."""

    run: int
    kind: str
    criterion: str
    passed: bool | None
    value: float | None
    score: float | None
    max_score: float | None


def criterion_changes(
    a: Side, b: Side, case_id: str, *, scores: Scores = "recorded"
) -> tuple[CriterionPair, ...]:
    """Return the criteria of one case side by side: regressed, improved, the others.

    Conventions are left out, as they do not count in rates.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    one = _answers(a, case_id, scores)
    two = _answers(b, case_id, scores)
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


def in_order(pairs: Iterable[CriterionPair], change: Change | None) -> tuple[CriterionPair, ...]:
    """Return pairs with those first that changed in the direction of the case."""
    return tuple(sorted(pairs, key=lambda pair: _weight(pair, change)))


def runs_of_change(*pairs: CriterionPair) -> tuple[str, str] | None:
    """Return a run of A and one of B between which the first of the pairs that changed did.

    Of several such runs they are those that show most of the change of the next pairs. None if no
    pair changed.
    """
    changed = [
        (pair.a, pair.b, _SIGNS[pair.direction]) for pair in pairs if pair.direction in _SIGNS
    ]
    both = [(a, b, sign) for a, b, sign in changed if a is not None and b is not None]
    if not both:
        return None
    first, second, _ = both[0]
    return (
        max(first.by_run, key=lambda run: [_signed(a, run, -sign) for a, _, sign in both]),
        max(second.by_run, key=lambda run: [_signed(b, run, sign) for _, b, sign in both]),
    )


def _signed(answers: Answers, run: str, sign: int) -> tuple[float, float]:
    return answers.by_run.get(run, _NOTHING).signed(sign)


def changed_between(pair: CriterionPair, run_a: str | None, run_b: str | None) -> bool:
    """Return whether two runs show the change of a criterion: of its passing, else of its value."""
    if pair.a is None or pair.b is None:
        return False
    first, second = pair.a.by_run.get(run_a or ""), pair.b.by_run.get(run_b or "")
    sign = _SIGNS.get(pair.direction)
    if first is None or second is None or sign is None:
        return False
    if _passing(pair.a) != _passing(pair.b):
        return sign * (second.passed - first.passed) > EPSILON
    return sign * (second.value - first.value) > EPSILON


def _weight(pair: CriterionPair, change: Change | None) -> tuple[int, bool, bool]:
    if pair.direction not in ("regressed", "improved"):
        return (2 if pair.direction == "same" else 1), False, False
    return 0, _passing(pair.a) == _passing(pair.b), pair.direction != change


def _passing(answers: Answers | None) -> float | None:
    """Return the share of runs that passed; None if none passed or failed."""
    if answers is None or answers.passed is None or not answers.answered:
        return None
    return answers.passed / answers.answered


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


def _answers(side: Side, case_id: str, scores: Scores) -> Mapping[_Key, Answers]:
    """Return one side's results for each criterion of a case, in document order."""
    runs = runs_of_case(side, case_id)
    given: dict[_Key, list[_Answer]] = {}
    runs_asked: dict[_Key, set[int]] = {}
    for answer in _answers_of(side.ws, runs, "recorded"):
        runs_asked.setdefault((answer.kind, answer.criterion), set()).add(answer.run)
    for answer in _answers_of(side.ws, runs, scores):
        given.setdefault((answer.kind, answer.criterion), []).append(answer)
        runs_asked.setdefault((answer.kind, answer.criterion), set()).add(answer.run)
    ids = {run: str(side.ws.tables.runs["run_id"].iloc[run]) for run in runs}
    return {
        key: _added(key[1], given.get(key, []), len(of_runs), ids)
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


def _answers_of(ws: Workspace, runs: list[int], scores: Scores) -> list[_Answer]:
    given = answers(ws, np.array(runs, np.int64), scores)
    kinds, names = (coded(ws, "judgments", name).words for name in ("kind", "criterion"))
    # What is not scored counts nowhere, whatever else its judgment holds.
    unscored = coded(ws, "judgments", "status").among({"unscored"})[given.row].tolist()
    top = values(ws, "judgments", "max_score")[given.row].tolist()
    score = values(ws, "judgments", "score")[given.row].tolist()
    found = []
    for at, (run, kind, name, _, passed, fraction) in enumerate(
        zip(*(each.tolist() for each in given), strict=True)
    ):
        yes = None if passed < 0 else bool(passed)
        part = None if np.isnan(fraction) else float(fraction)
        value = None if unscored[at] else _number(yes) if part is None else part
        # Of several people it is the median that counts, and no single one's score.
        mine = score[at] if scores == "recorded" or part is None else part * top[at]
        found.append(
            _Answer(run, kinds[kind], names[name], yes, value, _known(mine), _known(top[at]))
        )
    return found


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _added(words: str, answers: list[_Answer], runs_asked: int, ids: Mapping[int, str]) -> Answers:
    scored = [one for one in answers if one.value is not None]
    passed = [one.passed for one in scored if one.passed is not None]
    tops = [one.max_score for one in scored if one.max_score is not None]
    return Answers(
        words,
        runs_asked,
        len(scored),
        sum(passed) if passed else None,
        _mean(one.value for one in scored),
        _mean(one.score for one in scored),
        max(tops, default=None),
        {ids[one.run]: _said(one.passed, one.value) for one in answers if one.value is not None},
    )


def _said(passed: bool | None, value: float) -> RunAnswer:
    return RunAnswer(value if passed is None else float(passed), value)


def _number(passed: bool | None) -> float | None:
    return None if passed is None else float(passed)


def _mean(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None
