"""The judgments of the runs, each checked against a scale, and what they add up to."""

import math
import operator
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple

import msgspec

from evalcore.disk.values import Node
from evalcore.families.base import UNATTACHED, is_review
from evalcore.families.records.links import Links
from evalcore.families.records.rubrics import Criterion, Rubric
from evalcore.families.records.shapes import CONTAINS, SCORES
from evalcore.families.records.store import Record, Store
from evalcore.families.scoring import RUBRIC
from evalcore.numbers import at_least
from evalcore.problems import quoted
from evalcore.shapes.judge import TYPES
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import CHUNK, Rows
from evalcore.tables.gathered import Gathered


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
        node, superseded = store.node(record), record.id not in current
        score, rationale = node.number("score"), node.text("rationale")
        high, low = node.number("maxScore"), known.low if known else None
        if known is not None and known.high is not None:
            high = known.high
        if not superseded:
            if not (rationale or "").strip():
                message = (
                    f"The judgment {quoted(record.id)} has no rationale: a score without reasoning "
                    "is invalid, so it counts as unscored."
                )
                key = "rationale" if "rationale" in record.fields else None
                hint = "Add the reason for this score."
                node.note("warning", "no-rationale", message, hint, key)
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
        judgments[run if run in runs else None].append(
            Judgment(
                record=record,
                criterion=name,
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
        )
    return judgments


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
    names = (
        "run_id", "criterion", "judge", "judge_type", "score", "min_score", "max_score", "fraction",
        "confidence", "judged_at", "status", "source", "pointer", "rationale",
    )  # fmt: skip
    gathered = Gathered(rows.tables["judgments"], names, kind=RUBRIC)
    for position, (run, each, status) in enumerate(placed, 1):
        fraction = each.score / each.high if each.score is not None and each.high else None
        scale = each.score, each.low, each.high, fraction
        who = run, each.criterion, each.judge, each.judge_type or "llm"
        where = each.record.path, each.record.at
        gathered.add(
            (*who, *scale, each.confidence, each.judged_at, status, *where, each.rationale)
        )
        if position % CHUNK == 0:
            gathered.flush()
    gathered.flush()


_EARLIEST = datetime.min.replace(tzinfo=UTC)

Judge = tuple[str | None, str | None]
"""(name, type)"""


class Total(NamedTuple):
    """One judge's total of a run; `gap` says why it cannot be computed at all.

    `score` is None without `gap` if a criterion is unscored.
    """

    score: float | None
    max_score: float | None
    passed: bool | None
    judged: int
    expected: int
    gap: str | None = None


class Grade(NamedTuple):
    """All judgments of one run: the recorded total with its judge, and every judge's own total."""

    recorded: Total
    judge: Judge
    totals: dict[Judge, Total]
    replaced: list[Judgment]
    missing: list[Criterion]


def grade(judgments: Sequence[Judgment], rubric: Rubric | None, judge_type: str | None) -> Grade:
    """Grade a run whose record names `judge_type` as the type of its judge.

    Each judge's newest judgment of a criterion counts. The recorded ones are by the run's type of
    judge; if several of that type judged, by the one who judged most of it, completed by the
    others. Reviews beside the store are not recorded.
    """
    judges: dict[Judge, dict[str, Judgment]] = {}
    replaced = []
    current = [judgment for judgment in judgments if not judgment.superseded]
    for judgment in sorted(current, key=lambda each: (each.judged_at or _EARLIEST, each.record.id)):
        own = judges.setdefault((judgment.judge, judgment.judge_type), {})
        if (old := own.get(judgment.criterion or "")) is not None:
            replaced.append(old)
        own[judgment.criterion or ""] = judgment
    totals = {judge: _total(own, rubric) for judge, own in judges.items()}
    fitting = [
        {name: judgment for name, judgment in own.items() if not is_review(judgment.record.path)}
        for (_, kind), own in judges.items()
        if judge_type in (None, kind)
    ]
    recorded: dict[str, Judgment] = {}
    for own in sorted(fitting, key=len, reverse=True):
        recorded = {**own, **recorded}
    names = {(judgment.judge, judgment.judge_type) for judgment in recorded.values()}
    judge: Judge = (None, judge_type)
    if len(names) == 1:
        (judge,) = names
    elif names and judge_type is None:
        judge = (None, next(iter(recorded.values())).judge_type)
    missing = [each for each in rubric.criteria if each.id not in recorded] if rubric else []
    total = totals[judge] if recorded == judges.get(judge) else _total(recorded, rubric)
    return Grade(total, judge, totals, replaced, missing if recorded else [])


def _total(judgments: Mapping[str, Judgment], rubric: Rubric | None) -> Total:
    """Add up judgments by criterion over the rubric (without one: over the judged criteria)."""
    if rubric is not None and (rubric.criteria or rubric.missing):
        criteria: Sequence[Criterion] = rubric.criteria
    else:
        criteria = [each.known for each in judgments.values() if each.known is not None]
    missing = rubric.missing if rubric is not None else 0
    weights = [criterion.weight for criterion in criteria]
    found = [(criterion, judgments.get(criterion.id)) for criterion in criteria]
    scores = [judgment.score if judgment else None for _, judgment in found]
    gap = None
    if not judgments:
        gap = "it has no judgment of the judge it names"
    elif missing:
        gap = "a criterion of its rubric is not in this store"
    elif not weights:
        gap = "none of its judgments names a criterion of this store"
    elif None in weights:
        gap = "a criterion has no weight"
    judged, expected = len(scores) - scores.count(None), len(criteria) + missing
    if gap is not None:
        return Total(None, None, None, judged, expected, gap)
    score = weighted(weights, scores)
    highest = [judgment.high if judgment else criterion.high for criterion, judgment in found]
    return Total(score, weighted(weights, highest), passes(score, rubric), judged, expected)


def passes(score: float | None, rubric: Rubric | None) -> bool | None:
    """Return whether a total reaches the rubric's threshold; None if either is unknown."""
    if score is None or rubric is None or rubric.threshold is None:
        return None
    return at_least(score, rubric.threshold)


def weighted(weights: Sequence[float | None], values: Sequence[float | None]) -> float | None:
    """Return Σ weight·value; None if any part is missing."""
    if None in weights or None in values:
        return None
    return math.fsum(map(operator.mul, weights, values))
