"""The headline of every version: a case's mean over its runs, then the mean over the cases."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Coded, Numbers, coded, numbered, positions, slots, values
from evalcore.counting.copies import copied
from evalcore.counting.joined import counting, judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, in_order, unread, version_orders
from evalcore.counting.review_rows import excluded
from evalcore.counting.tally import mean
from evalcore.families import base
from evalcore.problems import SUSPECT
from evalcore.statistics.intervals import SAME
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

SHARE: Final = base.SHARE
EFFICIENCY: Final = base.EFFICIENCY
SET_ASIDE: Final = ("draft", "deprecated")
_KEYS: Final = ("suite", "version", "configuration")
ENDS: Final = ("aside", "outside", "gate_failed", "unscored", "others", "passes")
ASIDE, OUTSIDE, GATE_FAILED, UNSCORED, OTHER, PASSED = range(6)
"""How a run ends in its rate; the last two count."""


class Rate(NamedTuple):
    """The headline of one version and configuration, and the numbers of runs counted or left out.

    `value` is from 0 to 1, None if no run has one; `cases` is the number of cases it is the mean
    of. `weighted` uses the weights of the cases (None if they have none). `score` is the mean
    score. `set_aside` counts runs of draft and deprecated cases, `excluded` those that a person
    excluded, `copied` those that are copies of others, `outside` runs that do not count because of
    their status, `ungraded` those of them without a grading, or (`unread`) with one that cannot be
    read, `hidden` those that are hidden from the reader, `unscored` runs without a value,
    `gate_failed` those stopped by the gate before any judge.
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
    excluded: int = 0
    hidden: int = 0
    copied: int = 0
    ungraded: int = 0
    unread: int = 0


NOTHING: Final = Rate(
    value=None,
    cases=0,
    runs=0,
    counted=0,
    passed=0,
    unscored=0,
    gate_failed=0,
    outside=0,
    set_aside=0,
    weighted=None,
    score=None,
    max_score=None,
)


@memoize_per_workspace
def rates(ws: Workspace) -> dict[str, dict[Column, Rate]]:
    """Return the headline of every column of every suite, columns in their order."""
    return of_columns(ws, valued(ws))


def of_columns(ws: Workspace, runs: dict[str, Numbers]) -> dict[str, dict[Column, Rate]]:
    """Return what `rates` does for given values of the runs (see `valued`)."""
    words = [coded(ws, "runs", key) for key in _KEYS]
    keys, group, first = numbered(*_joined(words))
    sums = _sums(runs, group, len(keys))
    found: dict[str, dict[Column, Rate]] = {
        suite: {} for suite in coded(ws, "suites", "suite").column()
    }
    for at in np.argsort(first):
        suite, version, configuration = (w.words[w.codes[first[at]]] for w in words)
        row = {name: values[at] for name, values in sums.items()}
        found.setdefault(suite, {})[Column(version, configuration)] = _rate(row)
    orders = version_orders(ws)
    return {
        suite: {column: columns[column] for column in in_order(columns, orders.get(suite, {}))}
        for suite, columns in found.items()
    }


@memoize_per_workspace
def suspicions(ws: Workspace, suite: str, column: Column) -> tuple[str, ...]:
    """Return what makes every rate of a column doubtful: it is to be said before any of them."""
    found = [each for each in ws.problems if each.code in SUSPECT and each.suite == suite]
    if not found:
        return ()
    keys = zip(_KEYS, (suite, *column), strict=True)
    here = np.logical_and.reduce([coded(ws, "runs", name).among({word}) for name, word in keys])
    sources = coded(ws, "runs", "source")
    own = {sources.words[at] for at in sources.codes[here].tolist()}
    return tuple(each.message for each in found if each.path in own)


def _joined(words: Iterable[Coded]) -> tuple[Numbers, int]:
    """Return one key for the combination of each row's words, and the size of the key space."""
    key: Numbers = np.zeros(1, np.int64)
    space = 1
    for column in words:
        key = key * column.width + column.keys
        space *= column.width
    return key, space


