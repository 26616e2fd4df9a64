"""The evidence of one run of one case, as plain values for the evidence panel."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
import orjson

from evalcore.counting.cells import typed, where
from evalcore.counting.failure_rows import current_failures
from evalcore.counting.record_output import record_pointer
from evalcore.counting.run_criteria import criteria_of, run_row
from evalcore.problems import Problem, Severity
from evalcore.tables.rows import (
    CaseRow,
    ClaimRow,
    ComparisonRow,
    ExclusionRow,
    FailureRow,
    FeedbackRow,
    JudgmentRow,
    NoteRow,
    ProblemRow,
    Row,
    RunRow,
    RunScoreRow,
    SuiteRow,
)
from evalcore.views.files.outputs import OutputFile, output_files
from evalcore.views.run.items import SET_APART, Item, judged_items
from evalcore.views.run.passages import Excerpt, excerpt, quoted
from evalcore.views.run.siblings import Elsewhere, Sibling, elsewhere, repeats, runs_of_case
from evalcore.views.run.stored_values import Stored, stored_values
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Case:
    """A test case; `defined` is false if only gradings mention it."""

    suite: str
    case_id: str
    name: str
    prompt: str | None
    expected: str | None
    tags: tuple[str, ...]
    files: tuple[str, ...]
    weight: float | None
    status: str | None
    source: str | None
    pointer: str | None
    defined: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """One run with its evidence.

    `items` holds the criteria that a judge scored, failing first; structural checks and conventions
    are separate. `gate` is None if there is none. `stored` are stored values beside computed ones.
    `people` are the scores of the run by judge, including people, `exclusions` say why it is
    excluded from the rates. `excerpt` is the output around the first passage that a judge quotes,
    else its beginning.
    """

    case: Case
    run: RunRow
    position: str
    facts: tuple[tuple[str, str], ...]
    siblings: tuple[Sibling, ...]
    elsewhere: tuple[Elsewhere, ...]
    items: tuple[Item, ...]
    structural: tuple[Item, ...]
    gate: bool | None
    conventions: tuple[Item, ...]
    claims: tuple[ClaimRow, ...]
    notes: tuple[NoteRow, ...]
    about_run: tuple[FeedbackRow, ...]
    about_case: tuple[FeedbackRow, ...]
    failures: tuple[FailureRow, ...]
    comparisons: tuple[ComparisonRow, ...]
    stored: tuple[Stored, ...]
    files: tuple[OutputFile, ...]
    excerpt: Excerpt | None
    problems: tuple[Problem, ...]
    people: tuple[RunScoreRow, ...] = ()
    exclusions: tuple[ExclusionRow, ...] = ()


def evidence(ws: Workspace, run_id: str, *, look_up_quotes: bool = True) -> Evidence:
    """Return the evidence of one run.

    With `look_up_quotes`, the judge's quotes are searched in the output files, which are read.

    Raises:
        UnknownName: there is no such run.
    """
    run = run_row(ws, run_id)
    case = case_of(ws, run.suite or "", run.case_id or "")
    every = runs_of_case(ws, run)
    judgments = _judgments(ws, run_id)
    problems = _problems(ws, run, case, judgments)
    judged = {(row.kind or "", row.criterion or "") for row in judgments}
    items = judged_items(run, judgments, criteria_of(ws, run, judged), problems)
    files = output_files(ws, run)
    if look_up_quotes:
        items = quoted(ws, items, files)
    shown = excerpt(ws, items, files) if look_up_quotes else None
    same = repeats(every, run)
    return Evidence(
        case=case,
        run=run,
        position=next((repeat.position for repeat in same if repeat.chosen), "1 of 1"),
        facts=facts(run),
        siblings=same,
        elsewhere=elsewhere(ws, every, run),
        items=tuple(item for item in items if item.kind not in SET_APART),
        structural=tuple(item for item in items if item.kind == "structural"),
        gate=run.gate_passed,
        conventions=tuple(item for item in items if item.kind == "convention"),
        claims=_of_run(ws, "claims", ClaimRow, run_id),
        notes=_of_run(ws, "notes", NoteRow, run_id),
        about_run=_of_run(ws, "feedback", FeedbackRow, run_id),
        about_case=_about_case(ws, run),
        failures=_failures(ws, run_id),
        comparisons=_comparisons(ws, run),
        stored=tuple(stored_values(ws, run, _family(ws, run), items)),
        files=tuple(files),
        excerpt=shown,
        problems=problems,
        people=_of_run(ws, "run_scores", RunScoreRow, run_id),
        exclusions=_of_run(ws, "exclusions", ExclusionRow, run_id),
    )


def _failures(ws: Workspace, run_id: str) -> tuple[FailureRow, ...]:
    rows = np.intersect1d(where(ws, "failures", run_id=run_id), current_failures(ws))
    return tuple(typed(ws, "failures", FailureRow, rows))


def case_of(ws: Workspace, suite: str, case_id: str) -> Case:
    """Return a test case; if no document defines it, only with its id."""
    found = where(ws, "cases", suite=suite, case_id=case_id)[:1]
    for row in typed(ws, "cases", CaseRow, found):
        return Case(
            suite=suite,
            case_id=case_id,
            name=row.name or case_id,
            prompt=row.prompt,
            expected=row.expected,
            tags=_listed(row.tags),
            files=_listed(row.files),
            weight=row.weight,
            status=row.status,
            source=row.source,
            pointer=row.pointer,
            defined=True,
        )
    return Case(
        suite=suite,
        case_id=case_id,
        name=case_id,
        prompt=None,
        expected=None,
        tags=(),
        files=(),
        weight=None,
        status=None,
        source=None,
        pointer=None,
        defined=False,
    )


def facts(run: RunRow) -> tuple[tuple[str, str], ...]:
    """Return the measured facts of a run as (name, words), including missing ones."""
    return (
        ("started", wording.moment(run.started_at)),
        ("duration", wording.duration(run.duration_s)),
        ("tokens", wording.tokens(run.tokens)),
        ("cost", wording.cost(run.cost_usd)),
        ("judge", wording.judge(run.judge, run.judge_type) if run.judge else wording.NOT_RECORDED),
        ("executor", run.executor or wording.NOT_RECORDED),
        ("model", run.model or wording.NOT_RECORDED),
    )


def _judgments(ws: Workspace, run_id: str) -> list[JudgmentRow]:
    return typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run_id))


def _family(ws: Workspace, run: RunRow) -> str:
    found = typed(ws, "suites", SuiteRow, where(ws, "suites", suite=run.suite))
    return next((row.family or "" for row in found), "")


def _of_run(ws: Workspace, table: str, row_type: type[R], run_id: str) -> tuple[R, ...]:
    return tuple(typed(ws, table, row_type, where(ws, table, run_id=run_id)))


def _about_case(ws: Workspace, run: RunRow) -> tuple[FeedbackRow, ...]:
    """Return the feedback about the case itself: of no run, and of no other version."""
    found = where(ws, "feedback", suite=run.suite, case_id=run.case_id, run_id=None)
    rows = typed(ws, "feedback", FeedbackRow, found)
    return tuple(row for row in rows if row.version in (None, run.version))


def _comparisons(ws: Workspace, run: RunRow) -> tuple[ComparisonRow, ...]:
    found = where(ws, "comparisons", suite=run.suite, case_id=run.case_id)
    return tuple(typed(ws, "comparisons", ComparisonRow, found))


def _problems(
    ws: Workspace, run: RunRow, case: Case, judgments: Iterable[JudgmentRow]
) -> tuple[Problem, ...]:
    """Return the faults of the run's own documents, and those of the case's definition."""
    places = {(run.source, record_pointer(run))}
    places |= {
        (row.source, "" if row.source != run.source else record_pointer(run)) for row in judgments
    }
    if case.source and case.pointer:
        places.add((case.source, case.pointer))
    found = [
        typed(ws, "problems", ProblemRow, where(ws, "problems", path=source))
        for source in {source for source, _ in places if source}
    ]
    return tuple(
        _problem(row)
        for rows in found
        for row in rows
        if any(row.path == source and _touches(row.pointer or "", at) for source, at in places)
    )


def _touches(pointer: str, at: str) -> bool:
    """Return whether a fault is about a place, something in it, or the whole file."""
    return pointer in ("", at) or at == "" or pointer.startswith(f"{at}/")


def _problem(row: ProblemRow) -> Problem:
    severity = cast("Severity", row.severity or "error")
    return Problem(
        row.path or "",
        row.pointer or "",
        severity,
        row.code or "",
        row.message or "",
        row.hint or "",
        row.suite,
    )


def _listed(text: str | None) -> tuple[str, ...]:
    """Return the strings of a column that holds a JSON list."""
    value = orjson.loads(text) if text else []
    return tuple(item for item in value if isinstance(item, str))
