"""How a verdict was reached: tests with exact p and n, the interval, and what weakens it."""

from typing import Any

import pytest

from evalcore.comparing.model import Break, Comparability, Comparison, People, Repeats
from evalcore.views.verdict.method import chance, how, people_sentences
from tests.views.verdicts import comparison, incomparable, left, pair, verdict

VISIBLE = (
    "With 42 cases like these, differences of about 17 points or more usually show "
    "(8 chances in 10)."
)
RULE = "The rule for these cases: p below 0.05 (met)."
RULE_FOR_OTHERS = (
    "The rule for cases like these: that, p over cases below 0.05 ({p}), an interval without 0 "
    "({interval}), and six changed cases ({changed})."
)
MET = RULE_FOR_OTHERS.format(p="met", interval="met", changed="met")
RECORDED = (
    "Share of runs passed: a case counts as the mean over its runs, a side as the mean over its "
    "cases. Scores: those in the workspace's own grading files."
)
BOTH_WAYS = (
    "On these 42 cases, counting every way to deal the two sides' labels to the runs of a case: "
    "p = 0.0117."
)


def _full() -> Comparison:
    """Return a comparison that has everything to explain."""
    prompts = Break("prompts", "", "", ("a", "b"), "run both cases again in v4", stops=False)
    return comparison(
        verdict=verdict(method="sign-flip, exact", interval="bca", adjusted=0.09),
        pairs=(pair("case-07"), pair("case-08", 0.5, 0.5, runs_a=3, runs_b=2)),
        carrier=pair("case-07"),
        left_out=left(3, "only in A") + left(1, "not scored in B"),
        comparability=Comparability("part", (prompts,), ("judge", "executor")),
        repeats_a=Repeats(12, 9, (), (), 0.041, 0.9),
        repeats_b=Repeats(1, 1, (), (), None, None),
    )


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.01171875, "p = 0.0117"),
        (0.03125, "p = 0.0313"),
        (1.0, "p = 1"),
        (0.5, "p = 0.5"),
        (0.0000456, "p = 0.0000456"),
        (1e-9, "p under 0.000001"),
        (0.0, "p under 0.000001"),
    ],
)
def test_a_p_is_exact_to_three_digits(p: float, words: str) -> None:
    """No powers of ten, no 0."""
    assert chance(p) == words


def test_how_says_all_that_the_verdict_rests_on() -> None:
    """What was compared in plain words, what weakens it, then the tests with exact p and n."""
    assert how(_full()) == (
        RECORDED,
        "Left out: 4 cases (3 run only in v3, 1 not scored in v4).",
        "Repeats are averaged case by case before anything is compared: 4 runs in v3, 3 in v4.",
        VISIBLE,
        "Not recorded, so perhaps different: who judged, which model did the work.",
        "One case, case-07, carries most of it: without it the difference is 0 points.",
        ("Noise floor: ±4 points (v3 run again); in 9 of 12 cases with repeats all runs agree."),
        "v4 run again: in 1 of 1 case with repeats all runs agree.",
        BOTH_WAYS,
        (
            "For cases like these: sign-flip permutation test on one difference a case over 42 "
            "cases, of which 11 changed, counting every way the signs could fall: p = 0.0117, "
            "after Holm for all that was asked at once p = 0.09."
        ),
        (
            "Difference +21 points, 95 % interval between +7 and +36: "
            "the widest of a bootstrap over cases (BCa), a t interval (a wider one for scores of "
            "fewer than 15 cases) and, where cases changed both ways, Hall's for skewed values."
        ),
        RULE,
        RULE_FOR_OTHERS.format(p="not met", interval="met", changed="met"),
    )


def test_runs_that_ran_more_than_once_are_counted_by_mid_p() -> None:
    """Labelings that tie with what was seen count by half; the confidence of the interval too."""
    c = comparison(verdict=verdict(method="sign-flip, exact", ran_once=False, confidence=0.99375))
    assert any("tie with what was seen by half (mid-p): p = 0.0117." in line for line in how(c))
    assert any(", 99.38 % interval between" in line for line in how(c))


def test_how_is_short_where_there_is_little_to_say() -> None:
    """One run a case, all cases counted: what was compared, the tests, the interval, the rule."""
    assert how(comparison()) == (
        RECORDED,
        VISIBLE,
        BOTH_WAYS,
        (
            "For cases like these: each case passed or failed in one run a side: exact McNemar "
            "test over 42 cases, of which 11 changed: p = 0.0117."
        ),
        (
            "Difference +21 points, 95 % interval between +7 and +36: "
            "a score interval for paired shares (Tango)."
        ),
        RULE,
        MET,
    )


def test_a_rule_that_is_not_met_does_not_read_like_a_result() -> None:
    """Four of four changes: p is .0625, and only four changed."""
    said = how(
        comparison(
            verdict=verdict(
                word="can't tell",
                kind="powerless",
                up=4,
                down=0,
                low=-0.02,
                adjusted=0.125,
                these_adjusted=0.0625,
            )
        )
    )
    assert said[-2:] == (
        "The rule for these cases: p below 0.05 (not met).",
        RULE_FOR_OTHERS.format(p="not met", interval="not met", changed="not met"),
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"these_method": "labels, sampled"},
            (
                "On these 42 cases, with a sample of the ways to deal the two sides' labels to the "
                "runs of a case: p = 0.0117."
            ),
        ),
        (
            {"cases": 1, "these_adjusted": 0.0234375},
            (
                "On this case, counting every way to deal the two sides' labels to the runs of "
                "a case: p = 0.0117, after Holm for all that was asked at once p = 0.0234."
            ),
        ),
    ],
)
def test_the_test_on_these_cases_is_said_with_its_own_p(given: dict[str, Any], words: str) -> None:
    """Listed or sampled, and corrected where several were asked."""
    assert words in how(comparison(verdict=verdict(**given)))


def test_without_labels_to_deal_there_is_no_sentence_on_these_cases() -> None:
    """No p is invented."""
    told = how(comparison(verdict=verdict(these_p=None, these_adjusted=None, these_method="none")))
    assert not [line for line in told if line.startswith("On these 42")]


def test_how_without_a_verdict_names_what_is_missing() -> None:
    """There was no test, so none is described."""
    said = how(incomparable(left_out=left(1, "only in B"), scores="human"))
    assert said == (
        (
            "Share of runs passed: a case counts as the mean over its runs, a side as the mean "
            "over its cases. Scores: those of people, the median of several or what is adjudicated."
        ),
        "Left out: 1 case (1 run only in v4).",
    )


def test_people_are_counted_for_each_side() -> None:
    """How many of its runs they judged whole, and how many people."""
    one, two = People(7, 14, 1, ("ana",)), People(14, 14, 2, ("ana", "bo"))
    assert people_sentences(comparison(people_a=one, people_b=two, scores="human")) == (
        "People's scores of 7 of 14 runs of v3, by 1 person; the others are missing here, not 0.",
        "People's scores of 14 of 14 runs of v4, by 2 people.",
    )
    assert people_sentences(comparison()) == ()
