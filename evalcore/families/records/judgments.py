"""The judgments of the runs, each checked against the scale of its criterion."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import chain

import msgspec

from evalcore.disk.values import Node
from evalcore.families.base import UNATTACHED
from evalcore.families.records.links import Links
from evalcore.families.records.rubrics import Criterion
from evalcore.families.records.shapes import CONTAINS, SCORES
from evalcore.families.records.store import Record, Store
from evalcore.families.scoring import RUBRIC
from evalcore.problems import Problem, quoted
from evalcore.shapes.judge import TYPES
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import CHUNK, Rows, Same


class Judgment(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One judgment; `score` is None if it is unscored, `criterion` the id if known."""

    record: Record
    criterion: str | None
    known: Criterion | None
    judge: str | None
    judge_type: str | None
    score: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    judged_at: datetime | None = None
    rationale: str | None = None
    superseded: bool = False

    def status(self, *, attached: bool = True) -> str:
        """Return its status; it is not `attached` where it is part of no run's total."""
        if self.superseded:
            return "superseded"
        if self.score is None:
            return "unscored"
        return "scored" if attached else UNATTACHED


def read_judgments(
    store: Store, links: Links, criteria: dict[str, Criterion]
) -> dict[str | None, list[Judgment]]:
    """Return the judgments by run id; those without an existing run under None."""
    judgments: dict[str | None, list[Judgment]] = defaultdict(list)
    runs = store.by_type["test-run"]
    old = [record for record in store.superseded if record.type == "eval-judgment"]
    current = store.by_type["eval-judgment"]
    for record in chain(current.values(), old):
        name = links.target(SCORES, record.id)
        known = criteria.get(name) if name is not None else None
        run = links.source(CONTAINS, record.id)
        judgment = _judgment(store, record, name, known, record.id not in current)
        judgments[run if run in runs else None].append(judgment)
    return judgments


def _judgment(
    store: Store, record: Record, criterion: str | None, known: Criterion | None, superseded: bool
) -> Judgment:
    node = store.node(record)
    score, rationale, high = node.number("score"), node.text("rationale"), node.number("maxScore")
    low = known.low if known else None
    if known is not None and known.high is not None:
        high = known.high
    if not superseded:
        if not (rationale or "").strip():
            store.note(no_rationale(store, record))
            score = None
        below = score is not None and low is not None and score < low
        if below or (score is not None and high is not None and score > high):
            scale = f"{'…' if low is None else low} to {'…' if high is None else high}"
            message = f"The score {score} is outside the scale {scale}; it counts as unscored."
            hint = "Correct the score, or the scale of the criterion."
            node.note("warning", "score-out-of-range", message, hint, "score")
            score = None
        if known is not None:
            defined = {"weight": known.weight, "min_score": low, "max_score": known.high}
            note_restated(node, defined)
    judge, kind = node.text("judgedBy"), judge_type(node, "judgedByType")
    confidence = node.number("confidence")
    if confidence is not None and not 0 <= confidence <= 1:
        message = f"The confidence {confidence} is not between 0 and 1; it was not read."
        hint = "Write a share between 0 and 1."
        node.note("warning", "confidence-out-of-range", message, hint, "confidence")
        confidence = None
    return Judgment(
        record=record,
        criterion=criterion,
        known=known,
        judge=judge,
        judge_type=kind,
        score=score,
        low=low,
        high=high,
        confidence=confidence,
        judged_at=node.time("judgedAt"),
        rationale=rationale,
        superseded=superseded,
    )


def no_rationale(store: Store, record: Record) -> Problem:
    """Return the problem of a judgment without a rationale."""
    message = (
        f"The judgment {quoted(record.id)} has no rationale: a score without reasoning is invalid, "
        "so it counts as unscored."
    )
    hint = "Add the reason for this score."
    return store.warning(record, "rationale", "no-rationale", message, hint)


def judge_type(node: Node, key: str) -> str | None:
    """Return the type of judge in the field `key`; unknown ones are reported."""
    kind = node.text(key)
    if kind is not None and kind not in TYPES:
        message, hint = f"{quoted(kind)} is not a type of judge.", f"Use one of {', '.join(TYPES)}."
        node.note("warning", "unknown-judge-type", message, hint, key)
    return kind


Placed = tuple[str | None, Judgment, str]
"""(run id, judgment, status)."""


def add_judgments(placed: Sequence[Placed], rows: Rows) -> None:
    """Add the rows of judgments, many at once."""
    for start in range(0, len(placed), CHUNK):
        keys, judgments, statuses = zip(*placed[start : start + CHUNK], strict=True)
        rows.tables["judgments"].extend(
            len(keys),
            {
                "run_id": keys,
                "kind": Same(RUBRIC),
                "criterion": [each.criterion for each in judgments],
                "judge": [each.judge for each in judgments],
                "judge_type": [each.judge_type or "llm" for each in judgments],
                "score": [each.score for each in judgments],
                "min_score": [each.low for each in judgments],
                "max_score": [each.high for each in judgments],
                "fraction": [
                    each.score / each.high if each.score is not None and each.high else None
                    for each in judgments
                ],
                "confidence": [each.confidence for each in judgments],
                "judged_at": [each.judged_at for each in judgments],
                "status": statuses,
                "source": [each.record.path for each in judgments],
                "pointer": [each.record.at for each in judgments],
                "rationale": [each.rationale for each in judgments],
            },
        )
