"""The record that a place in a document holds."""

from typing import Final

from evalcore.chains.joins import Column, named
from evalcore.chains.records import IDS, Records, SuiteRecords
from evalcore.chains.relations import COMPOSED_OF, GROUPS
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.joined import judged_run
from evalcore.workspace.opened import Workspace

FIRST: Final = (
    "test-run", "eval-judgment", "eval-failure", "prompt-comparison", "benchmark-run", "eval-trend",
    "benchmark", "approval", "task", "message", "memory-item", "test-case", "rubric-criterion",
)  # fmt: skip
"""Which record a document is first of all: the grading of a run holds its judgments too."""
STATED: Final = (COMPOSED_OF, GROUPS)
"""Relations that records without a table state in their own fields."""


def record_at(ws: Workspace, path: str, pointer: str = "") -> tuple[SuiteRecords, Records] | None:
    """Return the record at a place of a document, with those of its suite.

    None where the place holds no record, or several, or what is hidden from the reader.
    """
    if ws.hidden.covers(path):
        return None
    for kind in FIRST:
        table = IDS[kind].table
        rows = named(ws, Column(table, "source"), [path])
        rows = SuiteRecords(ws, "").of_kind(kind, rows)
        if kind in ("test-case", "rubric-criterion") and not _is_record(ws, rows, table):
            continue
        if pointer and len(rows):
            rows = rows[[_holds(ws, table, row, pointer) for row in rows.tolist()]]
        if len(rows):
            return _only(ws, kind, rows)
    return _stated(ws, path)


def _holds(ws: Workspace, table: str, row: int, pointer: str) -> bool:
    return f"{pointer}/".startswith(f"{_word(ws, Column(table, 'pointer'), row)}/")


def _is_record(ws: Workspace, rows: Numbers, table: str) -> bool:
    """Return whether rows are of a store, where a case and a criterion are records of their own."""
    return len(rows) > 0 and SuiteRecords(ws, _word(ws, Column(table, "suite"), rows[0])).is_store


def _only(ws: Workspace, kind: str, rows: Numbers) -> tuple[SuiteRecords, Records] | None:
    """Return the one record of some rows; None where they are of several."""
    table, row = IDS[kind].table, int(rows[0])
    if table == "judgments":
        table, row = "runs", int(judged_run(ws)[row])
    here = SuiteRecords(ws, _word(ws, Column(table, "suite"), row) if row >= 0 else "")
    found = here.once(Records(kind, rows))
    return (here, found) if found.total == 1 and row >= 0 else None


def _stated(ws: Workspace, path: str) -> tuple[SuiteRecords, Records] | None:
    """Return the rubric or benchmark whose own fields state relations."""
    rows = named(ws, Column("relations", "source"), [path])
    for relation in STATED:
        for row in rows.tolist():
            if _word(ws, Column("relations", "relation"), row) == relation.name and (
                _word(ws, Column("relations", "source_type"), row) == relation.source
            ):
                here = SuiteRecords(ws, _word(ws, Column("relations", "suite"), row))
                name = _word(ws, Column("relations", "source_id"), row)
                return here, Records(relation.source, names=(name,))
    return None


def _word(ws: Workspace, column: Column, row: int) -> str:
    found = coded(ws, *column)
    code = int(found.codes[row])
    return "" if code < 0 else str(found.strings[code].as_py())
