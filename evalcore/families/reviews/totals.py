"""Totals of each run by judge, and after adjudication."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import where
from evalcore.families.reviews.review import ADJUDICATED, PERSON
from evalcore.families.reviews.subjects import Subject, record_at
from evalcore.families.scoring import Scores
from evalcore.numbers import median
from evalcore.tables.rows import JudgmentRow, RunScoreRow

ORIGIN = "review"

Who = tuple[str | None, str | None]
"""A judge by name and type: a person and a model may be called the same."""


def add_totals(
    context: ReviewContext, marks: Iterable[JudgmentRow], subjects: Mapping[str, Subject]
) -> None:
    """Add one row for each run and judge, and one for `adjudicated` if somebody decided.

    Only current scores are added up; a judge whose scores are all withdrawn has no row.
    """
    of_run: dict[str, dict[Who, list[JudgmentRow]]] = defaultdict(lambda: defaultdict(list))
    for mark in marks:
        if mark.run_id is not None and mark.status in ("scored", "stale"):
            of_run[mark.run_id][mark.judge, mark.judge_type].append(mark)
    thresholds = _thresholds(context, subjects)
    for name, judges in of_run.items():
        subject = subjects[name]
        threshold = thresholds.get(subject.run.case_id or "")
        for (judge, judge_type), own in judges.items():
            scores = _decided(judges) if judge == ADJUDICATED else _counting(own)
            found = context.suite.family.scoring.total(subject.to_judge, scores, threshold)
            context.rows.add(
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


def _counting(marks: Sequence[JudgmentRow]) -> Scores:
    return {
        (mark.kind or "", mark.criterion or ""): mark.score
        for mark in marks
        if mark.status == "scored" and mark.score is not None
    }


def _decided(judges: Mapping[Who, Sequence[JudgmentRow]]) -> Scores:
    """Return the adjudicated scores, and the median of human scores for the rest."""
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (judge, judge_type), marks in judges.items():
        if judge != ADJUDICATED and judge_type == PERSON:
            for key, score in _counting(marks).items():
                scores[key].append(score)
    middle = {key: found for key, values in scores.items() if (found := median(values)) is not None}
    return {**middle, **_counting(judges[ADJUDICATED, PERSON])}


def _thresholds(context: ReviewContext, subjects: Mapping[str, Subject]) -> dict[str, float]:
    """Return the passing threshold of the rubric of each case of a store that has one.

    A rubric is read at the places that say what it is composed of: its own record, as a rule.
    """
    suite, known = context.suite, context.known
    cases = {each.run.case_id for each in subjects.values() if each.run.case_id}
    if not suite.family.scoring.by_total or not cases:
        return {}
    rubrics: dict[str, str] = {}
    ends = ("suite", "relation", "source_id", "target_id")
    of_cases = where(known.column("relations", "source_id"), cases).tolist()
    for own, relation, case, rubric in known.rows("relations", ends, of_cases):
        if (own, relation) == (suite.id, "evaluated_by"):
            rubrics.setdefault(case, rubric)
    found: dict[str, float] = {}
    places = ("suite", "relation", "source_id", "source", "pointer")
    composed = where(known.column("relations", "source_id"), set(rubrics.values())).tolist()
    for own, relation, rubric, path, pointer in known.rows("relations", places, composed):
        is_placed = path and pointer is not None and (own, relation) == (suite.id, "composed_of")
        if not is_placed or rubric in found:
            continue
        record = record_at(context.outputs.value(path), pointer)
        fields = record.get("fields")
        value = fields.get("passingThreshold") if isinstance(fields, dict) else None
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        if number is not None and record.get("id") == rubric:
            found[rubric] = float(number)
    return {case: found[rubric] for case, rubric in rubrics.items() if rubric in found}
