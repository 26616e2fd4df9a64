"""Update large tables for a few changed gradings and reviews."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.families import registry
from evalcore.families.base import ClaimedFile, Family, Plan, PreviousRows
from evalcore.problems import UNREAD, Problem
from evalcore.tables.arrays import Array
from evalcore.tables.builder import Rows
from evalcore.tables.columns import FinishedColumn
from evalcore.tables.patch import patched
from evalcore.tables.rows import ProblemRow
from evalcore.tables.snapshot import ColumnTables
from evalcore.workspace.changes import Change
from evalcore.workspace.read import no_gc
from evalcore.workspace.reviews import is_in, reread, split_change

if TYPE_CHECKING:
    import pandas as pd

MOST: Final = 512
"""More changed files than this are read with all others."""

OF_RUNS: Final = ("judgments", "run_scores", "claims", "runs", "feedback", "notes")
OF_A_SUITE: Final = ("versions", "benchmarks")
DEFINED: Final = ("cases", "criteria")

Frames = Callable[[str], "pd.DataFrame"]


class Updated(NamedTuple):
    """Updated tables, and the further files that were read."""

    tables: ColumnTables
    extras: frozenset[str]


def updated(
    tables: ColumnTables, frames: Frames, listing: Listing, change: Change
) -> Updated | None:
    """Return the updated tables; None if all files must be read.

    `listing` is the current one, `frames` returns the old tables as data frames.
    """
    if len(change.files) > MOST:
        return None
    split = split_change(tables, change)
    found, roots = Updated(tables, frozenset()), split.roots
    if split.others.files or split.others.folders:
        target = _target(frames("suites"), split.others)
        if target is None:
            return None
        state = _SuiteState(tables, frames, *target)
        taken = state.take_in(listing, split.others) if state.allows(split.others) else None
        if taken is None:
            return None
        found, roots = taken, roots | {state.root}
    with no_gc():
        again = reread(found.tables, listing, roots, split.files)
    return None if again is None else Updated(again[0], found.extras | again[1])


def context_folders(path: str) -> list[str]:
    """Return the folders whose existence matters to a file."""
    known = (family.update for family in registry.FAMILIES)
    return [folder for update in known if update for folder in update.beside(path)]


def _target(suites: pd.DataFrame, change: Change) -> tuple[Family, str, str] | None:
    """Return the suite of which all changed files are gradings: family, id and root."""
    for family in registry.FAMILIES:
        if family.update is None:
            continue
        mine = suites.loc[suites["family"] == family.name]
        roots = {family.update.root(path) for path in change.files}
        if not change.files:
            shown = mine["root"].astype(str)
            roots = {"" if r == "." else r for r in shown for f in change.folders if _around(r, f)}
        root = roots.pop() if len(roots) == 1 else None
        if root is None:
            continue
        same = mine.loc[mine["root"] == (root or ".")]
        if len(same) == 1:
            return family, str(same["suite"].iloc[0]), root
    return None


class _SuiteState:
    """The old state of one suite."""

    def __init__(
        self, tables: ColumnTables, frames: Frames, family: Family, suite: str, root: str
    ) -> None:
        assert family.update is not None
        self.tables = tables
        self.frames = frames
        self.suite = suite
        self.root = root
        self.name = family.name
        self.update = family.update

    def allows(self, change: Change) -> bool:
        """Return whether only the rows of the changed gradings depend on them."""
        problems = self.frames("problems")
        mine = problems["path"].isin(change.files)
        across = problems["code"].isin(["duplicate-run", "evals-not-found", *UNREAD])
        if bool((across & (mine | (problems["suite"] == self.suite))).any()):
            return False
        # The suite's first grading has this note, which reading that grading alone would not add.
        if bool((mine & (problems["code"] == "history-not-found")).any()):
            return False
        if any(_marks(self.tables[name]["source"], change.files).any() for name in DEFINED):
            return False
        return all(map(self._harmless, change.folders))

    def _harmless(self, folder: str) -> bool:
        """Return whether no unchanged run depends on an added or removed folder."""
        prefix = f"{self.root}/" if self.root else ""
        inside = folder.startswith(prefix)
        others = self.frames("suites")["root"]
        nested = any(r != (self.root or ".") and _around(str(r), folder) for r in others)
        return inside and not nested

    def take_in(self, listing: Listing, change: Change) -> Updated | None:
        """Read the changed gradings and the suite's other documents; None if that is unsafe."""
        sources = self.tables["runs"]["source"]
        gone = _marks(sources, change.files)
        ids = self.frames("runs")["run_id"]
        again = self._again()
        drops = self._drops({*change.files, *(path for path, _ in again)}, ids[gone].astype(str))
        reader, rows = Reader(listing), Rows()
        gradings = [(path, "grading") for path in sorted(change.files & reader.listed)]
        before = len(reader.problems)
        plan = self._plan((*again, *gradings))
        if not self.update.read(plan, reader, rows, self._previous_rows(gone, change.folders)):
            return None
        for problem in reader.problems[before:]:
            rows.add(ProblemRow(*_named(problem, self.suite)))
        tables = {
            name: patched(table, drops.get(name), rows.tables[name])
            for name, table in self.tables.items()
        }
        return Updated(tables, frozenset(reader.extras))

    def _plan(self, files: tuple[ClaimedFile, ...]) -> Plan:
        suites = self.frames("suites")
        skill = suites.loc[suites["suite"] == self.suite, "skill_path"].iloc[0]
        skill_path = None if not isinstance(skill, str) else "" if skill == "." else skill
        return Plan(self.suite, self.name, self.root, skill_path, files)

    def _again(self) -> list[ClaimedFile]:
        """Return the suite's documents to reread."""
        documents = self.frames("documents")
        kinds = documents["kind"].isin(self.update.reread_kinds)
        kept = documents.loc[kinds & (documents["suite"] == self.suite)]
        return sorted(zip(kept["path"].astype(str), kept["kind"].astype(str), strict=True))

    def _previous_rows(self, gone: Array, folders: frozenset[str]) -> PreviousRows:
        runs = self.frames("runs")
        mine = (runs["suite"] == self.suite).to_numpy(bool)
        cases, criteria, versions, benchmarks = (
            table.loc[table["suite"] == self.suite]
            for table in map(self.frames, ("cases", "criteria", "versions", "benchmarks"))
        )
        return PreviousRows(
            runs.loc[mine & ~gone], runs.loc[gone], cases, criteria, versions, benchmarks, folders
        )

    def _drops(self, paths: Iterable[str], runs: Iterable[str]) -> dict[str, Array]:
        """Return which rows of each table to drop: those of some runs, files and the suite."""
        ids = list(runs)
        drops = {name: _marks(self.tables[name]["run_id"], ids) for name in OF_RUNS}
        drops |= {name: self._mine(name) for name in OF_A_SUITE}
        drops["documents"] = is_in(self.tables["documents"]["path"], frozenset(paths))
        problems = self.tables["problems"]
        named = _marks(problems["code"], ["version-not-in-history"]) & self._mine("problems")
        drops["problems"] = named | _marks(problems["path"], paths)
        return drops

    def _mine(self, name: str) -> Array:
        return _marks(self.tables[name]["suite"], [self.suite])


def _around(root: str, folder: str) -> bool:
    return root in (".", folder) or folder.startswith(f"{root}/")


def _named(problem: Problem, suite: str) -> Problem:
    return problem if problem.suite else problem._replace(suite=suite)


def _marks(column: FinishedColumn, words: Iterable[str]) -> Array:
    """Return a mask of the rows that have one of the words."""
    wanted = pa.array(list(words), pa.large_string())
    assert column.values is not None
    codes = column.values
    if column.strings is None or not len(wanted) or not len(column.strings):
        return np.zeros(len(codes), bool)
    known = np.flatnonzero(pc.is_in(column.strings, wanted).to_numpy(zero_copy_only=False))
    if not len(known):
        return np.zeros(len(codes), bool)
    return codes == known[0] if len(known) == 1 else np.isin(codes, known)
