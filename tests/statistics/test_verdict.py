"""The verdict rule: each word and each kind of "can't tell" where it belongs, and nowhere else."""

import subprocess
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.statistics.intervals import skew_interval, t_interval
from evalcore.statistics.verdict import Verdict, Word, verdict, verdicts, words

CHANGES = st.lists(st.sampled_from([-1, -0.5, -1 / 3, 0, 1 / 3, 0.5, 1]), max_size=30)


def changed(up: int, down: int, same: int, by: float = 1) -> list[float]:
    """Return differences of so many cases."""
    return [by] * up + [-by] * down + [0.0] * same


def told(found: Verdict) -> tuple[str, str | None]:
    return found.word, found.kind


def test_ten_of_eleven_changes_up_is_better() -> None:
    """Pass or fail, once a side: 2 · P(X ≤ 1) of 11 coins is 24 / 2¹¹."""
    found = verdict(changed(10, 1, 31), binary=True)
    assert told(found) == ("better", None)
    assert found.p == found.adjusted == pytest.approx(24 / 2**11)
    assert (found.cases, found.up, found.down, found.same, found.changed) == (42, 10, 1, 31, 11)
    assert found.difference == pytest.approx(9 / 42)
    assert (found.method, found.interval) == ("mcnemar", "score")


def test_the_same_changes_the_other_way_are_worse() -> None:
    """The sign alone decides between the two words."""
    assert told(verdict(changed(1, 10, 31), binary=True)) == ("worse", None)


def test_means_of_runs_are_told_by_sign_flip_and_bootstrap() -> None:
    """More than one run a case, or scores: differences of any size."""
    found = verdict([0.4, 0.2, 0.6, 0.2, 0.4, 0.2, 0.8, 0.2, 0, 0.2, 0.4, -0.2])
    assert told(found) == ("better", None)
    assert (found.method, found.interval) == ("sign-flip, exact", "bca")
    assert found.p is not None
    assert found.p < 0.01


def test_runs_that_neither_pass_nor_fail_are_not_taken_for_it() -> None:
    """One difference of a half is enough for the other test."""
    assert verdict([*changed(9, 0, 9), 0.5], binary=True).method == "sign-flip, exact"


def test_five_changes_are_not_enough_however_clear() -> None:
    """5 of 5 up among 12 cases: even all of them one way could not reach p < .05."""
    for binary in (True, False):
        found = verdict(changed(5, 0, 7), binary=binary)
        assert told(found) == ("can't tell", "powerless")
        assert found.p == 0.0625


def test_five_cases_are_powerless_even_without_a_change() -> None:
    """What so few cases can show comes before what they did show."""
    assert told(verdict(changed(0, 0, 5))) == ("can't tell", "powerless")
    assert told(verdict(changed(3, 2, 0))) == ("can't tell", "powerless")


def test_as_many_up_as_down_is_mixed() -> None:
    """From 4 of 10 changes on the rarer way; 3 of 10 is not mixed."""
    assert told(verdict(changed(6, 4, 20), binary=True)) == ("can't tell", "mixed")
    assert told(verdict(changed(7, 3, 20), binary=True)) == ("can't tell", "too few")


def test_no_change_of_many_cases_is_bounded() -> None:
    """50 cases without a change leave 7 points open, 30 leave 11."""
    found = verdict(changed(0, 0, 50))
    assert told(found) == ("can't tell", "bounded")
    assert found.interval == "no change"
    assert found.bound == found.high == pytest.approx(3.8415 / 53.8415, abs=1e-5)
    assert told(verdict(changed(0, 0, 30))) == ("can't tell", "powerless")


def test_no_change_is_the_same_for_runs_that_pass_or_fail() -> None:
    """The score interval of no change is that width."""
    once, often = verdict(changed(0, 0, 50), binary=True), verdict(changed(0, 0, 50))
    assert (once.low, once.high, once.interval) == (often.low, often.high, "no change")


def test_one_change_does_not_make_the_others_certain() -> None:
    """49 unchanged cases and one by a third are told no more exactly than 50 unchanged."""
    found = verdict([*changed(0, 0, 49), 1 / 3])
    assert found.bound is not None
    assert found.bound > (verdict(changed(0, 0, 50)).bound or 1)


def test_small_changes_of_many_cases_are_bounded() -> None:
    """A difference that the interval holds below 10 points is told with its bound."""
    found = verdict([0.1, -0.05, 0.05] * 10 + [-0.1, 0.02, -0.03, -0.02] * 10)
    assert found.word == "can't tell"
    assert found.bound is not None
    assert found.bound < 0.1
    assert found.kind in ("bounded", "mixed")


