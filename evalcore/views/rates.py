"""The headline of every version: a case's mean over its runs, then the mean over the cases."""

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.views import wording
from evalcore.views.kept import kept
from evalcore.views.outcomes import FAILED_BY_STATUS, IN_RATES, Column, in_order, judged_run
from evalcore.workspace.opened import Workspace

SHARE: Final = "share of runs passed"
EFFICIENCY: Final = "overall efficiency"
SET_ASIDE: Final = ("draft", "deprecated")
_KEYS: Final = ["suite", "version", "configuration"]

Numbers = NDArray[Any]


class Rate(NamedTuple):
    """The headline of one version and configuration, and every run that it rests on or leaves out.

    `value` is from 0 to 1, None where no run has one; `cases` is how many cases it is the mean of.
    `weighted` weighs the cases by their own weight (None where they have none). `score` is the mean
    score. `set_aside` counts runs of draft and deprecated cases, `outside` runs whose status keeps
    them out, `unscored` runs without a value, `gate_failed` those that no judge was asked about.
    """

    value: float | None
    cases: int
    runs: int
    counted: int
    passed: int
    unscored: int
    gate_failed: int
    outside: int
    set_aside: int
    weighted: float | None
    score: float | None
    max_score: float | None


NOTHING: Final = Rate(None, 0, 0, 0, 0, 0, 0, 0, 0, None, None, None)


def said(value: float | None, headline: str) -> str:
    """Return a headline value in words: whole percent, or a number where it is no share."""
    if value is None:
        return wording.NOT_SCORED
    return wording.number(value) if headline == EFFICIENCY else wording.percent(value)


@kept
def rates(ws: Workspace) -> dict[str, dict[Column, Rate]]:
    """Return the headline of every column of every suite, columns in their order."""
    table = _runs(ws)
    groups = table.groupby(_KEYS, sort=False)
    sums = groups[["counted", "passes", "unscored", "gate_failed", "outside", "aside"]].sum()
    sums["runs"], sums["top"] = groups.size(), groups["max_score"].max()
    means = _means(table)
    found: dict[str, dict[Column, Rate]] = {
        suite: {} for suite in ws.tables.suites["suite"].astype(str)
    }
    for row in sums.join(means).reset_index().to_dict("records"):
        suite, version, configuration = (_word(ws, key, int(row[key])) for key in _KEYS)
        found.setdefault(suite, {})[Column(version, configuration)] = _rate(row)
    orders = _orders(ws)
    return {
        suite: {column: columns[column] for column in in_order(columns, orders.get(suite, {}))}
        for suite, columns in found.items()
    }


def _rate(row: dict[Hashable, float]) -> Rate:
    def number(name: str) -> float | None:
        return float(row[name]) if row[name] == row[name] else None

    return Rate(
        number("value"),
        int(number("cases") or 0),
        int(row["runs"]),
        int(row["counted"]),
        int(row["passes"]),
        int(row["unscored"]),
        int(row["gate_failed"]),
        int(row["outside"]),
        int(row["aside"]),
        number("weighted"),
        number("score"),
        number("top"),
    )


