"""What became of each run and each cell of a suite: the numbers behind the grid and the overview."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.errors import UnknownName
from evalcore.workspace.opened import Workspace

PASS, FAIL, UNSCORED, SCORED, OUTSIDE = 1, 0, -1, 2, 3
IN_RATES: Final = frozenset({"completed", "gate_failed", "timeout", "refused", "length_cut"})
FAILED_BY_STATUS: Final = frozenset({"gate_failed", "timeout", "refused", "length_cut"})
FIRST_SIDES: Final = ("with_skill", "new_skill", "with_rule")
SECOND_SIDES: Final = ("without_skill", "old_skill", "baseline", "without_rule")


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

    `runs` has one row a run (position in `tables.runs` as index) with `case`, `column` (positions), `outcome`,
    `failed` and `unscored` criteria. `cells` has one row a (case, column) that has runs.
    """

    suite: str
    family: str
    headline: str
    columns: tuple[Column, ...]
    cases: pd.DataFrame
    runs: pd.DataFrame
    cells: pd.DataFrame
    scale: float | None

    def cell(self, case: int, column: int) -> "pd.Series[float] | None":
        """Return one cell, or None where the case has no run in that column."""
        key = (case, column)
        return self.cells.loc[key] if key in self.cells.index else None


@lru_cache(maxsize=32)
def outcomes(ws: Workspace, suite: str) -> Outcomes:
    """Return what became of every run of `suite`.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = ws.tables.suites
    rows = known[known["suite"] == suite]
    if rows.empty:
        raise UnknownName("suite", suite, known["suite"].astype(str))
    about = rows.iloc[0]
    runs = ws.tables.runs[ws.tables.runs["suite"] == suite]
    columns = _columns(ws, suite, runs)
    cases = _cases(ws, suite, runs)
    table = _runs(ws, runs, cases, columns)
    scale = runs["max_score"].max() if len(runs) else None
    fixed = runs["max_score"].nunique() <= 1 and about["family"] in ("improve", "rubric", "records")
    return Outcomes(
        suite, str(about["family"]), str(about["headline"]), columns, cases, table, _cells(ws, table),
        float(scale) if fixed and scale is not None and scale == scale else None,  # noqa: PLR0124
    )  # fmt: skip


def judged_run(ws: Workspace) -> "np.ndarray":
    """Return, for each judgment, the position of its run in `tables.runs`; -1 where it has none."""
    return _judged_run(ws)


@lru_cache(maxsize=4)
def _judged_run(ws: Workspace) -> "np.ndarray":
    runs, judgments = ws.tables.runs["run_id"], ws.tables.judgments["run_id"]
    place = pd.Series(np.arange(len(runs)), index=runs.astype(str))
    place = place[~place.index.duplicated()]
    by_code = place.reindex(judgments.cat.categories).fillna(-1).to_numpy(np.int64)
    codes = judgments.cat.codes.to_numpy()
    return np.where(codes >= 0, by_code[codes], -1) if len(by_code) else np.full(len(codes), -1)


def _columns(ws: Workspace, suite: str, runs: pd.DataFrame) -> tuple[Column, ...]:
    versions = ws.tables.versions[ws.tables.versions["suite"] == suite].sort_values("position")
    order = {name: place for place, name in enumerate(versions["version"].astype(str))}
    pairs = runs[["version", "configuration"]].astype(str).drop_duplicates()
    return in_order((Column(v, c) for v, c in pairs.itertuples(index=False, name=None)), order)


def in_order(columns: Iterable[Column], versions: Mapping[str, int]) -> tuple[Column, ...]:
    """Return columns in the order of their versions (name to place), each with its baseline first."""
    last = len(versions)
    return tuple(
        sorted(
            columns,
            key=lambda c: (versions.get(c.version, last), c.version, _side(c.configuration)),
        )
    )


def _side(configuration: str) -> tuple[int, str]:
    """Order configurations: the baseline first, the thing under test after it."""
    if configuration in SECOND_SIDES:
        return 0, configuration
    return (2 if configuration in FIRST_SIDES else 1), configuration


def _cases(ws: Workspace, suite: str, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the defined cases, then those that only runs know, with a name to show."""
    cases = ws.tables.cases[ws.tables.cases["suite"] == suite].copy()
    cases["case_id"] = cases["case_id"].astype("str")
    met = pd.unique(runs["case_id"].astype("str"))
    lost = [case for case in met if case not in set(cases["case_id"])]
    if lost:
        cases = pd.concat([cases, pd.DataFrame({"case_id": pd.array(lost, dtype="str")})])
    cases["row"] = cases.index
    return cases.reset_index(drop=True)


def _runs(
    ws: Workspace, runs: pd.DataFrame, cases: pd.DataFrame, columns: tuple[Column, ...]
) -> pd.DataFrame:
    case_at = {case: place for place, case in enumerate(cases["case_id"])}
    column_at = {column: place for place, column in enumerate(columns)}
    failed, unscored, judged = _counts(ws, len(ws.tables.runs))
    here = runs.index.to_numpy()
    status = runs["status"].astype("str").to_numpy(dtype=object)
    table = pd.DataFrame(index=runs.index)
    table["case"] = runs["case_id"].astype("str").map(case_at).to_numpy(np.int64)
    pairs = zip(runs["version"].astype("str"), runs["configuration"].astype("str"), strict=True)
    table["column"] = np.array([column_at[Column(*pair)] for pair in pairs], np.int64)
    table["failed"], table["unscored"] = failed[here], unscored[here]
    table["judged"] = judged[here]
    table["score"], table["max_score"] = runs["score"], runs["max_score"]
    table["fraction"] = runs["fraction"]
    table["status"] = status
    table["outcome"] = _outcome(runs, table, status)
    return table


