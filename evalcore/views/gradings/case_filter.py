"""The filters of the case list: criterion, judge, tag and search words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import orjson

from evalcore.counting.coded import Numbers, coded, distinct, numbered, values
from evalcore.counting.joined import judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.counting.score_source import answers
from evalcore.views.gradings.search import cases_with_text
from evalcore.workspace.opened import Workspace


@dataclass(frozen=True)
class CaseFilter:
    """A filter of cases; None and "" match everything."""

    criterion: str | None = None
    judge: str | None = None
    tag: str | None = None
    text: str = ""


class Offers(NamedTuple):
    """The choices of each filter with their number of cases, the largest first.

    Criteria are those that fail in the column in focus.
    """

    criterion: tuple[tuple[str, int], ...]
    judge: tuple[tuple[str, int], ...]
    tag: tuple[tuple[str, int], ...]


Pairs = dict[str, Numbers]
"""Words with the positions of the cases that have them."""


def narrowed(
    ws: Workspace, suite: str, to: CaseFilter, focus: int | None, scores: Scores = "recorded"
) -> Numbers:
    """Return which cases of a suite match: a mask by the case's position."""
    keep = np.ones(len(outcomes(ws, suite).cases), bool)
    none: Numbers = np.empty(0, np.int64)
    if to.criterion is not None:
        keep &= _mask(keep, _failing(ws, suite, focus, scores).get(to.criterion, none))
    if to.judge is not None:
        keep &= _mask(keep, _judged(ws, suite).get(to.judge, none))
    if to.tag is not None:
        keep &= _mask(keep, _tagged(ws, suite).get(to.tag, none))
    if text := to.text.strip():
        keep &= _mask(keep, cases_with_text(ws, suite, text))
    return keep


@memoize_per_workspace
def offers(ws: Workspace, suite: str, focus: int | None, scores: Scores = "recorded") -> Offers:
    """Return the choices of a suite's filters."""
    found = (_failing(ws, suite, focus, scores), _judged(ws, suite), _tagged(ws, suite))
    counts = [[(word, len(cases)) for word, cases in pairs.items()] for pairs in found]
    return Offers(*(tuple(sorted(each, key=lambda pair: -pair[1])) for each in counts))


@memoize_per_workspace
def _failing(ws: Workspace, suite: str, focus: int | None, scores: Scores) -> Pairs:
    """Return the criteria that fail in the column in focus, by the chosen score source."""
    runs = outcomes(ws, suite).runs
    results = answers(ws, runs.index[runs["column"] == focus].to_numpy(), scores)
    return _pairs(ws, suite, results.row[results.passed == 0], "criterion")


@memoize_per_workspace
def _judged(ws: Workspace, suite: str) -> Pairs:
    """Return the judges of a suite."""
    judge = coded(ws, "judgments", "judge")
    if judge.width == 1:
        return {}
    rows = judgments_of(ws, outcomes(ws, suite).runs.index)
    return _pairs(ws, suite, rows[judge.codes[rows] >= 0], "judge")


def _pairs(ws: Workspace, suite: str, rows: Numbers, column: str) -> Pairs:
    found, words = outcomes(ws, suite), coded(ws, "judgments", column)
    case = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    case[found.runs.index] = found.runs["case"]
    codes, cases = words.keys_of(rows), len(found.cases)
    pairs = distinct(codes * cases + case[judged_run(ws)[rows]], words.width * cases)
    there, _, first = numbered(codes, words.width)
    starts = np.searchsorted(pairs, there * cases)
    ends = np.append(starts[1:], len(pairs))
    return {
        words.words[there[at]]: pairs[starts[at] : ends[at]] % cases
        for at in np.argsort(first).tolist()
    }


@memoize_per_workspace
def _tagged(ws: Workspace, suite: str) -> Pairs:
    """Return the tags of a suite's cases; the column holds JSON lists."""
    cases = outcomes(ws, suite).cases
    found: dict[str, list[int]] = {}
    for place, text in enumerate(cases.get("tags", ())):
        tags = orjson.loads(text) if isinstance(text, str) else []
        for tag in dict.fromkeys(map(str, tags if isinstance(tags, list) else ())):
            found.setdefault(tag, []).append(place)
    return {tag: np.array(places, np.int64) for tag, places in found.items()}


def _mask(like: Numbers, cases: Numbers) -> Numbers:
    mask = np.zeros(len(like), bool)
    mask[cases] = True
    return mask
