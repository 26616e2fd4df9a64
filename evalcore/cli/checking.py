"""`evalcore check`: what was recognised in a folder, and all its problems."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from shlex import quote
from textwrap import indent
from typing import Any, Final, NamedTuple

import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evalcore.benchmarks.drops import newest_steps
from evalcore.cli.answering import Answer, fields
from evalcore.cli.app import NO
from evalcore.cli.opening import open_for_judge
from evalcore.cli.screen import progress, styled
from evalcore.cli.terminal import harmless
from evalcore.counting.coded import coded
from evalcore.counting.counted import counted_answers
from evalcore.counting.outcomes import waiting_runs
from evalcore.lint import check
from evalcore.problems import Problem, Severity, decision, first_of, grouped
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.tables.snapshot import Tables
from evalcore.views.first_screen import ENOUGH, first_screen
from evalcore.views.words.wording import UNGRADED, count, fall, percent
from evalcore.workspace.opened import Workspace

_TITLES: Final[dict[Severity, tuple[str, str, str]]] = {
    "error": ("error", "Errors: could not be read", "bold red"),
    "warning": ("warning", "Warnings: contradictory, or against a rule", "bold yellow"),
    "info": ("note", "Notes: read by tolerance, or worth knowing", "bold blue"),
}
_SAID: Final = ("path", "pointer", "severity", "code", "message", "hint")


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


def answer(path: Path) -> Answer:
    """Check a folder; the answer is no if something could not be read."""
    report = check_folder(path)
    code = NO if report.count("error") else 0
    return Answer(lambda: _document(report), _lines(report), code)


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


def as_document(problem: Problem) -> dict[str, Any]:
    """Return a problem as a document names its parts."""
    return fields(problem, *_SAID)


def _document(report: Report) -> dict[str, Any]:
    names = ("path", "family", "kind", "suite", "records")
    return {
        "root": report.workspace.root,
        "suites": [suite._asdict() for suite in report.suites],
        "documents": [
            dict(zip(names, row, strict=True))
            for row in cells(report.workspace.tables, "documents", *names)
        ],
        "problems": [as_document(problem) for problem in report.problems],
        "unrecognised": report.workspace.unrecognised,
    }


def _lines(report: Report) -> Iterator[RenderableType]:
    """Yield the report: suites, then problems by severity and kind, then the summary."""
    ws = report.workspace
    yield styled(ws.root, "bold")
    if report.suites:
        yield suite_table(report.suites)
    else:
        # What the first page says of a folder without suites, and what would be enough.
        found = first_screen(ws)
        yield from found.said
        yield from (f"{each.text} {each.command}" for each in found.steps if each.state == "next")
        if found.example:
            yield ENOUGH
            yield from indent(found.example, "  ").split("\n")
    for severity, problems in groupby(report.problems, key=lambda problem: problem.severity):
        _, title, style = _TITLES[severity]
        yield ""
        yield styled(title, style)
        same: dict[tuple[str, str], list[Problem]] = {}
        for problem in problems:
            same.setdefault(decision(problem), []).append(problem)
        for each in same.values():
            yield from _group(each)
    fell = list(_regressions(ws))
    if fell:
        yield ""
        yield styled("Regressions: dropped at the newest benchmark run", "bold red")
    yield from (f"  {line}" for line in fell)
    yield ""
    yield _summary(report)


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


def _regressions(ws: Workspace) -> Iterator[str]:
    """Yield the benchmarks that dropped by more than 10 points at their newest run.

    What is hidden is not among them.
    """
    table = ws.tables.columns["benchmark_runs"]
    for (suite,) in cells(ws.tables, "suites", "suite"):
        for step in newest_steps(ws, suite):
            if step.drop.level != "critical":
                continue
            names = ("name", "benchmark", "benchmark_run")
            name, benchmark, run = (picked(table[column], [step.row])[0] for column in names)
            fell = fall(step.drop.points)
            failing = count(len(step.newly_failing), "newly failing run")
            yield (
                f"{suite}: {name or benchmark} fell from {percent(step.before)} to "
                f"{percent(step.now)} ({fell}) at {run}; {failing}. See: evalcore trends "
                f"{quote(str(ws.root))} --suite {quote(suite)} --over benchmark-runs"
            )


def _summary(report: Report) -> str:
    """Return the last line: `3 suites, 214 runs, 1,204 judged items; 2 errors, …`."""
    waiting = sum(suite.waiting for suite in report.suites)
    waits = f" ({waiting:,} {UNGRADED})" if waiting else ""
    held = (
        count(len(report.suites), "suite"),
        count(sum(suite.runs for suite in report.suites), "run") + waits,
        count(sum(suite.judgments for suite in report.suites), "judged item"),
    )
    wrong = (count(report.count(severity), _TITLES[severity][0]) for severity in _TITLES)
    return f"{', '.join(held)}; {', '.join(wrong)}"
