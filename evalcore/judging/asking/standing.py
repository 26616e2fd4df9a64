"""What others said of a run: who judged it, and to whoever judged it too, how."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.families.base import is_review
from evalcore.families.reviews.asking import ASKED as KINDS
from evalcore.families.reviews.review import Chain, Review
from evalcore.judging.asking.asked import asked, basis
from evalcore.judging.asking.tasks import judged_whole, mine, stale
from evalcore.judging.model import Basis, Judge
from evalcore.judging.storing.heads import of_run, scale_of, score_of, text_of
from evalcore.tables.rows import JudgmentRow
from evalcore.workspace.opened import Workspace


class Other(NamedTuple):
    """What somebody else said of one criterion; `key` is `kind:criterion`.

    `judge` is a person's id, or the name of the recorded judge (None where it has none), which
    `recorded` tells. `stale` says what changed since, None when nothing did.
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


def others(
    ws: Workspace, run_id: str, shelf: tuple[Review, ...], judge: Judge
) -> tuple[Other, ...] | None:
    """Return what other people and the recorded judge said of a run, by criterion in its order.

    None as long as `judge` has not judged all of it, or where something changed since: until then
    nobody's score may be seen.

    Raises:
        UnknownName: there is no such run.
    """
    criteria, now = asked(ws, run_id), basis(ws, run_id)
    if not judged_whole(mine(shelf, run_id, judge, now), criteria):
        return None
    order = {each.key: at for at, each in enumerate(criteria)}
    said = of_run(shelf, run_id).judges
    found = [
        _of_person(name, key, chain, now)
        for name in sorted(said.keys() - {judge.id})
        for key, chain in said[name].items()
        if score_of(chain.head) is not None
    ]
    found += _recorded(ws, run_id)
    found.sort(key=lambda other: (order.get(other.key, len(order)), other.recorded))
    return tuple(found)


def _of_person(name: str, key: str, chain: Chain, now: Basis) -> Other:
    head = chain.head
    low, high = scale_of(head) or (None, None)
    evidence = head.fields.get("evidence")
    passages = evidence if isinstance(evidence, list) else []
    return Other(
        key,
        name,
        "human",
        False,
        score_of(head),
        low,
        high,
        text_of(head),
        tuple(each for each in passages if isinstance(each, str)),
        text_of(head, "confidenceLevel") or None,
        head.created_at,
        stale(head, key, now),
    )


def _recorded(ws: Workspace, run_id: str) -> Iterator[Other]:
    for row in typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run_id)):
        if row.kind in KINDS and row.status != "superseded" and not is_review(row.source):
            yield Other(
                f"{row.kind}:{row.criterion or ''}",
                row.judge,
                row.judge_type,
                True,
                row.score,
                row.min_score,
                row.max_score,
                row.rationale or "",
                (row.evidence,) if row.evidence else (),
                row.confidence_level,
                row.judged_at,
                None,
            )
