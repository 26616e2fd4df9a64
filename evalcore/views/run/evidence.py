"""One run of one case with what was found about it: criteria, files, repeats, problems."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final, TypeVar

import orjson

from evalcore.counting.cells import typed, where
from evalcore.counting.choices import versions_of
from evalcore.counting.run_criteria import all_runs_of_case, criteria_of, run_row
from evalcore.layouts.order import natural
from evalcore.problems import Problem
from evalcore.tables.held import record_pointer
from evalcore.tables.rows import (
    CaseRow,
    ExclusionRow,
    JudgmentRow,
    ProblemRow,
    Row,
    RunRow,
    RunScoreRow,
)
from evalcore.views.files.outputs import OutputFile, load_text, output_files
from evalcore.views.run.items import SET_APART, Item, judged_items
from evalcore.views.run.quotes import find_quotes, quotes, spans
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

R = TypeVar("R", bound=Row)
Place = tuple[str, str | None]
"""(source, pointer); None or an empty pointer is the whole document."""

BESIDE: Final = ("structural.json", "timing.json", "metrics.json")
MAX_PLACES: Final = 24
LINES_BEFORE: Final = 3
MAX_BEFORE: Final = 600
"""Of very long lines fewer characters stand before the passage."""
MAX_EXCERPT: Final = 4_000
MAX_TRANSCRIPT: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Case:
    """A test case; one that only gradings mention has no more than its id."""

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


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An excerpt of an output file from a line (counted from 1).

    `marks` are where in `text` the quoted passage is: one span for each part of it; `quoted_for` is
    the name of the criterion that quotes it.
    """

    path: str
    line: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    quoted_for: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One run with its evidence.

    `siblings` are all runs of the same version and configuration, `elsewhere` those of each other
    one. `items` holds the criteria that a judge scored, failing first; structural checks and
    conventions are separate. `people` are the scores of the run by judge, including people,
    `exclusions` say why it is excluded from the rates. `excerpt` is the output around the first
    passage that a judge quotes, else its beginning.
    """

    case: Case
    run: RunRow
    position: str
    siblings: tuple[RunRow, ...]
    elsewhere: tuple[tuple[RunRow, ...], ...]
    items: tuple[Item, ...]
    structural: tuple[Item, ...]
    conventions: tuple[Item, ...]
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
    sides: dict[tuple[str, str], list[RunRow]] = {}
    for row in all_runs_of_case(ws, run.suite, run.case_id):
        sides.setdefault((row.version or "", row.configuration or ""), []).append(row)
    same = sides.pop((run.version or "", run.configuration or ""))
    order = {row.version: row.position or 0 for row in versions_of(ws, run.suite)}
    others = sorted(sides, key=lambda side: (order.get(side[0], len(order)), *map(natural, side)))

    judgments = rows_of(ws, "judgments", JudgmentRow, run_id=run_id)
    problems = _problems(ws, run, case, judgments)
    judged = {(row.kind or "", row.criterion or "") for row in judgments}
    items = judged_items(run, judgments, criteria_of(ws, run, judged), problems)
    files = output_files(ws, run)
    if look_up_quotes:
        items = _quoted(ws, items, files)
    return Evidence(
        case=case,
        run=run,
        position=wording.position_of([row.run_id for row in same].index(run_id) + 1, len(same)),
        siblings=tuple(same),
        elsewhere=tuple(tuple(sides[side]) for side in others),
        items=tuple(item for item in items if item.kind not in SET_APART),
        structural=tuple(item for item in items if item.kind == "structural"),
        conventions=tuple(item for item in items if item.kind == "convention"),
        files=tuple(files),
        excerpt=_excerpt(ws, items, files) if look_up_quotes else None,
        problems=problems,
        people=tuple(rows_of(ws, "run_scores", RunScoreRow, run_id=run_id)),
        exclusions=tuple(rows_of(ws, "exclusions", ExclusionRow, run_id=run_id)),
    )


def rows_of(ws: Workspace, table: str, row_type: type[R], **wanted: str | None) -> list[R]:
    """Return the rows of a table whose code columns have the wanted words (see `where`)."""
    return typed(ws, table, row_type, where(ws, table, **wanted))


def case_of(ws: Workspace, suite: str, case_id: str) -> Case:
    """Return a test case; if no document defines it, only with its id."""
    rows = typed(ws, "cases", CaseRow, where(ws, "cases", suite=suite, case_id=case_id)[:1])
    row = rows[0] if rows else CaseRow(suite, case_id)
    # Tags and files are JSON lists; what is no string in them is left out.
    lists = (orjson.loads(text) if text else [] for text in (row.tags, row.files))
    tags, files = (tuple(each for each in one if isinstance(each, str)) for one in lists)
    known = {"name": row.name or case_id, "tags": tags, "files": files}
    return Case(**(row._asdict() | known))


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


def places_of(ws: Workspace, seen: Evidence) -> list[Place]:
    """Return the documents of a run: its own, its judgments', those beside it, its case's.

    Those beside it are documents in the run's folder, and its timing one folder up.
    """
    run = seen.run
    found: dict[str, str | None] = {}
    if run.source:
        found[run.source] = run.pointer
    for item in (*seen.items, *seen.structural, *seen.conventions):
        for one in (item, *item.also):
            if one.source and one.source not in found:
                found[one.source] = None
    own = PurePosixPath(run.source or "")
    if own.name in ("grading.json", "structural.json"):
        near = [own.parent / name for name in BESIDE] + [own.parent.parent / "timing.json"]
        for path in near:
            if (ws.root / path).is_file():
                found.setdefault(str(path), None)
    if seen.case.source:
        found.setdefault(seen.case.source, seen.case.pointer)
    return list(found.items())[:MAX_PLACES]


def _problems(
    ws: Workspace, run: RunRow, case: Case, judgments: Iterable[JudgmentRow]
) -> tuple[Problem, ...]:
    """Return the faults of the run's own documents, and those of the case's definition.

    A fault is about a place if it is at it, at something in it, or at the whole file.
    """
    own = record_pointer(run)
    places = {(run.source, own)}
    places |= {(row.source, "" if row.source != run.source else own) for row in judgments}
    if case.source and case.pointer:
        places.add((case.source, case.pointer))
    found = []
    for source in dict.fromkeys(source for source, _ in sorted(places, key=str) if source):
        ats = [at for path, at in places if path == source]
        for row in rows_of(ws, "problems", ProblemRow, path=source):
            at_row = row.pointer or ""
            if any(at_row in ("", at) or at == "" or at_row.startswith(f"{at}/") for at in ats):
                found.append(Problem._make((*(each or "" for each in row[:-1]), row.suite)))
    return tuple(found)


def _quoted(ws: Workspace, items: Sequence[Item], files: Sequence[OutputFile]) -> list[Item]:
    """Return the items with their quotes located in the output files.

    Without output files, no quote is marked.
    """
    wanted = [quotes("\n".join(filter(None, (item.evidence, item.rationale)))) for item in items]
    if not files or not any(wanted):
        return list(items)
    # A long transcript is searched as steps, when somebody asks: here it would be with each click.
    short = (f for f in files if f.role != "transcript" or (f.size or 0) <= MAX_TRANSCRIPT)
    texts = ((file.path, load_text(ws, file.path) or "") for file in short)
    found = iter(find_quotes([quote for some in wanted for quote in some], texts))
    return [
        replace(item, quotes=tuple(next(found) for _ in some))
        for item, some in zip(items, wanted, strict=True)
    ]


def _excerpt(ws: Workspace, items: Iterable[Item], files: Iterable[OutputFile]) -> Excerpt | None:
    """Return the output around the first passage that is quoted, else the first output's beginning.

    The items come failing first, so the passage belongs to what failed where there is one.
    """
    found = ((item.name, quote) for item in items for quote in item.quotes if quote.line)
    if first := next(found, None):
        name, quote = first
        path, line = quote.path or "", quote.line or 1
        text = load_text(ws, path)
        if not text:
            return None
        begins = [0, *(end.end() for end in re.finditer("\n", text))]  # of each line
        at = begins[min(line, len(begins)) - 1]
        marks = spans(quote, text, at)
        passage = marks[0][0] if marks else at
        start = max(begins[max(line - 1 - LINES_BEFORE, 0)], passage - MAX_BEFORE)
        cut = "" if start == 0 or text[start - 1] == "\n" else "…"
        moved, end = len(cut) - start, start + MAX_EXCERPT
        shown = tuple((a + moved, b + moved) for a, b in marks if b <= end)
        begins_at = text.count("\n", 0, start) + 1
        return Excerpt(path, begins_at, f"{cut}{text[start:end]}", shown, name)
    outputs = [file for file in files if file.role == "output"]
    texts: Iterable[tuple[str, str]]
    texts = ((file.path, load_text(ws, file.path) or "") for file in outputs)
    if outputs and outputs[0].size is None:  # parts of a record: the longest one says the most
        texts = [max(texts, key=lambda entry: len(entry[1]))]
    return next((Excerpt(path, 1, text[:MAX_EXCERPT]) for path, text in texts if text), None)
