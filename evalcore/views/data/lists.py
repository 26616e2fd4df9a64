"""State and lists of the Data page: documents, problems and cases, one page at a time."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.memo import memoize_per_workspace
from evalcore.problems import Problem, Severity, grouped
from evalcore.views.problems import SEVERITIES, Mask, Problems, group, has_text
from evalcore.workspace.opened import Workspace

Part = Literal["files", "problems", "rules", "messages", "cases"]
PARTS: Final[tuple[Part, ...]] = ("files", "problems", "rules", "messages", "cases")
UNPLACED: Final = "not recognised"
PAGE: Final = 50
MAX_TEXT: Final = 200
_MAX_PLACE: Final = 4_000

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class DataView:
    """The address parameters of the Data page, apart from the sidebar's.

    `suite` filters the problems, `kind` (`family` or `family/kind`) the files; `file` and `at` (a
    JSON pointer) name the place that is open, `case` the open case, `rule` the open hard rule,
    `message` the open one of what was sent, of which `only_open` lists what waits for somebody.
    """

    part: Part = "files"
    text: str = ""
    page: int = 1
    severity: Severity | None = None
    code: str | None = None
    suite: str | None = None
    kind: str | None = None
    file: str | None = None
    at: str = ""
    case: str | None = None
    rule: str | None = None
    message: str | None = None
    only_open: bool = False

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        return {
            "dview": self.part,
            "dq": self.text or None,
            "dpage": None if self.page == 1 else str(self.page),
            "severity": self.severity,
            "code": self.code,
            "dsuite": self.suite,
            "kind": self.kind,
            "file": self.file,
            "at": self.at or None,
            "dcase": self.case,
            "rule": self.rule,
            "message": self.message,
            "waits": "1" if self.only_open else None,
        }


def data_view(parameters: Mapping[str, str], problems: bool) -> DataView:
    """Return the view of address parameters; without any, the problems if there are some."""
    part = next((part for part in PARTS if part == parameters.get("dview")), None)
    page = parameters.get("dpage", "1")
    return DataView(
        part=part or ("problems" if problems else "files"),
        text=parameters.get("dq", "")[:MAX_TEXT],
        page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 7 else 1,
        severity=next((name for name in SEVERITIES if name == parameters.get("severity")), None),
        code=parameters.get("code"),
        suite=parameters.get("dsuite"),
        kind=parameters.get("kind"),
        file=parameters.get("file"),
        at=parameters.get("at", "")[:_MAX_PLACE],
        case=parameters.get("dcase"),
        rule=parameters.get("rule"),
        message=parameters.get("message"),
        only_open=parameters.get("waits") == "1",
    )


class Paged(NamedTuple):
    """Which rows of a list are shown: `first` to `last` of `matching`, out of `total`."""

    page: int
    pages: int
    matching: int
    total: int

    @property
    def rows(self) -> slice:
        """The matching rows on this page."""
        return slice((self.page - 1) * PAGE, self.page * PAGE)


def paged(page: int, matching: int, total: int) -> Paged:
    """Return the requested page, or the nearest existing one."""
    pages = max(1, math.ceil(matching / PAGE))
    return Paged(min(max(page, 1), pages), pages, matching, total)


class FileLine(NamedTuple):
    """One document and its recognised kind; `family` is None if it was not recognised."""

    path: str
    family: str | None
    kind: str | None
    suite: str | None
    records: int | None
    problems: int


class Kind(NamedTuple):
    """A kind of document: the number of documents, and of records read from them."""

    family: str
    kind: str
    documents: int
    records: int


@dataclass(frozen=True)
class Files:
    """One page of the documents; `kinds` counts all of them."""

    kinds: tuple["Kind", ...]
    unplaced: int
    shown: Paged
    lines: tuple[FileLine, ...]


def files(ws: Workspace, view: DataView, problems: Problems, *, whole: bool = False) -> Files:
    """Return one page of the documents that the filters keep, or all of them."""
    documents = ws.tables.documents
    total = len(documents)
    if view.kind == UNPLACED:
        wanted = view.text.casefold()
        lost = [path for path in ws.unrecognised if wanted in path.casefold()]
        shown = paged(view.page, len(lost), len(ws.unrecognised))
        lines = [
            FileLine(path, None, None, None, None, len(grouped(problems.at(path))))
            for path in (lost if whole else lost[shown.rows])
        ]
        return Files(kinds(ws), len(ws.unrecognised), shown, tuple(lines))
    keep = np.ones(total, bool)
    if view.kind is not None:
        family, _, kind = view.kind.partition("/")
        keep &= (documents["family"] == family).to_numpy(bool)
        if kind:
            keep &= (documents["kind"] == kind).to_numpy(bool)
    if view.text:
        keep &= has_text(documents["path"], view.text)
    rows = np.flatnonzero(keep)
    shown = paged(view.page, len(rows), total)
    part = documents.iloc[rows if whole else rows[shown.rows]]
    cells = part[["path", "family", "kind", "suite", "records"]].astype(object)
    known = cells.where(part.notna(), None).itertuples(index=False, name=None)
    lines = [
        FileLine(path, family, kind, suite, records, len(grouped(problems.at(path))))
        for path, family, kind, suite, records in known
    ]
    return Files(kinds(ws), len(ws.unrecognised), shown, tuple(lines))


def suite_of_file(ws: Workspace, path: str | None) -> str | None:
    """Return the suite of a document; None for a file that is none."""
    documents = ws.tables.documents
    found = documents["suite"][(documents["path"] == path).to_numpy(bool)]
    return None if found.empty else str(found.iloc[0])


@memoize_per_workspace
def kinds(ws: Workspace) -> tuple[Kind, ...]:
    """Return the kinds of documents with their numbers."""
    groups = ws.tables.documents.groupby(["family", "kind"], observed=True, sort=False)["records"]
    found = groups.agg(["size", "sum"]).reset_index()
    return tuple(
        Kind(str(family), str(kind), int(size), int(records))
        for family, kind, size, records in found.itertuples(index=False, name=None)
    )


@dataclass(frozen=True)
class ProblemList:
    """One page of problems; each count is what a filter would match under the other filters."""

    severities: Counts
    codes: Counts
    groups: dict[str, int]
    suites: Counts
    shown: Paged
    rows: tuple[Problem, ...]


class _Masks(NamedTuple):
    """Which problems each filter of a view keeps."""

    text: Mask
    suite: Mask
    severity: Mask
    code: Mask


def _masks(problems: Problems, view: DataView) -> _Masks:
    words = ((name, getattr(view, name)) for name in _Masks._fields[1:])
    return _Masks(problems.with_text(view.text), *(problems.having(*word) for word in words))


def matching(problems: Problems, view: DataView) -> list[Problem]:
    """Return the problems that the filters keep, on all pages."""
    return problems.listed(np.logical_and.reduce(_masks(problems, view)))


def problem_list(problems: Problems, view: DataView) -> ProblemList:
    """Return one page of the problems that the filters keep."""
    text, suite, severity, code = _masks(problems, view)
    severities = problems.counts("severity", text & suite)
    rows = matching(problems, view)
    shown = paged(view.page, len(rows), problems.n)
    return ProblemList(
        tuple((name, severities.get(name, 0)) for name in SEVERITIES),
        tuple(problems.counts("code", text & suite & severity).items()),
        Counter(group(row.severity, row.code) for row in rows),
        tuple(problems.counts("suite", text & severity & code).items()),
        shown,
        tuple(rows[shown.rows]),
    )


def opened(found: ProblemList, view: DataView) -> DataView:
    """Return the view with a file open: that of the address, else the first of the list.

    With a search, a file that it does not list is not shown.
    """
    if view.file is not None and not view.text:
        return view
    if any(row.path == view.file for row in found.rows):
        return view
    file, at = next(((row.path, row.pointer) for row in found.rows), (None, ""))
    return replace(view, file=file, at=at)
