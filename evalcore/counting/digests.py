"""The sha256 of a run's output, to tell whether two runs produced the same."""

from collections.abc import Iterable

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.basis import output_sha256, sha256_of
from evalcore.tables.arrays import true_places
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def without_output(ws: Workspace) -> Numbers:
    """Return which runs of the workspace name no output, neither files nor a part of a record."""
    found: Numbers = ~coded(ws, "runs", "origin").among({"record"})
    named = np.ones(len(found), bool)
    named[true_places(pc.is_null(ws.tables.columns["runs"]["outputs"].strings))] = False
    return found & ~named


def output_digest(ws: Workspace, run_id: str) -> str | None:
    """Return the sha256 of a run's output; None if there is none or it is too large.

    An output inside a record is digested as JSON with sorted keys. It is computed once for each
    snapshot.
    """
    known = _digests(ws)
    if run_id not in known:
        known[run_id] = dict(output_digests(ws, where(ws, "runs", run_id=run_id)[:1])).get(run_id)
    return known[run_id]


def output_digests(ws: Workspace, rows: Iterable[int]) -> list[tuple[str, str | None]]:
    """Return the ids of some runs (positions), each with its `output_digest`."""
    known = _digests(ws)
    found: list[tuple[str, str | None]] = []
    for run in typed(ws, "runs", RunRow, rows):
        name = str(run.run_id)
        if name not in known:
            known[name] = digest_now(ws, run)
        found.append((name, known[name]))
    return found


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
