"""How far a verdict carries, why not further, and the cheapest step that would settle it."""

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from evalcore.comparing.model import Lost, LostRuns, SameOutputs
from evalcore.counting.rates import EFFICIENCY
from evalcore.statistics.not_worse import NotWorse, On
from evalcore.statistics.planning import FEWEST, TARGET, Step
from evalcore.statistics.planning_cases import POWER
from evalcore.views.verdict.limits import GRADE, GRADE_ELSEWHERE
from evalcore.views.verdict.reach import (
    EASIER,
    HARDER,
    MOST_CASES,
    MOST_RUNS,
    REPEATS,
    SIX,
    by_chance,
    drop_sentence,
    next_step,
    reach_sentences,
    runs_advised,
    why_open,
)
from evalcore.views.verdict.sentence import sentence
from tests.views.verdicts import (
    comparison,
    estimate,
    incomparable,
    left,
    named,
    unclear,
    verdict,
)


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
    step = Step(runs=0.1, cases=0.345)
    said = reach(word="better on these cases", kind="too few", needed_as_seen=61, step=step)
    assert said[1:] == [
        f"10 more cases would probably show one of 35 points for others like them {REPEATS}."
    ]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "bounded", "bound": 0.0821}, "a difference, if any, is smaller than 9 points"),
        ({"kind": "mixed"}, "about as many cases improved as got worse"),
        ({"kind": "too few"}, "two equal versions would look like this in 1 of 4 evaluations"),
        ({"kind": "powerless"}, "two equal versions would look like this in 1 of 4 evaluations"),
        ({"kind": "powerless", "difference": 0.0, "bound": 0.34}, "one of up to 34 points is not"),
        ({"kind": "powerless", "difference": 0.0, "cases": 3}, "so few runs rule out none"),
    ],
)
def test_what_cannot_be_told_says_why(given: dict[str, Any], why: str) -> None:
    """Each kind has its own words; chance is told by the p of the test on these cases."""
    unsure = comparison(verdict=unclear(given.pop("kind"), these_adjusted=0.25, **given))
    assert why_open(unsure).startswith(why)
    assert next(reach_sentences(unsure)) == f"Can't tell: {why_open(unsure)}."


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.0501, "1 of 20"),
        (0.0625, "1 of 16"),
        (0.1, "1 of 10"),
        (0.25, "1 of 4"),
        (0.31, "3 of 10"),
        (0.39, "2 of 5"),
        (0.5, "1 of 2"),
    ],
)
def test_chance_is_a_number_of_evaluations(p: float, words: str) -> None:
    """Near enough to the p, and no more exact than that."""
    assert by_chance(p) == f"two equal versions would look like this in {words} evaluations"


@pytest.mark.parametrize("p", [0.51, 0.75, 1.0, None])
def test_more_than_half_of_all_evaluations_is_said_without_a_number(p: float | None) -> None:
    """One case that failed and passed once has a p of 1; not all evaluations look so."""
    assert by_chance(p) == "chance alone brings a difference like this"


def test_what_depends_on_lost_runs_counts_them() -> None:
    """Those that timed out count already."""
    lost = (Lost("runs", "not scored", 28, 42), Lost("runs", "timed out", 1, 42))
    c = comparison(verdict=unclear("lost"), lost=LostRuns((), lost, unequal=True))
    assert list(reach_sentences(c)) == [
        "Can't tell: it depends on lost runs: 28 of 42 runs of v4 (not scored), none of v3."
    ]


def test_the_same_outputs_with_other_grades_are_the_judge_s() -> None:
    """Counted in the sentence, whether or not the verdict holds without them."""
    same = SameOutputs(("case-01", "case-02"), None)
    c = comparison(verdict=unclear("same outputs"), same_outputs=same)
    assert list(reach_sentences(c)) == [
        (
            "Can't tell: in 2 of 11 changed cases the outputs are the same on both sides, so the "
            "judge made the difference."
        ),
        "Grade the outputs of both sides again with one judge.",
    ]
    c = comparison(same_outputs=replace(same, without="better"))
    assert list(reach_sentences(c)) == [
        (
            "Better, for cases like these too, also without the 2 cases whose outputs are the same "
            "on both sides."
        )
    ]


