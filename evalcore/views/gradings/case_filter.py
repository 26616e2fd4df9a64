"""The filters of the case list: criterion, judge, tag, search words and a range of scores."""

import math
import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import orjson

from evalcore.counting.coded import Numbers, coded, distinct, numbered, values
from evalcore.counting.joined import judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.counting.score_source import answers, outcomes_by
from evalcore.counting.tally import mean
from evalcore.views.gradings.search import cases_with_text
from evalcore.views.words.wording import number, places_on, short
from evalcore.workspace.opened import Workspace

MAX_CHIP: Final = 60
PERCENT: Final = 100.0
_END: Final = r"([0-9]{1,6}(?:\.[0-9]{1,4})?)?"
_RANGE: Final = re.compile(rf"{_END}\.\.{_END}")


class ScoreRange(NamedTuple):
    """From which score to which, both included; None for an open end."""

    low: float | None
    high: float | None

    @classmethod
    def of(cls, text: str) -> "ScoreRange | None":
        """Return the range that an address writes as `2..3.5`, `2..` or `..3.5`; else None."""
        found = _RANGE.fullmatch(text)
        ends = [None if end is None else float(end) for end in found.groups()] if found else []
        given = cls(*ends) if ends else cls(None, None)
        return given if given != (None, None) and given.bounds[0] <= given.bounds[1] else None

    def __str__(self) -> str:
        """Return the range as an address has it."""
        low, high = ("" if end is None else f"{end:.4f}".rstrip("0").rstrip(".") for end in self)
        return f"{low}..{high}"

    @property
    def bounds(self) -> tuple[float, float]:
        """Both ends; infinite where they are open."""
        low, high = self
        return -math.inf if low is None else low, math.inf if high is None else high

    @property
    def words(self) -> str:
        """The range in words: `from 2 to 3.5`, `from 2`, `up to 3.5`."""
        up_to = "" if self.high is None else f"to {number(self.high)}"
        return f"from {number(self.low)} {up_to}".strip() if self.low is not None else f"up {up_to}"


@dataclass(frozen=True)
class CaseFilter:
    """A filter of cases; None and "" match everything.

    `score` is a range of the number that the grid shows, or of the score of one criterion,
    `score_of`.
    """

    criterion: str | None = None
    judge: str | None = None
    tag: str | None = None
    text: str = ""
    score: ScoreRange | None = None
    score_of: str | None = None


class Chip(NamedTuple):
    """A filter that is on: its field, itself in words, and how many cases it alone keeps."""

    kind: str
    words: str
    n: int


class Offers(NamedTuple):
    """The choices of each filter with their number of cases, the largest first.

    Criteria are those that fail in the column in focus, `score_of` all that are scored there.
    """

    criterion: tuple[tuple[str, int], ...]
    judge: tuple[tuple[str, int], ...]
    tag: tuple[tuple[str, int], ...]
    score_of: tuple[tuple[str, int], ...]


Pairs = dict[str, Numbers]
"""Words with the positions of the cases that have them."""


def narrowed(
    ws: Workspace, suite: str, to: CaseFilter, focus: int | None, scores: Scores = "recorded"
) -> tuple[Numbers, list[Chip]]:
    """Return which cases of a suite match, a mask by the case's position, and each filter."""
    keep = np.ones(len(outcomes(ws, suite).cases), bool)
    none: Numbers = np.empty(0, np.int64)
    found: list[tuple[str, str, Numbers]] = []
    if to.criterion is not None:
        failing = _failing(ws, suite, focus, scores).get(to.criterion, none)
        found.append(("criterion", f"fails {short(to.criterion, MAX_CHIP)}", failing))
    if to.judge is not None:
        judged = _judged(ws, suite).get(to.judge, none)
        found.append(("judge", f"judged by {short(to.judge, MAX_CHIP)}", judged))
    if to.tag is not None:
        tagged = _tagged(ws, suite).get(to.tag, none)
        found.append(("tag", f"tag {short(to.tag, MAX_CHIP)}", tagged))
    if text := to.text.strip():
        words = f"has “{short(text, MAX_CHIP)}”"
        found.append(("text", words, cases_with_text(ws, suite, text)))
    if to.score is not None:
        what = "score" if to.score_of is None else short(to.score_of, MAX_CHIP)
        value, top = case_scores(ws, suite, to.score_of, focus, scores)
        low, high = to.score.bounds
        within = np.flatnonzero((value >= low) & (value <= high))
        unit = " %" if top is None else ""
        found.append(("score", f"{what} {to.score.words}{unit}", within))
    for _, _, cases in found:
        keep &= _mask(keep, cases)
    return keep, [Chip(kind, words, len(cases)) for kind, words, cases in found]


def case_scores(
    ws: Workspace,
    suite: str,
    criterion: str | None,
    focus: int | None,
    scores: Scores = "recorded",
) -> tuple[Numbers, float | None]:
    """Return the mean score of each case in the column in focus, and the highest score there is.

    It is that of a criterion, or without one what the grid shows, rounded as it is shown; NaN where
    there is no score. Without a scale it is in percent, and there is no highest score.
    """
    found = outcomes_by(ws, suite, scores)
    value = np.full(len(found.cases), np.nan)
    top = found.scale
    if criterion is None:
        cells = found.cells.of(focus)
        value[cells.index.to_numpy(np.int64)] = cells["fraction" if top is None else "score"]
        value *= PERCENT if top is None else 1
    else:
        runs = found.runs[found.runs["column"] == focus]
        given = answers(ws, runs.index.to_numpy(), scores)
        words = coded(ws, "judgments", "criterion")
        rows = np.flatnonzero(given.criterion == words.places({criterion})[0])
        most = np.unique(values(ws, "judgments", "max_score")[given.row[rows]])
        top = float(most[0]) if len(most) == 1 and most[0] > 1 else None
        case = runs["case"].reindex(given.run[rows]).to_numpy(np.int64)
        value = mean(given.share[rows] * (top or PERCENT), case, len(found.cases))
    places = 0 if top is None else places_on(top)
    return np.floor(value * 10**places + 0.5) / 10**places, top


@memoize_per_workspace
def offers(ws: Workspace, suite: str, focus: int | None, scores: Scores = "recorded") -> Offers:
    """Return the choices of a suite's filters."""
    runs = outcomes(ws, suite).runs
    given = answers(ws, runs.index[runs["column"] == focus].to_numpy(), scores)
    scored = _pairs(ws, suite, given.row[~np.isnan(given.share)], "criterion")
    found = (_failing(ws, suite, focus, scores), _judged(ws, suite), _tagged(ws, suite), scored)
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