def _rate(row: Mapping[str, float]) -> Rate:
    def number(name: str) -> float | None:
        return float(row[name]) if row[name] == row[name] else None

    return Rate(
        value=number("value"),
        cases=int(number("cases") or 0),
        runs=int(row["runs"]),
        counted=int(row["counted"]),
        passed=int(row["passes"]),
        unscored=int(row["unscored"]),
        gate_failed=int(row["gate_failed"]),
        outside=int(row["outside"]),
        set_aside=int(row["aside"]),
        weighted=number("weighted"),
        score=number("score"),
        max_score=number("top"),
        excluded=int(row["excluded"]),
        copied=int(row["copied"]),
        hidden=int(row["hidden"]),
        ungraded=int(row["ungraded"]),
        unread=int(row["unread"]),
    )


def _sums(runs: dict[str, Numbers], group: Numbers, columns: int) -> dict[str, Numbers]:
    """Return the fields of `Rate` for each column, by name."""
    ends = np.bincount(runs["end"] * columns + group, minlength=len(ENDS) * columns)
    sums = dict(zip(ENDS, ends.reshape(len(ENDS), columns), strict=True))
    sums["runs"] = np.bincount(group, minlength=columns)
    sums["excluded"] = np.bincount(group[runs["excluded"]], minlength=columns)
    sums["copied"] = np.bincount(group[runs["copied"]], minlength=columns)
    sums["aside"] = sums["aside"] - sums["excluded"] - sums["copied"]
    sums["hidden"] = np.bincount(group[runs["hidden"]], minlength=columns)
    for name in ("ungraded", "unread"):
        sums[name] = np.bincount(group[runs[name]], minlength=columns)
    sums["outside"] = sums["outside"] - sums["hidden"]
    sums["counted"] = sums["passes"] + sums["others"]
    top = np.full(columns, np.nan)
    np.fmax.at(top, group, runs["max_score"])
    sums["top"] = top
    width = int(runs["case"].max(initial=0)) + 1
    of_run, counted = group * width + runs["case"], runs["end"] >= OTHER
    given = {name: runs[name] for name in ("value", "score", "weight")}
    if not counted.all():
        of_run, given = of_run[counted], {name: of[counted] for name, of in given.items()}
    cases, of_run = slots(of_run, columns * width)
    column = cases // width
    per_case = {name: mean(of, of_run, len(cases)) for name, of in given.items()}
    sums |= {name: mean(per_case[name], column, columns) for name in ("value", "score")}
    sums["cases"] = np.bincount(column[~np.isnan(per_case["value"])], minlength=columns)
    return sums | {"weighted": _weighted(per_case["value"], per_case["weight"], column, columns)}


def _weighted(value: Numbers, weight: Numbers, column: Numbers, columns: int) -> Numbers:
    """Return the weighted mean over cases; NaN if all known weights are equal."""
    known = ~np.isnan(weight)
    column, value, weight = column[known], value[known], weight[known]
    total = np.bincount(column, weight, columns)
    low, high = np.full(columns, np.inf), np.full(columns, -np.inf)
    np.minimum.at(low, column, weight)
    np.maximum.at(high, column, weight)
    found: Numbers = np.divide(
        np.bincount(column, value * weight, columns),
        total,
        out=np.full(columns, np.nan),
        where=(low < high) & (total > 0),
    )
    return found


@memoize_per_workspace
def valued(ws: Workspace) -> dict[str, Numbers]:
    """Return for each run its `value`, and as `end` (see `ENDS`) whether it counts, or why not.

    Further columns are `case` (key of its word), `weight`, `score` and `max_score`. An `excluded`
    or `copied` run is set aside like one of a draft case; a `hidden` one is outside.
    """
    status = coded(ws, "runs", "status")
    set_aside, weight = _cases(ws)
    value = _values(ws)
    end = np.where(value == 1, np.int8(PASSED), np.int8(OTHER))
    end[np.isnan(value)] = UNSCORED
    end[status.among({"gate_failed"}) & np.isnan(value)] = GATE_FAILED
    end[~status.among(base.IN_RATES)] = OUTSIDE
    copies = copied(ws) >= 0
    gone = excluded(ws) & ~copies
    end[set_aside | gone | copies] = ASIDE
    return {
        "excluded": gone,
        "copied": copies,
        "hidden": status.among({HIDDEN}) & (end == OUTSIDE),
        "ungraded": status.among({base.PENDING}) & (end == OUTSIDE),
        "unread": unread(ws) & (end == OUTSIDE),
        "case": coded(ws, "runs", "case_id").keys,
        "weight": weight,
        "end": end.astype(np.int64),
        "value": value,
        "score": values(ws, "runs", "score"),
        "max_score": values(ws, "runs", "max_score"),
    }


