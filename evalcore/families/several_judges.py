"""Grade a run that several judges scored, as tables and logs of other tools hold it.

Models and rules each score a part of a run, and people all or some of it. What models and rules
say together is the recorded grading; without any, it is that of the person who judged most.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from evalcore.families.base import PENDING
from evalcore.families.foreign import checks
from evalcore.families.scoring import Criteria, Key, Scores, Scoring, Sum
from evalcore.numbers import weighted_mean
from evalcore.shapes.judge import HUMAN
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow


def mean_share(scoring: Scoring, criteria: Criteria, scores: Scores, _: float | None) -> Sum:
    """The weighted mean of the scores on one scale; of several scales, of their shares."""
    tops = {each.high for each in criteria.values()}
    most = (tops.pop() if len(tops) == 1 else 1.0) or 1.0
    pairs = [
        (scores[key] / each.high, 1.0 if each.weight is None else each.weight)
        for key, each in criteria.items()
        if key in scores and each.high
    ]
    share = weighted_mean(pairs)
    passed = {key: scoring.passes(each, scores.get(key)) for key, each in criteria.items()}
    return None if share is None else share * most, most, _all_passed(criteria, passed)


SCORING: Final = Scoring(
    rule=mean_share,
    passed_when="every criterion with a pass mark passed",
    score_is="mean of the scores",
    five=frozenset(),
)


def graded(run: RunRow, criteria: Criteria, judgments: Sequence[JudgmentRow]) -> Iterator[Any]:
    """Yield the row of a run with its recorded grading, its judgments, and each judge's score.

    `criteria` are those that the run is asked. What the row says of the run as a whole is kept. A
    recorded score is missing while one of its judgments has none; a completed run that nobody
    judged waits for a judge if there is an output to judge.
    """
    by_judge: dict[tuple[str | None, str | None], list[JudgmentRow]] = {}
    for each in judgments:
        by_judge.setdefault((each.judge, each.judge_type), []).append(each)
    judges = sorted(by_judge, key=lambda who: (who[1] == HUMAN, -len(by_judge[who])))
    recorded: dict[Key, JudgmentRow] = {}
    for who in [who for who in judges if who[1] != HUMAN] or judges[:1]:
        for each in by_judge[who]:
            recorded.setdefault((each.kind or "", each.criterion or ""), each)
    score, most, passed = _total(criteria, list(recorded.values()))
    score = score if run.score is None else run.score
    most = most if run.max_score is None else run.max_score
    judge, kind = judges[0] if judges else (None, None)
    waits = run.status == "completed" and not recorded and run.outputs is not None
    yield run._replace(
        status=PENDING if waits else run.status,
        passed=passed if run.passed is None else run.passed,
        score=score,
        max_score=most,
        fraction=score / most if score is not None and most else None,
        **checks(recorded.values()),
        judge=judge,
        judge_type=kind,
    )
    for who in judges:
        yield from by_judge[who]
        total = _total(criteria, by_judge[who])
        scored = sum(each.score is not None for each in by_judge[who])
        yield RunScoreRow(run.run_id, *who, total[0], total[1], total[2], scored, len(criteria))


def _total(criteria: Criteria, judged: Sequence[JudgmentRow]) -> Sum:
    """Return the score of a run from some judgments, None while one of them has none."""
    own = {(each.kind or "", each.criterion or ""): each for each in judged}
    asked = {key: each for key, each in criteria.items() if key in own}
    scores = {key: each.score for key, each in own.items() if each.score is not None}
    score, most, _ = mean_share(SCORING, asked, scores, None)
    if not own or len(scores) < len(own):
        return None, most if own else None, None
    return score, most, _all_passed(asked, {key: each.passed for key, each in own.items()})


def _all_passed(criteria: Criteria, passed: Mapping[Key, bool | None]) -> bool | None:
    """Return whether every required criterion passed, without any every one that has a mark."""
    known = {key: found for key, found in passed.items() if found is not None}
    needed = [key for key in known if criteria[key].required] or known
    return all(known[key] for key in needed) if needed else None
