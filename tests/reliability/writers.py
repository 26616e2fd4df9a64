"""Ways to store a record: evalcore's, and the naive ones that the harness must find out."""

import hashlib
import io
import json
import os
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import convert

from evalcore.families.reviews.models import ReviewRecord, renewed, without_nulls
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.shapes.models import as_json

TIME = "2026-03-02T09:15:00Z"
FIELDS: dict[str, dict[str, Any]] = {
    "eval-judgment": {
        "testRunId": "s::case@v1/-#1", "criterionId": "expectation:c", "score": 4, "minScore": 1,
        "maxScore": 5, "judgedBy": "judge-3f2a", "judgedByType": "human", "confidence": 0.67,
    },
    "adjudication": {
        "testRunId": "s::case@v1/-#1", "criterionId": "expectation:c", "score": 4, "minScore": 1,
        "maxScore": 5, "judgedBy": "judge-3f2a",
    },
    "exclusion": {"testRunId": "s::case@v1/-#1", "reason": "It ran out of time."},
    "note": {"testRunId": None, "text": "A remark."},
    "skip": {"testRunId": "s::case@v1/-#1", "reason": "Not my field."},
    "approval-request": {
        "testRunId": "s::case@v1/-#1", "reason": "Somebody should look.", "judges": 2,
    },
    "independent-batch": {
        "testRunId": "s::case@v1/-#1", "batch": "b", "judges": ["judge-3f2a"], "drawn": "random",
        "outOf": 3,
    },
    "reveal": {"testRunId": "s::case@v1/-#1", "batch": "b"},
    "eval-failure": {"testRunId": "s::case@v1/-#1", "failureType": "refusal", "description": "x",
                     "affectedCriterionIds": [], "severity": "minor"},
    "suggestion-decision": {"testRunId": None, "target": None, "text": "x", "decision": "accepted"},
    "saved-view": {"name": "Failing", "page": "gradings", "address": {"filter": "failing"}},
    "blind-study": {
        "sideA": "v1", "sideB": "v2", "commitment": "c" * 64, "drawn": "one", "pairs": [{
            "pair": "p001", "caseId": "case", "runA": "s::case@v1/-#1", "runB": "s::case@v2/-#1",
            "outputA": "a" * 64, "outputB": "b" * 64,
        }],
    },
    "blind-judge": {"study": "b", "part": "joined"},
    "blind-verdict": {
        "study": "b", "pair": "p001", "winner": None, "rationale": "Taken back.", "judgedAt": TIME,
    },
    "blind-key": {"study": "b", "secret": None},
    "judging-rule": {"reasons": "for a fail"},
    "benchmark": {"name": "all", "testCaseIds": ["case"], "dimension": "quality",
                  "passingThreshold": 0.8, "ownerId": "ada-3f2a"},
    "benchmark-run": {"benchmarkId": "b", "testRunIds": ["s::case@v1/-#1"], "overallScore": 0.8,
                      "passRate": 1.0, "ranAt": TIME, "triggeredBy": "ada-3f2a"},
    "eval-trend": {"benchmarkId": "b", "dimension": "quality", "dataPoints": "[]",
                   "direction": "stable", "lastComputedAt": TIME},
    "prompt-comparison": {"benchmarkId": "b", "promptVersionA": "v1", "promptVersionB": "v2",
                          "scoreA": 0.5, "scoreB": 0.5, "winner": None, "sampleSize": 1,
                          "comparedAt": TIME},
    "relation": {"sourceId": "a", "relation": "references", "targetId": "b"},
    "task": {"title": "Look", "description": "Why did it drop?", "status": "open"},
    "message": {"sender": "evalcore", "recipient": "orchestrator", "subject": "x", "text": "y"},
    "memory-item": {"agentId": None, "lesson": "Name the file."},
    "approval": {"version": "v2", "decision": "refused", "reason": "No run shows improvement."},
}  # fmt: skip


class Stored(NamedTuple):
    """What a writer acknowledged."""

    id: str
    sha256: str
    new: bool


Writer = Callable[[Path, ReviewRecord], Stored]


def record(
    name: str, number: int | str, kind: str = "eval-judgment", size: int = 6_000
) -> ReviewRecord:
    """Return the record of a submission, of about `size` bytes; times are those of now."""
    now = datetime.now(UTC).isoformat()
    fields = {**FIELDS[kind], "number": number}
    if "judgedBy" in fields:
        words = random.Random(str(number)).choices(
            ("gut – ", "日本 ", "plain ", '\\ " '), k=size // 6
        )
        fields |= {"rationale": "".join(words) + "end", "judgedAt": now}
    value = {
        "id": name,
        "type": kind,
        "schema": 1,
        "fields": fields,
        "createdAt": now,
        "createdBy": "judge-3f2a",
    }
    return record_of(value)


def record_of(value: dict[str, Any]) -> ReviewRecord:
    """Return the record of a JSON value."""
    kind, fields = value["type"], value["fields"]
    made = without_nulls(kind, renewed(kind, fields))
    return convert({**value, "fields": made}, ReviewRecord)


def ours(root: Path, record: ReviewRecord) -> Stored:
    """Store a record as evalcore does."""
    receipt = store(ReviewFolder(root, "reviews"), record)
    return Stored(receipt.id, receipt.sha256, receipt.new)


def naive(root: Path, record: ReviewRecord) -> Stored:
    """Store a record as most programs do: look whether it is there, open, dump."""
    path = root / "reviews" / record.type / f"{record.id}.json"
    text = json.dumps(as_json(record), ensure_ascii=False, indent=2)
    sha = hashlib.sha256(text.encode()).hexdigest()
    if path.exists():
        return Stored(record.id, sha, False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path) as file:
        json.dump(as_json(record), file, ensure_ascii=False, indent=2)
    return Stored(record.id, sha, True)


def believing(root: Path, record: ReviewRecord) -> Stored:
    """Store a record as careful programs do that believe what the system answers."""
    path = root / "reviews" / record.type / f"{record.id}.json"
    text = json.dumps(as_json(record), ensure_ascii=False, indent=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    with _opened(temporary) as file:
        file.write(text)
    try:
        os.link(temporary, path)
    except PermissionError:  # no links here
        if not path.exists():
            temporary.rename(path)
    finally:
        temporary.unlink(missing_ok=True)
    return Stored(record.id, hashlib.sha256(text.encode()).hexdigest(), True)


class _Raw(io.RawIOBase):
    """What `open` makes below its buffer, by the calls that faults are put into."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return os.write(self._file, data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            os.close(self._file)


def _opened(path: Path) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(_Raw(path), 8192), encoding="utf-8")


WRITERS: dict[str, Writer] = {"ours": ours, "naive": naive, "believing": believing}
