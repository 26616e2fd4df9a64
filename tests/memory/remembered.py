"""Records of what is remembered, written into copies of demo suites, and their rows."""

from pathlib import Path
from typing import Any, TypeVar

from evalcore.counting.cells import typed
from evalcore.families.reviews.models import (
    BenchmarkFields,
    BenchmarkRunFields,
    MessageFields,
    TaskFields,
)
from evalcore.memory.store import New
from evalcore.tables.rows import TABLES, Row
from evalcore.workspace.opened import Workspace, open_workspace
from tests.judging.copies import copied

RowT = TypeVar("RowT", bound=Row)
NOTES, SUPPORT = "release-notes", "support-agent"
BENCHMARK = "11111111-0000-4000-8000-000000000001"
RUN = "11111111-0000-4000-8000-000000000002"
TASK = "11111111-0000-4000-8000-000000000003"
MESSAGE = "11111111-0000-4000-8000-000000000004"
AT = "2026-04-01T10:00:00Z"


def again(ws: Workspace) -> Workspace:
    """Open the folder again as it is now."""
    return open_workspace(ws.root, cache=False)


def rows(ws: Workspace, kind: type[RowT], /, **wanted: Any) -> list[RowT]:
    """Return the rows of a table that have some values."""
    name = next(name for name, row_type in TABLES.items() if row_type is kind)
    found = typed(ws, name, kind, range(len(getattr(ws.tables, name))))
    return [each for each in found if all(getattr(each, key) == of for key, of in wanted.items())]


def benchmark(cases: list[str], name: str = "replies", **fields: Any) -> New:
    """Return a benchmark to write."""
    of = BenchmarkFields(
        name=name,
        test_case_ids=cases,
        dimension="reply quality",
        passing_threshold=0.8,
        owner_id="ana-3f2a",
        **fields,
    )
    return New("benchmark", BENCHMARK, of, about=name, at=AT)


def benchmark_run(runs: list[str], **fields: Any) -> New:
    """Return a benchmark run to write."""
    of = BenchmarkRunFields(
        benchmark_id=BENCHMARK,
        test_run_ids=runs,
        ran_at=AT,
        triggered_by="schedule:nightly",
        **{"pass_rate": 0.5, "overall_score": 0.75, **fields},
    )
    return New("benchmark-run", RUN, of, about="replies", at=AT)


def task(**fields: Any) -> New:
    """Return a task to write."""
    of = TaskFields(
        title="Investigate benchmark regression",
        description="It fell.",
        about_type="benchmark-run",
        about_id=RUN,
        **fields,
    )
    return New("task", TASK, of, about="replies", at=AT)


def message(**fields: Any) -> New:
    """Return a message to write."""
    of = MessageFields(
        sender="evalcore",
        recipient="orchestrator",
        subject="benchmark-regression",
        text="It fell.",
        payload={"points": 0.2},
        about_type="benchmark-run",
        about_id=RUN,
        **fields,
    )
    return New("message", MESSAGE, of, about="replies", at=AT)


def suite(root: Path, name: str) -> Workspace:
    """Return a copy of one demo suite."""
    return copied(root, name)
