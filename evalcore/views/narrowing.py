"""The filters that are chosen from a list or typed: criterion, judge, tag and words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import orjson

from evalcore.views.coded import coded
from evalcore.views.joined import Numbers, counting, judged_run, judgments_of
from evalcore.views.kept import kept
from evalcore.views.outcomes import outcomes
from evalcore.views.search import cases_with_text
from evalcore.workspace.opened import Workspace


@dataclass(frozen=True)
class Narrow:
    """What the cases are narrowed to; None and "" narrow nothing."""

    criterion: str | None = None
    judge: str | None = None
    tag: str | None = None
    text: str = ""


class Offers(NamedTuple):
    """What each filter can be set to, with how many cases that keeps; most cases first.

    Criteria are those that fail in the column in focus.
    """

    criterion: tuple[tuple[str, int], ...]
    judge: tuple[tuple[str, int], ...]
    tag: tuple[tuple[str, int], ...]


Pairs = dict[str, Numbers]
"""Words with the positions of the cases that have them."""


def narrowed(ws: Workspace, suite: str, to: Narrow, focus: int | None) -> Numbers:
    """Return which cases of a suite are kept: a mask by the case's position."""
    keep = np.ones(len(outcomes(ws, suite).cases), bool)
    none: Numbers = np.empty(0, np.int64)
    if to.criterion is not None:
        keep &= _mask(keep, _failing(ws, suite, focus).get(to.criterion, none))
    if to.judge is not None:
        keep &= _mask(keep, _judged(ws, suite).get(to.judge, none))
    if to.tag is not None:
        keep &= _mask(keep, _tagged(ws, suite).get(to.tag, none))
    if text := to.text.strip():
        keep &= _mask(keep, cases_with_text(ws, suite, text))
    return keep


@kept
def offers(ws: Workspace, suite: str, focus: int | None) -> Offers:
    """Return what the filters of a suite can be set to."""
    found = (_failing(ws, suite, focus), _judged(ws, suite), _tagged(ws, suite))
    return Offers(*map(_counted, found))


@kept
def _failing(ws: Workspace, suite: str, focus: int | None) -> Pairs:
    """Return the criteria that fail in the column in focus."""
    runs = outcomes(ws, suite).runs
    rows = judgments_of(ws, runs.index[runs["column"] == focus])
    passed = ws.tables.judgments["passed"].array[rows].to_numpy(bool, na_value=True)
    return _pairs(ws, suite, rows[~passed & counting(ws)[rows]], "criterion")


@kept
def _judged(ws: Workspace, suite: str) -> Pairs:
    """Return the judges of a suite."""
    rows = judgments_of(ws, outcomes(ws, suite).runs.index)
    named = ws.tables.judgments["judge"].cat.codes.to_numpy()[rows] >= 0
    return _pairs(ws, suite, rows[named], "judge")


def _pairs(ws: Workspace, suite: str, rows: Numbers, column: str) -> Pairs:
    runs, words = outcomes(ws, suite).runs, coded(ws.tables.judgments[column])
    case = np.full(len(ws.tables.runs), -1, np.int64)
    case[runs.index] = runs["case"]
    codes = words.codes[rows]
    width = len(outcomes(ws, suite).cases) + 1
    pairs = np.unique(codes * width + case[judged_run(ws)[rows]])
    first = dict(zip(*np.unique(codes, return_index=True), strict=True))
    order = sorted(first, key=first.__getitem__)
    return {words.words[code]: pairs[pairs // width == code] % width for code in order}


@kept
def _tagged(ws: Workspace, suite: str) -> Pairs:
    """Return the tags of a suite's cases; the column holds JSON lists."""
    cases = outcomes(ws, suite).cases
    found: dict[str, list[int]] = {}
    for place, text in enumerate(cases.get("tags", ())):
        tags = orjson.loads(text) if isinstance(text, str) else []
        for tag in dict.fromkeys(map(str, tags if isinstance(tags, list) else ())):
            found.setdefault(tag, []).append(place)
    return {tag: np.array(places, np.int64) for tag, places in found.items()}


def _counted(pairs: Pairs) -> tuple[tuple[str, int], ...]:
    counts = ((word, len(cases)) for word, cases in pairs.items())
    return tuple(sorted(counts, key=lambda pair: -pair[1]))


def _mask(like: Numbers, cases: Numbers) -> Numbers:
    mask = np.zeros(len(like), bool)
    mask[cases] = True
    return mask
