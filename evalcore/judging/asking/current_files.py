"""Re-read the files of one run, and tell when they were last written."""

from datetime import UTC, datetime

from evalcore.counting.cells import typed, where
from evalcore.counting.run_criteria import run_row
from evalcore.disk.files import inside
from evalcore.errors import PathOutside
from evalcore.families.base import is_review
from evalcore.families.reviews.basis import output_stats
from evalcore.judging.asking.asked import case_row, places
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import CriterionRow, JudgmentRow, RunRow
from evalcore.workspace.opened import Workspace, reopened


def with_current_files(ws: Workspace, run_id: str) -> Workspace:
    """Return the workspace with the documents of a run re-read; itself if none changed.

    These are the documents that define the run, its case and its criteria.

    Raises:
        UnknownName: there is no such run.
    """
    changed = [path for path in _sources(ws, run_row(ws, run_id)) if _differs(ws, path)]
    return reopened(ws, changed) if changed else ws


def output_time(ws: Workspace, run: RunRow) -> datetime | None:
    """Return when the output of a run was last written."""
    if output_pointer(run) is not None:
        return file_time(ws, run.source)
    stats = output_stats(ws.root, run.outputs) if run.outputs else {}
    return _moment(max((mtime for _, mtime in stats.values()), default=None))


def file_time(ws: Workspace, path: str | None) -> datetime | None:
    """Return when a file was last written; None if there is no such file."""
    found = _stat(ws, path) if path else None
    return _moment(found[1] if found else None)


def _sources(ws: Workspace, run: RunRow) -> set[str]:
    found = {run.source, getattr(case_row(ws, run), "source", None)}
    rules = where(ws, "criteria", suite=run.suite, case_id=run.case_id)
    found |= {rule.source for rule in typed(ws, "criteria", CriterionRow, rules)}
    rows = where(ws, "judgments", run_id=run.run_id)
    judged = (row.source for row in typed(ws, "judgments", JudgmentRow, rows))
    found |= {source for source in judged if not is_review(source)}
    return {source for source in found if source}


def _differs(ws: Workspace, path: str) -> bool:
    """Say whether size or time of a file changed since it was read; False if it was not read."""
    at = places(ws).get(path)
    if at is None:
        return False
    listing = ws.opened.listing
    return _stat(ws, path) != (listing.sizes[at], listing.mtimes[at])


def _stat(ws: Workspace, path: str) -> tuple[int, int] | None:
    try:
        about = inside(ws.root, path).stat()
    except (OSError, PathOutside, ValueError):
        return None
    return about.st_size, about.st_mtime_ns


def _moment(mtime: int | None) -> datetime | None:
    return None if mtime is None else datetime.fromtimestamp(mtime / 1e9, UTC)
