"""Rows of what is remembered of a suite, from records of any form; and how a store writes them."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node, decoded, parse_time
from evalcore.tables.rows import (
    ApprovalRow,
    BenchmarkDefinitionRow,
    BenchmarkRunRow,
    ComparisonRow,
    FailureRow,
    MessageRow,
    TrendPointRow,
)

MAX_PAYLOAD: Final = 20_000
"""So many characters of a payload are shown; its document has the whole."""

DECISIONS: Final = ("approved", "refused", "waived", "withdrawn")


class Said(NamedTuple):
    """A record that counts: its fields as a node, its place, and the ids it replaces or rivals."""

    suite: str
    id: str
    node: Node
    author: str | None
    created_at: datetime | None
    path: str
    pointer: str
    supersedes: Sequence[str] = ()
    rivals: Sequence[str] = ()

    @property
    def columns(self) -> dict[str, Any]:
        """What each row of a record says of the record itself."""
        return {
            "suite": self.suite,
            "author": self.author,
            "created_at": self.created_at,
            "source": self.path,
            "pointer": self.pointer,
            "rivals": _names_json(self.rivals),
        }


class NewRecord(NamedTuple):
    """What a store is to write: a record of a type about something, dated `at`."""

    type: str
    id: str
    fields: dict[str, Any]
    about: str
    at: str
    author: str
    supersedes: Sequence[str] = ()


Placing = Callable[[Sequence[tuple[str, str]], NewRecord], tuple[str, dict[str, Any]]]
"""Returns path and value of a new record, given the documents (path, kind) of its store."""


def _names_json(names: Sequence[str]) -> str | None:
    """Return ids as a JSON list; None without any."""
    return json.dumps(list(names), ensure_ascii=False) if names else None


def definition_row(said: Said, cases: Sequence[str]) -> BenchmarkDefinitionRow:
    """Return the row of a benchmark with the ids of its cases."""
    node = said.node
    return BenchmarkDefinitionRow(
        **said.columns,
        benchmark=said.id,
        name=node.text("name"),
        description=node.text("description"),
        dimension=node.text("dimension"),
        passing_threshold=node.number("passingThreshold"),
        owner=node.text("ownerId"),
        status=node.text("status"),
        last_run_at=node.time("lastRunAt"),
        last_score=node.number("lastScore"),
        cases=json.dumps(list(cases), ensure_ascii=False),
    )


def benchmark_run_row(
    said: Said,
    of: BenchmarkDefinitionRow,
    stated: tuple[float | None, float | None],
    runs: int,
) -> BenchmarkRunRow:
    """Return the row of a run of a benchmark, with its `stated` overall score and pass rate."""
    return BenchmarkRunRow(
        suite=said.suite,
        benchmark_run=said.id,
        benchmark=of.benchmark,
        name=of.name,
        dimension=of.dimension,
        configuration="-",
        overall_score=stated[0],
        pass_rate=stated[1],
        passing_threshold=of.passing_threshold,
        ran_at=said.node.time("ranAt"),
        triggered_by=said.node.text("triggeredBy"),
        notes=said.node.text("notes"),
        runs=runs or None,
        status=of.status,
        source=said.path,
        pointer=said.pointer,
    )


def prompt_comparison_row(node: Node, name: str, pointer: str) -> ComparisonRow:
    """Return the row of two versions compared on a benchmark, without who won and which it is."""
    return ComparisonRow(
        comparison_id=name,
        suite=node.suite,
        version_a=node.text("promptVersionA"),
        version_b=node.text("promptVersionB"),
        total_a=node.number("scoreA"),
        total_b=node.number("scoreB"),
        sample_size=node.whole("sampleSize"),
        versions_from="record",
        compared_at=node.time("comparedAt"),
        summary=node.text("notes"),
        source=node.path,
        pointer=pointer,
    )


def failure_row(
    said: Said, run: str | None, criteria: Sequence[str], resolved_at: datetime | None
) -> FailureRow:
    """Return the row of a failure of a run, with the names of the criteria that it affects."""
    node = said.node
    return FailureRow(
        suite=said.suite,
        failure_id=said.id,
        run_id=run,
        failure_type=node.text("failureType"),
        description=node.text("description"),
        criteria=json.dumps(criteria, ensure_ascii=False),
        severity=node.text("severity"),
        root_cause=node.text("rootCause") or None,
        resolved_at=resolved_at,
        resolution_notes=node.text("resolutionNotes"),
        source=said.path,
        pointer=said.pointer,
        author=said.author,
        created_at=said.created_at,
    )


def note_repeated(node: Node, name: str | None, first: str, own: str) -> None:
    """Report a benchmark whose name another one of its suite has; `first` is that one's id."""
    if name and first != own:
        message = f"The benchmark {own[:60]!r} has the name {name[:60]!r}, as {first[:60]!r} has."
        hint = "Give each benchmark its own name, or retire one of them."
        node.note("warning", "repeated-name", message, hint, "name")


