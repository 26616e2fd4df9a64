"""The judgments of the runs, each checked against the scale of its criterion."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from evalcore.families.base import is_review
from evalcore.families.records.fields import JudgmentFields
from evalcore.families.records.links import Links
from evalcore.families.records.loading import Record
from evalcore.families.records.rubrics import Criterion
from evalcore.families.records.shapes import CONTAINS, SCORES, quoted
from evalcore.families.records.store import Store
from evalcore.problems import Problem, pointer
from evalcore.shapes.judge import names_records
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import CHUNK, Rows, Same

KIND = "rubric"
EARLIEST = datetime.min.replace(tzinfo=UTC)
JUDGE_TYPES = ("llm", "human", "heuristic")


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

    @property
    def order(self) -> tuple[datetime, str]:
        """The sort key: later judgments replace earlier ones."""
        return self.judged_at or EARLIEST, self.record.id

    @property
    def repeats(self) -> bool:
        """Whether it was written from records of people, which stand beside the store."""
        return names_records(self.record.envelope)

    @property
    def review(self) -> bool:
        """Whether it is a review beside the store, which changes no recorded score."""
        return is_review(self.record.path)


def read_judgments(
    store: Store, links: Links, criteria: dict[str, Criterion]
) -> dict[str | None, list[Judgment]]:
    """Return the judgments by run id; those without an existing run under None."""
    judgments: dict[str | None, list[Judgment]] = defaultdict(list)
    runs = store.by_type["test-run"]
    old = [record for record in store.superseded if record.type == "eval-judgment"]
    for superseded, records in ((False, store.all("eval-judgment")), (True, iter(old))):
        for record in records:
            run = links.source(CONTAINS, record.id)
            name = links.target(SCORES, record.id)
            known = criteria.get(name) if name is not None else None
            judgment = _judgment(store, record, name, known, superseded)
            judgments[run if run in runs else None].append(judgment)
    return judgments


def _judgment(
    store: Store, record: Record, criterion: str | None, known: Criterion | None, superseded: bool
) -> Judgment:
    fields = store.fields(record, JudgmentFields)
    score, rationale, high = fields.score, fields.rationale, fields.max_score
    low = known.low if known else None
    if known is not None and known.high is not None:
        high = known.high
    if not superseded:
        if not (rationale or "").strip():
            store.note(no_rationale(record, store.suite))
            score = None
        score = _in_range(store, record, score, low, high)
        if known is not None:
            scale = {"weight": known.weight, "min_score": low, "max_score": known.high}
            note_restated(store.node(record), scale)
    return Judgment(
        record=record,
        criterion=criterion,
        known=known,
        judge=fields.judged_by,
        judge_type=judge_type(store, record, fields.judged_by_type, "judgedByType"),
        score=score,
        low=low,
        high=high,
        confidence=_confidence(store, record, fields.confidence),
        judged_at=store.time(record, "judgedAt"),
        rationale=rationale,
        superseded=superseded,
    )


def no_rationale(record: Record, suite: str) -> Problem:
    """Return the problem of a judgment without a rationale."""
    at = record.fields_at + (pointer("rationale") if "rationale" in record.fields else "")
    return Problem(
        record.path,
        at,
        "warning",
        "no-rationale",
        f"The judgment {quoted(record.id)} has no rationale: a score without reasoning is invalid, "
        "so it counts as unscored.",
        "Add the reason for this score.",
        suite,
    )


def _in_range(
    store: Store, record: Record, score: float | None, low: float | None, high: float | None
) -> float | None:
    """Return the score, or None after reporting that it is outside its scale."""
    if score is None:
        return None
    if (high is not None and score > high) or (low is not None and score < low):
        scale = f"{'…' if low is None else low} to {'…' if high is None else high}"
        store.node(record).note(
            "warning",
            "score-out-of-range",
            f"The score {score} is outside the scale {scale}; it counts as unscored.",
            "Correct the score, or the scale of the criterion.",
            "score",
        )
        return None
    return score


def judge_type(store: Store, record: Record, kind: str | None, key: str) -> str | None:
    """Return the type of judge in the field `key`; unknown ones are reported."""
    if kind is not None and kind not in JUDGE_TYPES:
        store.node(record).note(
            "warning",
            "unknown-judge-type",
            f"{quoted(kind)} is not a type of judge.",
            f"Use one of {', '.join(JUDGE_TYPES)}.",
            key,
        )
    return kind


def _confidence(store: Store, record: Record, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        store.node(record).note(
            "warning",
            "confidence-out-of-range",
            f"The confidence {value} is not between 0 and 1; it was not read.",
            "Write a share between 0 and 1.",
            "confidence",
        )
        return None
    return value


Placed = tuple[str | None, Judgment, str]
"""(run id, judgment, status)."""


def status_of(judgment: Judgment) -> str:
    """Return the status of a judgment that is not superseded."""
    if judgment.superseded:
        return "superseded"
    return "unscored" if judgment.score is None else "scored"


def add_judgments(placed: Sequence[Placed], rows: Rows) -> None:
    """Add the rows of judgments, in order."""
    for start in range(0, len(placed), CHUNK):
        keys, judgments, statuses = zip(*placed[start : start + CHUNK], strict=True)
        rows.tables["judgments"].extend(
            len(judgments),
            {
                "run_id": keys,
                "kind": Same(KIND),
                "criterion": [judgment.criterion for judgment in judgments],
                "judge": [judgment.judge for judgment in judgments],
                "judge_type": [judgment.judge_type or "llm" for judgment in judgments],
                "score": [judgment.score for judgment in judgments],
                "min_score": [judgment.low for judgment in judgments],
                "max_score": [judgment.high for judgment in judgments],
                "fraction": [_fraction(judgment) for judgment in judgments],
                "confidence": [judgment.confidence for judgment in judgments],
                "judged_at": [judgment.judged_at for judgment in judgments],
                "status": statuses,
                "source": [judgment.record.path for judgment in judgments],
                "pointer": [judgment.record.at for judgment in judgments],
                "rationale": [judgment.rationale for judgment in judgments],
            },
        )


def _fraction(judgment: Judgment) -> float | None:
    return judgment.score / judgment.high if judgment.score is not None and judgment.high else None
