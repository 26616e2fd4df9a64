"""What a closed blind study tells: who won, how sure that is, and what could have misled judges."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from evalcore.blind.unblinding import Unblinded, Won
from evalcore.families.reviews.models import BlindCriterion
from evalcore.judging.studies import Study
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.preferences import (
    WinRate,
    evidence,
    preference_verdict,
    sign_test,
    win_rate,
)
from evalcore.statistics.verdict import Verdict
from evalcore.statistics.verdict import verdicts as verdicts_of

VALUE: Mapping[Won, float] = {"a": 0.0, "b": 1.0, "tie": 0.5, "both bad": 0.5}


class Counts(NamedTuple):
    """How often each was said."""

    a: int
    b: int
    tie: int
    both_bad: int


class CaseResult(NamedTuple):
    """One case: its verdicts, and the mean preference for B, 0 to 1."""

    case_id: str
    counts: Counts
    preference: float


class Scored(NamedTuple):
    """One criterion: the mean score of each side, over so many verdicts, and what that tells.

    `verdict` is of the means of each case, after Holm over all criteria.
    """

    criterion: str
    a: float
    b: float
    verdicts: int
    verdict: Verdict


class Share(NamedTuple):
    """How many of so many decided verdicts went one way, and the exact p of the sign test."""

    went: int
    of: int
    p: float | None


class Results(NamedTuple):
    """The results of a study; `known` are the counts of those who knew which was which, set apart.

    Everything else is of verdicts of judges who did not know. `cases` are in the order of their
    first verdict, and hold a tie for each pair with identical outputs that nobody judged
    (`identical`). `rate` is the win rate of B: the mean preference of the cases, each of which
    counts once, as verdicts on one case are not independent. `verdict` is by the same rule as
    everywhere, of the same preferences against the middle; B is `ahead` in so many cases, A in
    `behind`. `left` is how often what stood left won, `longer` the longer output. `agreeing` of
    `compared` pairs of judges said the same of a pair; `evidence` may be looked at any time (see
    `statistics.preferences`).
    """

    counts: Counts
    known: Counts
    identical: int
    cases: tuple[CaseResult, ...]
    ahead: int
    behind: int
    rate: WinRate | None
    p: float | None
    verdict: Verdict | None
    scores: tuple[Scored, ...]
    left: Share
    longer: Share
    agreeing: int
    compared: int
    evidence: float


def results(
    study: Study, verdicts: Sequence[Unblinded], length: Callable[[str], int | None]
) -> Results:
    """Return the results of a closed study; `length` returns the characters of a run's output."""
    blind = [each for each in verdicts if not each.knows]
    cases = case_results(study, verdicts)
    preferences = [case.preference for case in cases]
    decided = [value > 0.5 for value in preferences if value != 0.5]
    wins, losses = sum(decided), len(decided) - sum(decided)
    agreeing, compared = _agreement(blind)
    return Results(
        counts=_counts(blind),
        known=_counts([each for each in verdicts if each.knows]),
        identical=len(_alike(study, verdicts)),
        cases=cases,
        ahead=wins,
        behind=losses,
        rate=win_rate(preferences),
        p=sign_test(wins, losses),
        verdict=preference_verdict(preferences),
        scores=_scores(study, blind),
        left=_share(each.a == ("left" if each.won == "a" else "right") for each in _decided(blind)),
        longer=_share(_longer(_decided(blind), length)),
        agreeing=agreeing,
        compared=compared,
        evidence=evidence(decided),
    )


def case_results(study: Study, verdicts: Sequence[Unblinded]) -> tuple[CaseResult, ...]:
    """Return each case of a closed study, by the verdicts of judges who did not know.

    They are in the order of their first verdict; those that nobody judged come last.
    """
    return _cases([each for each in verdicts if not each.knows], _alike(study, verdicts))


def _alike(study: Study, verdicts: Sequence[Unblinded]) -> list[str]:
    """Return the case of each pair with identical outputs that nobody judged."""
    judged = {each.pair.pair for each in verdicts}
    return [
        pair.case_id
        for pair in study.fields.pairs
        if pair.output_a == pair.output_b and pair.pair not in judged
    ]


def _decided(verdicts: Sequence[Unblinded]) -> list[Unblinded]:
    return [each for each in verdicts if each.won in ("a", "b")]


def _counts(verdicts: Sequence[Unblinded]) -> Counts:
    said = [each.won for each in verdicts]
    return Counts(said.count("a"), said.count("b"), said.count("tie"), said.count("both bad"))


def _cases(verdicts: Sequence[Unblinded], alike: Sequence[str]) -> tuple[CaseResult, ...]:
    of: dict[str, list[Unblinded]] = defaultdict(list)
    for each in sorted(verdicts, key=lambda verdict: (verdict.since, verdict.id)):
        of[each.pair.case_id].append(each)
    ties = {case: alike.count(case) for case in alike}
    found = []
    for case in dict.fromkeys([*of, *ties]):
        values = [VALUE[each.won] for each in of[case]] + [0.5] * ties.get(case, 0)
        found.append(CaseResult(case, _counts(of[case]), sum(values) / len(values)))
    return tuple(found)


def _scores(study: Study, verdicts: Sequence[Unblinded]) -> tuple[Scored, ...]:
    criteria = [
        (each, both)
        for each in study.fields.criteria
        # A forged record may have a scale without room.
        if each.low < each.high
        and (both := [(one.pair.case_id, *one.scores[each.name]) for one in verdicts
                     if each.name in one.scores])
    ]  # fmt: skip
    told = verdicts_of([_by_case(each, both) for each, both in criteria])
    return tuple(
        Scored(
            each.name, fmean(a for _, a, _ in both), fmean(b for _, _, b in both), len(both), one
        )
        for (each, both), one in zip(criteria, told, strict=True)
    )


def _by_case(criterion: BlindCriterion, both: Sequence[tuple[str, float, float]]) -> PairedRuns:
    """Return the mean score of each case on both sides, as shares of the scale."""
    cases: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for case, a, b in both:
        cases[case].append((a, b))
    low, span = criterion.low, criterion.high - criterion.low
    means = [
        [(fmean(pair[side] for pair in pairs) - low) / span for pairs in cases.values()]
        for side in (0, 1)
    ]
    return PairedRuns.of_means(means[0], means[1])


def _longer(verdicts: Sequence[Unblinded], length: Callable[[str], int | None]) -> list[bool]:
    """Return for each verdict whether the longer output won, where one is longer."""
    found = []
    for each in verdicts:
        a, b = length(each.pair.run_a), length(each.pair.run_b)
        if a is not None and b is not None and a != b:
            found.append((a > b) == (each.won == "a"))
    return found


def _share(went: Iterable[bool]) -> Share:
    known = list(went)
    return Share(sum(known), len(known), sign_test(sum(known), len(known) - sum(known)))


def _agreement(verdicts: Sequence[Unblinded]) -> tuple[int, int]:
    """Return how many pairs of judges said the same of a pair, and how many there are."""
    of: dict[str, list[Won]] = defaultdict(list)
    for each in verdicts:
        of[each.pair.pair].append(each.won)
    both = [pair for said in of.values() for pair in combinations(said, 2)]
    return sum(one == other for one, other in both), len(both)
