"""The source documents of a run, each with a pointer."""

from pathlib import PurePosixPath
from typing import Final

from evalcore.views.run.evidence import Evidence
from evalcore.workspace.opened import Workspace

Place = tuple[str, str | None]
"""(source, pointer); None or an empty pointer is the whole document."""

BESIDE: Final = ("structural.json", "timing.json", "metrics.json")
MAX_PLACES: Final = 24


def places_of(ws: Workspace, seen: Evidence) -> list[Place]:
    """Return the documents of a run: its own, its judgments', those beside it, its case's."""
    run = seen.run
    found: dict[str, str | None] = {}
    if run.source:
        found[run.source] = run.pointer
    for item in (*seen.items, *seen.structural, *seen.conventions):
        for one in (item, *item.also):
            if one.source and one.source not in found:
                found[one.source] = None
    for path in _beside(ws, run.source):
        found.setdefault(path, None)
    if seen.case.source:
        found.setdefault(seen.case.source, seen.case.pointer)
    return list(found.items())[:MAX_PLACES]


def _beside(ws: Workspace, source: str | None) -> list[str]:
    """Return the documents in the run's folder, and its timing one folder up."""
    if source is None or PurePosixPath(source).name not in ("grading.json", "structural.json"):
        return []
    folder = PurePosixPath(source).parent
    near = [folder / name for name in BESIDE] + [folder.parent / "timing.json"]
    return [str(path) for path in near if (ws.root / path).is_file()]
