"""The verdict for each criterion and each tag, corrected for multiple comparisons."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
import pandas as pd

from evalcore.comparing.model import CasePair, Estimate, Side, Slice
from evalcore.comparing.pairing import Paired
from evalcore.comparing.values import runs_of
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import GATE_FAILED, on_scale
from evalcore.counting.score_source import answers
from evalcore.statistics.intervals import mean_interval
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import verdicts
from evalcore.workspace.opened import Workspace

KEY: Final = ["kind", "criterion"]
MAX_SLICES: Final = 400
"""Beyond so many criteria the ones in most cases are looked at."""


class _SliceValues(NamedTuple):
    """The values of the cases that a criterion or tag has on both sides."""

    name: str
    kind: str
    a: Numbers
    b: Numbers
    runs_a: Numbers
    runs_b: Numbers


def slices(a: Side, b: Side, known: Paired, scores: Scores) -> tuple[Slice, ...]:
    """Return the criteria and tags of the compared cases, each with its verdict.

    The verdicts are corrected together (Holm). A criterion is compared over every case judged by it
    on both sides, even if other criteria differ; one with a single case has no verdict. With human
    scores it is the median of those who judged it, also in runs that nobody judged completely.
    """
    questions = [*_criteria(a, b, known.sharing, scores), *_tags(a, b, known.pairs)]
    verdicts_found = verdicts([PairedRuns.of_means(one.a, one.b) for one in questions])
    return tuple(
        Slice(
            "tag" if one.kind == "tag" else "criterion",
            one.name,
            estimate(one.a, one.runs_a),
            estimate(one.b, one.runs_b),
            verdict if len(one.a) > 1 else None,
            verdict.up,
            verdict.down,
        )
        for one, verdict in zip(questions, verdicts_found, strict=True)
    )


def estimate(of_cases: Numbers, runs: Numbers) -> Estimate:
    """Return the mean over cases with its interval; `runs` are those behind each case."""
    if not len(of_cases):
        return Estimate(None, None, None, 0, 0)
    low, high = mean_interval(of_cases) or (None, None)
    return Estimate(float(np.mean(of_cases)), low, high, len(of_cases), int(runs.sum()))


def _criteria(a: Side, b: Side, pairs: tuple[CasePair, ...], scores: Scores) -> list[_SliceValues]:
    cases = {pair.case_id for pair in pairs}
    of_a, of_b = (_of_cases(side, cases, scores) for side in (a, b))
    both = of_a.merge(of_b, on=["case", *KEY], suffixes=("_a", "_b"), sort=False)
    if both.empty:
        return []
    questions = [
        _SliceValues(
            str(criterion),
            str(kind),
            *(rows[name].to_numpy() for name in ("value_a", "value_b", "runs_a", "runs_b")),
        )
        for (kind, criterion), rows in both.groupby(KEY, sort=False, observed=True)
    ]
    return sorted(questions, key=lambda one: -len(one.a))[:MAX_SLICES]


def _of_cases(side: Side, cases: set[str], scores: Scores) -> pd.DataFrame:
    known = criterion_values(side.ws, side.suite, side.column, scores)
    return known[known["case"].isin(cases)]


@memoize_per_workspace
def criterion_values(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> pd.DataFrame:
    """Return the mean over runs of each criterion of each case of a column.

    Columns are `case` (its id), `kind`, `criterion`, `value` (share of runs that passed, or mean
    part of the highest score) and `runs`. Structural ids with a different meaning in each case
    are left out.
    """
    runs = runs_of(ws, suite, column, scores)
    # A person may judge some criteria of a run without the others.
    chosen = (runs["end"] >= GATE_FAILED if scores == "human" else runs["counted"]).to_numpy(bool)
    verdicts_found = answers(ws, runs.index.to_numpy()[chosen], scores)
    value = on_scale(verdicts_found.value)
    known = ~np.isnan(value)
    case = runs["case"].reindex(verdicts_found.run[known]).to_numpy(np.int64)
    kind, criterion = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    cells = pd.DataFrame(
        {
            "case": case,
            "kind": verdicts_found.kind[known],
            "criterion": verdicts_found.criterion[known],
            "value": value[known],
        }
    )
    grouped = cells.groupby(["case", *KEY], sort=True)["value"].agg(["mean", "size"]).reset_index()
    found = pd.DataFrame(
        {
            "case": _words(outcomes(ws, suite).cases["case_id"].tolist(), grouped["case"]),
            "kind": _words(kind.words, grouped["kind"]),
            "criterion": _words(criterion.words, grouped["criterion"]),
            "value": grouped["mean"],
            "runs": grouped["size"],
        }
    )
    return found[~_own_to_each_case(ws, suite, found)]


def _words(words: list[Any], codes: "pd.Series[int]") -> Any:
    return np.array(words, object)[codes.to_numpy()]


def _own_to_each_case(ws: Workspace, suite: str, found: pd.DataFrame) -> "pd.Series[bool]":
    """Flag rows of structural ids (`S1`) whose description differs between cases."""
    known = ws.tables.criteria
    known = known[(known["suite"] == suite) & (known["kind"] == "structural")]
    described = known.groupby("criterion", observed=True)["description"].nunique()
    several = set(described.index[described > 1].astype(str))
    return (found["kind"] == "structural") & found["criterion"].isin(several)


def _tags(a: Side, b: Side, pairs: tuple[CasePair, ...]) -> list[_SliceValues]:
    tags = {**tags_of(a.ws, a.suite), **tags_of(b.ws, b.suite)}
    tagged: dict[str, list[CasePair]] = {}
    for pair in pairs:
        for tag in tags.get(pair.case_id, ()):
            tagged.setdefault(tag, []).append(pair)
    return [
        _SliceValues(
            tag,
            "tag",
            np.array([pair.a for pair in those]),
            np.array([pair.b for pair in those]),
            np.array([pair.runs_a for pair in those]),
            np.array([pair.runs_b for pair in those]),
        )
        for tag, those in sorted(tagged.items(), key=lambda item: (-len(item[1]), item[0]))
    ][:MAX_SLICES]


@memoize_per_workspace
def tags_of(ws: Workspace, suite: str) -> Mapping[str, tuple[str, ...]]:
    """Return the tags of each case of a suite that has any."""
    cases = ws.tables.cases[(ws.tables.cases["suite"] == suite) & ws.tables.cases["tags"].notna()]
    found = zip(cases["case_id"].astype(str), map(orjson.loads, cases["tags"]), strict=True)
    return {case: tuple(dict.fromkeys(map(str, tags))) for case, tags in found}
