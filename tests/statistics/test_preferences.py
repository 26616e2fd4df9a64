"""Win rates, sign tests and safe stopping, against published figures."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest

from evalcore.statistics.planning_cases import POWER
from evalcore.statistics.preferences import (
    ENOUGH,
    evidence,
    preference_verdict,
    sign_test,
    visible_preference,
    win_rate,
)


def test_the_win_rate_is_that_of_alpaca_eval() -> None:
    """gpt4 on its leaderboard: 614 wins, 12 ties, 179 losses give 77.0186 +- 1.4680."""
    found = win_rate([1.0] * 614 + [0.5] * 12 + [0.0] * 179)
    assert found is not None
    assert found.value * 100 == pytest.approx(77.01863354037268)
    assert found.error is not None
    assert found.error * 100 == pytest.approx(1.46803688292698)


def test_a_tie_is_half_a_win() -> None:
    """One vote has no error; none has no rate."""
    assert win_rate([0.5] * 3) == (0.5, 0.0)
    assert win_rate([1.0]) == (1.0, None)
    assert win_rate([]) is None


def test_the_sign_test_is_exact_and_leaves_ties_out() -> None:
    """FairEval's people: ChatGPT 41, Vicuna 25: p .064; 5 of 5 one way is .0625."""
    assert sign_test(41, 25) == pytest.approx(0.064, abs=0.0005)
    assert sign_test(5, 0) == pytest.approx(0.0625)
    assert sign_test(0, 0) is None


@pytest.mark.parametrize(
    ("wins", "losses", "expected"), [(6, 0, 9.1), (8, 0, 28), (12, 2, 12), (15, 3, 17)]
)
def test_evidence_is_the_bayes_factor(wins: int, losses: int, expected: float) -> None:
    """Of votes at the end of which it is largest."""
    votes = [False] * losses + [True] * wins
    assert evidence(votes) == pytest.approx(expected, rel=0.05)


def test_of_115_in_200_it_says_1_over_1_197() -> None:
    """The example of a Bayes factor: .005956 against .004975, for half."""
    votes = [True] * 115 + [False] * 85
    n = len(votes)
    at_end = math.exp(math.lgamma(116) + math.lgamma(86) - math.lgamma(202) + n * math.log(2))
    assert 1 / at_end == pytest.approx(1.197, abs=0.001)
    assert evidence(votes) >= at_end


def test_by_chance_it_is_enough_in_at_most_one_of_twenty() -> None:
    """Looked at after every vote: all sequences of 14 votes."""
    found = [evidence(votes) >= ENOUGH for votes in product([True, False], repeat=14)]
    assert 0 < sum(found) / len(found) <= 0.05


def test_without_votes_there_is_no_evidence() -> None:
    """One to one."""
    assert evidence([]) == 1.0


def test_five_cases_show_nothing_and_six_only_unanimity() -> None:
    """Six of six is p .031; five of five is p .063. Nothing is seen without a case."""
    assert [visible_preference(cases) for cases in range(6)] == [None] * 6
    share = visible_preference(6)
    assert share is not None
    assert (share - 0.01) ** 6 < POWER <= share**6


@cache
def is_seen(wins: int, cases: int) -> bool:
    """Return whether the verdict of so many wins is better."""
    found = preference_verdict([1.0] * wins + [0.0] * (cases - wins))
    return found is not None and found.word == "better"


@pytest.mark.parametrize("cases", [7, 12, 40])
def test_what_a_study_sees_is_what_its_verdict_says(cases: int) -> None:
    """By simulation with the verdict itself: 8 of 10 studies at that share, fewer just below."""
    chance = np.random.default_rng(7)
    share = visible_preference(cases)
    assert share is not None
    for wanted, at in ((True, share), (False, share - 0.02)):
        wins = chance.binomial(cases, at, 4_000)
        seen = [is_seen(int(number), cases) for number in wins]
        assert (sum(seen) / len(seen) >= POWER - 0.02) is wanted


def test_more_cases_see_smaller_preferences() -> None:
    """Down to near the middle for very many."""
    shares = [visible_preference(cases) for cases in (10, 30, 100, 500)]
    known = [share for share in shares if share is not None]
    assert len(known) == 4
    assert sorted(known, reverse=True) == known
    assert 0.5 < known[-1] < 0.6
