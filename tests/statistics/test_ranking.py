"""The ranking of several sides by comparisons of two: held to published figures."""

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evalcore.statistics.ranking import Ranking, bradley_terry

Numbers = NDArray[np.float64]

JOURNALS = ("Biometrika", "Comm Statist", "JASA", "JRSS-B")
CITED = (
    (714, 33, 320, 284),
    (730, 425, 813, 276),
    (498, 68, 1072, 325),
    (221, 17, 142, 188),
)
"""Citations among four journals (Stigler 1994, in Agresti 2002, p. 448): row cites column."""

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WON = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""American League, eastern division, 1987 (Agresti 2002, table 10.10): row beat column."""


def table(
    names: tuple[str, ...], rows: tuple[tuple[int, ...], ...]
) -> dict[tuple[str, str], float]:
    """Return how often each name won against each other one."""
    return {
        (names[i], names[j]): float(number)
        for i, row in enumerate(rows)
        for j, number in enumerate(row)
        if i != j
    }


def cited() -> dict[tuple[str, str], float]:
    """Return how often each journal was cited by each other one: who is cited wins."""
    return table(JOURNALS, tuple(zip(*CITED, strict=True)))


def strengths(ranking: Ranking) -> dict[str, float]:
    """Return the strength of each side."""
    return {side.name: side.strength for side in ranking.sides}


def test_citations_have_the_published_strengths() -> None:
    """BradleyTerry2's vignette: against Biometrika, to four digits."""
    found = strengths(bradley_terry(cited()))
    against = {name: found[name] - found["Biometrika"] for name in JOURNALS}
    assert against["Comm Statist"] == pytest.approx(-2.9491, abs=5e-5)
    assert against["JASA"] == pytest.approx(-0.4796, abs=5e-5)
    assert against["JRSS-B"] == pytest.approx(0.2690, abs=5e-5)


def covariance(wins: Mapping[tuple[str, str], float], found: Mapping[str, float]) -> Numbers:
    """Return the covariance of strengths against their mean, of the model's information alone."""
    names = list(found)
    information = np.zeros((len(names), len(names)))
    for (i, one), (j, other) in combinations(enumerate(names), 2):
        p = 1 / (1 + math.exp(found[other] - found[one]))
        weight = (wins[one, other] + wins[other, one]) * p * (1 - p)
        information[[i, j], [i, j]] += weight
        information[[i, j], [j, i]] -= weight
    return np.linalg.pinv(information).astype(np.float64)


def test_citations_have_the_published_errors() -> None:
    """They are of differences from Biometrika; ours, of the same covariance, from the mean."""
    ranking = bradley_terry(cited())
    by_name = strengths(ranking)
    known = dict(zip(by_name, covariance(cited(), by_name), strict=True))
    at = {name: place for place, name in enumerate(by_name)}
    first = at["Biometrika"]
    for name, published in (("Comm Statist", 0.1025), ("JASA", 0.0606), ("JRSS-B", 0.0708)):
        own = at[name]
        variance = known[name][own] + known["Biometrika"][first] - 2 * known[name][first]
        assert math.sqrt(variance) == pytest.approx(published, abs=5e-5)
    for side in ranking.sides:
        expected = math.sqrt(known[side.name][at[side.name]])
        assert side.error == pytest.approx(expected, rel=1e-3)


def test_baseball_has_the_published_strengths() -> None:
    """Agresti: .68, 1.11, 1.25, 1.29, 1.44, 1.58 over Baltimore, errors near .3."""
    ranking = bradley_terry(table(TEAMS, WON))
    found = strengths(ranking)
    over = sorted(round(found[name] - found["Baltimore"], 2) for name in TEAMS[:-1])
    assert over == [0.68, 1.11, 1.25, 1.29, 1.44, 1.58]
    assert [side.name for side in ranking.sides] == list(TEAMS)


def test_two_sides_have_the_logit_of_their_wins() -> None:
    """With its error, halved as it is against the mean: 15 of 20."""
    first, second = bradley_terry({("a", "b"): 15, ("b", "a"): 5}).sides
    assert (first.name, second.name) == ("a", "b")
    assert first.strength == pytest.approx(1.0986123 / 2)
    assert first.error == pytest.approx((1 / 15 + 1 / 5) ** 0.5 / 2)
    assert first.chance == pytest.approx(0.75**0.5 / (0.75**0.5 + 0.25**0.5))


