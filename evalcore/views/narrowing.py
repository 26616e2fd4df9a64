"""The filters that are chosen from a list or typed: criterion, judge, tag and words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import orjson
import pandas as pd

from evalcore.views.kept import kept
from evalcore.views.outcomes import Numbers, Outcomes, judged_run, judgments_of, outcomes
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


def narrowed(ws: Workspace, suite: str, to: Narrow, focus: int | None) -> Numbers:
    """Return which cases of a suite are kept: a mask by the case's position."""
    found = outcomes(ws, suite)
    keep = np.ones(len(found.cases), bool)
    if to.criterion is not None:
        pairs = _failing_pairs(ws, suite, focus)
        keep &= _mask(found, pairs.loc[pairs["word"] == to.criterion, "case"])
    if to.judge is not None:
        pairs = _judged_pairs(ws, suite)
        keep &= _mask(found, pairs.loc[pairs["word"] == to.judge, "case"])
    if to.tag is not None:
        keep &= np.array([to.tag in tags for tags in _tags(found)], bool)
    if text := to.text.strip():
        keep &= np.isin(np.arange(len(keep)), cases_with_text(ws, found, text))
    return keep


def offers(ws: Workspace, suite: str, focus: int | None) -> Offers:
    """Return what the filters of a suite can be set to."""
    tags = pd.Series([tag for tags in _tags(outcomes(ws, suite)) for tag in dict.fromkeys(tags)])
    return Offers(
        _counted(_failing_pairs(ws, suite, focus)["word"]),
        _counted(_judged_pairs(ws, suite)["word"]),
        _counted(tags),
    )


@kept
def _failing_pairs(ws: Workspace, suite: str, focus: int | None) -> pd.DataFrame:
    """Return each (case, criterion) that fails in the column in focus, once."""
    runs = outcomes(ws, suite).runs
    rows = judgments_of(ws, runs.index[runs["column"] == focus])
    judged = ws.tables.judgments.iloc[rows]
    failed = ~judged["passed"].to_numpy(bool, na_value=True)
    failed &= (judged["kind"] != "convention").to_numpy()
    return _pairs(ws, suite, rows[failed], "criterion")


@kept
def _judged_pairs(ws: Workspace, suite: str) -> pd.DataFrame:
    """Return each (case, judge) of a suite, once."""
    rows = judgments_of(ws, outcomes(ws, suite).runs.index)
    named = ws.tables.judgments["judge"].iloc[rows].notna().to_numpy()
    return _pairs(ws, suite, rows[named], "judge")


def _pairs(ws: Workspace, suite: str, rows: Numbers, word: str) -> pd.DataFrame:
    runs = outcomes(ws, suite).runs
    words = ws.tables.judgments[word].iloc[rows].astype("str").to_numpy(dtype=object)
    cases = runs["case"].reindex(judged_run(ws)[rows]).to_numpy()
    return pd.DataFrame({"case": cases, "word": words}).drop_duplicates()


def _counted(words: "pd.Series[str]") -> tuple[tuple[str, int], ...]:
    counts = words.value_counts(sort=False).sort_values(ascending=False, kind="stable")
    return tuple((str(word), int(n)) for word, n in counts.items())


def _mask(found: Outcomes, cases: "pd.Series[int]") -> Numbers:
    mask = np.zeros(len(found.cases), bool)
    mask[cases.to_numpy(np.int64)] = True
    return mask


def _tags(found: Outcomes) -> list[list[str]]:
    """Return the tags of each case; the column holds JSON lists."""
    if "tags" not in found.cases:
        return [[] for _ in range(len(found.cases))]
    lists = (orjson.loads(text) if isinstance(text, str) else [] for text in found.cases["tags"])
    return [[str(tag) for tag in tags] if isinstance(tags, list) else [] for tags in lists]
