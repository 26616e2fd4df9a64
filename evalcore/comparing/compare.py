"""Compare A with B: what is comparable, whether B is better, and which cases changed."""

import numpy as np

from evalcore.comparing.comparability import comparability, incomparable_cases
from evalcore.comparing.measures import measures
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import CasePair, Comparability, Comparison, Named, People, Side
from evalcore.comparing.pairing import Paired, carrier, paired
from evalcore.comparing.repeats import repeats
from evalcore.comparing.slices import estimate, slices
from evalcore.comparing.values import runs_by_case, runs_of
from evalcore.counting.human_activity import people_of
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import ASIDE, OUTSIDE
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import verdict


def compare(a: Side, b: Side, scores: Scores = "recorded") -> Comparison:
    """Return the comparison of `b` with `a`, by the chosen score source.

    Results are cached for each pair of snapshots.

    Raises:
        UnknownName: a workspace has no such suite.
    """
    return _compared(a, b, scores)


@memoize_per_pair
def _compared(a: Side, b: Side, scores: Scores) -> Comparison:
    fair = comparability(a, b, scores)
    cases = paired(a, b, scores, incomparable_cases(a, b, scores))
    if fair.level == "nothing":
        cases = cases._replace(pairs=())
    if any(each.stops and each.what != "criteria" for each in fair.breaks):
        cases = cases._replace(sharing=())
    return _comparison(a, b, fair, scores, cases)


def _comparison(
    a: Side, b: Side, fair: Comparability, scores: Scores, matched: Paired
) -> Comparison:
    pairs = matched.pairs
    values_a, values_b = (np.array([getattr(pair, side) for pair in pairs]) for side in "ab")
    runs_a, runs_b = (np.array([getattr(pair, f"runs_{side}") for pair in pairs]) for side in "ab")
    found = outcomes(b.ws, b.suite)
    cases = frozenset(pair.case_id for pair in pairs)
    return Comparison(
        a=_named(a, b),
        b=_named(b, a),
        family=found.family,
        headline=found.headline,
        scores=scores,
        comparability=fair,
        verdict=verdict(_paired_runs(a, b, pairs, scores)) if pairs else None,
        estimate_a=estimate(values_a, runs_a) if pairs else None,
        estimate_b=estimate(values_b, runs_b) if pairs else None,
        pairs=pairs,
        left_out=matched.left_out,
        carrier=carrier(pairs),
        slices=slices(a, b, matched, scores),
        measures=measures(a, b, pairs),
        repeats_a=repeats(a, cases, scores, outcomes(a.ws, a.suite).cases["case_id"].to_numpy()),
        repeats_b=repeats(b, cases, scores, found.cases["case_id"].to_numpy()),
        gates=matched.gates,
        people_a=_people(a, scores),
        people_b=_people(b, scores),
    )


def _paired_runs(a: Side, b: Side, pairs: tuple[CasePair, ...], scores: Scores) -> PairedRuns:
    """Return the runs that count of the compared cases."""
    cases = [pair.case_id for pair in pairs]
    (of_a, case_a), (of_b, case_b) = (
        runs_by_case(side.ws, side.suite, side.column, scores, cases) for side in (a, b)
    )
    return PairedRuns(of_a, of_b, case_a, case_b)


def _people(side: Side, scores: Scores) -> People | None:
    if scores == "recorded":
        return None
    runs = runs_of(side.ws, side.suite, side.column, scores)
    runs = runs[~runs["end"].isin([ASIDE, OUTSIDE]).to_numpy()]
    judged, judges = people_of(side.ws, runs.index.to_numpy())
    return People(judged, len(runs), judges)


def _named(side: Side, other: Side) -> Named:
    return Named(side.suite, side.column, "" if side.ws is other.ws else side.ws.name)