def test_the_range_is_that_of_95_percent() -> None:
    """1.96 errors to both sides, as a chance: strength .549 ± .258."""
    first, _ = bradley_terry({("a", "b"): 15, ("b", "a"): 5}).sides
    logits = [math.log(end / (1 - end)) for end in first.likely]
    assert logits == pytest.approx([0.549306 - 0.506060, 0.549306 + 0.506060], abs=1e-5)


def test_ties_alone_leave_all_equal() -> None:
    """Each counts half for both."""
    wins = {(one, other): 2.5 for one in "abc" for other in "abc" if one != other}
    found = bradley_terry(wins).sides
    assert [side.name for side in found] == ["a", "b", "c"]
    assert [side.strength for side in found] == pytest.approx([0, 0, 0], abs=1e-9)
    assert [side.chance for side in found] == pytest.approx([0.5, 0.5, 0.5])


def test_who_lost_nothing_has_no_finite_strength() -> None:
    """The groups say who; the one without a loss stands first."""
    found = bradley_terry({("a", "b"): 3, ("b", "c"): 2, ("c", "b"): 1})
    assert (found.sides, found.groups, found.connected) == ((), (("a",), ("b", "c")), True)


def test_one_half_of_a_tie_is_enough() -> None:
    """Then everything has a finite strength."""
    found = bradley_terry({("a", "b"): 2.5, ("b", "a"): 0.5, ("b", "c"): 2, ("c", "b"): 1})
    assert [side.name for side in found.sides] == ["a", "b", "c"]


def test_what_was_never_compared_is_not_ranked() -> None:
    """Two pairs of sides that nothing connects."""
    wins = {("a", "b"): 2.0, ("b", "a"): 1.0, ("c", "d"): 1.0, ("d", "c"): 1.0}
    found = bradley_terry(wins)
    assert (found.sides, found.connected) == ((), False)
    assert {*found.groups} == {("a", "b"), ("c", "d")}


def test_parts_are_told_where_each_has_a_winner_of_everything() -> None:
    """Who was compared stands together, though nobody in it lost and won."""
    found = bradley_terry({("a", "b"): 3, ("c", "d"): 2, ("d", "e"): 1})
    assert (found.groups, found.connected) == ((("c", "d", "e"), ("a", "b")), False)


def test_the_group_without_a_loss_to_others_stands_first() -> None:
    """However much was lost inside of it."""
    wins = {("a", "b"): 9.0, ("b", "a"): 9.0, ("a", "c"): 1.0, ("b", "c"): 1.0}
    assert bradley_terry(wins).groups == (("a", "b"), ("c",))


def test_nothing_and_one_side_are_no_ranking() -> None:
    """And no fault."""
    assert bradley_terry({}) == Ranking()


numbers = st.integers(1, 40)


@given(st.lists(numbers, min_size=12, max_size=12))
def test_strengths_add_up_to_nothing_and_expect_the_wins(given_wins: list[int]) -> None:
    """At the maximum each side's expected wins are its wins (Ford 1957)."""
    pairs = [(one, other) for one in "abcd" for other in "abcd" if one != other]
    wins = {pair: float(number) for pair, number in zip(pairs, given_wins, strict=True)}
    found = strengths(bradley_terry(wins))
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)
    for name, own in found.items():
        expected = sum(
            (wins[name, other] + wins[other, name]) / (1 + 2.718281828459045 ** (strength - own))
            for other, strength in found.items()
            if other != name
        )
        actual = sum(number for (one, _), number in wins.items() if one == name)
        assert expected == pytest.approx(actual, rel=1e-5)


def test_choix_finds_the_same() -> None:
    """A library for these models, where it is installed."""
    choix = pytest.importorskip("choix", reason="choix is not installed")
    data = [
        (i, j) for i, row in enumerate(WON) for j, number in enumerate(row) for _ in range(number)
    ]
    own = strengths(bradley_terry(table(TEAMS, WON)))
    assert list(choix.ilsr_pairwise(7, data)) == pytest.approx(
        [own[name] for name in TEAMS], abs=1e-5
    )
