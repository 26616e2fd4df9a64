"""How far a verdict carries, why not further, and the cheapest step that would settle it."""

from typing import Any

import pytest

from evalcore.counting.rates import EFFICIENCY
from evalcore.statistics.not_worse import NotWorse, On
from evalcore.statistics.planning import FEWEST, TARGET
from evalcore.statistics.planning_cases import POWER
from evalcore.views.verdict.reach import (
    REPEATS,
    SIX,
    drop_sentence,
    next_steps,
    reach_sentences,
    why_open,
)
from tests.views.verdicts import comparison, incomparable, named, unclear, verdict

POINTS = "pass_rate"


def reach(**given: Any) -> list[str]:
    """Return what is said of how far a verdict carries."""
    return list(reach_sentences(comparison(verdict=verdict(**given))))


@pytest.mark.parametrize("word", ["better", "worse"])
def test_a_verdict_for_cases_like_these_says_so_and_needs_no_step(word: str) -> None:
    """Nothing is left open."""
    assert reach(word=word, more_runs=4) == [f"{word.capitalize()}, for cases like these too."]


@pytest.mark.parametrize(
    ("word", "cases", "words"),
    [
        ("better on these cases", 3, "Better on these 3 cases; whether for others is open."),
        ("worse on these cases", 3, "Worse on these 3 cases; whether for others is open."),
        ("worse on these cases", 1, "Worse on this case; whether for others is open."),
    ],
)
def test_a_verdict_on_these_cases_counts_them_and_leaves_others_open(
    word: str, cases: int, words: str
) -> None:
    """The runs of these cases speak for it, not the cases for others."""
    assert reach(word=word, kind="powerless", cases=cases)[0] == words


def test_after_a_verdict_on_these_cases_only_cases_are_still_asked_for() -> None:
    """More runs of them would decide what is decided."""
    said = reach(word="better on these cases", kind="powerless", cases=3, more_runs=2)
    assert said[1:] == ["For others like them, six cases or more are needed."]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "lost"}, "it depends on the lost runs"),
        ({"kind": "bounded", "bound": 0.0821}, "a difference, if any, is smaller than 9 points"),
        ({"kind": "mixed"}, "about as many cases improved as got worse"),
        ({"kind": "powerless", "ran_once": True}, "each ran once, so chance is not ruled out"),
        ({"kind": "powerless", "ran_once": False}, "chance in the runs is not ruled out"),
        ({"kind": "too few", "ran_once": False}, "chance in the runs is not ruled out"),
        ({"kind": "bounded", "bound": None}, "each ran once, so chance is not ruled out"),
    ],
)
def test_what_cannot_be_told_says_why(given: dict[str, Any], why: str) -> None:
    """Each kind has its own words."""
    unsure = unclear(given.pop("kind"), **given)
    assert why_open(unsure, POINTS) == why
    assert next(reach_sentences(comparison(verdict=unsure))) == f"Can't tell: {why}."


@pytest.mark.parametrize(
    ("given", "step"),
    [
        (  # Ran once: the whole number of runs, as nobody counts the first as given.
            {"cases": 3, "more_runs": 2},
            (
                "3 runs of each case would decide for these cases in 8 of 10 repeats; "
                "six cases or more for others."
            ),
        ),
        (  # With repeats: what must be added.
            {"cases": 3, "more_runs": 6, "ran_once": False},
            (
                "6 more runs of each case would decide for these cases in 8 of 10 repeats; "
                "six cases or more for others."
            ),
        ),
        (
            {"cases": 3, "more_runs": 1, "ran_once": False},
            (
                "1 more run of each case would decide for these cases in 8 of 10 repeats; "
                "six cases or more for others."
            ),
        ),
        # Nobody can say how many runs would do.
        ({"cases": 5}, "For others like them, six cases or more are needed."),
        (
            {"cases": 6, "difference": 0.02},
            (
                "About 120 cases would show one of 10 points for others like them, "
                "in 8 of 10 repeats."
            ),
        ),
        (  # What was seen is 10 points or more: the cases that would show as much.
            {"cases": 6, "difference": 0.1, "needed_as_seen": 70, "more_runs": 1},
            (
                "2 runs of each case would decide for these cases, and about 70 cases would show a "
                "difference this large for others like them, in 8 of 10 repeats."
            ),
        ),
        (  # There are as many cases as it takes: more of them is no advice.
            {"cases": 30, "needed_as_seen": 30, "more_runs": 1},
            "2 runs of each case would decide for these cases in 8 of 10 repeats.",
        ),
        (
            {"cases": 30, "needed_as_seen": 31},
            (
                "About 31 cases would show a difference this large for others like them, "
                "in 8 of 10 repeats."
            ),
        ),
    ],
)
def test_the_cheapest_step_in_both_coins(given: dict[str, Any], step: str) -> None:
    """Runs for these cases, cases for others; what is planned holds in 8 of 10 repeats."""
    assert next_steps(unclear("too few", **given), POINTS, runs=True) == step


