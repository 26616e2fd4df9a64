"""Better, worse or can't tell, in sentences whose every number has its n."""

from dataclasses import replace
from typing import Any

import pytest

from evalcore.comparing.model import (
    Break,
    Comparability,
    Comparison,
    Gates,
    Reason,
    Repeats,
    Slice,
)
from evalcore.counting.rates import EFFICIENCY
from evalcore.statistics.planning import FEWEST
from evalcore.views.verdict.method import SIX, chance
from evalcore.views.verdict.sentence import (
    break_sentence,
    how,
    left_out_words,
    points,
    sentence,
    side_words,
    slice_sentence,
)
from tests.views.verdicts import (
    comparison,
    estimate,
    incomparable,
    left,
    named,
    pair,
    unclear,
    verdict,
)

WORSE = {"word": "worse", "up": 1, "down": 10, "difference": -9 / 42, "low": -0.357, "high": -0.071}
TWENTY = tuple(pair(f"case-{n:02}") for n in range(20))


def test_better_is_said_with_rates_points_interval_and_changed_cases() -> None:
    """The sentence has all that the question "is it better?" needs."""
    assert sentence(comparison()) == (
        "v4 is better than v3: 86 % against 64 % of 42 cases "
        "(+21 points, likely between +7 and +36). 10 cases improved, 1 got worse."
    )


def test_worse_is_said_as_plainly_with_a_real_minus() -> None:
    """What got worse then stands first."""
    c = comparison(
        verdict=verdict(**WORSE), estimate_a=estimate(36 / 42), estimate_b=estimate(27 / 42)
    )
    assert sentence(c) == (
        "v4 is worse than v3: 64 % against 86 % of 42 cases "
        "(\N{MINUS SIGN}21 points, likely between \N{MINUS SIGN}36 and \N{MINUS SIGN}7). "
        "10 cases got worse, 1 improved."
    )


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ({"up": 1, "down": 0}, "1 case improved, none got worse."),
        ({"up": 7, "down": 0}, "7 cases improved, none got worse."),
        ({"up": 1200, "down": 1003, "cases": 5000}, "1,200 cases improved, 1,003 got worse."),
        (WORSE | {"up": 0, "down": 1}, "1 case got worse, none improved."),
    ],
)
def test_changed_cases_are_counted_in_words(given: dict[str, Any], counts: str) -> None:
    """One case is one, no case is none."""
    assert sentence(comparison(verdict=verdict(**given))).endswith(counts)


@pytest.mark.parametrize(
    ("unsure", "why"),
    [
        (
            unclear("bounded", bound=0.0821),
            "a difference, if any, is smaller than 9 points (10 cases improved, 1 got worse).",
        ),
        (
            unclear("too few"),
            "42 cases show differences of about 17 points or more; 10 points needs about 120.",
        ),
        (
            unclear("too few", needed=1234),
            "42 cases show differences of about 17 points or more; 10 points needs about 1,300.",
        ),
        (
            unclear("too few", needed=30),
            "42 cases show differences of about 17 points or more.",
        ),
        (
            unclear("too few", needed=None),
            "42 cases show differences of about 17 points or more.",
        ),
        (
            unclear("too few", visible=None, needed=None),
            "42 cases are too few.",
        ),
        (
            unclear("powerless", cases=42, up=3, down=0),
            (
                "only 3 of 42 cases changed, and even all of them one way could not decide: "
                "six are needed."
            ),
        ),
        (
            unclear("powerless", up=0, down=0),
            "none of 42 cases changed, and at least six must change the same way to decide.",
        ),
        (
            unclear("mixed", up=12, down=11),
            "about as many cases improved (12) as got worse (11).",
        ),
        (
            unclear("mixed", up=12, down=12),
            "as many cases improved (12) as got worse (12).",
        ),
    ],
)
def test_what_cannot_be_told_says_why_and_what_would_settle_it(unsure: Any, why: str) -> None:
    """Each kind has its own words; the difference is not dressed up as a finding."""
    said = sentence(comparison(verdict=unsure))
    assert said == f"Can't tell v4 from v3: 86 % against 64 % of 42 cases; {why}"


