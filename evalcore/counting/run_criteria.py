"""One run by its id, the runs of its case, and the criteria of that which apply to it."""

from collections.abc import Container, Iterable

import numpy as np

from evalcore.counting.cells import has, typed, where
from evalcore.counting.choices import versions_of
from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import UnknownName
from evalcore.layouts.order import natural
from evalcore.tables.rows import CriterionRow, RunRow
from evalcore.workspace.opened import Workspace

Key = tuple[str, str]
"""(kind, criterion)"""


def run_row(ws: Workspace, run_id: str) -> RunRow:
    """Return the row of one run.

    Raises:
        UnknownName: there is no such run.
    """
    found = where(ws, "runs", run_id=run_id)
    if not len(found):
        raise UnknownName("run", run_id, ws.tables.runs["run_id"].head(2000).dropna())
    return typed(ws, "runs", RunRow, found[:1])[0]


def criteria_of(ws: Workspace, run: RunRow, judged: Container[Key]) -> dict[Key, CriterionRow]:
    """Return the criteria of a run's case, without those that only other runs mention.

    `judged` are those that the run was judged by; they are always included.
    """
    others = frozenset(row.version for row in versions_of(ws, run.suite)) - {run.version}
    return {
        key: rule
        for key, rule in _criteria_of_case(ws, run.suite, run.case_id).items()
        if key in judged or not _elsewhere_only(ws, rule, run, others)
    }


@memoize_per_workspace
def _criteria_of_case(
    ws: Workspace, suite: str | None, case_id: str | None
) -> dict[Key, CriterionRow]:
    found = where(ws, "criteria", suite=suite, case_id=case_id)
    return criteria_by_key(typed(ws, "criteria", CriterionRow, found))


@memoize_per_workspace
def all_runs_of_case(ws: Workspace, suite: str | None, case_id: str | None) -> tuple[RunRow, ...]:
    """Return the runs of a case on all sides, in the natural order of their names."""
    rows = typed(ws, "runs", RunRow, where(ws, "runs", suite=suite, case_id=case_id))
    return tuple(sorted(rows, key=lambda row: natural(row.run or "")))


def criteria_by_key(rows: Iterable[CriterionRow]) -> dict[Key, CriterionRow]:
    """Return criteria by kind and label."""
    return {(row.kind or "", row.criterion or ""): row for row in rows}


def _elsewhere_only(
    ws: Workspace, rule: CriterionRow, run: RunRow, others: frozenset[str | None]
) -> bool:
    """Return whether only another run's grading or another version's folder names a criterion."""
    source = rule.source or ""
    graded = run.origin != "record" and source != run.source
    if graded and has(ws, "runs", "source", source):
        return True
    return not others.isdisjoint(source.split("/")[:-1])


@memoize_per_workspace
def run_sources(ws: Workspace) -> frozenset[str]:
    """Return the documents that runs were read from."""
    source = coded(ws, "runs", "source")  # tables may share words: only those of rows count
    return frozenset(source.words[code] for code in np.unique(source.codes).tolist() if code >= 0)
