"""The scores that records hold, each with its current status, and what they add up to by judge."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, get_args

from evalcore.disk.values import Node
from evalcore.families.base import UNATTACHED
from evalcore.families.reviews.changes import View, changed, criterion_wording, prompt_wording
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import (
    Criterion,
    Outputs,
    Subject,
    record_at,
    split_key,
)
from evalcore.families.reviews.review import (
    ADJUDICATED,
    ADJUDICATION,
    PERSON,
    Review,
    Seen,
    judge_of,
    judge_type_of,
)
from evalcore.families.scoring import Scores, confidence, is_invalid
from evalcore.numbers import median
from evalcore.tables.rows import JudgmentRow, RunScoreRow

Standing = Literal["head", "superseded", "foreign"]
"""Whether a record is the head of its chain; foreign ones are in none."""
NOTHING: Final = "nothing"
"""In the column `seen`: the judge saw no score of the run before."""
_SEEN: Final[frozenset[str]] = frozenset(get_args(Seen))


def add_mark(
    context: ReviewContext, review: Review, subject: Subject | None, standing: Standing
) -> JudgmentRow:
    """Add the row of a record's score, and return it; only the head of a chain is checked."""
    node, family = context.node(review), context.suite.family
    key = node.text("criterionId") or ""
    kind, name = split_key(key, family)
    criterion = subject.criteria.get((kind or "", name)) if subject is not None else None
    low, high = node.number("minScore"), node.number("maxScore")
    if criterion is not None:
        low = criterion.low if low is None else low
        high = criterion.high if high is None else high
    score = node.number("score")
    status = "superseded"
    if standing == "foreign":
        score, status = None, "unscored"
    elif standing == "head":
        hint = "Judge this criterion again on its scale."
        who, scored = f"{review.type} {review.id}", (score, low, high)
        if score is not None and is_invalid(node, who, node.text("rationale"), scored, hint, "g"):
            score = None
        if subject is not None and key:
            _note_criterion(node, key, subject, criterion, high)
        status = "unscored"
        if score is not None:
            status = _status(review, subject, criterion, context.outputs)
    seen = review.basis.get("seen")
    if not isinstance(seen, list) or not _SEEN.issuperset(map(str, seen)):
        seen = None
    row = JudgmentRow(
        run_id=subject.run.id if subject is not None else None,
        kind=kind,
        criterion=name,
        judge=ADJUDICATED if review.type == ADJUDICATION else judge_of(review),
        judge_type=judge_type_of(review),
        score=score,
        min_score=low,
        max_score=high,
        fraction=score / high if score is not None and high else None,
        passed=family.scoring.passes(criterion, score),
        confidence=confidence(node, "g"),
        confidence_level=node.text("confidenceLevel"),
        judged_at=node.time("judgedAt") or review.created_at,
        status=status,
        seen=None if seen is None else "+".join(sorted(map(str, seen), reverse=True)) or NOTHING,
        source=review.path,
        pointer="",
        rationale=node.text("rationale"),
        evidence="\n".join(text for text, _ in node.texts("evidence")) or None,
    )
    context.rows.add(row)
    return row


def _status(
    review: Review, subject: Subject | None, criterion: Criterion | None, outputs: Outputs
) -> str:
    """Return the status of a score: whether its criterion is asked, and what it rests on is so."""
    if subject is None or criterion is None:
        return UNATTACHED
    if (criterion.kind, criterion.name) not in subject.to_judge:
        return UNATTACHED
    view = View(subject.run.source, outputs.has)
    defined = criterion.source not in subject.graded
    found = changed(
        review.basis,
        lambda: outputs.sha256(subject.run),
        prompt_wording(subject.prompt, view),
        criterion_wording(criterion, view) if defined else None,
    )
    return "stale" if found else "scored"


def _note_criterion(
    node: Node, key: str, subject: Subject, criterion: Criterion | None, high: float | None
) -> None:
    """Report a criterion that is unknown, not judged by people, or has another scale."""
    if criterion is None:
        node.note(
            "warning",
            "dangling-reference",
            f"The run has no criterion {key[:80]!r} now; the score is kept but does not count.",
            "Judge the criteria that the run has now.",
            "criterionId",
        )
    elif (criterion.kind, criterion.name) not in subject.to_judge:
        message = (
            f"The criterion {key[:80]!r} is not one that people score in this run; its score is "
            "kept but does not count."
        )
        hint = "Judge another one."
        node.note("warning", "criterion-not-asked", message, hint, "criterionId")
    elif criterion.high is not None and high is not None and high != criterion.high:
        message = (
            f"The judgment says maxScore {high:g}, its criterion {criterion.high:g}; the "
            "judgment's own is used."
        )
        hint = "Judge again on the criterion's scale."
        node.note("warning", "scale-mismatch", message, hint, "maxScore")


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
                    **found._asdict(),
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
    for own, relation, case, rubric in known.rows("relations", ends, "source_id", cases):
        if (own, relation) == (suite.id, "evaluated_by"):
            rubrics.setdefault(case, rubric)
    found: dict[str, float] = {}
    places = ("suite", "relation", "source_id", "source", "pointer")
    composed = known.rows("relations", places, "source_id", set(rubrics.values()))
    for own, relation, rubric, path, pointer in composed:
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
