"""Totals of each run by judge, and after adjudication."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from evalcore.families.reviews.lookup import Suite
from evalcore.families.reviews.marks import Mark
from evalcore.families.reviews.review import ADJUDICATED, PERSON, JudgeType
from evalcore.families.reviews.subjects import Subject
from evalcore.families.scoring import Scores
from evalcore.numbers import median
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunScoreRow

ORIGIN = "review"

Who = tuple[str, JudgeType]
"""A judge by name and type: a person and a model may be called the same."""


def add_totals(
    suite: Suite,
    marks: Sequence[Mark],
    subjects: Mapping[str, Subject],
    thresholds: Mapping[str, float],
    rows: Rows,
) -> None:
    """Add one row for each run and judge, and one for `adjudicated` if somebody decided.

    Only current scores are added up; a judge whose scores are all withdrawn has no row.
    """
    of_run: dict[str, dict[Who, list[Mark]]] = defaultdict(lambda: defaultdict(list))
    for mark in marks:
        if mark.run is not None and mark.status in ("scored", "stale"):
            of_run[mark.run.id][mark.judge, mark.judge_type].append(mark)
    for name, judges in of_run.items():
        subject = subjects[name]
        threshold = thresholds.get(subject.run.case_id or "")
        for (judge, judge_type), own in judges.items():
            scores = _decided(judges) if judge == ADJUDICATED else _counting(own)
            found = suite.family.scoring.total(subject.to_judge, scores, threshold)
            rows.add(
                RunScoreRow(
                    run_id=name,
                    judge=judge,
                    judge_type=judge_type,
                    score=found.score,
                    max_score=found.max_score,
                    passed=found.passed,
                    judged=found.judged,
                    expected=found.expected,
                    origin=ORIGIN,
                )
            )


def _counting(marks: Sequence[Mark]) -> Scores:
    return {
        mark.key: mark.score for mark in marks if mark.status == "scored" and mark.score is not None
    }


def _decided(judges: Mapping[Who, Sequence[Mark]]) -> Scores:
    """Return the adjudicated scores, and the median of human scores for the rest."""
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (judge, judge_type), marks in judges.items():
        if judge != ADJUDICATED and judge_type == PERSON:
            for key, score in _counting(marks).items():
                scores[key].append(score)
    middle = {key: found for key, values in scores.items() if (found := median(values)) is not None}
    return {**middle, **_counting(judges[ADJUDICATED, PERSON])}
