"""What became of each run and each cell of a suite: the numbers behind the grid."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.errors import UnknownName
from evalcore.views.kept import kept
from evalcore.workspace.opened import Workspace

Numbers = NDArray[Any]

PASS, FAIL, UNSCORED, SCORED, OUTSIDE = 1, 0, -1, 2, 3
IN_RATES: Final = frozenset({"completed", "gate_failed", "timeout", "refused", "length_cut"})
FAILED_BY_STATUS: Final = frozenset({"gate_failed", "timeout", "refused", "length_cut"})
FIRST_SIDES: Final = ("with_skill", "new_skill", "with_rule")
SECOND_SIDES: Final = ("without_skill", "old_skill", "baseline", "without_rule")
SCALED: Final = ("improve", "rubric", "records")
RUN_MARKS: Final = {
    PASS: "pass",
    FAIL: "fail",
    UNSCORED: "unscored",
    SCORED: "scored",
    OUTSIDE: "outside",
}


class Column(NamedTuple):
    """A version and configuration, one column of the grid."""

    version: str
    configuration: str

    @property
    def key(self) -> str:
        """The column's name in addresses and commands: `VERSION@CONFIGURATION`."""
        return self.version if self.configuration == "-" else f"{self.version}@{self.configuration}"


class Tally(NamedTuple):
    """The runs of one case in one column, added up; scores are means, `run` is the one to open.

    The run to open is one that failed where there is one.
    """

    n: int
    passes: int
    fails: int
    scored: int
    outside: int
    failed: int
    unscored: int
    score: float
    max_score: float
    fraction: float
    run: int
    flaky: bool
    gate_failed: bool


@dataclass(frozen=True)
class Outcomes:
    """The runs and cells of one suite.

    `runs` has one row a run (position in `tables.runs` as index) with `case`, `column` (positions),
    `outcome`, `failed` and `unscored` criteria. `cells` has one row a (case, column) that has runs,
    with the fields of `Tally`. `scale` is the maximum score that all runs share, else None.
    """

    suite: str
    family: str
    headline: str
    columns: tuple[Column, ...]
    cases: pd.DataFrame
    runs: pd.DataFrame
    cells: pd.DataFrame
    scale: float | None

    def tallies(self, cases: Iterable[int], columns: Iterable[int]) -> dict[tuple[int, int], Tally]:
        """Return the cells of some cases in some columns; where no run is, there is no cell."""
        case, column = (self.cells.index.get_level_values(n) for n in ("case", "column"))
        here = self.cells[case.isin(list(cases)) & column.isin(list(columns))]
        return {key: Tally(*values) for key, *values in here.itertuples(index=True, name=None)}


@kept
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
    scale = _scale(runs) if about["family"] in SCALED else None
    family, headline = str(about["family"]), str(about["headline"])
    return Outcomes(suite, family, headline, columns, cases, table, _cells(ws, table), scale)


@kept
def judged_run(ws: Workspace) -> Numbers:
    """Return, for each judgment, the position of its run in `tables.runs`; -1 where it has none."""
    runs, judgments = ws.tables.runs["run_id"], ws.tables.judgments["run_id"]
    place = pd.Series(np.arange(len(runs)), index=runs.astype(str))
    place = place[~place.index.duplicated()]
    by_code = place.reindex(judgments.cat.categories).fillna(-1).to_numpy(np.int64)
    codes = judgments.cat.codes.to_numpy()
    return np.where(codes >= 0, by_code[codes], -1) if len(by_code) else np.full(len(codes), -1)


def judgments_of(ws: Workspace, runs: Iterable[int]) -> Numbers:
    """Return the positions of the judgments of some runs (positions), in the order of the table."""
    wanted = np.zeros(len(ws.tables.runs) + 1, bool)  # the last one: judgments without a run
    wanted[np.fromiter(runs, np.int64)] = True
    return np.flatnonzero(wanted[judged_run(ws)])


