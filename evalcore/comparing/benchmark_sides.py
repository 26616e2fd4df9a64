"""Benchmark runs as sides: snapshots of a workspace with only their own test runs."""

import numpy as np

from evalcore.benchmarks.members import members
from evalcore.comparing.model import Side
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.tables.masked import only
from evalcore.tables.snapshot import Tables
from evalcore.workspace.opened import Workspace

_KEYS = ("suite", "version", "configuration")


def side_of_benchmark_run(ws: Workspace, row: int) -> Side | None:
    """Return a benchmark run (a row of its table) as a side that has exactly its test runs.

    None if it has none here, or they are of several versions or configurations.
    """
    runs = members(ws).of(row)
    names = [coded(ws, "runs", name) for name in _KEYS]
    found = {tuple(of.words[of.codes[run]] for of in names) for run in runs.tolist()}
    if len(found) != 1:
        return None
    suite, *column = found.pop()
    return Side(_with_runs(ws, row), suite, Column(*column))


@memoize_per_workspace
def _with_runs(ws: Workspace, row: int) -> Workspace:
    """Return a snapshot of the same files with the runs of one benchmark run alone."""
    runs = coded(ws, "runs", "run_id")
    mine = np.zeros(len(runs.codes), bool)
    mine[members(ws).of(row)] = True
    ids = [runs.words[code] for code in runs.codes[mine].tolist()]
    tables = dict(ws.tables.columns)
    tables["runs"] = only(tables["runs"], mine)
    for name, table in ws.tables.columns.items():
        if name != "runs" and "run_id" in table:
            run = coded(ws, name, "run_id")
            found: Numbers = run.among(ids) | (values(ws, name, "run_id") < 0)
            tables[name] = only(table, found)
    opened = ws.opened._replace(tables=Tables(tables))
    return Workspace(ws.root, opened, ws.cached, ws.hidden)