def _counts(ws: Workspace, total: int) -> tuple["np.ndarray", "np.ndarray", "np.ndarray"]:
    """Return failed, unscored and pass/fail-judged criteria of each run, conventions left out."""
    judgments = ws.tables.judgments
    run = judged_run(ws)
    counts = (judgments["kind"] != "convention").to_numpy() & (run >= 0)
    passed = judgments["passed"]
    missing = passed.isna().to_numpy()
    yes = passed.fillna(value=False).to_numpy(bool)
    open_ = (judgments["status"] == "unscored").to_numpy()

    def count(chosen: "np.ndarray") -> "np.ndarray":
        return np.bincount(run[counts & chosen], minlength=total)

    return count(~missing & ~yes & ~open_), count(open_), count(~missing & ~open_)


def _outcome(runs: pd.DataFrame, table: pd.DataFrame, status: "np.ndarray") -> "np.ndarray":
    """Decide each run: its own `passed`, else whether any of its pass/fail criteria failed."""
    passed = runs["passed"]
    said = passed.notna().to_numpy()
    yes = passed.fillna(value=False).to_numpy(bool)
    checked = table["judged"].to_numpy() > 0
    failing = table["failed"].to_numpy() > 0
    fraction = table["fraction"].to_numpy()
    result = np.full(len(runs), UNSCORED)
    result[~np.isnan(fraction)] = SCORED
    only = ~checked & ~np.isnan(fraction) & (runs["origin"] == "benchmark").to_numpy()
    result[only] = np.where(fraction[only] >= 1, PASS, FAIL)
    result[checked] = np.where(failing[checked], FAIL, PASS)
    result[said] = np.where(yes[said], PASS, FAIL)
    result[np.isin(status, list(FAILED_BY_STATUS))] = FAIL
    result[~np.isin(status, list(IN_RATES))] = OUTSIDE
    return result


def _cells(ws: Workspace, runs: pd.DataFrame) -> pd.DataFrame:
    counted = runs.assign(
        **{name: runs["outcome"] == value for name, value in
           (("passes", PASS), ("fails", FAIL), ("scored", SCORED), ("outside", OUTSIDE))},
        run=runs.index,
    )  # fmt: skip
    grouped = counted.groupby(["case", "column"], sort=True)
    cells = grouped.agg(
        n=("outcome", "size"), passes=("passes", "sum"), fails=("fails", "sum"), scored=("scored", "sum"),
        outside=("outside", "sum"), failed=("failed", "sum"), unscored=("unscored", "sum"),
        score=("score", "mean"), max_score=("max_score", "mean"), fraction=("fraction", "mean"), run=("run", "first"),
    )  # fmt: skip
    mixed = (cells["passes"] > 0) & (cells["fails"] > 0)
    cells["flaky"] = mixed | cells.index.isin(_split_cells(ws, runs))
    gate = grouped["status"].agg(lambda status: (status == "gate_failed").any())
    cells["gate_failed"] = gate.reindex(cells.index).fillna(value=False).astype(bool)
    return cells


def _split_cells(ws: Workspace, runs: pd.DataFrame) -> list[tuple[int, int]]:
    """Return the cells whose runs disagree on a criterion: it passed in one and failed in another."""
    sizes = runs.groupby(["case", "column"])["outcome"].transform("size")
    repeated = runs[sizes > 1]
    if repeated.empty:
        return []
    run = judged_run(ws)
    rows = np.flatnonzero(np.isin(run, repeated.index.to_numpy()))
    judged = ws.tables.judgments.iloc[rows]
    keep = (judged["passed"].notna() & (judged["kind"] != "convention")).to_numpy()
    at = runs.loc[run[rows[keep]]]
    table = pd.DataFrame({
        "case": at["case"].to_numpy(), "column": at["column"].to_numpy(),
        "criterion": judged["criterion"].cat.codes.to_numpy()[keep],
        "passed": judged["passed"].to_numpy(dtype=bool, na_value=False)[keep],
    })  # fmt: skip
    spread = table.groupby(["case", "column", "criterion"])["passed"].nunique()
    split = spread[spread > 1].reset_index()
    return list(dict.fromkeys(zip(split["case"], split["column"], strict=True)))


RUN_MARKS: Final = {
    PASS: "pass",
    FAIL: "fail",
    UNSCORED: "unscored",
    SCORED: "scored",
    OUTSIDE: "outside",
}


def run_marks(ws: Workspace, suite: str, case_id: str) -> dict[str, str]:
    """Return what became of each run of a case: run id to pass, fail, unscored, scored or outside."""
    found = outcomes(ws, suite)
    case = np.flatnonzero((found.cases["case_id"] == case_id).to_numpy(bool))
    runs = found.runs[found.runs["case"].isin(case)]
    ids = ws.tables.runs["run_id"].iloc[runs.index]
    return {
        str(run): RUN_MARKS[int(outcome)] for run, outcome in zip(ids, runs["outcome"], strict=True)
    }
