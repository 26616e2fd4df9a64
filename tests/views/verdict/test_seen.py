"""What was seen stands first: rates with their n, the difference, and the cases that changed."""

from dataclasses import replace
from typing import Any

import pytest

from evalcore.comparing.model import Clusters, Reason, SharedCriteria
from evalcore.comparing.outcomes import GATE
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY
from evalcore.views.verdict.sentence import against, change_words, flips, seen
from tests.views.verdicts import comparison, estimate, incomparable, left, named, pair, verdict

MINUS = "\N{MINUS SIGN}"
WORSE = {"word": "worse", "up": 1, "down": 10, "difference": -9 / 42, "low": -0.357, "high": -0.071}
TWENTY = tuple(pair(f"case-{n:02}") for n in range(20))


def test_rates_come_first_then_the_difference_then_the_cases_that_changed() -> None:
    """In this order, in one sentence."""
    assert seen(comparison()) == (
        "v4 passes more than v3: 83 % against 62 % on 42 cases "
        "(+21 points, likely between +7 and +36); 10 improved, 1 got worse."
    )


def test_what_got_worse_is_seen_as_plainly_with_a_real_minus() -> None:
    """What got worse then stands first."""
    c = comparison(
        verdict=verdict(**WORSE), estimate_a=estimate(35 / 42), estimate_b=estimate(26 / 42)
    )
    assert seen(c) == (
        "v4 passes less than v3: 62 % against 83 % on 42 cases "
        f"({MINUS}21 points, likely between {MINUS}36 and {MINUS}7); 10 got worse, 1 improved."
    )


def test_equal_rates_are_no_direction() -> None:
    """Neither more nor less was seen."""
    level = verdict(
        word="can't tell", kind="mixed", difference=0.0, low=-0.1, high=0.1, up=3, down=3
    )
    c = comparison(verdict=level, estimate_a=estimate(0.5), estimate_b=estimate(0.5))
    assert seen(c) == (
        "v4 passes as much as v3: 50 % against 50 % on 42 cases "
        f"(0 points, likely between {MINUS}10 and +10); 3 improved, 3 got worse."
    )


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ({"up": 1, "down": 0}, "1 improved, none got worse"),
        ({"up": 0, "down": 2}, "none improved, 2 got worse"),
        ({"up": 1200, "down": 1003, "cases": 5000}, "1,200 improved, 1,003 got worse"),
        (WORSE | {"up": 0, "down": 1}, "1 got worse, none improved"),
        ({"up": 0, "down": 0, "difference": 0.0}, "no case changed"),
    ],
)
def test_changed_cases_are_counted_those_with_the_difference_first(
    given: dict[str, Any], counts: str
) -> None:
    """No case is none."""
    assert flips(verdict(**given)) == counts


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"cases": 6}, True),
        ({"cases": 5}, False),
        ({"low": None, "high": None}, False),
        ({"word": "better on these cases"}, False),
        ({"word": "worse on these cases"}, False),
        ({"word": "can't tell"}, True),
    ],
)
def test_the_interval_stands_only_where_it_says_something_of_other_cases(
    given: dict[str, Any], shown: bool
) -> None:
    """Below six cases nearly all is possible; on these cases only, it would contradict the word."""
    words = change_words(verdict(**given))
    assert words == "+21 points" + (", likely between +7 and +36" if shown else "")


def test_rounded_rates_give_the_difference_that_is_shown() -> None:
    """83 % against 57 % is never "+27 points": one decimal more makes both true."""
    c = comparison(
        verdict=verdict(difference=0.833 - 0.567, low=0.07, high=0.46),
        estimate_a=estimate(0.567),
        estimate_b=estimate(0.833),
    )
    assert "83.3 % against 56.7 % on 42 cases (+26.6 points" in seen(c)


@pytest.mark.parametrize(
    ("reasons", "part"),
    [
        (("only in A", "only in B"), "run in both"),
        (("only in A", "not finished in B"), "finished in both"),
        (("not finished in A", "not graded in B"), "graded in both"),
        (("not scored in B", "only in A"), "scored in both"),
        (("gate failed in B",), "scored in both"),
        (("excluded in A",), "scored in both"),
        (("people only in A", "people only in B"), "judged alike in both"),
        (("other prompt", "only in A"), "that are the same in both"),
        (("other criteria",), "that are the same in both"),
    ],
)
def test_a_part_is_named_with_what_its_cases_have_in_common(
    reasons: tuple[Reason, ...], part: str
) -> None:
    """How many of how many; a case that the gate stopped is no other case (GA1)."""
    left_out = tuple(one for reason in reasons for one in left(2, reason))
    total = 20 + len(left_out)
    c = comparison(pairs=TWENTY, left_out=left_out)
    assert f": 83 % against 62 % on the 20 of {total} cases {part} (+21 points" in seen(c)