@pytest.mark.parametrize(("cases", "few"), [(1, "1 case"), (5, "5 cases")])
def test_fewer_than_six_cases_can_never_decide(cases: int, few: str) -> None:
    """It is said before anyone waits for more runs."""
    c = comparison(
        verdict=unclear("powerless", cases=cases, up=1, down=0, low=None, high=None, bound=None),
        estimate_a=estimate(0.0, cases),
        estimate_b=estimate(1.0, cases),
        pairs=tuple(pair(f"case-{n}") for n in range(cases)),
    )
    assert sentence(c) == (
        f"Can't tell v4 from v3: 100 % against 0 % of {few}; "
        f"{few} can never decide: at least six are needed."
    )


def test_the_word_six_is_the_number_of_the_rule() -> None:
    """The words follow the rule."""
    assert (SIX, FEWEST) == ("six", 6)


def test_one_case_has_no_interval_and_none_is_shown() -> None:
    """A difference without an interval stands alone."""
    c = comparison(verdict=verdict(low=None, high=None))
    assert "(+21 points). 10 cases" in sentence(c)


@pytest.mark.parametrize(
    ("reasons", "part"),
    [
        (("only in A", "only in B"), "run in both"),
        (("only in A", "not finished in B"), "finished in both"),
        (("not scored in B", "only in A"), "scored in both"),
        (("other prompt", "only in A"), "that are the same in both"),
        (("other criteria",), "that are the same in both"),
    ],
)
def test_a_part_is_named_before_the_verdict(reasons: tuple[Reason, ...], part: str) -> None:
    """What is compared, of how many, and what these cases have in common."""
    left_out = tuple(one for reason in reasons for one in left(2, reason))
    total = 20 + len(left_out)
    c = comparison(pairs=TWENTY, left_out=left_out)
    assert sentence(c).startswith(
        f"On the 20 of {total} cases {part}, v4 is better than v3: 86 % against 64 % (+21 points"
    )


def test_a_part_that_cannot_be_told_begins_the_same_way() -> None:
    """The verdict follows the part in one sentence."""
    c = comparison(
        pairs=TWENTY, left_out=left(5, "only in A"), verdict=unclear("bounded", bound=0.09)
    )
    assert sentence(c) == (
        "On the 20 of 25 cases run in both, can't tell v4 from v3: 86 % against 64 %; "
        "a difference, if any, is smaller than 9 points (10 cases improved, 1 got worse)."
    )


def test_draft_cases_make_no_part() -> None:
    """What was never meant to count is not missed."""
    assert sentence(comparison(left_out=left(3, "set aside"))) == sentence(comparison())


def test_what_is_not_comparable_gets_no_difference() -> None:
    """It names what differs and the step that mends it."""
    judged = Break("judge", "gpt-5", "opus", (), "judge v3 again with opus", stops=True)
    run = Break("executor", "small", "large", (), "run v3 again", stops=False)
    c = incomparable(comparability=Comparability("nothing", (run, judged), ()))
    assert sentence(c) == (
        "v4 and v3 are not comparable: they were judged differently "
        "(gpt-5 in v3, opus in v4). Judge v3 again with opus."
    )


def test_what_both_sides_share_stands_beside_their_names() -> None:
    """Also where they are not compared."""
    cases = Break("cases", "2 cases", "3 cases", ("x",), "run them", stops=True)
    c = incomparable(
        a=named("i-1", "with_skill"),
        b=named("i-2", "with_skill"),
        comparability=Comparability("nothing", (cases,), ()),
    )
    assert sentence(c) == (
        "i-2 and i-1, both with_skill, are not comparable: no case was run on both sides "
        "(2 cases in i-1, 3 cases in i-2). Run them."
    )
    c = replace(c, a=named("i-2", "without_skill"))
    assert sentence(c).startswith("with_skill and without_skill in i-2 are not comparable: ")


def test_no_case_in_common_is_said_with_the_counts() -> None:
    """Where nothing breaks the comparison there is simply nothing to compare."""
    assert sentence(incomparable(left_out=left(12, "only in A") + left(1, "only in B"))) == (
        "v4 and v3 are not comparable: no case was scored in both "
        "(12 run only in v3, 1 run only in v4)."
    )
    assert sentence(incomparable()) == ("v4 and v3 are not comparable: no case was scored in both.")


def test_without_scores_a_partial_break_is_not_the_reason() -> None:
    """What differs in one case is not why none can be compared."""
    partly = Break("judge", "x", "y", ("case",), "judge again", stops=False)
    c = incomparable(
        comparability=Comparability("part", (partly,), ()),
        left_out=left(5, "not scored in A"),
        scores="human",
    )
    assert sentence(c) == (
        "v4 and v3 are not comparable: no case was scored in both by people's scores "
        "(5 not scored in v3)."
    )


