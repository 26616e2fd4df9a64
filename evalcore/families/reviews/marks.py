"""The scores that records hold, of people and of machines, each with its current status."""

from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from evalcore.disk.values import Node
from evalcore.families.base import UNATTACHED, Family
from evalcore.families.reviews.changes import View, changed, criterion_wording, prompt_wording
from evalcore.families.reviews.lookup import Criterion, Run
from evalcore.families.reviews.review import (
    ADJUDICATED,
    ADJUDICATION,
    JudgeType,
    Review,
    Seen,
    judge_of,
    judge_type_of,
)
from evalcore.families.reviews.subjects import Outputs, Subject, criterion_of
from evalcore.tables.rows import JudgmentRow

Standing = Literal["head", "superseded", "foreign"]
"""Whether a record is the head of its chain; foreign ones are in none."""
NOTHING: Final = "nothing"
"""In the column `seen`: the judge saw no score of the run before."""
_SEEN: Final[frozenset[str]] = frozenset(get_args(Seen))


class Mark(NamedTuple):
    """One judge's score of one criterion; `status` is that of its judgment row."""

    review: Review
    run: Run | None
    kind: str | None
    name: str
    criterion: Criterion | None
    judge: str
    judge_type: JudgeType
    score: float | None
    low: float | None
    high: float | None
    status: str

    @property
    def key(self) -> tuple[str, str]:
        """Kind and name of the criterion."""
        return self.kind or "", self.name


def mark_of(
    node: Node,
    review: Review,
    subject: Subject | None,
    family: Family,
    outputs: Outputs,
    standing: Standing,
) -> Mark:
    """Return the score of a record; only the head of a chain is checked."""
    key = node.text("criterionId") or ""
    kind, name, criterion = criterion_of(subject, key, family)
    low, high = node.number("minScore"), node.number("maxScore")
    if criterion is not None:
        low, high = (
            low if low is not None else criterion.low,
            high if high is not None else criterion.high,
        )
    score = node.number("score")
    status = "superseded"
    if standing == "foreign":
        score, status = None, "unscored"
    elif standing == "head":
        score = _valid(node, review, score, low, high)
        _check(node, key, subject, criterion, high)
        status = "unscored" if score is None else UNATTACHED
        if score is not None and subject is not None and criterion is not None:
            status = _status(review, subject, criterion, outputs)
    judge = ADJUDICATED if review.type == ADJUDICATION else judge_of(review)
    run = subject.run if subject is not None else None
    return Mark(
        review=review,
        run=run,
        kind=kind,
        name=name,
        criterion=criterion,
        judge=judge,
        judge_type=judge_type_of(review),
        score=score,
        low=low,
        high=high,
        status=status,
    )


def _status(review: Review, subject: Subject, criterion: Criterion, outputs: Outputs) -> str:
    """Return the status of a score of a run's criterion."""
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


def row_of(mark: Mark, node: Node, family: Family) -> JudgmentRow:
    """Return the row of a score."""
    score, high = mark.score, mark.high
    fraction = score / high if score is not None and high else None
    return JudgmentRow(
        run_id=mark.run.id if mark.run is not None else None,
        kind=mark.kind,
        criterion=mark.name,
        judge=mark.judge,
        judge_type=mark.judge_type,
        score=score,
        min_score=mark.low,
        max_score=high,
        fraction=fraction,
        passed=family.scoring.passes(mark.criterion, score),
        confidence=_confidence(node),
        confidence_level=node.text("confidenceLevel"),
        judged_at=_judged_at(node, mark.review),
        status=mark.status,
        seen=_seen(mark.review),
        source=mark.review.path,
        pointer="",
        rationale=node.text("rationale"),
        evidence=_evidence(node) or None,
    )


def _evidence(node: Node) -> str:
    value = node.get("evidence")
    if isinstance(value, list) and all(type(each) is str for each in value):
        return "\n".join(value)
    return "\n".join(text for text, _ in node.texts("evidence")) if value is not None else ""


def _seen(review: Review) -> str | None:
    """Return what a judge could have seen of the run before, in one word; None if not known."""
    stated = review.basis.get("seen")
    if not isinstance(stated, list) or not _SEEN.issuperset(map(str, stated)):
        return None
    return "+".join(sorted(map(str, stated), reverse=True)) if stated else NOTHING


def _judged_at(node: Node, review: Review) -> datetime:
    return node.time("judgedAt") or review.created_at


def _valid(
    node: Node, review: Review, score: float | None, low: float | None, high: float | None
) -> float | None:
    """Return the score if it is valid; None after reporting why it is not.

    A withdrawn score is null, which is valid.
    """
    if score is None:
        return None
    if not (node.text("rationale") or "").strip():
        node.note(
            "warning",
            "no-rationale",
            f"The {review.type} {review.id} has no rationale: a score without reasoning is "
            "invalid, so it counts as unscored.",
            "Add the reason for this score.",
            "rationale" if "rationale" in review.fields else None,
        )
        return None
    if (high is not None and score > high) or (low is not None and score < low):
        scale = f"{'…' if low is None else f'{low:g}'} to {'…' if high is None else f'{high:g}'}"
        node.note(
            "warning",
            "score-out-of-range",
            f"The score {score:g} is outside the scale {scale}; it counts as unscored.",
            "Judge this criterion again on its scale.",
            "score",
        )
        return None
    return score


def _check(
    node: Node, key: str, subject: Subject | None, criterion: Criterion | None, high: float | None
) -> None:
    """Report a criterion that is unknown, not judged by people, or has another scale."""
    if subject is None or not key:
        return
    if criterion is None:
        node.note(
            "warning",
            "dangling-reference",
            f"The run has no criterion {key[:80]!r} now; the score is kept but does not count.",
            "Judge the criteria that the run has now.",
            "criterionId",
        )
    elif (criterion.kind, criterion.name) not in subject.to_judge:
        node.note(
            "warning",
            "criterion-not-asked",
            f"The criterion {key[:80]!r} is not one that people score in this run; its score is "
            "kept but does not count.",
            "Judge another one.",
            "criterionId",
        )
    elif criterion.high is not None and high is not None and high != criterion.high:
        node.note(
            "warning",
            "scale-mismatch",
            f"The judgment says maxScore {high:g}, its criterion {criterion.high:g}; the "
            "judgment's own is used.",
            "Judge again on the criterion's scale.",
            "maxScore",
        )


def _confidence(node: Node) -> float | None:
    value = node.number("confidence")
    if value is not None and not 0 <= value <= 1:
        node.note(
            "warning",
            "confidence-out-of-range",
            f"The confidence {value:g} is not between 0 and 1; it was not read.",
            "Write a share between 0 and 1.",
            "confidence",
        )
        return None
    return value
