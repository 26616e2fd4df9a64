"""`evalcore check`: what was recognised in a folder, and all its problems."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import indent
from typing import Final, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evalcore.cli.hiding import open_for_judge
from evalcore.cli.regressed import regression_lines
from evalcore.cli.screen import console, progress
from evalcore.cli.terminal import harmless
from evalcore.counting.coded import coded
from evalcore.counting.counted import counted_answers
from evalcore.counting.outcomes import waiting_runs
from evalcore.lint import check
from evalcore.problems import Problem, Severity, decision, first_of, grouped
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables
from evalcore.views.first_screen import ENOUGH, first_screen
from evalcore.views.words.wording import UNGRADED, count
from evalcore.workspace.opened import Workspace

_TITLES: Final[dict[Severity, tuple[str, str, str]]] = {
    "error": ("error", "Errors: could not be read", "bold red"),
    "warning": ("warning", "Warnings: contradictory, or against a rule", "bold yellow"),
    "info": ("note", "Notes: read by tolerance, or worth knowing", "bold blue"),
}


class SuiteCounts(NamedTuple):
    """The content of one suite in numbers; judged items are the judgments that figures count.

    `waiting` of the runs have no grading yet.
    """

    suite: str
    name: str
    family: str
    cases: int
    versions: int
    runs: int
    judgments: int
    comparisons: int
    waiting: int


class Report(NamedTuple):
    """The result of a check."""

    workspace: Workspace
    suites: list[SuiteCounts]
    problems: list[Problem]

    def count(self, severity: Severity) -> int:
        """Return the number of problems of one severity; what many files share counts once."""
        return sum(problem.severity == severity for problem in grouped(self.problems))


def check_folder(path: Path) -> Report:
    """Open a folder and check all of it, with progress on a terminal."""
    workspace = open_for_judge(path)
    with progress("Checking") as step:
        problems = check(workspace, step)
    return Report(workspace, suite_counts(workspace), problems)


def suite_counts(workspace: Workspace) -> list[SuiteCounts]:
    """Count the content of each suite of a workspace; those without runs come last."""
    tables = workspace.tables
    by_table = [
        _per_suite(tables, "cases"),
        _per_suite(tables, "versions"),
        _per_suite(tables, "runs"),
        _judged(workspace),
        _per_suite(tables, "comparisons"),
        waiting_runs(workspace),
    ]
    found = (
        SuiteCounts(
            suite, suite if name is None else name, family, *(counts[suite] for counts in by_table)
        )
        for suite, name, family in cells(tables, "suites", "suite", "name", "family")
    )
    return sorted(found, key=lambda suite: suite.runs == 0)


def _per_suite(tables: Tables, table: str) -> Counter[str]:
    return Counter(suite for (suite,) in cells(tables, table, "suite"))


def _judged(ws: Workspace) -> Counter[str]:
    suite = coded(ws, "runs", "suite")
    of_run = counted_answers(ws, np.arange(len(suite.codes))).run
    numbers = np.bincount(suite.keys_of(of_run), minlength=suite.width).tolist()
    return Counter(dict(zip(suite.words, numbers, strict=True)))


def as_document(report: Report) -> str:
    """Return the report as one JSON document in ASCII, so that it is safe on any terminal."""
    names = ("path", "family", "kind", "suite", "records")
    value = {
        "root": str(report.workspace.root),
        "suites": [suite._asdict() for suite in report.suites],
        "documents": [
            dict(zip(names, row, strict=True))
            for row in cells(report.workspace.tables, "documents", *names)
        ],
        "problems": [_as_object(problem) for problem in report.problems],
        "unrecognised": report.workspace.unrecognised,
    }
    return json.dumps(value, indent=2) + "\n"


def _as_object(problem: Problem) -> dict[str, str]:
    return {
        "path": problem.path,
        "pointer": problem.pointer,
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }


def show(report: Report) -> None:
    """Print the report: suites, then problems by severity and kind, then the summary."""
    out = console()
    out.print(Text(harmless(report.workspace.root), "bold"), soft_wrap=True)
    if report.suites:
        out.print(suite_table(report.suites))
    else:
        _show_nothing(out, report.workspace)
    for severity, same in groupby(report.problems, key=lambda problem: problem.severity):
        _show_severity(out, severity, list(same))
    found = list(regression_lines(report.workspace))
    if found:
        out.print()
        out.print(Text("Regressions: dropped at the newest benchmark run", "bold red"))
    for line in found:
        out.print(Text(f"  {harmless(line)}"), soft_wrap=True)
    out.print()
    out.print(last_line(report), soft_wrap=True)


def _show_nothing(out: Console, ws: Workspace) -> None:
    """Print what the first page says of a folder without suites, and what would be enough."""
    found = first_screen(ws)
    for sentence in found.said:
        out.print(Text(harmless(sentence)), soft_wrap=True)
    if found.example:
        out.print(ENOUGH, soft_wrap=True)
        out.print(Text(indent(found.example, "  ")), soft_wrap=True)


def suite_table(suites: list[SuiteCounts]) -> Table:
    """Return the suites as a table for a terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("Suite", "Family"):
        table.add_column(name, overflow="fold")
    for name in ("Cases", "Versions", "Runs", "Judged items", "Comparisons"):
        table.add_column(name, justify="right")
    for row in suites:
        numbers = (row.cases, row.versions, row.runs, row.judgments, row.comparisons)
        table.add_row(harmless(row.suite), row.family, *(f"{number:,}" for number in numbers))
    return table


def _show_severity(out: Console, severity: Severity, problems: list[Problem]) -> None:
    _, title, style = _TITLES[severity]
    out.print()
    out.print(Text(title, style))
    same: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        same.setdefault(decision(problem), []).append(problem)
    for each in same.values():
        for line in _group(each):
            out.print(line, soft_wrap=True)


def _group(problems: list[Problem]) -> Iterator[Text]:
    """Yield the lines about what is decided at once: its codes and number, first places, and hint.

    The hint of each place stands below it where they differ.
    """
    first, number = first_of(problems), count(len(problems), "place")
    codes = dict.fromkeys(problem.code for problem in problems)
    yield Text.assemble("  ", (", ".join(codes), "bold"), f"  {number}")
    left = len(problems) - len(first)
    for at, problem in enumerate(first):
        place = harmless(problem.path + (f"#{problem.pointer}" if problem.pointer else ""))
        yield Text.assemble("    ", place or ".", ("  ", ""), harmless(problem.message))
        last = at == len(first) - 1
        if last and left:
            yield Text(f"    and {left:,} more (all with --json)", "dim")
        if problem.hint and (last or first[at + 1].hint != problem.hint):
            yield Text.assemble("    → ", harmless(problem.hint), style="italic")


def last_line(report: Report) -> str:
    """Return the summary of a report: `3 suites, 214 runs, 1,204 judged items; 2 errors, …`."""
    waiting = sum(suite.waiting for suite in report.suites)
    waits = f" ({waiting:,} {UNGRADED})" if waiting else ""
    held = (
        count(len(report.suites), "suite"),
        count(sum(suite.runs for suite in report.suites), "run") + waits,
        count(sum(suite.judgments for suite in report.suites), "judged item"),
    )
    wrong = (count(report.count(severity), _TITLES[severity][0]) for severity in _TITLES)
    return f"{', '.join(held)}; {', '.join(wrong)}"