@pytest.mark.parametrize(
    ("scores", "words"),
    [("human", "by people's scores"), ("human-first", "by people's scores where there are any")],
)
def test_scores_other_than_the_recorded_ones_are_named(scores: Any, words: str) -> None:
    """Whose scores count is part of every verdict."""
    assert f"64 % of 42 cases {words} (+21" in sentence(comparison(scores=scores))


def test_an_efficiency_is_a_number_and_named() -> None:
    """It is no share of anything, so neither percent nor points fit."""
    c = comparison(
        headline=EFFICIENCY,
        estimate_a=estimate(0.89),
        estimate_b=estimate(0.94),
        verdict=verdict(difference=0.05, low=0.0121, high=0.09),
    )
    assert sentence(c) == (
        "v4 is better than v3: overall efficiency 0.94 against 0.89 over 42 cases "
        "(+0.05, likely between +0.01 and +0.09). 10 cases improved, 1 got worse."
    )
    unsure = replace(c, verdict=unclear("too few"))
    assert sentence(unsure).endswith(
        "42 cases show differences of about 0.17 or more; 0.10 needs about 120."
    )


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (
            named("iteration-2", "without_skill"),
            named("iteration-2", "with_skill"),
            "with_skill is better than without_skill in iteration-2: pass rate",
        ),
        (
            named("iteration-1", "with_skill"),
            named("iteration-2", "with_skill"),
            "iteration-2 is better than iteration-1, both with_skill: pass rate",
        ),
        (
            named("iteration-1", "without_skill"),
            named("iteration-2", "with_skill"),
            "iteration-2, with_skill, is better than iteration-1, without_skill: pass rate",
        ),
        (
            named("v3", workspace="old"),
            named("v3", workspace="new"),
            "v3 of new is better than v3 of old: pass rate",
        ),
        (
            named("v3", suite="docx"),
            named("v4", suite="pdf"),
            "v4 of pdf is better than v3 of docx: pass rate",
        ),
        (
            named("v3", workspace="same"),
            named("v3", workspace="same"),
            "v3 (B) is better than v3 (A): pass rate",
        ),
    ],
)
def test_sides_are_named_as_shortly_as_tells_them_apart(a: Any, b: Any, words: str) -> None:
    """What both share is said once; another folder or suite is named."""
    assert sentence(comparison(a=a, b=b, headline="pass rate")).startswith(words)


def test_a_side_has_a_full_name() -> None:
    """Version, configuration and folder."""
    assert side_words(named("v4")) == "v4"
    assert side_words(named("i-2", "with_skill", workspace="new")) == "i-2, with_skill of new"


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0.21, "+21 points"),
        (-0.21, "\N{MINUS SIGN}21 points"),
        (0.01, "+1 point"),
        (-0.01, "\N{MINUS SIGN}1 point"),
        (0.125, "+13 points"),
        (0.125 - 0.25, "\N{MINUS SIGN}13 points"),
        (0.0, "0 points"),
        (-1e-17, "0 points"),
        (0.004, "+0.4 points"),
        (-0.0003, "\N{MINUS SIGN}0.03 points"),
        (None, "not measured"),
        (float("nan"), "not measured"),
        (float("inf"), "not measured"),
    ],
)
def test_points_have_a_sign_and_round_half_up(difference: float | None, words: str) -> None:
    """What is not 0 is never shown as 0."""
    assert points(difference) == words


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0.05, "+0.05"),
        (-0.005, "\N{MINUS SIGN}0.01"),
        (0.1, "+0.10"),
        (0.004, "+0.004"),
        (0.0, "0"),
    ],
)
def test_a_difference_of_efficiencies_is_a_signed_number(difference: float, words: str) -> None:
    """Two decimals, more where they would all be 0."""
    assert points(difference, EFFICIENCY) == words


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


