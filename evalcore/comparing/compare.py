"""Compare A with B: what is comparable, whether B is better, and which cases changed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evalcore.comparing.clusters import alike_prompts, clusters_of
from evalcore.comparing.comparability import Shared, comparability, shared
from evalcore.comparing.flips import same_outputs, slices_without_same, without_same
from evalcore.comparing.lost import bounds_of, lost_runs
from evalcore.comparing.measures import measures
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import (
    Clusters,
    Comparability,
    Comparison,
    Named,
    People,
    SameOutputs,
    SharedCriteria,
    Side,
    Weighted,
)
from evalcore.comparing.outcomes import gates, other_outcomes, stopped_whole
from evalcore.comparing.pairing import Paired, carrier, paired
from evalcore.comparing.repeats import repeats
from evalcore.comparing.sample import Runs, paired_runs, runs_of_both, runs_of_sides
from evalcore.comparing.slices import estimate, slices
from evalcore.comparing.values import runs_of, values_of
from evalcore.counting.human_activity import people_of_column
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import suspicions
from evalcore.statistics.not_worse import NotWorse, not_worse
from evalcore.statistics.verdict import verdict


def compare(
    a: Side, b: Side, scores: Scores = "recorded", clusters: tuple[str, ...] = ()
) -> Comparison:
    """Return the comparison of `b` with `a`, by the chosen score source.

    `clusters` names tags whose cases were made from one template (see `clusters_of`). Results are
    cached for each pair of snapshots.

    Raises:
        UnknownName: a workspace has no such suite.
        CannotCompare: no case has one of the tags of `clusters`.
    """
    return _compared(a, b, scores, clusters)


@memoize_per_pair
def _compared(a: Side, b: Side, scores: Scores, tags: tuple[str, ...]) -> Comparison:
    fair, common = comparability(a, b, scores), shared(a, b, scores)
    runs = runs_of_both(a, b, scores, common)
    of_a, of_b = (
        values_of(side.ws, side.suite, side.column, scores, frame)
        for side, frame in ((a, runs.a), (b, runs.b))
    )
    cases = paired(of_a, of_b, common.incomparable)
    if fair.level == "nothing":
        cases = cases._replace(pairs=())
    runs = runs._replace(clusters=clusters_of(b, cases.both, tags))
    return _comparison(a, b, scores, (fair, common, tags), runs, cases)


def not_worse_than(
    a: Side, b: Side, margin: float, scores: Scores = "recorded", clusters: tuple[str, ...] = ()
) -> NotWorse | None:
    """Return whether `b` is shown to be worse than `a` by no more than `margin` (0 to 1).

    Where the sides lost unequal shares of their runs, the lost ones count against `b`. None if
    nothing is compared.

    Raises:
        UnknownName: a workspace has no such suite.
        CannotCompare: no case has one of the tags of `clusters`.
    """
    found, common = compare(a, b, scores, clusters), shared(a, b, scores)
    cases = Paired(found.pairs, found.left_out)
    if not cases.pairs:
        return None
    runs = runs_of_both(a, b, scores, common)
    runs = runs._replace(clusters=clusters_of(b, cases.both, clusters))
    if found.lost.unequal:
        return not_worse(bounds_of(runs, (a, b), cases.both).against, margin)
    ids = [pair.case_id for pair in cases.pairs]
    return not_worse(paired_runs(runs.counted, (a, b), ids, clusters=runs.clusters), margin)


def _comparison(
    a: Side,
    b: Side,
    scores: Scores,
    about: tuple[Comparability, Shared, tuple[str, ...]],
    runs: Runs,
    cases: Paired,
) -> Comparison:
    fair, common, tags = about
    pairs, both = cases.pairs, cases.both if fair.level != "nothing" else ()
    ids = [pair.case_id for pair in pairs]
    asked = paired_runs(runs.counted, (a, b), ids, clusters=runs.clusters) if pairs else None
    lost, told = lost_runs(runs, (a, b), both, None if asked is None else verdict(asked))
    same = _same_outputs(a, b, runs, cases)
    sliced = slices(a, b, pairs, scores, runs, common.criteria, unequal=lost.unequal)
    if same is not None and told is not None:
        told = without_same(told, same.without)
        others = tuple(pair for pair in pairs if pair.case_id not in same.cases)
        rest = slices(a, b, others, scores, runs, common.criteria, unequal=lost.unequal)
        sliced = slices_without_same(sliced, rest)
    of_sides = runs_of_sides(a, b, runs, pairs)
    if of_sides.nothing_new and told is not None:
        told = replace(told, word="can't tell")
    found_b = outcomes(b.ws, b.suite)
    result = Comparison(
        a=_named(a, b),
        b=_named(b, a),
        family=found_b.family,
        headline=runs.headline,
        scores=scores,
        comparability=fair,
        verdict=told,
        estimate_a=None if asked is None else estimate(asked.means_a, asked.runs_a),
        estimate_b=None if asked is None else estimate(asked.means_b, asked.runs_b),
        pairs=pairs,
        left_out=cases.left_out,
        carrier=carrier(pairs),
        slices=sliced,
        measures=measures(a, b, pairs),
        repeats_a=repeats(a, runs.a, ids),
        repeats_b=repeats(b, runs.b, ids),
        lost=lost,
        outcomes=other_outcomes(runs, (a, b), both),
        criteria=_criteria(common, ids),
        weighted=_weighted(b, cases),
        clusters=_clusters(tags, runs, ids),
        alike=() if tags else alike_prompts(b, ids),
        gates=gates(runs, (a, b), both),
        people_a=_people(a, scores),
        people_b=_people(b, scores),
        hidden=(_hidden(a), _hidden(b)),
        runs=of_sides,
        same_outputs=same,
        suspect=tuple(
            dict.fromkeys(
                said for side in (b, a) for said in suspicions(side.ws, side.suite, side.column)
            )
        ),
    )
    return result if pairs else stopped_whole(result)


def _same_outputs(a: Side, b: Side, runs: Runs, cases: Paired) -> SameOutputs | None:
    """Return the cases that only the judge can have changed, and the word without them."""
    changed = [pair.case_id for pair in cases.pairs if pair.change != "same"]
    same = same_outputs(runs.counted, (a, b), changed)
    if not same:
        return None
    ids = [pair.case_id for pair in cases.pairs if pair.case_id not in same]
    if not ids:
        return SameOutputs(same, None)
    asked = verdict(paired_runs(runs.counted, (a, b), ids, clusters=runs.clusters))
    both = [case for case in cases.both if case not in same]
    _, told = lost_runs(runs, (a, b), both, asked)
    return SameOutputs(same, None if told is None else told.word)


def _criteria(common: Shared, cases: Sequence[str]) -> SharedCriteria | None:
    if not any(case in common.criteria for case in cases):
        return None
    asked = {case: n for case in cases if (n := common.asked.get(case))}
    sizes = (
        common.criteria[case].shared if case in common.criteria else n for case, n in asked.items()
    )
    return SharedCriteria(sum(sizes), sum(asked.values()))


def _clusters(tags: tuple[str, ...], runs: Runs, cases: Sequence[str]) -> Clusters | None:
    if runs.clusters is None:
        return None
    return Clusters(tags, len({runs.clusters[case] for case in cases}))


def _weighted(side: Side, cases: Paired) -> Weighted | None:
    """Return the weighted means; None where no case has a weight, or all have the same."""
    known = outcomes(side.ws, side.suite).cases
    weights = dict(zip(known["case_id"], known["weight"], strict=True)) if "weight" in known else {}
    of_pairs = np.array([weights.get(pair.case_id, np.nan) for pair in cases.pairs], float)
    if np.isnan(of_pairs).all():
        return None
    of_pairs = np.where(np.isnan(of_pairs), 1.0, of_pairs)
    if of_pairs.min() < 0 or of_pairs.min() == of_pairs.max():
        return None
    a, b = (
        float(np.average([getattr(pair, side) for pair in cases.pairs], weights=of_pairs))
        for side in "ab"
    )
    return Weighted(a, b)


def _hidden(side: Side) -> int:
    return int(runs_of(side.ws, side.suite, side.column, "recorded")["hidden"].sum())


def _people(side: Side, scores: Scores) -> People | None:
    if scores == "recorded":
        return None
    judged, runs, names = people_of_column(side.ws, side.suite, side.column, scores)
    return People(judged, runs, len(names), names)


def _named(side: Side, other: Side) -> Named:
    # Two snapshots of one folder, each with runs of its own, have one name.
    same = side.ws.root == other.ws.root
    return Named(side.suite, side.column, "" if same else side.ws.name)