def _scale(runs: pd.DataFrame) -> float | None:
    """Return the maximum score that all runs share."""
    maxima = runs["max_score"].dropna().unique()
    return float(maxima[0]) if len(maxima) == 1 else None


def _columns(ws: Workspace, suite: str, runs: pd.DataFrame) -> tuple[Column, ...]:
    versions = ws.tables.versions[ws.tables.versions["suite"] == suite].sort_values("position")
    order = {name: place for place, name in enumerate(versions["version"].astype(str))}
    pairs = runs[["version", "configuration"]].astype(str).drop_duplicates()
    return in_order((Column(v, c) for v, c in pairs.itertuples(index=False, name=None)), order)


def in_order(columns: Iterable[Column], versions: Mapping[str, int]) -> tuple[Column, ...]:
    """Return columns in the order of their versions (name to place), baselines first."""
    last = len(versions)

    def place(column: Column) -> tuple[int, str, int, str]:
        return versions.get(column.version, last), column.version, *_side(column.configuration)

    return tuple(sorted(columns, key=place))


def _side(configuration: str) -> tuple[int, str]:
    """Order configurations: the baseline first, the thing under test after it."""
    if configuration in SECOND_SIDES:
        return 0, configuration
    return (2 if configuration in FIRST_SIDES else 1), configuration


