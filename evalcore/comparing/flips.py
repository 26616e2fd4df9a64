"""Why a verdict flipped: because the output is another, or because the judge says otherwise."""

import hashlib

import orjson

from evalcore.comparing.model import Side, Source
from evalcore.counting.cells import typed, where
from evalcore.counting.kept import kept
from evalcore.counting.recorded import held_output
from evalcore.disk.outputs import outputs_digest
from evalcore.errors import EvalcoreError
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace


def flip_source(a: Side, b: Side, run_a: str, run_b: str) -> Source:
    """Return what made two runs (ids) of one case end differently, as far as files tell.

    The same output with another verdict is the judge; another output is the version. It opens the
    files of both runs, so it is for one case, or one page of cases.
    """
    one, two = output_digest(a.ws, run_a), output_digest(b.ws, run_b)
    if one is None or two is None:
        return "not told"
    return "judge" if one == two else "version"


def output_digest(ws: Workspace, run_id: str) -> str | None:
    """Return the sha256 of what a run left behind; None where nothing is there or it is too much.

    An output that a record holds counts as its JSON with sorted keys.
    """
    known = _digests(ws)
    if run_id not in known:
        known[run_id] = _digest(ws, run_id)
    return known[run_id]


@kept
def _digests(ws: Workspace) -> dict[str, str | None]:
    """Return the digests taken so far; it goes with the snapshot."""
    del ws
    return {}


def _digest(ws: Workspace, run_id: str) -> str | None:
    run = next(iter(typed(ws, "runs", RunRow, where(ws, "runs", run_id=run_id)[:1])), None)
    if run is None:
        return None
    held = held_output(run)
    if held is not None:
        return _of_record(ws, run, held)
    return outputs_digest(ws.root, run.outputs) if run.outputs else None


def _of_record(ws: Workspace, run: RunRow, held: str) -> str | None:
    try:
        value = ws.raw(run.source or "", held)
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (EvalcoreError, TypeError):
        return None
    return None if value is None else hashlib.sha256(data).hexdigest()
