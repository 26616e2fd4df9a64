"""Each regression is surfaced: its failures are recorded, a task and a message tell of it."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from evalcore.benchmarks.drops import Step, drops
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.joined import run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.base import RECORDED
from evalcore.families.reviews.review import BENCHMARK, BENCHMARK_RUN
from evalcore.hard_rules.failed_runs import keeps
from evalcore.hard_rules.model import Broken, Check, Found, Place, warnings
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

AUTHOR: Final = "evalcore"
CRITICAL: Final = "critical"
SUBJECT: Final = "benchmark-regression"
TELLING: Final = ("task", "message")


def _find(ws: Workspace, suite: str) -> Found:
    """Look for what must follow from each drop of more than 10 points."""
    steps = drops(ws, suite)
    if _is_partly_hidden(ws, suite):
        return Found("regressions", unknown=len(steps))
    broken = [step.row for step in steps if _missing(ws, step)]
    return Found(
        "regressions",
        kept=len(steps) - len(broken),
        broken=np.array(broken, np.int64),
        asked=not broken or keeps(ws, suite, BENCHMARK, BENCHMARK_RUN),
    )


def _is_partly_hidden(ws: Workspace, suite: str) -> bool:
    """Return whether runs of a suite are hidden from the reader, and so what was sent of it."""
    hidden = coded(ws, "runs", "status").among({HIDDEN})
    return bool((hidden & coded(ws, "runs", "suite").among({suite})).any())


def _missing(ws: Workspace, step: Step) -> list[str]:
    """Return in words what does not tell of a regression and should."""
    known = _classified(ws)
    lost = sum(run not in known for run in step.newly_failing)
    table = ws.tables.columns["benchmark_runs"]
    (suite,), (name,) = (picked(table[of], [step.row]) for of in ("suite", "benchmark_run"))
    told = _told(ws)
    failures = f"a critical eval-failure for {lost} of {len(step.newly_failing)} newly failing runs"
    silent = [f"a {kind}" for kind in TELLING if (suite, kind, name) not in told]
    return [*([failures] if lost else []), *silent]


@memoize_per_workspace
def _classified(ws: Workspace) -> frozenset[int]:
    """Return the runs (positions) with a critical failure, or with one that a person classified."""
    run = run_of(ws, "failures").tolist()
    rows = cells(ws.tables, "failures", "severity", "origin", "author")
    return frozenset(
        at
        for at, (severity, origin, author) in zip(run, rows, strict=True)
        if severity == CRITICAL or (origin != RECORDED and author != AUTHOR)
    )


@memoize_per_workspace
def _told(ws: Workspace) -> frozenset[tuple[str, str, str]]:
    """Return suite, kind and subject of the tasks and messages about regressions."""
    rows = cells(ws.tables, "messages", "suite", "kind", "subject", "about")
    return frozenset(
        (suite, kind, about)
        for suite, kind, subject, about in rows
        if about is not None and (kind == "task" or subject == SUBJECT)
    )


def _describe(ws: Workspace, rows: Numbers) -> Iterator[Broken]:
    table = ws.tables.columns["benchmark_runs"]
    names = ("suite", "benchmark_run", "source", "pointer")
    found = (picked(table[name], rows.tolist()) for name in names)
    for row, suite, name, source, pointer in zip(rows.tolist(), *found, strict=True):
        step = next(each for each in drops(ws, suite) if each.row == row)
        yield Broken(
            "benchmark run",
            name,
            "The pass rate fell by more than 10 points at this benchmark run. Missing: "
            f"{', '.join(_missing(ws, step))}.",
            (Place("benchmark-run", source or "", pointer or ""), *_failing(ws, step)),
        )


def _failing(ws: Workspace, step: Step) -> Iterator[Place]:
    """Yield the documents of the newly failing runs."""
    runs, table = list(step.newly_failing), ws.tables.columns["runs"]
    for source, pointer in zip(*(picked(table[of], runs) for of in _PLACE), strict=True):
        if source:
            yield Place("newly failing run", source, pointer or "")


_PLACE: Final = ("source", "pointer")
CHECK: Final = Check(
    "regressions",
    _find,
    _describe,
    warnings(
        "regression-not-surfaced",
        "Write the missing records: evalcore benchmark follow-up FOLDER ID, with the id of this "
        "benchmark run.",
        _describe,
    ),
)
