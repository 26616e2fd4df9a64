"""The chain of a record, for the page that shows it: what each record is called, and its page."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from evalcore.approvals.standing import standing
from evalcore.chains.find import Chain, chain, chain_of, record_at
from evalcore.chains.find import Link as Related
from evalcore.chains.joins import Column, named
from evalcore.chains.records import IDS, Records, SuiteRecords
from evalcore.chains.relations import SENT
from evalcore.counting.cells import typed
from evalcore.tables.rows import (
    TABLES,
    ApprovalRow,
    BenchmarkDefinitionRow,
    BenchmarkRunRow,
    CaseRow,
    ComparisonRow,
    CriterionRow,
    FailureRow,
    JudgmentRow,
    MessageRow,
    RunRow,
    TrendPointRow,
)
from evalcore.views.blocks import chain as blocks
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.chain import ChainRecord
from evalcore.views.blocks.page import Heading
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

TYPES: Final[Mapping[str, str]] = {
    "test-case": "test case",
    "rubric": "rubric",
    "rubric-criterion": "criterion",
    "test-run": "test run",
    "eval-judgment": "judgment",
    "benchmark": "benchmark",
    "benchmark-run": "benchmark run",
    "eval-trend": "trend",
    "eval-failure": "failure",
    "prompt-comparison": "prompt comparison",
    "approval": "decision",
    "task": "task",
    "message": "message",
    "memory-item": "lesson",
}
NOT_HERE: Final = "missing"
MAX_NAME: Final = 120
MAX_KEY: Final = 600
"""A criterion with a longer name is not named in an address: its link opens the page alone."""
_OVER: Final = "benchmark-runs"
NAMED: Final = 3
"""More records than these are counted."""
TITLE: Final = "Came from and led to"
NONE_BEFORE: Final = "No recorded origin."
NONE_AFTER: Final = "Nothing recorded yet."

Shown = tuple[str, str, Link | None]
"""A record in words, a few more words, and the page that shows it."""


def chain_blocks(
    ws: Workspace, suite: str, kind: str, name: str, *, title: str = TITLE
) -> list[Block]:
    """Describe the chain of the record of a type with an id; nothing where it has none.

    Without a title it belongs to what is above it.
    """
    return _blocks(SuiteRecords(ws, suite), chain(ws, suite, kind, name), title)


def chain_blocks_at(ws: Workspace, path: str, pointer: str = "") -> list[Block]:
    """Describe the chain of the record at a place of a document; nothing where none is there."""
    found = record_at(ws, path, pointer)
    if found is None:
        return []
    return _blocks(found[0], chain_of(*found), TITLE)


def _blocks(of: SuiteRecords, found: Chain, title: str) -> list[Block]:
    if not (found.came_from or found.led_to):
        return []
    (record,) = _described(of, found.record)
    block = blocks.Chain(
        label=f"{TITLE}: {record.kind} {record.text}",
        record=record,
        came_from=_links(of, found.came_from, found.record),
        led_to=_links(of, found.led_to, found.record),
        none_before=NONE_BEFORE,
        none_after=NONE_AFTER,
    )
    return [Heading(title), block] if title else [block]


def _links(of: SuiteRecords, links: Iterable[Related], near: Records) -> list[blocks.ChainLink]:
    """Describe the records at the other end of each relation; many are only counted."""
    found = []
    for each in links:
        relation, records = each.relation, each.records
        many = records.total > NAMED
        found.append(
            blocks.ChainLink(
                relation=relation.words,
                onward=relation.first == "source",
                sentence=f"{TYPES[relation.source]} {relation.words} {TYPES[relation.target]}",
                records=[_counted(of, records, near)] if many else _described(of, records),
                further=_links(of, each.further, records),
            )
        )
    return found


def _described(of: SuiteRecords, records: Records) -> list[ChainRecord]:
    """Describe a few records: each with its name, a few words, and the page that shows it."""
    word = TYPES[records.type]
    shown = [_of_row(of, records.type, row) for row in records.rows.tolist()]
    shown += [_of_name(of, records.type, name) for name in records.names]
    return [
        *(
            ChainRecord(kind=word, text=wording.line(text, MAX_NAME), sub=sub, link=to)
            for text, sub, to in shown
        ),
        *(
            ChainRecord(kind=word, text=wording.line(name, MAX_NAME), sub=NOT_HERE, missing=True)
            for name in records.missing
        ),
    ]


def _counted(of: SuiteRecords, records: Records, near: Records) -> ChainRecord:
    """Describe many records by their number; the link leads to where they are listed.

    That is next to a single record that lists them, else the page of their type.
    """
    lost, there = len(records.missing), _PAGES.get(records.type)
    alone = near.rows.tolist() if near.total == 1 else []
    if alone and (records.type, near.type) in _NEXT_TO:
        *_, there = _of_row(of, near.type, alone[0])
    text = wording.count(records.total, TYPES[records.type])
    return ChainRecord(
        kind="", text=text, sub=f"{lost:,} of them not here" if lost else "", link=there
    )


_NEXT_TO: Final = frozenset(
    {("eval-judgment", "test-run"), ("test-run", "test-case"), ("test-run", "benchmark-run")}
)
_TRENDS: Final = link("trends", over=_OVER)
_PAGES: Final[Mapping[str, Link]] = {
    "test-case": link("gradings"),
    "rubric": link("rubric"),
    "rubric-criterion": link("rubric"),
    "benchmark": _TRENDS,
    "benchmark-run": _TRENDS,
    "eval-trend": _TRENDS,
    "eval-failure": link("failures"),
    "prompt-comparison": link("compare"),
}


def _of_name(of: SuiteRecords, kind: str, name: str) -> Shown:
    """Describe a record that has no row of its own; a benchmark is named by its runs."""
    if kind == "test-case":
        return (name, "not defined", link("gradings", case=name))
    page = _PAGES.get(kind)
    if kind == "benchmark":
        rows = of.here(
            "benchmark_runs", named(of.ws, Column("benchmark_runs", "benchmark"), [name])
        )
        for row in typed(of.ws, "benchmark_runs", BenchmarkRunRow, rows[:1]):
            return (row.name or name, row.dimension or "", page)
    return (name, "", page)


def _of_row(of: SuiteRecords, kind: str, at: int) -> Shown:
    table = IDS[kind].table
    (row,) = typed(of.ws, table, TABLES[table], [at])
    if isinstance(row, ApprovalRow):
        return _approval(of, row)
    return _SHOWN[kind](row)


def _case(row: CaseRow) -> Shown:
    name = row.case_id or ""
    return (row.name or name, "", link("gradings", case=name, run=None))


def _criterion(row: CriterionRow) -> Shown:
    key = f"{row.kind}:{row.criterion}"
    there = link("rubric", criterion=key) if len(key) <= MAX_KEY else link("rubric")
    return (row.description or row.criterion or "", "", there)


def _run(row: RunRow) -> Shown:
    side = None if row.configuration == "-" else row.configuration
    run = f"run {row.run}" if (row.run or "").isdecimal() else row.run
    text = " · ".join(filter(None, (row.version, side, run)))
    return (text, "", link("gradings", run=row.run_id, case=None))


def _judgment(row: JudgmentRow) -> Shown:
    who = wording.judge(row.judge, row.judge_type)
    return (row.criterion or "", who, link("gradings", run=row.run_id, case=None))


def _benchmark_run(row: BenchmarkRunRow) -> Shown:
    rate = f"{wording.percent(row.pass_rate)} passed" if row.pass_rate is not None else ""
    when = wording.moment(row.ran_at) if row.ran_at is not None else ""
    sub = ", ".join(filter(None, (rate, when)))
    name = row.benchmark_run or ""
    return (name, sub, link("trends", over=_OVER, point=name))


def _trend(row: TrendPointRow) -> Shown:
    return (row.dimension or row.trend_id or "", row.direction or "", _TRENDS)


def _failure(row: FailureRow) -> Shown:
    state = "open" if row.resolved_at is None else "resolved"
    kind = (row.failure_type or "not classified").replace("-", " ")
    text = f"{kind}, {row.severity}" if row.severity else kind
    return (text, state, link("failures", failure=row.failure_id))


def _comparison(row: ComparisonRow) -> Shown:
    text = f"{row.version_a or 'A'} against {row.version_b or 'B'}"
    won = "tie" if row.winner == "tie" else "no winner recorded"
    if row.winner in ("A", "B"):
        won = f"{(row.version_a if row.winner == 'A' else row.version_b) or row.winner} won"
    return (text, won, link("compare", a=row.version_a, b=row.version_b))


def _benchmark(row: BenchmarkDefinitionRow) -> Shown:
    retired = row.status if row.status not in (None, "active") else ""
    sub = ", ".join(filter(None, (row.dimension, retired)))
    return (row.name or row.benchmark or "", sub, _TRENDS)


def _approval(of: SuiteRecords, row: ApprovalRow) -> Shown:
    """Describe a decision: a current one as it is now, not as it was written."""
    over = f" over {row.baseline}" if row.baseline else ""
    there = link("compare", a=row.baseline, b=row.version) if row.baseline else link("compare")
    stands = (each.state for each in standing(of.ws, of.suite) if each.row.approval == row.approval)
    return (f"{row.version}{over}", next(stands, row.decision) or "undecided", there)


def _message(row: MessageRow) -> Shown:
    to = f"to {row.recipient}" if row.recipient else ""
    words = row.subject if row.kind != "memory-item" else row.text
    there = link("data", dview="files", file=row.source, at=row.pointer or None)
    return (words or "", row.status or to, there)


_SHOWN: Final[Mapping[str, Callable[[Any], Shown]]] = {
    "test-case": _case,
    "rubric-criterion": _criterion,
    "test-run": _run,
    "eval-judgment": _judgment,
    "benchmark-run": _benchmark_run,
    "eval-trend": _trend,
    "eval-failure": _failure,
    "prompt-comparison": _comparison,
    "benchmark": _benchmark,
    **dict.fromkeys(SENT, _message),
}
