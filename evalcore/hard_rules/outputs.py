"""Outputs are only observed: what was judged or compared is still what the run produced."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import run_of
from evalcore.hard_rules.model import Broken, Check, Found, Place, warnings
from evalcore.tables.arrays import true_places
from evalcore.tables.columns import picked
from evalcore.workspace.opened import Workspace

_MADE: Final = {
    "eval-judgment": "it was judged",
    "adjudication": "its score was decided",
    "approval-request": "it was sent to judging",
    "blind-study": "it was put into a blind study",
}


def _find(ws: Workspace, suite: str) -> Found:
    """Compare the outputs of runs with what current records say that they were."""
    runs = len(values(ws, "runs", "passed"))
    rows = np.flatnonzero(coded(ws, "fingerprints", "suite").among({suite}))
    run = run_of(ws, "fingerprints")[rows]
    rows, run = rows[run >= 0], run[run >= 0]
    stated, changed = np.zeros(runs, bool), np.zeros(runs, bool)
    stated[run] = True
    changed[run[values(ws, "fingerprints", "kept")[rows] == 0]] = True
    produced = coded(ws, "runs", "suite").among({suite}) & _with_output(ws)
    return Found(
        "outputs",
        kept=int((stated & ~changed).sum()),
        broken=np.flatnonzero(changed),
        unknown=int((produced & ~stated).sum()),
    )


def _with_output(ws: Workspace) -> Numbers:
    """Return which runs have an output in the workspace."""
    found = np.zeros(len(values(ws, "runs", "passed")), bool)
    found[true_places(pc.is_valid(ws.tables.columns["runs"]["outputs"].strings))] = True
    return found


def _describe(ws: Workspace, runs: Numbers) -> Iterator[Broken]:
    table, said = (ws.tables.columns[name] for name in ("runs", "fingerprints"))
    found = (picked(table[name], runs.tolist()) for name in ("run_id", "source", "pointer"))
    records = _records(ws, runs)
    for at, name, source, pointer in zip(runs.tolist(), *found, strict=True):
        columns = (picked(said[name], records[at]) for name in ("kind", "source", "pointer"))
        told = [Place(*row) for row in zip(*columns, strict=True)]
        more = f" {len(told) - 1:,} more records say the same." if len(told) > 1 else ""
        when = _MADE.get(told[0].what, "it was recorded")
        run = [Place("run", source, pointer or "")] if source else []
        yield Broken(
            "run",
            name,
            f"The output of this run has changed since {when}.{more}",
            (*run, *told),
        )


def _records(ws: Workspace, runs: Numbers) -> dict[int, list[int]]:
    """Return by run (position) the rows of the fingerprints that its output no longer has."""
    found: dict[int, list[int]] = defaultdict(list)
    run = run_of(ws, "fingerprints")
    changed = np.isin(run, runs) & (values(ws, "fingerprints", "kept") == 0)
    for row in np.flatnonzero(changed).tolist():
        found[int(run[row])].append(row)
    return found


CHECK: Final = Check(
    "outputs",
    _find,
    _describe,
    warnings(
        "output-changed",
        "Restore the output, or judge it again.",
        _describe,
    ),
)