def test_noise_of_floats_is_no_change() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in floats."""
    found = verdict([0.1 + 0.2 - 0.3] * 20)
    assert (found.changed, found.p, found.interval) == (0, 1, "no change")


def test_the_same_change_of_all_cases_is_not_certain() -> None:
    """Ten cases all better by 0.2: better, with an interval that has a width."""
    found = verdict([0.2] * 10)
    assert (found.word, found.interval) == ("better", "same change")
    assert found.low == pytest.approx(0.2 - 0.0413, abs=1e-4)
    assert found.high == pytest.approx(0.2 + 0.0413, abs=1e-4)


def test_repeats_of_one_case_have_no_interval() -> None:
    """However many runs they were averaged from: one case tells nothing about others."""
    found = verdict([0.5])
    assert (found.low, found.high, found.bound, found.interval) == (None, None, None, "none")
    assert told(found) == ("can't tell", "powerless")


def test_nothing_in_common_is_no_difference_of_zero() -> None:
    """Without a case there is no number at all."""
    found = verdict([])
    assert (found.difference, found.p, found.method, found.kind) == (
        None,
        None,
        "none",
        "powerless",
    )


@pytest.mark.parametrize("wrong", [[float("nan")], [1.5], [0.2, -60]])
def test_numbers_off_the_scale_are_a_fault_of_the_caller(wrong: list[float]) -> None:
    """Scores are scaled before; what is no number is left out before."""
    with pytest.raises(ValueError, match="scale the values"):
        verdict(wrong)


def test_ten_skewed_differences_are_not_told_by_t_alone() -> None:
    """Eight slight losses and two gains: the t interval leaves 0 out, Hall's does not."""
    slight = [-0.10, -0.08, -0.09, -0.07, -0.10, -0.06, -0.08, -0.09, 0.01, 0.04]
    assert t_interval(slight)[1] < 0 < skew_interval(slight)[1]
    found = verdict(slight)
    assert found.word == "can't tell"
    assert (found.p or 1) < 0.05
    assert verdict([*slight[:8], -0.05, -0.11]).word == "worse"


def test_a_case_that_did_not_change_hides_no_clear_result() -> None:
    """Seven of eight cases gain half the scale and none loses: p = 2 / 2^7."""
    found = verdict([0.5] * 7 + [0.0])
    assert (found.word, found.p) == ("better", 2 / 2**7)
    assert found.low is not None
    assert found.low > 0.2


def test_a_narrow_interval_says_more_than_that_cases_went_both_ways() -> None:
    """As many up as down, and yet the mean is known to a few points."""
    assert verdict([0.01, -0.01] * 20).kind == "bounded"
    assert verdict([0.5, -0.5] * 10).kind == "mixed"


def test_a_page_of_criteria_is_adjusted_with_holm() -> None:
    """p of 0.0117, 0.0312 and 0.0654 become 0.0352, 0.0625 and 0.0654: one is told, not two."""
    page = [changed(10, 1, 9), changed(6, 0, 14), changed(11, 3, 6)]
    alone = [verdict(criterion, binary=True) for criterion in page]
    found = verdicts([(criterion, True) for criterion in page])
    p = [one.p or 0 for one in alone]
    assert [one.p for one in found] == p
    assert [one.adjusted for one in found] == pytest.approx([3 * p[0], 2 * p[1], 2 * p[1]])
    assert [one.word for one in alone] == ["better", "better", "can't tell"]
    assert [one.word for one in found] == ["better", "can't tell", "can't tell"]


def test_criteria_that_could_not_be_told_cost_nothing() -> None:
    """Fewer than six changes never reach p < .05, so asking them too adjusts nothing."""
    clear = changed(6, 0, 14)
    idle = [(changed(2, 1, 17), True)] * 19
    found = verdicts([(clear, True), *idle])
    assert found[0] == verdict(clear, binary=True)
    assert found[0].word == "better"
    assert found[1] == verdict(changed(2, 1, 17), binary=True)


def test_a_page_without_criteria_is_empty() -> None:
    """Nothing asked, nothing told."""
    assert verdicts([]) == ()
    assert words([]) == ()


@settings(deadline=None, max_examples=60)
@given(CHANGES, st.booleans(), st.randoms(use_true_random=False))
def test_sides_mirror_and_order_does_not_count(
    differences: list[float], binary: bool, random: Random
) -> None:
    """To the last bit: the same verdict with better and worse, up and down, exchanged."""
    found = verdict(differences, binary=binary)
    shuffled = list(differences)
    random.shuffle(shuffled)
    assert verdict(shuffled, binary=binary) == found
    other: dict[Word, Word] = {"better": "worse", "worse": "better"}
    assert verdict([-one for one in shuffled], binary=binary) == replace(
        found,
        word=other.get(found.word, found.word),
        difference=None if found.difference is None else -found.difference,
        low=None if found.high is None else -found.high,
        high=None if found.low is None else -found.low,
        up=found.down,
        down=found.up,
    )


@settings(deadline=None, max_examples=60)
@given(CHANGES, st.booleans())
def test_what_holds_of_every_verdict(differences: list[float], binary: bool) -> None:
    """The interval holds the difference and has a width; a word is told only by the whole rule."""
    found = verdict(differences, binary=binary)
    if found.low is not None and found.high is not None and found.difference is not None:
        assert -1 <= found.low <= found.difference <= found.high <= 1
        assert found.high - found.low > 1e-3
        assert found.bound == max(-found.low, found.high)
    assert (found.kind is None) == (found.word != "can't tell")
    if found.word == "better":
        assert found.low is not None
        assert found.low > 0
    if found.word != "can't tell":
        assert found.changed >= 6
        assert (found.adjusted or 0) < 0.05
    assert words([(differences, binary)]) == (found.word,)


def test_the_rule_is_imported_without_what_it_computes_with() -> None:
    """Who asks no verdict does not wait for scipy and statsmodels."""
    code = "import sys, evalcore.statistics.repeats, evalcore.statistics.verdict as _; "
    code += "sys.exit(bool({'scipy', 'statsmodels'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_words_are_those_of_the_verdicts() -> None:
    """The short way that leaves intervals out says the same of a whole page."""
    rng = np.random.default_rng(1)
    page = [(rng.choice([-0.5, 0, 0.5, 1], 20), False) for _ in range(8)]
    assert words(page) == tuple(found.word for found in verdicts(page))
    assert "better" in words(page)
