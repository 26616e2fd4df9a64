"""Describe documents, problems and definitions as plain blocks, ready to be drawn."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from evalcore.benchmarks.messages import listed
from evalcore.counting.cells import where
from evalcore.families.base import REVIEWS
from evalcore.families.registry import looked_for
from evalcore.hard_rules.checking import checked
from evalcore.problems import Problem
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import (
    Cell,
    Chip,
    Heading,
    Links,
    Pager,
    ProblemGroup,
    ProblemGroups,
    ProblemLine,
    Row,
    Say,
    Table,
)
from evalcore.views.data.lists import (
    UNPLACED,
    DataView,
    FileLine,
    Files,
    Kind,
    Paged,
    Part,
    ProblemList,
    kinds,
)
from evalcore.views.problems import Problems, group, so_far
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

SEVERITY_WORDS: Final = {
    "error": ("error", "fail"),
    "warning": ("warning", None),
    "info": ("note", None),
}
MAX_CHIPS: Final = 24


def summary(ws: Workspace, problems: Problems) -> str:
    """Return one sentence on what was recognised, what was not, and the problems."""
    documents = ws.tables.documents
    lost = len(ws.unrecognised)
    if documents.empty and not lost and not problems.rows:
        return f"No evaluation document was found in {ws.root}."
    parts = [_recognised(kinds(ws)), _left_over(lost)]
    counts = problems.counts("severity", problems.having("severity", None))
    wrong = [
        wording.count(counts[name], word)
        for name, (word, _) in SEVERITY_WORDS.items()
        if counts.get(name)
    ]
    parts.append(", ".join(wrong) if wrong else "no problem found")
    return f"{'; '.join(parts)}."


def _recognised(found: tuple[Kind, ...]) -> str:
    """Say what was recognised; reviews stand beside documents of any family, and are none."""
    families = {kind.family for kind in found} - {REVIEWS}
    reviews = sum(kind.documents for kind in found if kind.family == REVIEWS)
    documents = sum(kind.documents for kind in found) - reviews
    of = f"{wording.count(documents, 'document')} of {wording.count(len(families), 'family')}"
    parts = [of if documents else "", wording.count(reviews, "review") if reviews else ""]
    return f"{' and '.join(part for part in parts if part) or 'No document'} recognised"


def _left_over(lost: int) -> str:
    if not lost:
        return "no evaluation file left over"
    looks, fits = ("looks", "fits") if lost == 1 else ("look", "fit")
    return f"{lost:,} more {looks} like an evaluation and {fits} nowhere"


def part_words(ws: Workspace, problems: Problems, suite: str | None) -> dict[Part, str]:
    """Return the label of each part of the page, with its count."""
    cases = len(where(ws, "cases", suite=suite)) if suite is not None else 0
    waiting = len(listed(ws, suite, only_open=True)) if suite is not None else 0
    return {
        "files": f"Documents {len(ws.tables.documents) + len(ws.unrecognised):,}",
        "problems": f"Problems {problems.n:,}{so_far(problems)}",
        "rules": _rules_word(ws, suite),
        "messages": f"Messages {waiting:,} open" if waiting else "Messages",
        "cases": f"Cases and criteria {cases:,}",
    }


def _rules_word(ws: Workspace, suite: str | None) -> str:
    broken = 0 if suite is None else sum(f.standing == "broken" for f in checked(ws, suite))
    return f"Hard rules {broken} broken" if broken else "Hard rules"


def to(view: DataView, **changed: object) -> Link:
    """Return a link to this page with some of the view changed; a new filter starts on page 1."""
    fresh: dict[str, Any] = {"page": 1, "file": None, "at": "", "case": None, "message": None}
    after = replace(view, **(fresh | changed))
    return link("data", **after.parameters())


def clear(view: DataView, shown: Paged) -> list[Block]:
    """Return links that clear a search without results."""
    if shown.matching or not view.text:
        return []
    out = Chip(text="Clear the search", link=to(view, text=""))
    return [Links("", [out])]


def pager(view: DataView, shown: Paged, noun: str) -> Pager:
    """Describe which rows are shown, and the way to the next and previous ones."""
    every = wording.count(shown.total, noun)
    first, last = shown.rows.start + 1, min(shown.rows.stop, shown.matching)
    kept = every if shown.matching == shown.total else f"{shown.matching:,} of {every}"
    text = kept if shown.pages == 1 else f"{first:,}–{last:,} of {kept}"
    before, after = shown.page - 1, shown.page + 1
    return Pager(
        text,
        to(view, page=before) if before >= 1 else None,
        to(view, page=after) if after <= shown.pages else None,
    )


def file_blocks(found: Files, view: DataView) -> list[Block]:
    """Describe one page of the documents, with filters by family and, inside one, by kind."""
    blocks = _kind_chips(found, view)
    if view.kind == UNPLACED:
        blocks.append(
            Say(
                "These look like evaluation documents, but nothing reads them. The problem of "
                "each says where it would be read, or what it lacks.",
                quiet=True,
            )
        )
    head = [
        ("document", False),
        ("recognised as", False),
        ("suite", False),
        ("items", True),
        ("problems", True),
    ]
    rows = [Row(list(_file_cells(line, view)), on=line.path == view.file) for line in found.lines]
    empty = (
        f"{looked_for()} Open the folder that holds them: evalcore open FOLDER"
        if not found.shown.total
        else "No document matches. Remove a filter, or search for less."
    )
    return [
        *blocks,
        Table("Documents", head, rows, empty=empty, scroll=True),
        *clear(view, found.shown),
        pager(view, found.shown, "document"),
    ]


def _kind_chips(found: Files, view: DataView) -> list[Block]:
    """Describe the filters: one for each family, and one for each kind of the chosen family."""
    family = (view.kind or "").partition("/")[0]
    sizes = {kind.family: 0 for kind in found.kinds}
    for kind in found.kinds:
        sizes[kind.family] += kind.documents
    chips = [
        Chip(
            text=name,
            n=n,
            on=family == name,
            link=to(view, kind=None if family == name else name),
        )
        for name, n in sizes.items()
    ]
    if found.unplaced:
        chips.insert(
            0,
            Chip(
                text=UNPLACED,
                n=found.unplaced,
                mark="fail",
                on=view.kind == UNPLACED,
                link=to(view, kind=None if view.kind == UNPLACED else UNPLACED),
            ),
        )
    blocks: list[Block] = [Links("", chips)] if len(chips) > 1 else []
    inner = [
        Chip(
            text=kind.kind,
            n=kind.documents,
            on=view.kind == f"{family}/{kind.kind}",
            link=to(
                view,
                kind=family if view.kind == f"{family}/{kind.kind}" else f"{family}/{kind.kind}",
            ),
        )
        for kind in found.kinds
        if kind.family == family
    ]
    return [*blocks, Links("", inner)] if inner else blocks


def kind_blocks(ws: Workspace, view: DataView) -> list[Block]:
    """Describe the kinds of all documents."""
    found = kinds(ws)
    if not found:
        return []
    head = [("family", False), ("document", False), ("files", True), ("items", True)]
    rows = [
        Row(
            [
                Cell(kind.family, quiet=True),
                Cell(
                    kind.kind,
                    link=to(view, kind=f"{kind.family}/{kind.kind}"),
                    id=f"{kind.family}/{kind.kind}",
                ),
                Cell(f"{kind.documents:,}", num=True),
                Cell(f"{kind.records:,}", num=True, quiet=not kind.records),
            ],
            on=view.kind == f"{kind.family}/{kind.kind}",
        )
        for kind in found
    ]
    return [
        Heading("Recognised as", "choose a document to see its content on disk"),
        Table("Recognised as", head, rows),
    ]


def _file_cells(line: FileLine, view: DataView) -> Iterator[Cell]:
    yield Cell(line.path, link=to(view, page=view.page, file=line.path))
    if line.family is None:
        yield Cell(UNPLACED, mark="fail")
    else:
        yield Cell(f"{line.family} {line.kind}")
    yield Cell(line.suite or "none", quiet=line.suite is None)
    yield Cell(
        f"{line.records:,}" if line.records is not None else "nothing",
        num=True,
        quiet=not line.records,
    )
    problems = to(DataView("problems"), text=line.path) if line.problems else None
    yield Cell(f"{line.problems:,}", num=True, link=problems, quiet=not line.problems)


def problem_blocks(found: ProblemList, view: DataView, complete: bool) -> list[Block]:
    """Describe one page of problems, grouped by severity and code, with both as filters."""
    severities = [
        Chip(
            text=SEVERITY_WORDS[name][0] + ("" if n == 1 else "s"),
            n=n,
            mark=SEVERITY_WORDS[name][1] if n else None,
            on=view.severity == name,
            link=to(view, severity=None if view.severity == name else name, code=None),
        )
        for name, n in found.severities
    ]
    codes = [
        Chip(
            text=code,
            n=n,
            on=view.code == code,
            link=to(view, code=None if view.code == code else code),
        )
        for code, n in found.codes
    ]
    left = len(codes) - MAX_CHIPS
    label = f"{MAX_CHIPS} of {len(codes):,} codes" if left > 0 else ""
    return [
        Links("", severities),
        *([Links(label, codes[:MAX_CHIPS])] if codes else []),
        ProblemGroups(list(_groups(found, view)), _no_problem(found, complete)),
        *clear(view, found.shown),
        pager(view, found.shown, "problem"),
    ]


def _no_problem(found: ProblemList, complete: bool) -> str:
    if found.shown.total:
        return "No problem matches. Remove a filter."
    return (
        "No problem was found: every document was read and keeps its rules."
        if complete
        else "No problem was met at opening."
    )


def _groups(found: ProblemList, view: DataView) -> Iterator[ProblemGroup]:
    for (severity, code), rows in groupby(found.rows, key=lambda row: (row.severity, row.code)):
        yield ProblemGroup(
            severity=severity,
            word=SEVERITY_WORDS[severity][0],
            code=code,
            n=found.groups[group(severity, code)],
            items=[_problem(row, view) for row in rows],
        )


def _problem(row: Problem, view: DataView) -> ProblemLine:
    location = f"{row.path}#{row.pointer}" if row.pointer else row.path
    return ProblemLine(
        message=row.message,
        hint=row.hint,
        location=location,
        path=row.path,
        id=f"{location} {row.code}",
        on=(row.path, row.pointer) == (view.file, view.at),
        link=to(view, page=view.page, file=row.path, at=row.pointer),
    )
