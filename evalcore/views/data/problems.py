"""The problems of a workspace, filtered and paged, by severity and code."""

from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from evalcore.problems import Problem, Severity
from evalcore.tables.exported import Listing
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Chip, Links, ProblemGroups
from evalcore.views.blocks.paging import Page, page_of
from evalcore.views.data.state import PAGE, DataView, clear, pager_of, to
from evalcore.views.problems import NOTE, SEVERITIES, Mask, Problems, group

SEVERITY_WORDS: Final = {
    "error": ("error", "fail"),
    "warning": ("warning", None),
    "info": ("note", None),
}
MAX_CHIPS: Final = 24
PROBLEM = ("path", "pointer", "severity", "code", "message", "hint")

Counts = tuple[tuple[str, int], ...]


class ProblemList(NamedTuple):
    """One page of problems; each count is what a filter would match under the other filters."""

    severities: Counts
    codes: Counts
    groups: dict[str, int]
    suites: Counts
    page: Page
    total: int
    rows: tuple[Problem, ...]


def _masks(problems: Problems, view: DataView) -> tuple[Mask, Mask, Mask, Mask]:
    """Return which problems the words, suite, severity and code of a view keep."""
    return (
        problems.with_text(view.text),
        problems.having("suite", view.suite),
        problems.having("severity", view.severity) & _offered(problems, view),
        problems.having("code", view.code),
    )


def _offered(problems: Problems, view: DataView) -> Mask:
    """Return the problems of which a view lists some: notes only where it asks for them.

    It does so by their severity, and by a code or words.
    """
    if view.severity == NOTE:
        return problems.having("severity", NOTE)
    return problems.having("severity", None) if view.code or view.text else problems.wrong


def matching(problems: Problems, view: DataView) -> list[Problem]:
    """Return the problems that the filters keep, on all pages."""
    return problems.listed(np.logical_and.reduce(_masks(problems, view)))


def problem_list(problems: Problems, view: DataView) -> ProblemList:
    """Return one page of the problems that the filters keep."""
    text, suite, severity, code = _masks(problems, view)
    severities = problems.counts("severity", text & suite)
    rows = matching(problems, view)
    page = page_of(view.page, len(rows), PAGE)
    return ProblemList(
        tuple((name, severities.get(name, 0)) for name in SEVERITIES),
        tuple(problems.counts("code", text & suite & severity).items()),
        Counter(group(row.severity, row.code) for row in rows),
        tuple(problems.counts("suite", text & severity & code).items()),
        page,
        sum(problems.counts("severity", _offered(problems, view)).values()),
        tuple(rows[page.rows]),
    )


class ProblemCount(NamedTuple):
    """The number of problems that the page lists behind a link, and the first of them."""

    n: int
    first: str
    link: Link


def problem_count(
    problems: Problems, suite: str, severity: Severity | None = None, **elsewhere: None
) -> ProblemCount:
    """Count the errors and warnings of a suite, or what it has of one severity."""
    view = DataView("problems", suite=suite, severity=severity)
    found = matching(problems, view)
    query = {name: value for name, value in view.parameters().items() if value is not None}
    first = (found[0].message or found[0].code) if found else ""
    return ProblemCount(len(found), first, link("data", suite=suite, **elsewhere, **query))


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
    empty = "No problem was met at opening."
    if found.total:
        empty = "No problem matches. Remove a filter."
    elif complete:
        empty = "No problem was found: every document was read and keeps its rules."
    groups = [
        {
            "severity": severity,
            "word": SEVERITY_WORDS[severity][0],
            "code": code,
            "n": found.groups[group(severity, code)],
            "items": [
                {
                    "message": row.message,
                    "hint": row.hint,
                    "location": place_of(row),
                    "path": row.path,
                    "id": f"{place_of(row)} {row.code}",
                    "on": (row.path, row.pointer) == (view.file, view.at),
                    "link": to(view, page=view.page, file=row.path, at=row.pointer),
                }
                for row in rows
            ],
        }
        for (severity, code), rows in groupby(found.rows, lambda row: (row.severity, row.code))
    ]
    return [
        Links("", severities),
        *([Links(label, codes[:MAX_CHIPS])] if codes else []),
        ProblemGroups(groups, empty),
        *clear(view, found.page),
        pager_of(view, found.page, found.total, "note" if view.severity == NOTE else "problem"),
    ]


def place_of(row: Problem) -> str:
    """Return where a problem is: a file, and the place in it where that is known."""
    return f"{row.path}#{row.pointer}" if row.pointer else row.path


def problems_listing(problems: Problems, view: DataView) -> Listing:
    """Return every problem that the filters keep."""
    rows = [tuple(getattr(row, name) for name in PROBLEM) for row in matching(problems, view)]
    return Listing("problems", PROBLEM, rows)