def _cases(ws: Workspace, suite: str, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the defined cases, then those that only runs know."""
    cases = ws.tables.cases[ws.tables.cases["suite"] == suite].copy()
    cases["case_id"] = cases["case_id"].astype("str")
    cases = cases.drop_duplicates("case_id")
    defined = set(cases["case_id"])
    lost = [case for case in pd.unique(runs["case_id"].astype("str")) if case not in defined]
    if lost:
        cases = pd.concat([cases, pd.DataFrame({"case_id": pd.array(lost, dtype="str")})])
    return cases.reset_index(drop=True)


def _runs(
    ws: Workspace, runs: pd.DataFrame, cases: pd.DataFrame, columns: tuple[Column, ...]
) -> pd.DataFrame:
    case_at = {case: place for place, case in enumerate(cases["case_id"])}
    column_at = {column: place for place, column in enumerate(columns)}
    failed, unscored, judged = _counts(ws)
    here = runs.index.to_numpy()
    table = pd.DataFrame(index=runs.index)
    table["case"] = runs["case_id"].astype("str").map(case_at).to_numpy(np.int64)
    pairs = zip(runs["version"].astype("str"), runs["configuration"].astype("str"), strict=True)
    table["column"] = np.array([column_at[Column(*pair)] for pair in pairs], np.int64)
    table["failed"], table["unscored"] = failed[here], unscored[here]
    table["judged"] = judged[here]
    table["score"], table["max_score"] = runs["score"], runs["max_score"]
    table["fraction"] = runs["fraction"]
    table["status"] = runs["status"].astype("str").to_numpy(dtype=object)
    table["outcome"] = _outcome(runs, table)
    return table


@kept
def _counts(ws: Workspace) -> tuple[Numbers, Numbers, Numbers]:
    """Return failed, unscored and pass/fail-judged criteria of each run, conventions left out."""
    judgments, run = ws.tables.judgments, judged_run(ws)
    counts = (judgments["kind"] != "convention").to_numpy() & (run >= 0)
    missing = judgments["passed"].isna().to_numpy()
    yes = judgments["passed"].to_numpy(bool, na_value=False)
    open_ = (judgments["status"] == "unscored").to_numpy()

    def count(chosen: Numbers) -> Numbers:
        return np.bincount(run[counts & chosen], minlength=len(ws.tables.runs))

    return count(~missing & ~yes & ~open_), count(open_), count(~missing & ~open_)


def _outcome(runs: pd.DataFrame, table: pd.DataFrame) -> Numbers:
    """Decide each run: its own `passed`, else whether any of its pass/fail criteria failed."""
    status = table["status"].to_numpy()
    said = runs["passed"].notna().to_numpy()
    yes = runs["passed"].to_numpy(bool, na_value=False)
    checked = table["judged"].to_numpy() > 0
    failing = table["failed"].to_numpy() > 0
    fraction = table["fraction"].to_numpy()
    result = np.full(len(runs), UNSCORED)
    result[~np.isnan(fraction)] = SCORED
    # Where a benchmark holds a run's pass rate only, a full one is a pass.
    only = ~checked & ~np.isnan(fraction) & (runs["origin"] == "benchmark").to_numpy()
    result[only] = np.where(fraction[only] >= 1, PASS, FAIL)
    result[checked] = np.where(failing[checked], FAIL, PASS)
    result[said] = np.where(yes[said], PASS, FAIL)
    result[np.isin(status, list(FAILED_BY_STATUS))] = FAIL
    result[~np.isin(status, list(IN_RATES))] = OUTSIDE
    return result


def _cells(ws: Workspace, runs: pd.DataFrame) -> pd.DataFrame:
    names = (("passes", PASS), ("fails", FAIL), ("scored", SCORED), ("outside", OUTSIDE))
    counted = runs.assign(
        **{name: runs["outcome"] == value for name, value in names},
        run=runs.index, open=~runs["outcome"].isin((PASS, FAIL)), most=-runs["failed"],
        gate_failed=runs["status"] == "gate_failed",
    ).sort_values(["open", "outcome", "most"], kind="stable")  # fmt: skip
    grouped = counted.groupby(["case", "column"], sort=True)
    sums = [name for name, _ in names] + ["failed", "unscored"]
    cells = pd.concat(
        [grouped.size().rename("n"), grouped[sums].sum(),
         grouped[["score", "max_score", "fraction"]].mean(), grouped["run"].first()], axis=1,
    )  # fmt: skip
    mixed = (cells["passes"] > 0) & (cells["fails"] > 0)
    cells["flaky"] = mixed | cells.index.isin(_split_cells(ws, runs))
    cells["gate_failed"] = grouped["gate_failed"].any()
    return cells[list(Tally._fields)]


def _split_cells(ws: Workspace, runs: pd.DataFrame) -> list[tuple[int, int]]:
    """Return the cells whose runs disagree: a criterion passed in one and failed in another."""
    sizes = runs.groupby(["case", "column"])["outcome"].transform("size")
    repeated = runs[sizes > 1]
    if repeated.empty:
        return []
    rows = judgments_of(ws, repeated.index)
    judged = ws.tables.judgments.iloc[rows]
    keep = (judged["passed"].notna() & (judged["kind"] != "convention")).to_numpy()
    at = runs.loc[judged_run(ws)[rows[keep]]]
    table = pd.DataFrame({
        "case": at["case"].to_numpy(), "column": at["column"].to_numpy(),
        "kind": judged["kind"].cat.codes.to_numpy()[keep],
        "criterion": judged["criterion"].cat.codes.to_numpy()[keep],
        "passed": judged["passed"].to_numpy(dtype=bool, na_value=False)[keep],
    })  # fmt: skip
    spread = table.groupby(["case", "column", "kind", "criterion"])["passed"].nunique()
    split = spread[spread > 1].reset_index()
    return list(dict.fromkeys(zip(split["case"], split["column"], strict=True)))


def run_marks(ws: Workspace, suite: str, case_id: str) -> dict[str, str]:
    """Return the mark of each run of a case by its id: pass, fail, unscored, scored or outside."""
    found = outcomes(ws, suite)
    case = np.flatnonzero((found.cases["case_id"] == case_id).to_numpy(bool))
    runs = found.runs[found.runs["case"].isin(case)]
    ids = ws.tables.runs["run_id"].iloc[runs.index]
    return {
        str(run): RUN_MARKS[int(outcome)] for run, outcome in zip(ids, runs["outcome"], strict=True)
    }
