"""The sha256 of a run's output, to tell whether two runs produced the same."""

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.basis import output_sha256, sha256_of
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace


def output_digest(ws: Workspace, run_id: str) -> str | None:
    """Return the sha256 of a run's output; None if there is none or it is too large.

    An output inside a record is digested as JSON with sorted keys. It is computed once for each
    snapshot.
    """
    known = _digests(ws)
    if run_id not in known:
        run = next(iter(typed(ws, "runs", RunRow, where(ws, "runs", run_id=run_id)[:1])), None)
        known[run_id] = None if run is None else digest_now(ws, run)
    return known[run_id]


@memoize_per_workspace
def _digests(ws: Workspace) -> dict[str, str | None]:
    """Return the digests computed so far, cached with the snapshot."""
    del ws
    return {}


def digest_now(ws: Workspace, run: RunRow) -> str | None:
    """Return the `output_digest` of a run from its current files."""
    held = output_pointer(run)
    if held is None:
        return output_sha256(ws.root, run.outputs)
    try:
        value = ws.raw(run.source or "", held)
    except EvalcoreError:
        return None
    return None if value is None else sha256_of(value)
