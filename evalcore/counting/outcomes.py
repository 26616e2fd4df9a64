"""The outcome of each run and each cell of a suite: the numbers behind the grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers, coded, numbered, positions, values
from evalcore.counting.copies import copied
from evalcore.counting.joined import judged
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.review_rows import excluded
from evalcore.counting.tally import (
    FAIL,
    OUTSIDE,
    PASS,
    SCORED,
    UNSCORED,
    Cells,
    Tally,
)
from evalcore.errors import UnknownName
from evalcore.families.base import FAILED_BY_STATUS, IN_RATES, PENDING
from evalcore.families.registry import family
from evalcore.layouts.order import natural
from evalcore.tables.arrays import NO_INT, true_places
from evalcore.tables.cells import cells
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

if TYPE_CHECKING:
    import pandas as pd

UNASSIGNED: Final = "unassigned"
FIRST_SIDES: Final = ("with_skill", "new_skill", "with_rule")
SECOND_SIDES: Final = ("without_skill", "old_skill", "baseline", "without_rule")
RUN_MARKS: Final = {
    PASS: "pass",
    FAIL: "fail",
    UNSCORED: "unscored",
    SCORED: "scored",
    OUTSIDE: "outside",
}


@memoize_per_workspace
def ungraded(ws: Workspace) -> Numbers:
    """Return which runs of the workspace have outputs and wait for their grading."""
    found: Numbers = coded(ws, "runs", "status").among({PENDING}) & ~unread(ws)
    if found.any():
        found[true_places(pc.is_null(ws.tables.columns["runs"]["outputs"].strings))] = False
    return found


UNREAD: Final = "unread"
"""What stands for the status of a run with a grading that cannot be read, where runs are listed."""


@memoize_per_workspace
def unread(ws: Workspace) -> Numbers:
    """Return which runs of the workspace have a grading that cannot be read."""
    found: Numbers = coded(ws, "runs", "status").among({PENDING})
    if not found.any():
        return found
    documents = cells(ws.tables, "documents", "kind", "path")
    gradings = {path for kind, path in documents if kind == "grading"}
    return found & coded(ws, "runs", "source").among(gradings)


@memoize_per_workspace
def waiting_runs(ws: Workspace) -> Counter[str]:
    """Return how many runs of each suite have outputs and wait for their grading."""
    suites = coded(ws, "runs", "suite")
    return Counter(suites.words[at] for at in suites.codes[ungraded(ws)].tolist())


class Column(NamedTuple):
    """A version and configuration, one column of the grid."""

    version: str
    configuration: str

    @property
    def key(self) -> str:
        """The column's name in addresses and commands: `VERSION@CONFIGURATION`."""
        return self.version if self.configuration == "-" else f"{self.version}@{self.configuration}"


@dataclass(frozen=True)
class Outcomes:
    """The runs and cells of one suite.

    `runs` has one row a run (position in `tables.runs` as index) with `case`, `column` (positions),
    `outcome`, `failed` and `unscored` criteria, whether a person `excluded` it, and whether it is
    `hidden` from the reader. `cells` has one row a (case, column) that has runs. `scale` is the
    maximum score that all runs share, else None.
    """

    suite: str
    family: str
    headline: str
    columns: tuple[Column, ...]
    cases: pd.DataFrame
    runs: pd.DataFrame
    cells: Cells
    scale: float | None

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each case by its id."""
        return {str(case): at for at, case in enumerate(self.cases["case_id"])}

    def tallies(self, cases: Iterable[int], columns: Iterable[int]) -> dict[tuple[int, int], Tally]:
        """Return the cells of some cases in some columns; without runs there is no cell."""
        return self.cells.at((case, column) for case in cases for column in columns)


@memoize_per_workspace
def outcomes(ws: Workspace, suite: str) -> Outcomes:
    """Return the outcome of every run of `suite`.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    here, columns, column = columns_of_runs(ws, suite)
    known = ws.tables.suites
    about = known[known["suite"] == suite].iloc[0]
    cases, case = cases_of_runs(ws, suite)
    runs = _runs(ws, here, case, column)
    name, headline = str(about["family"]), str(about["headline"])
    scale = _scale(runs) if family(name).scaled else None
    cells = Cells(runs, len(cases), len(columns))
    return Outcomes(suite, name, headline, columns, cases, runs, cells, scale)


