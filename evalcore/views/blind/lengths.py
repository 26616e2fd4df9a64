"""How long outputs are, to tell whether length decided."""

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.run_criteria import run_row
from evalcore.errors import UnknownName
from evalcore.judging.asking.tasks import output_paths
from evalcore.views.files.outputs import load_text
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def length_of(ws: Workspace, run: str) -> int | None:
    """Return the characters of all texts that a run made; None where the run is gone."""
    try:
        paths = output_paths(ws, run_row(ws, run))
    except UnknownName:
        return None
    return sum(len(load_text(ws, path) or "") for path in paths)
