"""What tells whether two runs left the same behind: the sha256 of their outputs."""

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.recorded import held_output
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.basis import output_sha256, sha256_of
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace


def output_digest(ws: Workspace, run_id: str) -> str | None:
    """Return the sha256 of what a run left behind; None where nothing is there or it is too much.

    An output that a record holds counts as its JSON with sorted keys. It is taken once for a
    snapshot.
    """
    known = _digests(ws)
    if run_id not in known:
        run = next(iter(typed(ws, "runs", RunRow, where(ws, "runs", run_id=run_id)[:1])), None)
        known[run_id] = None if run is None else digest_now(ws, run)
    return known[run_id]


@memoize_per_workspace
def _digests(ws: Workspace) -> dict[str, str | None]:
    """Return the digests taken so far; it goes with the snapshot."""
    del ws
    return {}


def digest_now(ws: Workspace, run: RunRow) -> str | None:
    """Return the `output_digest` of a run, of its files as they are now."""
    held = held_output(run)
    if held is None:
        return output_sha256(ws.root, run.outputs)
    try:
        value = ws.raw(run.source or "", held)
    except EvalcoreError:
        return None
    return None if value is None else sha256_of(value)
