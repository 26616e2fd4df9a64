"""The verdict for each criterion and each tag, corrected for multiple comparisons."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
import pandas as pd

from evalcore.comparing.lost import (
    Bounds,
    bounds_of,
    bounds_of_missing,
    possible_runs,
    remaining,
)
from evalcore.comparing.model import CasePair, Estimate, Side, Slice, SliceKind
from evalcore.comparing.sample import Runs, cluster_numbers, paired_runs
from evalcore.comparing.shared_criteria import Match
from evalcore.comparing.values import runs_of
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.counted import counted_answers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import on_scale
from evalcore.statistics.intervals import SAME, mean_interval
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import Verdict, verdicts
from evalcore.workspace.opened import Workspace

KEY: Final = ["kind", "criterion"]
MAX_SLICES: Final = 400
"""Beyond so many criteria the ones in most cases are looked at."""


class _Asked(NamedTuple):
    """A criterion or tag, and the runs of the cases that have it on both sides."""

    name: str
    kind: SliceKind
    runs: PairedRuns
    bounds: Bounds | None


def slices(
    a: Side,
    b: Side,
    pairs: tuple[CasePair, ...],
    scores: Scores,
    runs: Runs,
    shared: Mapping[str, Match],
    *,
    unequal: bool,
) -> tuple[Slice, ...]:
    """Return the criteria and tags of the compared cases, each with its verdict.

    The verdicts are corrected together (Holm). A criterion is compared over every case judged by it
    on both sides, even if other criteria differ. With human scores it is the median of those who
    judged it, also in runs that nobody judged completely. If the sides lost `unequal` shares of
    their runs, a verdict is what remains if they count against B and for it.
    """
    ids = [pair.case_id for pair in pairs]
    possible = possible_runs(runs, (a, b), ids) if unequal and ids else None
    questions = [
        *_criteria(a, b, ids, scores, (shared, runs.clusters, possible)),
        *_tags(a, b, ids, runs, unequal=unequal),
    ]
    found: Sequence[Verdict] = verdicts([one.runs for one in questions])
    bounds = [one.bounds for one in questions if one.bounds is not None]
    if unequal:
        found = remaining(found, bounds)
    return tuple(
        slice_of(one.kind, one.name, one.runs, verdict if _decidable(one.runs) else None)
        for one, verdict in zip(questions, found, strict=True)
    )


def _decidable(runs: PairedRuns) -> bool:
    """Return whether there is more than one run of one case on each side."""
    return runs.cases > 1 or not runs.ran_once


def slice_of(kind: SliceKind, name: str, runs: PairedRuns, verdict: Verdict | None) -> Slice:
    """Return a slice with the rates of both sides."""
    changes = np.sign(np.where(np.abs(runs.differences) <= SAME, 0.0, runs.differences))
    return Slice(
        kind,
        name,
        estimate(runs.means_a, runs.runs_a),
        estimate(runs.means_b, runs.runs_b),
        verdict,
        int((changes > 0).sum()),
        int((changes < 0).sum()),
    )


def estimate(of_cases: Numbers, runs: Numbers) -> Estimate:
    """Return the mean over cases with its interval; `runs` are those behind each case."""
    if not len(of_cases):
        return Estimate(None, None, None, 0, 0)
    low, high = mean_interval(of_cases) or (None, None)
    return Estimate(float(np.mean(of_cases)), low, high, len(of_cases), int(runs.sum()))


def _criteria(
    a: Side,
    b: Side,
    ids: Sequence[str],
    scores: Scores,
    about: tuple[Mapping[str, Match], Mapping[str, int] | None, Sequence[Numbers] | None],
) -> list[_Asked]:
    shared, clusters, possible = about
    of_pairs = cluster_numbers(clusters, ids)
    places = {case: at for at, case in enumerate(ids)}
    frames = [
        _of_cases(side, places, scores, {case: getattr(of, name) for case, of in shared.items()})
        for side, name in ((a, "a"), (b, "b"))
    ]
    names, columns = _in_both(frames, len(places))
    most = sorted(columns[0], key=lambda key: -len(np.unique(columns[0][key][0])))[:MAX_SLICES]
    return [
        _criterion(names[key], columns[0][key], columns[1][key], of_pairs, possible) for key in most
    ]


_Rows = dict[int, tuple[Numbers, Numbers]]
"""For each criterion its cases and values, one a run."""


def _in_both(frames: Sequence[pd.DataFrame], cases: int) -> tuple[list[str], list[_Rows]]:
    """Return the names of the criteria, and the rows of each side for those cases on both sides."""
    words = pd.concat([frame["kind"] + "\0" + frame["criterion"] for frame in frames])
    codes, names = pd.factorize(words)
    keys = np.split(codes, [len(frames[0])])
    of_cases = [frame["case"].to_numpy(np.int64) for frame in frames]
    asked = [key * cases + case for key, case in zip(keys, of_cases, strict=True)]
    both = np.intersect1d(*asked)
    rows = []
    for key, case, each, frame in zip(keys, of_cases, asked, frames, strict=True):
        chosen = np.flatnonzero(np.isin(each, both))
        chosen = chosen[np.argsort(key[chosen], kind="stable")]
        found, first = np.unique(key[chosen], return_index=True)
        parts = np.split(chosen, first[1:]) if len(found) else []
        value = frame["value"].to_numpy()
        rows.append({int(at): (case[of], value[of]) for at, of in zip(found, parts, strict=True)})
    return [str(name).partition("\0")[2] for name in names], rows


def _criterion(
    name: str,
    a: tuple[Numbers, Numbers],
    b: tuple[Numbers, Numbers],
    clusters: Numbers | None,
    possible: Sequence[Numbers] | None,
) -> _Asked:
    cases, of_a = np.unique(a[0], return_inverse=True)
    of_b = np.searchsorted(cases, b[0])
    runs = PairedRuns(a[1], b[1], of_a, of_b, None if clusters is None else clusters[cases])
    if possible is None:
        return _Asked(name, "criterion", runs, None)
    return _Asked(name, "criterion", runs, bounds_of_missing(runs, [n[cases] for n in possible]))


def _of_cases(
    side: Side,
    places: Mapping[str, int],
    scores: Scores,
    shared: Mapping[str, frozenset[tuple[str, str]]],
) -> pd.DataFrame:
    """Return the values of the runs of the compared cases for each criterion, by case number."""
    known = criterion_runs(side.ws, side.suite, side.column, scores)
    known = known[known["case"].isin(places)]
    if shared:
        other = [
            case in shared and (kind, criterion) not in shared[case]
            for case, kind, criterion in known[["case", *KEY]].itertuples(index=False)
        ]
        known = known[~np.array(other, bool)]
    return known.assign(case=known["case"].map(places).to_numpy(np.int64))


@memoize_per_workspace
def criterion_values(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> pd.DataFrame:
    """Return the mean over runs of each criterion of each case of a column.

    Columns are `case` (its id), `kind`, `criterion`, `value` (share of runs that passed, or mean
    part of the highest score) and `runs`. See `criterion_runs`.
    """
    runs = criterion_runs(ws, suite, column, scores)
    grouped = runs.groupby(["case", *KEY], sort=False)["value"].agg(["mean", "size"])
    return grouped.reset_index().rename(columns={"mean": "value", "size": "runs"})


@memoize_per_workspace
def criterion_runs(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> pd.DataFrame:
    """Return the value of each run of a column for each of its criteria.

    Columns are `case` (its id), `kind`, `criterion` and `value` (1 passed, 0 failed, or the part of
    the highest score), by case. Structural ids with a different meaning in each case are left out.
    """
    runs = runs_of(ws, suite, column, scores)
    found = counted_answers(ws, runs.index.to_numpy(), scores)
    value = on_scale(found.value)
    known = ~np.isnan(value)
    case = runs["case"].reindex(found.run[known]).to_numpy(np.int64)
    order = np.argsort(case, kind="stable")
    kind, criterion = coded(ws, "judgments", "kind"), coded(ws, "judgments", "criterion")
    ids = outcomes(ws, suite).cases["case_id"].tolist()
    cells = pd.DataFrame(
        {
            "case": _words(ids, case[order]),
            "kind": _words(kind.words, found.kind[known][order]),
            "criterion": _words(criterion.words, found.criterion[known][order]),
            "value": value[known][order],
        }
    )
    return cells[~_own_to_each_case(ws, suite, cells)]


def _words(words: list[Any], codes: Numbers) -> Any:
    return np.array(words, object)[codes]


def _own_to_each_case(ws: Workspace, suite: str, found: pd.DataFrame) -> "pd.Series[bool]":
    """Flag rows of structural ids (`S1`) whose description differs between cases."""
    known = ws.tables.criteria
    known = known[(known["suite"] == suite) & (known["kind"] == "structural")]
    described = known.groupby("criterion", observed=True)["description"].nunique()
    several = set(described.index[described > 1].astype(str))
    return (found["kind"] == "structural") & found["criterion"].isin(several)


def _tags(a: Side, b: Side, ids: Sequence[str], runs: Runs, *, unequal: bool) -> list[_Asked]:
    tags = {**tags_of(a.ws, a.suite), **tags_of(b.ws, b.suite)}
    tagged: dict[str, list[str]] = {}
    for case in ids:
        for tag in tags.get(case, ()):
            tagged.setdefault(tag, []).append(case)
    most = sorted(tagged.items(), key=lambda item: (-len(item[1]), item[0]))[:MAX_SLICES]
    return [
        _Asked(
            tag,
            "tag",
            paired_runs(runs.counted, (a, b), cases, clusters=runs.clusters),
            bounds_of(runs, (a, b), cases) if unequal else None,
        )
        for tag, cases in most
    ]


@memoize_per_workspace
def tags_of(ws: Workspace, suite: str) -> Mapping[str, tuple[str, ...]]:
    """Return the tags of each case of a suite that has any."""
    cases = ws.tables.cases[(ws.tables.cases["suite"] == suite) & ws.tables.cases["tags"].notna()]
    found = zip(cases["case_id"].astype(str), map(orjson.loads, cases["tags"]), strict=True)
    return {case: tuple(dict.fromkeys(map(str, tags))) for case, tags in found}
