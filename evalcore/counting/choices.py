"""The names to choose from: suites, versions, configurations and cases."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Coded, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.rows import VersionRow
from evalcore.workspace.opened import Workspace

TOP: Final = "."
"""The suite of documents that lie in no folder of their own."""


@memoize_per_workspace
def suite_ids(ws: Workspace) -> tuple[str, ...]:
    """Return the suites of a workspace, those without runs last."""
    return tuple(
        sorted(map(str, ws.tables.suites["suite"]), key=suites_without_runs(ws).__contains__)
    )


@memoize_per_workspace
def versions_of(ws: Workspace, suite: str | None) -> tuple[VersionRow, ...]:
    """Return the versions of a suite as its table has them."""
    return tuple(typed(ws, "versions", VersionRow, where(ws, "versions", suite=suite)))


@memoize_per_workspace
def suites_without_runs(ws: Workspace) -> frozenset[str]:
    """Return the suites that no run is of."""
    found = coded(ws, "runs", "suite")
    return frozenset(map(str, ws.tables.suites["suite"])) - _used(found, slice(None))


@memoize_per_workspace
def suite_names(ws: Workspace) -> dict[str, str]:
    """Return what each suite is called: as short as tells it from the others, and unique."""
    names = short_names(suite_ids(ws))
    if TOP in names:
        names[TOP] = f"{ws.name}/" if ws.name in names.values() else ws.name
    return names


def suite_called(ws: Workspace, asked: str) -> str | None:
    """Return the suite of this id, else the only one of this name or end of its path."""
    known, names = suite_ids(ws), suite_names(ws)
    if asked in known:
        return asked
    called = [suite for suite in known if names[suite] == asked or suite.endswith(f"/{asked}")]
    return called[0] if len(called) == 1 else None


def short_names(suites: Iterable[str]) -> dict[str, str]:
    """Return the shortest end of each suite's path that no other suite ends with."""
    known = list(suites)
    ends = dict.fromkeys(known, 1)
    while clashing := _clashing(known, ends):
        for suite in clashing:
            ends[suite] += 1
    return {suite: _end(suite, ends[suite]) for suite in known}


def _clashing(known: list[str], ends: Mapping[str, int]) -> list[str]:
    count = Counter(_end(suite, ends[suite]) for suite in known)
    # What is shown whole already cannot grow; the other one does.
    return [
        suite
        for suite in known
        if count[_end(suite, ends[suite])] > 1 and _end(suite, ends[suite]) != suite
    ]


def _end(suite: str, parts: int) -> str:
    return "/".join(suite.split("/")[-parts:])


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
    return tuple(sorted(_used(coded(ws, "runs", column), here)))


def _used(found: Coded, rows: NDArray[np.bool_] | slice) -> frozenset[str]:
    """Return the words of a column that some rows have."""
    named = np.bincount(found.keys[rows], minlength=found.width)[:-1]
    return frozenset(word for word, n in zip(found.words, named, strict=False) if n)
