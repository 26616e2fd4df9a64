"""Scores by other judges of a run, visible only to those who have judged it themselves."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.families.base import is_review
from evalcore.families.reviews.lookup import JUDGED_KINDS as KINDS
from evalcore.families.reviews.review import Chain, Review, judge_of, judge_type_of
from evalcore.judging.asking.tasks import stale
from evalcore.judging.model import Basis, Judge, Task
from evalcore.judging.storing.run_reviews import reviews_of_run, scale_of, score_of, text_of
from evalcore.tables.rows import JudgmentRow
from evalcore.workspace.opened import Workspace


class OtherScore(NamedTuple):
    """Another judge's score of one criterion; `key` is `kind:criterion`.

    `judge` is a person's id, the name of a rule or model that judged it again or, with `recorded`,
    the name of the recorded judge (None if unknown).
    `stale` says what changed since, None if nothing did.
    """

    key: str
    judge: str | None
    judge_type: str | None
    recorded: bool
    score: float | None
    low: float | None
    high: float | None
    rationale: str
    evidence: tuple[str, ...]
    level: str | None
    judged_at: datetime | None
    stale: str | None


def other_scores(
    ws: Workspace, task: Task, records: tuple[Review, ...], judge: Judge
) -> tuple[OtherScore, ...] | None:
    """Return all other scores of a run, in the order of the criteria: the recorded ones last.

    None until `judge` has scored all that the task leaves to people and nothing has changed since:
    before that, other scores must not be visible.
    """
    if not task.judged:
        return None
    now, order = task.basis, {each.key: at for at, each in enumerate(task.criteria)}
    said = reviews_of_run(records, task.run_id)
    people = [said.judges[name] for name in sorted(said.judges.keys() - {judge.id})]
    machines = [said.machines[name] for name in sorted(said.machines)]
    found = [
        _of_record(key, chain, now)
        for by_key in (*people, *machines)
        for key, chain in by_key.items()
        if score_of(chain.head) is not None
    ]
    found += _recorded(ws, task.run_id)
    found.sort(key=lambda other: (order.get(other.key, len(order)), other.recorded))
    return tuple(found)


def _of_record(key: str, chain: Chain, now: Basis) -> OtherScore:
    head = chain.head
    low, high = scale_of(head) or (None, None)
    evidence = head.fields.get("evidence")
    passages = evidence if isinstance(evidence, list) else []
    return OtherScore(
        key=key,
        judge=judge_of(head),
        judge_type=judge_type_of(head),
        recorded=False,
        score=score_of(head),
        low=low,
        high=high,
        rationale=text_of(head),
        evidence=tuple(each for each in passages if isinstance(each, str)),
        level=text_of(head, "confidenceLevel") or None,
        judged_at=head.created_at,
        stale=stale(head, key, now),
    )


def _recorded(ws: Workspace, run_id: str) -> Iterator[OtherScore]:
    for row in typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run_id)):
        if row.kind in KINDS and row.status != "superseded" and not is_review(row.source):
            yield OtherScore(
                key=f"{row.kind}:{row.criterion or ''}",
                judge=row.judge,
                judge_type=row.judge_type,
                recorded=True,
                score=row.score,
                low=row.min_score,
                high=row.max_score,
                rationale=row.rationale or "",
                evidence=(row.evidence,) if row.evidence else (),
                level=row.confidence_level,
                judged_at=row.judged_at,
                stale=None,
            )
