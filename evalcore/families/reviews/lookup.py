"""Look up suites, runs, cases and criteria for reviews, directly in table columns."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.families.base import SEVERAL, Family, is_review
from evalcore.families.reviews.basis import criterion_sha256
from evalcore.ids import run_id
from evalcore.tables.arrays import Array, strings, true_places
from evalcore.tables.columns import FinishedColumn, picked

Column = Callable[[str, str], FinishedColumn]
"""The finished column of a table, by both names."""


class Suite(NamedTuple):
    """A suite; `root` contains its `reviews` folder (`""` is the workspace's root)."""

    id: str
    family: Family
    root: str

    @property
    def prefix(self) -> str:
        """The prefix of its run ids, before `::`."""
        return run_id(self.id, "", "", "", "").partition("::")[0]


class Run(NamedTuple):
    """A run named in a record."""

    id: str
    suite: str
    case_id: str | None
    version: str | None
    origin: str | None
    outputs: str | None
    source: str | None
    pointer: str | None
    configuration: str | None = None
    run: str | None = None


_RUN: Final = ("run_id", *Run._fields[1:])


class Prompt(NamedTuple):
    """What a case asks, the names of its files as a JSON list, and the document that says so."""

    text: str | None = None
    files: str | None = None
    source: str | None = None


class Criterion(NamedTuple):
    """A criterion that people judge."""

    kind: str
    name: str
    description: str | None = None
    required: bool | None = None
    weight: float | None = None
    low: float | None = None
    high: float | None = None
    pass_at: float | None = None
    guide: str | None = None
    source: str | None = None

    @property
    def sha256(self) -> str:
        """The digest of its wording, scale and guide."""
        return criterion_sha256(
            self.kind, self.name, self.description, self.low, self.high, self.guide
        )


Criteria = dict[tuple[str, str], Criterion]
"""Criteria by kind and name, in their order."""


class Lookup:
    """Looks up rows in the columns of the families' tables, without data frames."""

    def __init__(self, column: Column, family: Callable[[str], Family]) -> None:
        self.column = column
        self._family = family
        self._names: dict[str, dict[str, set[str]]] = {}

    @cached_property
    def suites(self) -> list[Suite]:
        """All suites in order."""
        rows = range(self.column("suites", "suite").rows)
        found = self.rows("suites", ("suite", "family", "root"), rows)
        return [
            Suite(name, self._family(family), "" if root in (None, ".") else root)
            for name, family, root in found
        ]

    def rows(
        self, table: str, names: Iterable[str], rows: Iterable[int]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the values of some columns in some rows."""
        wanted = list(rows)
        return zip(*(picked(self.column(table, name), wanted) for name in names), strict=True)

    def runs(self, ids: Collection[str], column: str = "run_id") -> dict[str, list[Run]]:
        """Return the runs by the values of a column, for some of its values."""
        rows = where(self.column("runs", column), ids)
        found: dict[str, list[Run]] = {}
        for key, *values in self.rows("runs", (column, *_RUN), rows.tolist()):
            found.setdefault(key, []).append(Run(*values))
        return found

    def runs_of(self, suites: Collection[str]) -> list[Run]:
        """Return all runs of some suites in order."""
        rows = where(self.column("runs", "suite"), suites).tolist()
        return [Run(*values) for values in self.rows("runs", _RUN, rows)]

    def suites_under(self, folder: str) -> frozenset[str]:
        """Return the suites with a run whose document lies below a folder."""
        sources = self.column("runs", "source").strings
        here = pc.filter(sources, pc.starts_with(sources, f"{folder}/")) if folder else sources
        runs = self.runs(pc.drop_null(here).to_pylist(), "source")
        return frozenset(run.suite for own in runs.values() for run in own)

    def criteria(self, suite: str, cases: Collection[str]) -> dict[str, Criteria]:
        """Return the defined criteria of some cases in order."""
        rows = self._of_cases("criteria", suite, cases)
        names = (
            "case_id", "kind", "criterion", "description", "required", "weight", "min_score",
            "max_score", "pass_at", "guide", "source",
        )  # fmt: skip
        found: dict[str, Criteria] = {}
        for case, *values in self.rows("criteria", names, rows.tolist()):
            criterion = Criterion(*values)
            found.setdefault(case, {}).setdefault((criterion.kind, criterion.name), criterion)
        return found

    def judged(self, runs: Collection[str]) -> dict[str, Criteria]:
        """Return the criteria that runs were judged by, in the order of their judgments.

        Human reviews are left out. If a criterion was judged twice, the first counts, as superseded
        gradings come later.
        """
        if not runs:
            return {}
        rows = where(self.column("judgments", "run_id"), runs)
        names = ("run_id", "kind", "criterion", "min_score", "max_score", "source")
        found: dict[str, Criteria] = {}
        for run, kind, name, low, high, source in self.rows("judgments", names, rows.tolist()):
            if not is_review(source) and kind is not None and name is not None:
                criterion = Criterion(kind, name, low=low, high=high, source=source)
                found.setdefault(run, {}).setdefault((kind, name), criterion)
        return found

    def versions(self, suite: str) -> frozenset[str]:
        """Return the names of the versions of a suite."""
        rows = where(self.column("versions", "suite"), [suite]).tolist()
        return frozenset(name for (name,) in self.rows("versions", ["version"], rows) if name)

    def sources(self, paths: Collection[str]) -> frozenset[str]:
        """Return the given paths from which runs were read."""
        column = self.column("runs", "source")
        return frozenset(picked(column, where(column, paths).tolist()))

    def prompts(self, suite: str, cases: Collection[str]) -> dict[str, Prompt]:
        """Return the prompts of some cases."""
        rows = self._of_cases("cases", suite, cases).tolist()[::-1]
        found = self.rows("cases", ("case_id", "prompt", "files", "source"), rows)
        return {case: Prompt(*prompt) for case, *prompt in found}

    def names_of_case(self, suite: str, case: str | None) -> set[str]:
        """Return the names that a suite's documents give to a case, beside its id."""
        if suite not in self._names:
            rows = where(self.column("cases", "suite"), [suite]).tolist()
            found: dict[str, set[str]] = {}
            for name, several in self.rows("cases", ("case_id", "name"), rows):
                found.setdefault(name, set()).update((several or "").split(SEVERAL))
            self._names[suite] = found
        return self._names[suite].get(case or "", set()) - {""}

    def _of_cases(self, table: str, suite: str, cases: Collection[str]) -> Array:
        rows = where(self.column(table, "case_id"), cases)
        codes, at = coded(self.column(table, "suite"), [suite])
        return rows[codes[rows] == at[0]] if len(at) else rows[:0]


def where(column: FinishedColumn, words: Collection[str]) -> Array:
    """Return the positions of the rows with one of the words."""
    codes, at = coded(column, words)
    if not len(at):
        return np.zeros(0, np.int64)
    wanted = np.zeros(len(column.strings) + 1 if column.strings is not None else 1, bool)
    wanted[at] = True
    return np.flatnonzero(wanted[codes])


def coded(column: FinishedColumn, words: Collection[str]) -> tuple[Array, Array]:
    """Return the codes of a column, and the codes of some words in it."""
    assert column.values is not None
    if column.strings is None or not len(column.strings) or not words:
        return column.values, np.zeros(0, np.int64)
    return column.values, among(column, words)


def among(column: FinishedColumn, words: Collection[str]) -> Array:
    """Return a mask of a column's words, or of its rows of strings, that are among some words."""
    return true_places(pc.is_in(column.strings, strings(sorted(words))))