def _means(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean over cases of each case's mean over its runs."""
    counted = table[table["counted"]]
    cases = counted.groupby([*_KEYS, "case"], sort=False)[["value", "score", "weight"]].mean()
    cases["weighed"] = cases["value"] * cases["weight"]
    columns = cases.groupby(level=_KEYS, sort=False)
    means = columns[["value", "score"]].mean()
    means["cases"] = columns.size()
    weighed = columns[["weighed", "weight"]].sum(min_count=1)
    uneven = columns["weight"].nunique() > 1
    means["weighted"] = (weighed["weighed"] / weighed["weight"]).where(
        uneven & (weighed["weight"] > 0)
    )
    return means


def _runs(ws: Workspace) -> pd.DataFrame:
    """Return one row a run: its value where it counts, and what keeps it out where it does not."""
    runs = ws.tables.runs
    status = runs["status"]
    table = pd.DataFrame({key: runs[key].cat.codes.to_numpy() for key in _KEYS})
    table["case"] = runs["case_id"].cat.codes.to_numpy()
    set_aside, table["weight"] = _cases(ws)
    outside = ~status.isin(list(IN_RATES)).to_numpy()
    value = _values(ws)
    gate = (status == "gate_failed").to_numpy() & np.isnan(value)
    table["aside"] = set_aside
    table["outside"] = outside & ~set_aside
    judged = ~outside & ~set_aside
    table["counted"] = judged & ~np.isnan(value)
    table["gate_failed"] = judged & gate
    table["unscored"] = judged & np.isnan(value) & ~gate
    table["value"] = value
    table["passes"] = table["counted"] & (value == 1)
    table["score"], table["max_score"] = runs["score"], runs["max_score"]
    return table


def _values(ws: Workspace) -> Numbers:
    """Return each run's own part of its suite's headline, NaN where it has none."""
    runs = ws.tables.runs
    suites = ws.tables.suites
    headlines = dict(zip(suites["suite"].astype(str), suites["headline"].astype(str), strict=True))
    known = np.array(
        [headlines.get(str(name), "") for name in runs["suite"].cat.categories] + [""], dtype=object
    )
    of_run = known[runs["suite"].cat.codes.to_numpy()]
    share, efficiency = ((of_run == name).astype(bool) for name in (SHARE, EFFICIENCY))
    value = runs["fraction"].to_numpy(float, copy=True)
    value[share] = runs["passed"].astype("Float64").to_numpy(float, na_value=np.nan)[share]
    if efficiency.any():
        value[efficiency] = ((value + _structural(ws)) / 2)[efficiency]
    # A run that was refused, cut or timed out has failed, also where nobody could judge it.
    lost = runs["status"].isin(list(FAILED_BY_STATUS - {"gate_failed"})).to_numpy()
    lost = lost | share & (runs["status"] == "gate_failed").to_numpy()
    value[lost & np.isnan(value)] = 0.0
    return value


def _structural(ws: Workspace) -> Numbers:
    """Return the share of passed structural checks of each run, NaN without any."""
    judgments, run = ws.tables.judgments, judged_run(ws)
    passed = judgments["passed"]
    checked = (
        (judgments["kind"] == "structural").to_numpy() & passed.notna().to_numpy() & (run >= 0)
    )
    yes = checked & passed.fillna(value=False).to_numpy(bool)
    total = len(ws.tables.runs)
    n = np.bincount(run[checked], minlength=total)
    share: Numbers = np.divide(
        np.bincount(run[yes], minlength=total), n, out=np.full(total, np.nan), where=n > 0
    )
    return share


def _cases(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return for each run whether its case is set aside, and its case's weight."""
    runs, cases = ws.tables.runs, ws.tables.cases
    chosen = cases[cases["status"].isin(SET_ASIDE) | cases["weight"].notna()]
    aside, weight = np.zeros(len(runs), bool), np.full(len(runs), np.nan)
    if chosen.empty:
        return aside, weight
    width = len(runs["case_id"].cat.categories) + 1
    of_case = _place(chosen["suite"], runs["suite"]) * width + _place(
        chosen["case_id"], runs["case_id"]
    )
    of_run = runs["suite"].cat.codes.to_numpy(np.int64) * width + runs[
        "case_id"
    ].cat.codes.to_numpy(np.int64)
    order = np.argsort(of_case, kind="stable")
    at = np.clip(np.searchsorted(of_case[order], of_run), 0, len(order) - 1)
    rows = order[at]
    known = of_case[rows] == of_run
    aside[known] = chosen["status"].isin(SET_ASIDE).to_numpy()[rows[known]]
    weight[known] = chosen["weight"].to_numpy(float)[rows[known]]
    return aside, weight


def _place(words: "pd.Series[str]", like: "pd.Series[str]") -> Numbers:
    """Return the codes that words have in another column; -2 where it does not have them."""
    codes = like.cat.categories.get_indexer(pd.Index(words.astype(str)))
    return np.where(codes < 0, -2, codes).astype(np.int64)


def _word(ws: Workspace, column: str, code: int) -> str:
    return str(ws.tables.runs[column].cat.categories[code]) if code >= 0 else "nan"


def _orders(ws: Workspace) -> dict[str, dict[str, int]]:
    """Return the place of each version of each suite."""
    versions = ws.tables.versions.sort_values("position", kind="stable")[
        ["suite", "version"]
    ].astype(str)
    orders: dict[str, dict[str, int]] = {}
    for suite, version in versions.itertuples(index=False, name=None):
        places = orders.setdefault(suite, {})
        places.setdefault(version, len(places))
    return orders