def approval_row(said: Said) -> ApprovalRow:
    """Return the row of a decision on a version; one with an unknown word decides nothing."""
    node = said.node
    decision = node.text("decision")
    if decision not in DECISIONS:
        message = (
            f"The decision {str(decision)[:60]!r} is not one of {', '.join(DECISIONS)}, so it "
            "has no effect."
        )
        hint = "Use one of these words."
        key = "decision" if decision is not None else None
        node.note("warning", "unknown-decision", message, hint, key)
        decision = None
    runs = [text for text, _ in node.texts("benchmarkRunIds")]
    return ApprovalRow(
        **said.columns,
        approval=said.id,
        version=node.text("version"),
        baseline=node.text("baseline"),
        decision=decision,
        reason=node.text("reason"),
        benchmark=node.text("benchmarkId"),
        comparison=node.text("comparisonId"),
        benchmark_runs=_names_json(runs),
        version_sha256=node.text("versionSha256"),
        evidence_sha256=node.text("evidenceSha256"),
        owner=node.text("owner"),
        expires_at=node.time("expiresAt"),
        supersedes=_names_json(said.supersedes),
    )


_TEXTS: Final = {
    "task": {
        "recipient": "assignee",
        "subject": "title",
        "text": "description",
        "status": "status",
    },
    "message": {
        "sender": "sender",
        "recipient": "recipient",
        "subject": "subject",
        "text": "text",
        "in_reply_to": "inReplyTo",
    },
    "memory-item": {"recipient": "agentId", "text": "lesson"},
}
"""The texts of each kind of message: column to field."""
MESSAGES: Final = tuple(_TEXTS)


def message_row(kind: str, said: Said) -> MessageRow:
    """Return the row of a task, a message, or a lesson for an agent."""
    node = said.node
    payload = node.get("payload") if kind == "message" else None
    if kind == "task" and (resolution := node.text("resolution")):
        payload = {"resolution": resolution}
    if kind == "memory-item" and node.has("tags"):
        tags = [text for text, _ in node.texts("tags")]
        payload = {"tags": tags} if tags else None
    columns = {"about_type": "aboutType", "about": "aboutId", **_TEXTS[kind]}
    texts: dict[str, Any] = {column: node.text(field) for column, field in columns.items()}
    row = MessageRow(**said.columns, message=said.id, kind=kind, **texts)
    if kind == "task":
        row = row._replace(status=row.status or "open")
    if kind == "message":
        row = row._replace(expects_answer=node.flag("expectsAnswer"))
    if payload is None or payload == {}:
        return row
    try:
        text = json.dumps(payload, ensure_ascii=False)
    except RecursionError:
        text = "(nested too deeply to show here; see the raw document)"
    if len(text) > MAX_PAYLOAD:
        text = text[: MAX_PAYLOAD - 1] + "…"
    return row._replace(payload=text)


def trend_rows(said: Said, benchmark: str | None) -> list[TrendPointRow]:
    """Return a row for each point of a trend, which may be written as JSON text."""
    node = said.node
    dimension, direction = node.text("dimension"), node.text("direction")
    computed_at = node.time("lastComputedAt")
    value = node.get("dataPoints")
    points = [] if value is None or value == "" else decoded(value)
    if not isinstance(points, list):
        node.wrong("dataPoints", "a list of {date, score}, also as JSON text")
        return []
    rows = []
    for index, item in enumerate(points):
        at = f"{node.at}/dataPoints" + ("" if isinstance(value, str) else f"/{index}")
        point = Node(node.reader, node.path, item, at, node.suite)
        if not isinstance(item, dict):
            point.type_problem("an object with date and score")
            continue
        date = parse_time(item.get("date"))
        if date is None:
            message = f"The point's date {str(item.get('date'))[:60]!r} is not an ISO 8601 date."
            hint = "Write it like 2026-02-22 or 2026-02-22T20:00:00Z."
            point.note("warning", "no-date", message, hint)
        rows.append(
            TrendPointRow(
                suite=said.suite,
                benchmark=benchmark,
                trend_id=said.id,
                dimension=dimension,
                date=date,
                score=point.number("score"),
                direction=direction,
                computed_at=computed_at,
                source=said.path,
                pointer=at,
            )
        )
    return rows


def rate(node: Node) -> float | None:
    """Return `passRate` as a share; above 1 it is read as percent."""
    value, hint = node.number("passRate"), "Write a share between 0 and 1."
    if value is None or 0 <= value <= 1:
        return value
    if 1 < value <= 100:
        message = f"passRate {value:g} is read as percent: {value / 100:g}."
        node.note("info", "percent-rate", message, hint, "passRate")
        return value / 100
    message = f"passRate {value:g} is neither a share nor a percentage; it was not read."
    node.note("warning", "rate-out-of-range", message, hint, "passRate")
    return None