def test_how_says_all_that_the_verdict_rests_on() -> None:
    """Method with exact p and n, interval, repeats, what is left out, what weakens it."""
    assert how(_full()) == (
        (
            "Sign-flip permutation test on one difference a case over 42 cases, of which 11 "
            "changed, counting every way the signs could fall: p = 0.0117, "
            "after Holm for all that was asked at once p = 0.09."
        ),
        (
            "Difference +21 points, 95 % interval between +7 and +36: "
            "the widest of a bootstrap over cases (BCa), a t interval (98 % below 15 cases) and, "
            "where cases changed both ways, Hall's for skewed values."
        ),
        "Better or worse needs p below 0.05, an interval without 0, and six changed cases.",
        "Repeats are averaged case by case before anything is compared (4 runs in v3, 3 in v4).",
        (
            "Headline: share of runs passed, the mean over cases; "
            "what counts are the scores in the workspace's own grading files."
        ),
        "Left out: 4 cases (3 run only in v3, 1 not scored in v4).",
        "The prompts differ in 2 cases. Run both cases again in v4.",
        "Not recorded, so perhaps different: who judged, which model did the work.",
        "One case, case-07, carries most of it: without it the difference is 0 points.",
        (
            "v3 against itself: chance alone moves it by up to 4 points; "
            "in 9 of 12 cases with repeats all runs agree."
        ),
        "v4 against itself: in 1 of 1 case with repeats all runs agree.",
    )


def test_how_is_short_where_there_is_little_to_say() -> None:
    """One run a case, all cases counted: the test, the interval, the rule, the headline."""
    assert how(comparison()) == (
        (
            "Each case passed or failed in one run a side: exact McNemar test over 42 cases, "
            "of which 11 changed: p = 0.0117."
        ),
        (
            "Difference +21 points, 95 % interval between +7 and +36: "
            "a score interval for paired shares (Tango)."
        ),
        "Better or worse needs p below 0.05, an interval without 0, and six changed cases.",
        (
            "Headline: share of runs passed, the mean over cases; "
            "what counts are the scores in the workspace's own grading files."
        ),
    )


def test_how_without_a_verdict_names_what_is_missing() -> None:
    """There was no test, so none is described."""
    said = how(incomparable(left_out=left(1, "only in B"), scores="human"))
    assert said == (
        (
            "Headline: share of runs passed, the mean over cases; "
            "what counts are people's scores, the median of several or what is adjudicated."
        ),
        "Left out: 1 case (1 run only in v4).",
    )


def test_no_p_and_no_forbidden_word_stand_on_the_surface() -> None:
    """Sentences say better, worse or can't tell; the method stands behind "how"."""
    kinds = ("bounded", "too few", "powerless", "mixed")
    said = [sentence(comparison(verdict=unclear(kind))) for kind in kinds]
    said += [sentence(_full()), sentence(incomparable())]
    assert not [words for words in said if "p = " in words or "McNemar" in words]
    assert not [words for words in (*said, *how(_full())) if "significan" in words]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("only in A", "run only in A"),
        ("not finished in B", "not finished in B"),
        ("set aside", "draft or deprecated"),
        ("other criteria", "with other criteria"),
    ],
)
def test_each_reason_to_leave_a_case_out_has_words(reason: Reason, words: str) -> None:
    """They continue "3 cases …"."""
    assert left_out_words(reason) == words


def test_a_break_says_what_differs_where_and_what_mends_it() -> None:
    """Without names the sides are A and B."""
    found = Break("executor", "small", "large", ("x",), "run x again with large", stops=False)
    assert break_sentence(found) == (
        "Another model did the work in 1 case (small in A, large in B). Run x again with large."
    )


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (
            verdict(),
            (
                "tone is better: 86 % against 64 % of 42 cases "
                "(+21 points, likely between +7 and +36). 10 cases improved, 1 got worse."
            ),
        ),
        (
            unclear("bounded", bound=0.05),
            (
                "tone: can't tell, 86 % against 64 % of 42 cases; "
                "a difference, if any, is smaller than 5 points (10 cases improved, 1 got worse)."
            ),
        ),
        (None, "tone: 86 % against 64 % of 42 cases; too few to compare."),
    ],
)
def test_a_criterion_is_told_as_the_whole(told: Any, words: str) -> None:
    """The same three words, the same numbers."""
    a, b = estimate(27 / 42), estimate(36 / 42)
    assert slice_sentence(Slice("criterion", "tone", a, b, told, 10, 1)) == words


def test_runs_that_the_gate_stopped_are_a_sentence_of_their_own() -> None:
    """The scores are those of the runs that came through, so this is shown beside them."""
    told = sentence(comparison(gates=Gates(stopped_a=0, runs_a=9, stopped_b=2, runs_b=10)))
    assert told.endswith(" The gate stopped 2 of 10 runs of v4, none of v3.")
    told = sentence(comparison(gates=Gates(stopped_a=1, runs_a=9, stopped_b=2, runs_b=10)))
    assert told.endswith(" The gate stopped 2 of 10 runs of v4, 1 of 9 runs of v3.")
