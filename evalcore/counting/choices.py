"""The names to choose from: suites, versions, configurations and cases."""

import numpy as np

from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def suite_ids(ws: Workspace) -> tuple[str, ...]:
    """Return the suites of a workspace."""
    return tuple(map(str, ws.tables.suites["suite"]))


@memoize_per_workspace
def version_names(ws: Workspace, suite: str) -> tuple[str, ...]:
    """Return the versions of a suite in their order."""
    versions = ws.tables.versions[(ws.tables.versions["suite"] == suite).to_numpy()]
    return tuple(map(str, versions.sort_values("position")["version"]))


@memoize_per_workspace
def configuration_names(ws: Workspace, suite: str) -> tuple[str, ...]:
    """Return the configurations that the runs of a suite have, by name."""
    return _of_runs(ws, suite, "configuration")


@memoize_per_workspace
def case_ids(ws: Workspace, suite: str) -> tuple[str, ...]:
    """Return the cases that the runs of a suite are of, by id."""
    return _of_runs(ws, suite, "case_id")


def _of_runs(ws: Workspace, suite: str, column: str) -> tuple[str, ...]:
    here = coded(ws, "runs", "suite").among({suite})
    found = coded(ws, "runs", column)
    named = np.bincount(found.keys[here], minlength=found.width)[:-1]
    return tuple(sorted(word for word, n in zip(found.words, named, strict=False) if n))