@pytest.mark.parametrize(
    ("value", "bound", "said"),
    [
        (1.0, 0.5, "both sides pass everything, so these cases no longer tell them apart"),
        (
            1.0,
            0.08,
            (
                "both sides pass everything, so these cases no longer tell them apart "
                "(a difference, if any, is below 8 points)"
            ),
        ),
        (0.0, 0.5, "no run of either side passes anything, so these cases do not tell them apart"),
    ],
)
def test_where_all_or_nothing_passes_other_cases_are_asked_for(
    value: float, bound: float, said: str
) -> None:
    """Never 35 more runs of cases that nothing can differ in."""
    unsure = unclear("saturated", difference=0.0, bound=bound, more_runs=35)
    c = comparison(verdict=unsure, estimate_a=estimate(value), estimate_b=estimate(value))
    assert list(reach_sentences(c)) == [f"Can't tell: {said}.", HARDER if value else EASIER]
    assert runs_advised(unsure) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (  # Ran once: the whole number of runs, as nobody counts the first as given.
            {"cases": 3, "more_runs": 2},
            (
                "3 runs of each case would probably decide for these cases (8 chances in 10); "
                "six cases or more for others."
            ),
        ),
        (  # With repeats: what must be added.
            {"cases": 3, "more_runs": 6, "ran_once": False},
            (
                "6 more runs of each case would probably decide for these cases (8 chances in 10); "
                "six cases or more for others."
            ),
        ),
        (
            {"cases": 3, "more_runs": 1, "ran_once": False},
            (
                "1 more run of each case would probably decide for these cases (8 chances in 10); "
                "six cases or more for others."
            ),
        ),
        # Nobody can say how many runs would do.
        ({"cases": 5}, "For others like them, six cases or more are needed."),
        (  # More than anybody would make: what a realistic step shows.
            {"cases": 5, "more_runs": 34, "step": Step(runs=0.42)},
            (
                "3 more runs of each case would probably show a difference of 42 points on these "
                "cases "
                "(8 chances in 10); six cases or more for others."
            ),
        ),
        (
            {"cases": 6, "difference": 0.02, "more_runs": 40, "step": Step(0.3, 0.21)},
            (
                "3 more runs of each case would probably show a difference of 30 points on these "
                "cases, and "
                "10 more cases would probably show one of 21 points for others like them "
                "(8 chances in 10)."
            ),
        ),
        (
            {"cases": 6, "difference": 0.02, "needed": 57, "more_runs": 9},
            (
                "10 runs of each case would probably show a difference of 10 points on these "
                "cases, "
                "and "
                "about 57 cases would probably show one of 10 points for others like them "
                "(8 chances in 10)."
            ),
        ),
        (  # What was seen is 10 points or more: the cases that would show as much.
            {"cases": 6, "difference": 0.1, "needed_as_seen": 60, "more_runs": 1},
            (
                "2 runs of each case would probably decide for these cases, and about 60 cases "
                "would "
                "probably show a "
                "difference this large for others like them (8 chances in 10)."
            ),
        ),
        (  # There are as many cases as it takes: more of them is no advice.
            {"cases": 30, "needed_as_seen": 30, "more_runs": 1},
            "2 runs of each case would probably decide for these cases (8 chances in 10).",
        ),
        (
            {"cases": 30, "needed_as_seen": 31, "clusters": 12},
            (
                "About 31 clusters would probably show a difference this large for others like "
                "them "
                "(8 chances in 10)."
            ),
        ),
    ],
)
def test_the_cheapest_step_in_both_coins(given: dict[str, Any], said: str) -> None:
    """Runs for these cases, cases for others; what is planned holds (8 chances in 10)."""
    assert next_step(comparison(verdict=unclear("too few", **given))) == said


@pytest.mark.parametrize("ran_once", [True, False])
def test_nobody_is_advised_more_than_ten_runs_or_sixty_cases(ran_once: bool) -> None:
    """Whatever would be needed, with and without a realistic step."""
    for more, cases in product([None, *range(1, 101)], [None, *range(6, 200, 7)]):
        for step in (None, Step(), Step(0.3, 0.2)):
            unsure = unclear(
                "too few",
                cases=6,
                ran_once=ran_once,
                more_runs=more,
                needed_as_seen=cases,
                step=step,
            )
            said = next_step(comparison(verdict=unsure))
            runs = re.findall(r"(\d+) (?:more )?runs? of", said)
            assert all(int(n) <= 10 for n in runs), said
            assert all(int(n) <= 60 for n in re.findall(r"(\d+) (?:more )?cases", said)), said
            assert (runs_advised(unsure) is None) == (not runs)


def test_an_efficiency_is_planned_in_its_own_unit() -> None:
    """It has no points."""
    unsure = unclear("too few", cases=20, difference=0.0, needed=42)
    said = next_step(comparison(verdict=unsure, headline=EFFICIENCY))
    assert said.startswith("About 42 cases would probably show one of 0.10")


@pytest.mark.parametrize(
    "unsure",
    [
        unclear("lost", cases=3, more_runs=4),
        unclear("bounded", bound=0.05, more_runs=4),
        unclear("too few", needed=None, needed_as_seen=None),
        unclear("too few", needed=None, needed_as_seen=None, step=Step(1.0, 1.0)),
    ],
)
def test_no_step_is_promised_that_would_not_help(unsure: Any) -> None:
    """Lost runs have to be scored, a bounded difference is an answer, the rest is not known."""
    c = comparison(verdict=unsure)
    assert next_step(c) == ""
    assert len(list(reach_sentences(c))) == 1
    assert runs_advised(unsure) is None


def test_without_a_verdict_nothing_carries_anywhere() -> None:
    """What is not comparable is said by other sentences."""
    assert list(reach_sentences(incomparable())) == []
    with pytest.raises(ValueError, match="check it first"):
        why_open(incomparable())


def test_the_words_are_the_numbers_of_the_rule() -> None:
    """The words follow the rule."""
    assert (SIX, FEWEST) == ("six", 6)
    assert (REPEATS, POWER) == ("(8 chances in 10)", 0.8)
    assert (TARGET, MOST_RUNS, MOST_CASES) == (0.10, 10, 60)


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


@pytest.mark.parametrize("kind", ["saturated", "lost", "powerless"])
def test_where_outputs_wait_for_a_grading_the_step_is_to_grade_them(kind: str) -> None:
    """They are there: running them again, or harder cases, would be dearer."""
    waiting = LostRuns((), (Lost("runs", "not graded", 1, 2),))
    assert next_step(comparison(verdict=unclear(kind), lost=waiting)) == GRADE
    elsewhere = comparison(verdict=unclear(kind), lost=waiting, family="rows")
    assert next_step(elsewhere) == GRADE_ELSEWHERE  # `evalcore judge` refuses such a suite


def test_without_a_verdict_the_cases_that_wait_are_to_be_graded() -> None:
    """Nothing was scored on both sides, and nothing has to be run."""
    found = incomparable(left_out=left(2, "not graded in B"))
    found = replace(found, comparability=comparison().comparability)
    assert sentence(found).endswith(f"(2 waiting for a grading in v4). {GRADE}")