def test_draft_cases_make_no_part() -> None:
    """What was never meant to count is not missed."""
    assert seen(comparison(left_out=left(3, "set aside"))) == seen(comparison())


def test_clusters_are_counted_beside_the_cases() -> None:
    """What stands for itself are they, not the cases."""
    assert " on 42 cases in 7 clusters (+21" in seen(comparison(clusters=Clusters(("topic",), 7)))
    assert " on 42 cases in 1 cluster (+21" in seen(comparison(clusters=Clusters(("topic",), 1)))


def test_shared_criteria_are_counted_where_the_sides_were_asked_others() -> None:
    """The comparison is made on those that both were asked."""
    words = seen(comparison(criteria=SharedCriteria(13, 14)))
    assert " on 42 cases, by the 13 of 14 criteria that both were asked (+21 points" in words


def test_the_mean_of_shared_criteria_is_named_and_no_pass_rate() -> None:
    """It is no longer the share of runs that passed."""
    c = comparison(headline=SHARED_HEADLINE, criteria=SharedCriteria(2, 3))
    assert seen(c).startswith(
        "v4 scores higher than v3: mean of shared criteria 83 % against 62 % on 42 cases, "
        "by the 2 of 3 criteria that both were asked ("
    )


def test_a_side_that_the_gate_stopped_is_compared_by_its_gate_and_that_is_named() -> None:
    """What passes less is not its criteria, of which none was judged."""
    c = comparison(
        headline=GATE,
        verdict=verdict(word="worse on these cases", difference=-1.0, cases=3, up=0, down=3),
        estimate_a=estimate(1.0, 3),
        estimate_b=estimate(0.0, 3),
        pairs=(),
    )
    assert seen(c) == (
        "v4 passes less than v3: runs that pass the gate 0 % against 100 % on 3 cases "
        f"({MINUS}100 points); 3 got worse, none improved."
    )


@pytest.mark.parametrize(
    ("scores", "words"),
    [("human", "by people's scores"), ("human-first", "by people's scores where there are any")],
)
def test_scores_other_than_the_recorded_ones_are_named(scores: Any, words: str) -> None:
    """Whose scores count is part of every verdict."""
    assert f"62 % on 42 cases {words} (+21" in seen(comparison(scores=scores))


def test_an_efficiency_is_a_number_and_named() -> None:
    """It is no share of anything, so neither percent nor points nor "passes" fit."""
    c = comparison(
        headline=EFFICIENCY,
        estimate_a=estimate(0.89),
        estimate_b=estimate(0.94),
        verdict=verdict(difference=0.05, low=0.0121, high=0.09),
    )
    assert seen(c) == (
        "v4 scores higher than v3: overall efficiency 0.94 against 0.89 on 42 cases "
        "(+0.05, likely between +0.01 and +0.09); 10 improved, 1 got worse."
    )
    lower = replace(c, verdict=verdict(**WORSE))
    assert seen(lower).startswith("v4 scores lower than v3: overall efficiency ")
    level = replace(c, verdict=verdict(difference=0.0))
    assert seen(level).startswith("v4 scores as high as v3: overall efficiency ")


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (
            named("iteration-2", "without_skill"),
            named("iteration-2", "with_skill"),
            "with_skill passes more than without_skill in iteration-2: 83 %",
        ),
        (
            named("iteration-1", "with_skill"),
            named("iteration-2", "with_skill"),
            "iteration-2 passes more than iteration-1, both with_skill: 83 %",
        ),
        (
            named("iteration-1", "without_skill"),
            named("iteration-2", "with_skill"),
            "iteration-2, with_skill, passes more than iteration-1, without_skill: 83 %",
        ),
        (
            named("v3", workspace="old"),
            named("v3", workspace="new"),
            "v3 of new passes more than v3 of old: 83 %",
        ),
        (
            named("v3", suite="docx"),
            named("v4", suite="pdf"),
            "v4 of pdf passes more than v3 of docx: 83 %",
        ),
        (
            named("v3", workspace="same"),
            named("v3", workspace="same"),
            "v3 (B) passes more than v3 (A): 83 %",
        ),
    ],
)
def test_sides_are_named_as_shortly_as_tells_them_apart(a: Any, b: Any, words: str) -> None:
    """What both share is said once; another folder or suite is named."""
    assert seen(comparison(a=a, b=b)).startswith(words)


def test_one_case_is_not_in_the_plural() -> None:
    """Nor is its n left out."""
    assert against(estimate(0.0, 1), estimate(1.0, 1), "pass_rate") == "100 % against 0 % on 1 case"


def test_without_a_verdict_nothing_was_seen() -> None:
    """Who asks must look first: a caller's fault."""
    with pytest.raises(ValueError, match="check it first"):
        seen(incomparable())
