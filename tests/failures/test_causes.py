"""Failures with the same cause: one criterion, similar reasons."""

from pathlib import Path

import pytest

from evalcore.failures import causes as module
from evalcore.failures.causes import causes, span
from evalcore.failures.query import Query
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace
from tests.made import SUITE, case, judgment, run, suite, version, workspace


def _made(root: Path, *failed: tuple[str, str, str]) -> Workspace:
    """Return a workspace with a run for each (version, criterion, reason), and v3 without one."""
    rows: list[Row] = []
    for at, (label, name, reason) in enumerate(failed):
        rows.append(run(run_id=f"r{at}", version=label))
        rows.append(judgment(name, False, run_id=f"r{at}", rationale=reason))
    rows += [run(run_id="good", version="v3"), judgment("a", run_id="good")]
    rows += [version(f"v{at}", at) for at in range(4)]
    return workspace(root, suite(), case(), *rows)


def test_similar_reasons_of_one_criterion_are_one_cause(tmp_path: Path) -> None:
    """It is named by the shortest reason; the most frequent cause comes first."""
    ws = _made(
        tmp_path,
        ("v1", "year", "The year of the report is missing again"),
        ("v2", "year", "The year of the report is missing"),
        ("v2", "title", "The year of the report is missing"),
        ("v2", "year", "It names another person"),
    )
    found = causes(ws, SUITE, Query())
    assert [(each.criterion, each.reason, len(each.places)) for each in found.causes] == [
        ("year", "The year of the report is missing", 2),
        ("title", "The year of the report is missing", 1),
        ("year", "It names another person", 1),
    ]
    assert (found.compared, found.total) == (4, 4)


def test_the_versions_of_a_cause(tmp_path: Path) -> None:
    """From the first with it to the last; gone where a newer version has runs without it."""
    ws = _made(tmp_path, ("v1", "a", "No year"), ("v2", "a", "No year"), ("v3", "b", "x"))
    found = {each.criterion: span(ws, SUITE, each) for each in causes(ws, SUITE, Query()).causes}
    assert found == {"a": ("v1", "v2", True), "b": ("v3", "v3", False)}


def test_the_work_is_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the cap a criterion alone makes a cause; the answer says how many were compared."""
    monkeypatch.setattr(module, "COMPARED", 1)
    reasons = ("One word", "Another thing", "A third matter")
    ws = _made(tmp_path, *(("v1", "a", reason) for reason in reasons))
    found = causes(ws, SUITE, Query())
    assert (found.compared, found.total, [len(each.places) for each in found.causes]) == (
        1,
        3,
        [2, 1],
    )


def test_without_a_failed_criterion_the_type_is_the_cause(tmp_path: Path) -> None:
    """Runs that ran out of time share that."""
    rows = [run(run_id=f"r{at}", status="timeout") for at in range(2)]
    (cause,) = causes(workspace(tmp_path, suite(), *rows), SUITE, Query()).causes
    assert (cause.criterion, cause.reason, len(cause.places)) == ("", "timeout", 2)