def _scale(runs: pd.DataFrame) -> float | None:
    """Return the maximum score that all runs share."""
    maxima = runs["max_score"].to_numpy()
    maxima = maxima[~np.isnan(maxima)]
    return float(maxima[0]) if len(maxima) and (maxima == maxima[0]).all() else None


class RunColumns(NamedTuple):
    """The runs of a suite (positions), its columns in their order, and which one each run is in."""

    here: Numbers
    columns: tuple[Column, ...]
    column: Numbers


@memoize_per_workspace
def columns_of_runs(ws: Workspace, suite: str) -> RunColumns:
    """Return the runs of a suite by column, without their outcomes.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    suites = coded(ws, "suites", "suite").column()
    if suite not in suites:
        raise UnknownName("suite", suite, suites)
    here = np.flatnonzero(coded(ws, "runs", "suite").among({suite}))
    version, configuration = (coded(ws, "runs", name) for name in ("version", "configuration"))
    width = configuration.width
    pairs, of_run, _ = numbered(
        version.keys_of(here) * width + configuration.keys_of(here), version.width * width
    )
    found = [Column(version.words[n // width], configuration.words[n % width]) for n in pairs]
    columns = in_order(found, version_orders(ws).get(suite, {}))
    place = {column: at for at, column in enumerate(columns)}
    of_run = np.array([place[column] for column in found], np.int64)[of_run]
    return RunColumns(here, columns, of_run)


@memoize_per_workspace
def version_orders(ws: Workspace) -> dict[str, dict[str, int]]:
    """Return the position of each version of each suite."""
    position = values(ws, "versions", "position")
    last = np.iinfo(np.int64).max
    order = np.argsort(np.where(position == NO_INT, last, position), kind="stable")
    suite, version = (coded(ws, "versions", name).column() for name in ("suite", "version"))
    orders: dict[str, dict[str, int]] = {}
    for at in order.tolist():
        places = orders.setdefault(suite[at], {})
        places.setdefault(version[at], len(places))
    return orders


def several_prompts(versions: Iterable[str]) -> bool:
    """Return whether versions, named `prompt@number`, belong to several prompts."""
    prompts = {version.rpartition("@")[0] for version in versions}
    return len(prompts) > 1 and "" not in prompts


def in_order(columns: Iterable[Column], versions: Mapping[str, int]) -> tuple[Column, ...]:
    """Return columns in the order of their versions (name to position), baselines first."""
    last = len(versions)

    def sort_key(column: Column) -> tuple[int, str, int, str]:
        return versions.get(column.version, last), column.version, *_side(column.configuration)

    return tuple(sorted(columns, key=sort_key))


def _side(configuration: str) -> tuple[int, str]:
    """Return the sort key of a configuration: the baseline first, then what is tested."""
    if configuration in SECOND_SIDES:
        return 0, configuration
    return (2 if configuration in FIRST_SIDES else 1), configuration


@memoize_per_workspace
def cases_of_runs(ws: Workspace, suite: str) -> tuple[pd.DataFrame, Numbers]:
    """Return the defined cases, then those that only runs mention; and the case of each run.

    The runs are those of `columns_of_runs`.
    """
    import pandas as pd  # noqa: PLC0415

    here = columns_of_runs(ws, suite).here
    defined, known = coded(ws, "cases", "case_id"), coded(ws, "runs", "case_id")
    rows = np.flatnonzero(coded(ws, "cases", "suite").among({suite}))
    rows = rows[np.sort(numbered(defined.keys_of(rows), defined.width)[2])]
    place = np.full(defined.width, -1, np.int64)
    place[defined.keys_of(rows)] = np.arange(len(rows))
    place[-1] = -1
    at = np.append(place[positions(known.strings, defined.strings)], -1)
    codes = known.keys_of(here)
    cases = ws.tables.cases.iloc[rows]
    cases = cases.assign(case_id=cases["case_id"].astype("str"))
    lost, _, first = numbered(codes[at[codes] < 0], known.width)
    if len(lost):
        lost = lost[np.argsort(first)]
        at[lost] = len(rows) + np.arange(len(lost))
        names = pd.array([known.words[code] for code in lost], dtype="str")
        cases = pd.concat([cases, pd.DataFrame({"case_id": names})])
    return cases.reset_index(drop=True), at[codes]


def _runs(ws: Workspace, here: Numbers, case: Numbers, column: Numbers) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415

    counts = judged(ws)
    table: dict[str, Numbers] = {
        "case": case,
        "column": column,
        "failed": counts.failed[here],
        "unscored": counts.unscored[here],
        "judged": counts.scored[here],
    }
    table |= {name: values(ws, "runs", name)[here] for name in ("score", "max_score", "fraction")}
    table["gate_failed"] = coded(ws, "runs", "status").among({"gate_failed"})[here]
    table["excluded"] = excluded(ws)[here]
    table["hidden"] = coded(ws, "runs", "status").among({HIDDEN})[here]
    table["outcome"] = run_outcomes(ws)[here]
    return pd.DataFrame(table, index=here)


@memoize_per_workspace
def run_outcomes(ws: Workspace) -> Numbers:
    """Return the outcome of each run: its own `passed`, else whether any criterion failed.

    A run is outside if its status keeps it out of the rates, a person excluded it, or it is a copy.
    """
    status, passed = coded(ws, "runs", "status"), values(ws, "runs", "passed")
    counts, fraction = judged(ws), values(ws, "runs", "fraction")
    checked, valued = counts.scored > 0, ~np.isnan(fraction)
    result = np.where(valued, SCORED, UNSCORED)
    # Where a benchmark holds a run's pass rate only, a full one is a pass.
    only = ~checked & valued & coded(ws, "runs", "origin").among({"benchmark"})
    result[only] = np.where(fraction[only] >= 1, PASS, FAIL)
    result = np.where(checked, np.where(counts.failed > 0, FAIL, PASS), result)
    result = np.where(passed >= 0, np.where(passed == 1, PASS, FAIL), result)
    result[status.among(FAILED_BY_STATUS)] = FAIL
    result[~status.among(IN_RATES) | excluded(ws) | (copied(ws) >= 0)] = OUTSIDE
    return result


def marks_in(ws: Workspace, found: Outcomes, case_id: str) -> dict[str, str]:
    """Return the mark of each run of a case: pass, fail, unscored, scored or outside."""
    ids = ws.tables.runs["run_id"]
    here = np.flatnonzero(found.runs["case"].to_numpy() == found.positions.get(case_id, -1))
    marks = [RUN_MARKS[outcome] for outcome in found.runs["outcome"].to_numpy()[here].tolist()]
    return dict(zip(map(str, ids.array[found.runs.index[here]]), marks, strict=True))


def marks_of_cells(
    ws: Workspace, found: Outcomes, cases: Iterable[int], columns: Iterable[int]
) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the marks of the runs of some cells (case, column), in the order of their numbers."""
    wanted = np.zeros((len(found.cases), len(found.columns)), bool)
    wanted[np.ix_(list(cases), list(columns))] = True
    case, column, outcome = (found.runs[name].to_numpy() for name in ("case", "column", "outcome"))
    here = np.flatnonzero(wanted[case, column])
    here = here[np.argsort(_number_order(ws)[found.runs.index[here]], kind="stable")]
    marks: dict[tuple[int, int], tuple[str, ...]] = {}
    for at, end in zip(
        zip(case[here].tolist(), column[here].tolist(), strict=True),
        outcome[here].tolist(),
        strict=True,
    ):
        marks[at] = (*marks.get(at, ()), RUN_MARKS[end])
    return marks


@memoize_per_workspace
def _number_order(ws: Workspace) -> Numbers:
    """Return where each run stands by its number: 2 comes before 10."""
    number = coded(ws, "runs", "run")
    by_number = sorted(range(number.width), key=lambda at: natural(number.words[at] or ""))
    order: Numbers = np.argsort(by_number)
    return order[number.codes]
