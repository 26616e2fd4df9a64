"""Small stores of records, written to disk and read back as rows."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from evalcore.disk.listing import list_files
from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import Plan
from evalcore.families.records import FAMILY
from evalcore.layouts.shapes import Document
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.cells import values
from evalcore.tables.columns import FinishedColumn
from evalcore.tables.rows import TABLES

RowT = TypeVar("RowT")
Fields = dict[str, Any]


class Opened:
    """What the family makes of a folder."""

    def __init__(self, root: Path) -> None:
        self.reader = Reader(list_files(root))
        self.loose = {
            path: Document(value)
            for path in self.reader.listing.paths
            if (value := self._value(path)) is not MISSING
        }
        self.plans: list[Plan] = FAMILY.find(self.reader, self.loose)
        self.rows = Rows()
        for plan in self.plans:
            FAMILY.read(plan, self.reader, self.rows)
        self.columns = self.rows.finished()

    def _value(self, path: str) -> Any:
        if path.endswith(".jsonl"):
            return [item for _, item in self.reader.jsonl(path)]
        return self.reader.json(path)

    def all(self, kind: type[RowT]) -> list[RowT]:
        """Return the rows of one table."""
        name = next(name for name, row_type in TABLES.items() if row_type is kind)
        columns = [_cells(column) for column in self.columns[name].values()]
        return [kind(*row) for row in zip(*columns, strict=True)]

    def one(self, kind: type[RowT]) -> RowT:
        """Return the only row of a table."""
        (row,) = self.all(kind)
        return row

    def everything(self) -> dict[str, list[Any]]:
        """Return the rows of all tables."""
        return {name: self.all(kind) for name, kind in TABLES.items()}

    def problems(self, code: str) -> list[Problem]:
        """Return the problems of one code."""
        return [problem for problem in self.reader.problems if problem.code == code]

    @property
    def codes(self) -> set[str]:
        """The codes of all problems."""
        return {problem.code for problem in self.reader.problems}


def _cells(column: FinishedColumn) -> list[Any]:
    """The cells of a column as they were added."""
    if column.kind != "time":
        return values(column)
    return [None if us is None else datetime.fromtimestamp(us / 1e6, UTC) for us in values(column)]


def write(root: Path, files: Mapping[str, Any]) -> Path:
    """Write each value as JSON; a text is written as it is."""
    for path, value in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        target.write_text(text, encoding="utf-8")
    return root


def record(kind: str, name: str, fields: Fields, **envelope: Any) -> Fields:
    """Return a record."""
    stamp = "2026-02-01T08:00:00Z"
    whole = {"id": name, "type": kind, "fields": fields, "createdAt": stamp, "updatedAt": stamp}
    return {**whole, **envelope}


def criterion(name: str, weight: float | None, **fields: Any) -> Fields:
    """Return a criterion of the rubric `r`, scored from 1 to 5."""
    base = {
        "rubricId": "r",
        "name": name.title(),
        "description": "What good looks like",
        "weight": weight,
        "scoringGuide": "5 when flawless",
        "minScore": 1,
        "maxScore": 5,
    }
    return record("rubric-criterion", name, {**base, **fields})


def judgment(name: str, run: str, of: str, score: float | None, **fields: Any) -> Fields:
    """Return a judgment by the llm `judge`."""
    base = {
        "testRunId": run,
        "criterionId": of,
        "score": score,
        "maxScore": 5,
        "rationale": "Names the date",
        "judgedBy": "judge",
        "judgedByType": "llm",
        "judgedAt": "2026-02-02T08:00:00Z",
        "confidence": 0.8,
    }
    return record("eval-judgment", name, {**base, **fields})


def a_run(name: str = "run", **fields: Any) -> Fields:
    """Return a run of the case `case` that passed with 4.4 of 5."""
    base = {
        "testCaseId": "case",
        "agentRunId": "ar-1",
        "promptVersionRef": "reply@1",
        "actualOutput": {"text": "Dear Ana"},
        "passed": True,
        "totalScore": 4.4,
        "maxPossibleScore": 5,
        "ranAt": "2026-02-02T08:00:00Z",
        "durationMs": 1500,
        "judgeType": "llm",
    }
    return record("test-run", name, {**base, **fields})


def a_case(name: str = "case", **fields: Any) -> Fields:
    """Return a test case that the rubric `r` judges."""
    base = {
        "name": "Refund",
        "description": "",
        "agentId": "agent",
        "skillId": "skill",
        "promptVersionRef": "reply@1",
        "inputs": {"prompt": "Where is my refund?"},
        "expectedOutputs": {"answer": "Within 14 days"},
        "rubricId": "r",
        "tags": ["money"],
        "status": "active",
    }
    return record("test-case", name, {**base, **fields})


def a_rubric(**fields: Any) -> Fields:
    """Return the rubric `r`: relevance 0.6, tone 0.4, passing at 3."""
    base = {
        "name": "Reply",
        "description": "",
        "criteriaIds": ["relevance", "tone"],
        "passingThreshold": 3,
        "version": 1,
        "isActive": True,
    }
    return record("rubric", "r", {**base, **fields})


def basic(**replaced: Fields | None) -> dict[str, Fields]:
    """Return a store with one run of one case, fully judged: 0.6 · 5 + 0.4 · 3.5 = 4.4.

    A keyword replaces the record of that id, or adds it; None takes it out.
    """
    records = {
        "case": a_case(),
        "r": a_rubric(),
        "relevance": criterion("relevance", 0.6),
        "tone": criterion("tone", 0.4),
        "run": a_run(),
        "j1": judgment("j1", "run", "relevance", 5),
        "j2": judgment("j2", "run", "tone", 3.5),
    }
    for name, value in replaced.items():
        if value is None:
            del records[name]
        else:
            records[name] = value
    return {f"{value['type']}/{name}.json": value for name, value in records.items()}


def opened(root: Path, **replaced: Fields | None) -> Opened:
    """Write the basic store with some records replaced, and open it."""
    return Opened(write(root, basic(**replaced)))