@pytest.mark.parametrize(
    ("needed", "cases"),
    [(99, "99"), (118, "120"), (120, "120"), (121, "130"), (1234, "1,300"), (99_001, "100,000")],
)
def test_a_number_of_cases_is_rounded_up_to_two_digits(needed: int, cases: str) -> None:
    """It is planned from few cases, so further digits would be invented."""
    step = next_steps(unclear("too few", difference=0.0, needed=needed), POINTS, runs=True)
    assert step.startswith(f"About {cases} cases would show one of 10 points")


def test_an_efficiency_is_planned_in_its_own_unit() -> None:
    """It has no points."""
    step = next_steps(unclear("too few", difference=0.0), EFFICIENCY, runs=True)
    assert step.startswith("About 120 cases would show one of 0.10")


@pytest.mark.parametrize(
    "unsure",
    [
        unclear("lost", cases=3, more_runs=4),
        unclear("bounded", bound=0.05, more_runs=4),
        unclear("too few", needed=None, needed_as_seen=None),
    ],
)
def test_no_step_is_promised_that_would_not_help(unsure: Any) -> None:
    """Lost runs have to be scored, a bounded difference is an answer, the rest is not known."""
    assert next_steps(unsure, POINTS, runs=True) == ""
    assert len(list(reach_sentences(comparison(verdict=unsure)))) == 1


def test_nothing_can_never_decide() -> None:
    """Every verdict that cannot tell on few cases says what would."""
    for cases in range(1, FEWEST):
        said = " ".join(reach(word="can't tell", kind="powerless", cases=cases, more_runs=2))
        assert "never" not in said
        assert "3 runs of each case would decide for these cases in 8 of 10 repeats" in said
        assert said.endswith("; six cases or more for others.")


def test_without_a_verdict_nothing_carries_anywhere() -> None:
    """What is not comparable is said by other sentences."""
    assert list(reach_sentences(incomparable())) == []


def test_the_words_are_the_numbers_of_the_rule() -> None:
    """The words follow the rule."""
    assert (SIX, FEWEST) == ("six", 6)
    assert (REPEATS, POWER) == ("in 8 of 10 repeats", 0.8)
    assert TARGET == 0.10


def drop(shown: bool, on: On | None, low: float | None, cases: int = 42, **given: Any) -> str:
    """Return the sentence on a margin of 5 points."""
    c = comparison(verdict=verdict(cases=cases), **given)
    return drop_sentence(c, NotWorse(shown, on, low, None, 0.05))


def test_a_drop_that_is_ruled_out_says_for_which_cases() -> None:
    """For these cases only, or for cases like these."""
    assert drop(True, "these cases", -0.02, cases=3) == (
        "v4 is worse by no more than 5 points, if at all, for these 3 cases."
    )
    assert drop(True, "cases like these", -0.02) == (
        "v4 is worse by no more than 5 points, if at all, for cases like these."
    )


def test_a_drop_that_is_not_ruled_out_says_how_large_it_may_be() -> None:
    """Where that is known."""
    assert drop(False, None, -0.12) == (
        "That v4 is worse by no more than 5 points is not shown: "
        "a drop of 12 points is not ruled out."
    )
    assert drop(False, None, None) == "That v4 is worse by no more than 5 points is not shown."


def test_a_drop_names_the_side_as_the_verdict_does() -> None:
    """Without what both share."""
    sides = {"a": named("i-1", "with_skill"), "b": named("i-2", "with_skill")}
    assert drop(False, None, None, 42, **sides).startswith("That i-2 is worse by no more than")
