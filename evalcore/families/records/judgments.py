"""The judgments of the runs, each checked against the scale of its criterion."""

from collections import defaultdict
from datetime import UTC, datetime
from typing import NamedTuple

from evalcore.disk.values import Node
from evalcore.families.base import is_review
from evalcore.families.records.links import Links
from evalcore.families.records.rubrics import Criterion
from evalcore.families.records.shapes import CONTAINS, SCORES, said
from evalcore.families.records.store import Record, Store
from evalcore.problems import Problem, pointer
from evalcore.tables.rows import JudgmentRow

KIND = "rubric"
EARLIEST = datetime.min.replace(tzinfo=UTC)
JUDGE_TYPES = ("llm", "human", "heuristic")


class Mark(NamedTuple):
    """One judgment; `score` is None when it is unscored, `criterion` the id as far as known."""

    record: Record
    criterion: str | None
    known: Criterion | None
    judge: str | None
    judge_type: str | None
    score: float | None
    low: float | None
    high: float | None
    confidence: float | None
    judged_at: datetime | None
    rationale: str | None
    superseded: bool

    @property
    def order(self) -> tuple[datetime, str]:
        """What comes later replaces what came before."""
        return self.judged_at or EARLIEST, self.record.id

    @property
    def review(self) -> bool:
        """Whether a person added it beside the store; such a judgment changes no recorded score."""
        return is_review(self.record.path)


def read_marks(
    store: Store, links: Links, criteria: dict[str, Criterion]
) -> dict[str | None, list[Mark]]:
    """Return the judgments by the id of their run; those without a run that exists under None."""
    marks: dict[str | None, list[Mark]] = defaultdict(list)
    runs = store.by_type["test-run"]
    old = [record for record in store.superseded if record.type == "eval-judgment"]
    for superseded, records in ((False, store.all("eval-judgment")), (True, iter(old))):
        for record in records:
            run = links.source(CONTAINS, record.id)
            name = links.target(SCORES, record.id)
            known = criteria.get(name) if name is not None else None
            mark = _mark(store, record, name, known, superseded)
            marks[run if run in runs else None].append(mark)
    return marks


def _mark(
    store: Store, record: Record, criterion: str | None, known: Criterion | None, superseded: bool
) -> Mark:
    node = store.node(record)
    score, rationale = node.number("score"), node.text("rationale")
    high, low = node.number("maxScore"), known.low if known else None
    if high is None:
        high = known.high if known else None
    if not superseded:
        if not (rationale or "").strip():
            store.note(no_rationale(record, store.suite))
            score = None
        score = _in_range(node, score, low, high)
        _check_scale(node, high, known)
    return Mark(
        record, criterion, known, node.text("judgedBy"), _judge_type(node), score, low, high,
        _confidence(node), node.time("judgedAt"), rationale, superseded,
    )  # fmt: skip


def no_rationale(record: Record, suite: str) -> Problem:
    """Return the problem of a judgment that gives no reason for its score."""
    at = record.fields_at + (pointer("rationale") if "rationale" in record.fields else "")
    return Problem(
        record.path, at, "warning", "no-rationale",
        f"The judgment {said(record.id)} has no rationale: a score without reasoning is invalid, "
        "so it counts as unscored.",
        "Write down why this score was given.", suite,
    )  # fmt: skip


def _in_range(
    node: Node, score: float | None, low: float | None, high: float | None
) -> float | None:
    """Return the score, or None after noting that it lies outside its scale."""
    if score is None:
        return None
    if (high is not None and score > high) or (low is not None and score < low):
        scale = f"{'…' if low is None else low} to {'…' if high is None else high}"
        node.note("warning", "score-out-of-range",
                  f"The score {score} lies outside the scale {scale}; it counts as unscored.",
                  "Correct the score, or the scale of the criterion.", "score")  # fmt: skip
        return None
    return score


def _check_scale(node: Node, high: float | None, known: Criterion | None) -> None:
    if known is not None and known.high is not None and high is not None and high != known.high:
        node.note("warning", "scale-mismatch",
                  f"The judgment says maxScore {high}, its criterion {said(known.name)} says "
                  f"{known.high}; the judgment's own is used.",
                  "Judge again on the criterion's scale, or correct it.", "maxScore")  # fmt: skip


def _judge_type(node: Node) -> str | None:
    kind = node.text("judgedByType")
    if kind is not None and kind not in JUDGE_TYPES:
        node.note("warning", "unknown-judge-type", f"{said(kind)} is no type of judge.",
                  f"Use one of {', '.join(JUDGE_TYPES)}.", "judgedByType")  # fmt: skip
    return kind


def _confidence(node: Node) -> float | None:
    value = node.number("confidence")
    if value is not None and not 0 <= value <= 1:
        node.note("warning", "confidence-out-of-range",
                  f"The confidence {value} does not lie between 0 and 1; it was not read.",
                  "Write a share between 0 and 1.", "confidence")  # fmt: skip
        return None
    return value


def judgment_row(mark: Mark, run_id: str | None, status: str | None = None) -> JudgmentRow:
    """Return the row of a judgment; `status` where it is not simply scored or unscored."""
    score, high = mark.score, mark.high
    fraction = score / high if score is not None and high else None
    if status is None:
        status = "superseded" if mark.superseded else "unscored" if score is None else "scored"
    return JudgmentRow(
        run_id, KIND, mark.criterion, mark.judge, mark.judge_type or "llm", score, mark.low, high,
        fraction, None, mark.confidence, None, mark.judged_at, status, mark.record.path,
        mark.record.at, mark.rationale, None,
    )  # fmt: skip
