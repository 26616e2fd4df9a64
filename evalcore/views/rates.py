"""The headline of every version: a case's mean over its runs, then the mean over the cases."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.views import wording
from evalcore.views.coded import Coded, coded
from evalcore.views.joined import counting, judged_run
from evalcore.views.kept import kept
from evalcore.views.outcomes import FAILED_BY_STATUS, IN_RATES, Column, in_order
from evalcore.views.tally import mean
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
    return wording.fixed(value) if headline == EFFICIENCY else wording.percent(value)


@kept
def rates(ws: Workspace) -> dict[str, dict[Column, Rate]]:
    """Return the headline of every column of every suite, columns in their order."""
    words = [coded(ws.tables.runs[key]) for key in _KEYS]
    keys, group, first = _numbered(_joined(words))
    sums = _sums(_runs(ws), group, len(keys))
    found: dict[str, dict[Column, Rate]] = {
        suite: {} for suite in ws.tables.suites["suite"].astype(str)
    }
    for at in np.argsort(first):
        suite, version, configuration = (w.words[w.codes[first[at]]] for w in words)
        row = {name: values[at] for name, values in sums.items()}
        found.setdefault(suite, {})[Column(version, configuration)] = _rate(row)
    orders = _orders(ws)
    return {
        suite: {column: columns[column] for column in in_order(columns, orders.get(suite, {}))}
        for suite, columns in found.items()
    }


def _joined(words: Iterable[Coded]) -> Numbers:
    """Return one number for each row's words together."""
    key: Numbers = np.zeros(1, np.int64)
    for column in words:
        key = key * len(column.words) + column.codes
    return key


def _numbered(key: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the keys there are, in order, which one each row has, and its first row."""
    last = int(key.max(initial=0))
    if last > max(4 * len(key), 1 << 16):
        keys, first, of_row = np.unique(key, return_index=True, return_inverse=True)
        return keys, of_row, first
    first = np.full(last + 1, -1, np.int64)
    first[key[::-1]] = np.arange(len(key))[::-1]
    keys = np.flatnonzero(first >= 0)
    place = np.cumsum(first >= 0) - 1
    return keys, place[key], first[keys]


def _rate(row: Mapping[str, float]) -> Rate:
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


def _sums(runs: dict[str, Numbers], group: Numbers, columns: int) -> dict[str, Numbers]:
    """Return what `Rate` holds of each column, by name."""
    flags = ("counted", "passes", "unscored", "gate_failed", "outside", "aside")
    sums = {name: np.bincount(group[runs[name]], minlength=columns) for name in flags}
    sums["runs"] = np.bincount(group, minlength=columns)
    top = np.full(columns, -np.inf)
    np.maximum.at(top, group, np.nan_to_num(runs["max_score"], nan=-np.inf))
    sums["top"] = np.where(np.isinf(top), np.nan, top)
    counted = runs["counted"]
    width = int(runs["case"].max(initial=0)) + 1
    cases, of_run, _ = _numbered(group[counted] * width + runs["case"][counted])
    column = cases // width
    per_case = {name: mean(runs[name][counted], of_run, len(cases))
                for name in ("value", "score", "weight")}  # fmt: skip
    sums |= {name: mean(per_case[name], column, columns) for name in ("value", "score")}
    sums["cases"] = np.bincount(column, minlength=columns)
    return sums | {"weighted": _weighted(per_case["value"], per_case["weight"], column, columns)}


def _weighted(value: Numbers, weight: Numbers, column: Numbers, columns: int) -> Numbers:
    """Return the mean over cases by their weights; NaN where all that are known are the same."""
    known = ~np.isnan(weight)
    column, value, weight = column[known], value[known], weight[known]
    total = np.bincount(column, weight, columns)
    low, high = np.full(columns, np.inf), np.full(columns, -np.inf)
    np.minimum.at(low, column, weight)
    np.maximum.at(high, column, weight)
    found: Numbers = np.divide(
        np.bincount(column, value * weight, columns), total,
        out=np.full(columns, np.nan), where=(low < high) & (total > 0),
    )  # fmt: skip
    return found


def _runs(ws: Workspace) -> dict[str, Numbers]:
    """Return of each run its value where it counts, and what keeps it out where it does not."""
    runs, status = ws.tables.runs, coded(ws.tables.runs["status"])
    set_aside, weight = _cases(ws)
    outside = ~status.among(IN_RATES)
    value = _values(ws)
    gate = status.among({"gate_failed"}) & np.isnan(value)
    judged = ~outside & ~set_aside
    counted = judged & ~np.isnan(value)
    return {
        "case": coded(runs["case_id"]).codes,
        "weight": weight,
        "aside": set_aside,
        "outside": outside & ~set_aside,
        "counted": counted,
        "gate_failed": judged & gate,
        "unscored": judged & np.isnan(value) & ~gate,
        "value": value,
        "passes": counted & (value == 1),
        "score": runs["score"].to_numpy(float),
        "max_score": runs["max_score"].to_numpy(float),
    }


def _values(ws: Workspace) -> Numbers:
    """Return each run's own part of its suite's headline, NaN where it has none."""
    runs = ws.tables.runs
    suites = ws.tables.suites
    headlines = dict(zip(suites["suite"].astype(str), suites["headline"].astype(str), strict=True))
    suite, status = coded(runs["suite"]), coded(runs["status"])
    share, efficiency = (
        suite.among(name for name, headline in headlines.items() if headline == wanted)
        for wanted in (SHARE, EFFICIENCY)
    )
    value = runs["fraction"].to_numpy(float, copy=True)
    value[share] = runs["passed"].array.to_numpy(float, na_value=np.nan)[share]
    if efficiency.any():
        value[efficiency] = ((value + _structural(ws)) / 2)[efficiency]
    # A run that was refused, cut or timed out has failed, also where nobody could judge it.
    lost = status.among(FAILED_BY_STATUS - {"gate_failed"})
    lost = lost | share & status.among({"gate_failed"})
    value[lost & np.isnan(value)] = 0.0
    return value


def _structural(ws: Workspace) -> Numbers:
    """Return the share of passed structural checks of each run, NaN without any."""
    judgments, run = ws.tables.judgments, judged_run(ws)
    passed = judgments["passed"]
    checked = coded(judgments["kind"]).among({"structural"}) & counting(ws)
    checked &= passed.notna().to_numpy()
    yes = checked & passed.to_numpy(bool, na_value=False)
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