def _values(ws: Workspace) -> Numbers:
    """Return each run's value for its suite's headline, NaN if it has none."""
    status = coded(ws, "runs", "status")
    share, efficiency = (measured_by(ws, headline) for headline in (SHARE, EFFICIENCY))
    passed = values(ws, "runs", "passed")
    value = np.where(share, np.where(passed < 0, np.nan, passed), values(ws, "runs", "fraction"))
    if efficiency.any():
        value[efficiency] = ((value + structural_share(ws)) / 2)[efficiency]
    # A run that was refused, cut or timed out has failed, also where nobody could judge it.
    lost = status.among(base.UNFINISHED)
    lost = lost | share & status.among({"gate_failed"})
    value[lost & np.isnan(value)] = 0.0
    return on_scale(value)


def measured_by(ws: Workspace, headline: str) -> Numbers:
    """Return for each run whether its suite has this headline."""
    names, headlines = (coded(ws, "suites", name).column() for name in ("suite", "headline"))
    known = zip(names, headlines, strict=True)
    return coded(ws, "runs", "suite").among(name for name, found in known if found == headline)


def on_scale(value: Numbers) -> Numbers:
    """Return values with those below 0 or above 1 replaced by NaN.

    A score beyond its own scale cannot be averaged with others.
    """
    inside = (value >= -SAME) & (value <= 1 + SAME)
    return np.where(inside, np.clip(value, 0.0, 1.0), np.nan)


def structural_share(ws: Workspace) -> Numbers:
    """Return the share of passed structural checks of each run, NaN without any."""
    run, passed = judged_run(ws), values(ws, "judgments", "passed")
    checked = coded(ws, "judgments", "kind").among({"structural"}) & counting(ws) & (passed >= 0)
    yes = checked & (passed == 1)
    total = len(values(ws, "runs", "passed"))
    n = np.bincount(run[checked], minlength=total)
    share: Numbers = np.divide(
        np.bincount(run[yes], minlength=total), n, out=np.full(total, np.nan), where=n > 0
    )
    return share


def _cases(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return for each run whether its case is set aside, and its case's weight."""
    status, weights = coded(ws, "cases", "status"), values(ws, "cases", "weight")
    set_aside = status.among(SET_ASIDE)
    chosen = np.flatnonzero(set_aside | ~np.isnan(weights))
    total = len(values(ws, "runs", "passed"))
    aside, weight = np.zeros(total, bool), np.full(total, np.nan)
    if not len(chosen):
        return aside, weight
    suite, case = _place(ws, "suite"), _place(ws, "case_id")
    width = coded(ws, "runs", "case_id").width + 1
    of_case = suite[coded(ws, "cases", "suite").codes[chosen]] * width
    of_case += case[coded(ws, "cases", "case_id").codes[chosen]]
    of_run = coded(ws, "runs", "suite").codes * np.int64(width) + coded(ws, "runs", "case_id").codes
    order = np.argsort(of_case, kind="stable")
    at = np.clip(np.searchsorted(of_case[order], of_run), 0, len(order) - 1)
    rows = order[at]
    known = of_case[rows] == of_run
    aside[known] = set_aside[chosen[rows[known]]]
    weight[known] = weights[chosen[rows[known]]]
    return aside, weight


def _place(ws: Workspace, column: str) -> Numbers:
    """Return the codes of the cases' words in the column of the runs; -2 if unknown.

    The last one is that of a missing word.
    """
    codes = positions(coded(ws, "cases", column).strings, coded(ws, "runs", column).strings)
    return np.append(np.where(codes < 0, -2, codes), -2).astype(np.int64)
