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
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import Verdict, Word, verdict, verdicts, words
from tests.statistics.runs import from_differences, from_runs

RUNS = st.lists(st.sampled_from([0, 0.25, 1 / 3, 0.5, 1]), min_size=1, max_size=3)
CASES = st.lists(st.tuples(RUNS, RUNS), max_size=20)


def changed(up: int, down: int, same: int, by: float = 1) -> PairedRuns:
    """Return so many cases with one run a side each."""
    return from_differences([by] * up + [-by] * down + [0.0] * same)


def told(found: Verdict) -> tuple[str, str | None]:
    return found.word, found.kind


def test_ten_of_eleven_changes_up_is_better() -> None:
    """Pass or fail, once a side: 2 · P(X ≤ 1) of 11 coins is 24 / 2¹¹."""
    found = verdict(changed(10, 1, 31))
    assert told(found) == ("better", None)
    assert found.p == found.adjusted == pytest.approx(24 / 2**11)
    assert (found.cases, found.up, found.down, found.same, found.changed) == (42, 10, 1, 31, 11)
    assert found.difference == pytest.approx(9 / 42)
    assert (found.method, found.interval) == ("mcnemar", "score")


def test_the_same_changes_the_other_way_are_worse() -> None:
    """The sign alone decides between the two words."""
    assert told(verdict(changed(1, 10, 31))) == ("worse", None)


def test_means_of_runs_are_told_by_sign_flip_and_bootstrap() -> None:
    """More than one run a case, or scores: differences of any size."""
    found = verdict(from_differences([0.4, 0.2, 0.6, 0.2, 0.4, 0.2, 0.8, 0.2, 0, 0.2, 0.4, -0.2]))
    assert told(found) == ("better", None)
    assert (found.method, found.interval) == ("sign-flip, exact", "bca")
    assert found.p is not None
    assert found.p < 0.01


def test_runs_that_neither_pass_nor_fail_are_not_taken_for_it() -> None:
    """One difference of a half is enough for the other test."""
    assert verdict(from_differences([*[1.0] * 9, *[0.0] * 9, 0.5])).method == "sign-flip, exact"


def test_five_changes_are_not_enough_however_clear() -> None:
    """5 of 5 up among 12 cases: even all of them one way could not reach p < .05."""
    for by in (1, 0.5):
        found = verdict(changed(5, 0, 7, by))
        assert told(found) == ("can't tell", "powerless")
        assert found.p == 0.0625


def test_five_cases_are_powerless_even_without_a_change() -> None:
    """What so few cases can show comes before what they did show."""
    half = from_runs(*[([0.5], [0.5])] * 5)
    assert told(verdict(half)) == ("can't tell", "powerless")
    assert told(verdict(changed(3, 2, 0))) == ("can't tell", "powerless")


def test_as_many_up_as_down_is_mixed() -> None:
    """From 4 of 10 changes on the rarer way; 3 of 10 is not mixed."""
    assert told(verdict(changed(6, 4, 20))) == ("can't tell", "mixed")
    assert told(verdict(changed(7, 3, 20))) == ("can't tell", "too few")


def test_no_change_of_many_cases_is_bounded() -> None:
    """50 cases without a change leave 7 points open, 30 leave 11."""
    found = verdict(from_runs(*[([0.5], [0.5])] * 50))
    assert told(found) == ("can't tell", "bounded")
    assert found.interval == "no change"
    assert found.bound == found.high == pytest.approx(3.8415 / 53.8415, abs=1e-5)
    assert told(verdict(from_runs(*[([0.5], [0.5])] * 30))) == ("can't tell", "powerless")


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("cases", [1, 5, 50])
def test_where_all_or_nothing_passes_nothing_can_differ(value: float, cases: int) -> None:
    """Said before all else, however many cases there are; one run less on one side is enough."""
    runs = [([value] * 2, [value])] * cases
    assert told(verdict(from_runs(*runs))) == ("can't tell", "saturated")
    assert verdict(from_runs(*runs, ([value], [0.5]))).kind != "saturated"


def test_no_change_is_the_same_for_runs_that_pass_or_fail() -> None:
    """The score interval of no change is that width."""
    once, scores = verdict(changed(0, 0, 50)), verdict(from_runs(*[([0.5], [0.5])] * 50))
    assert (once.low, once.high, once.interval) == (scores.low, scores.high, "no change")


def test_one_change_does_not_make_the_others_certain() -> None:
    """49 unchanged cases and one by a third are told no more exactly than 50 unchanged."""
    found = verdict(from_differences([*[0.0] * 49, 1 / 3]))
    assert found.bound is not None
    assert found.bound > (verdict(changed(0, 0, 50)).bound or 1)


def test_small_changes_of_many_cases_are_bounded() -> None:
    """A difference that the interval holds below 10 points is told with its bound."""
    found = verdict(from_differences([0.1, -0.05, 0.05] * 10 + [-0.1, 0.02, -0.03, -0.02] * 10))
    assert found.word == "can't tell"
    assert found.bound is not None
    assert found.bound < 0.1
    assert found.kind in ("bounded", "mixed")


def test_noise_of_floats_is_no_change() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in floats."""
    found = verdict(from_differences([0.1 + 0.2 - 0.3] * 20))
    assert (found.changed, found.p, found.interval) == (0, 1, "no change")


def test_the_same_change_of_all_cases_is_not_certain() -> None:
    """Ten cases all better by 0.2: better, with an interval that has a width."""
    found = verdict(from_differences([0.2] * 10))
    assert (found.word, found.interval) == ("better", "same change")
    assert found.low == pytest.approx(0.2 - 0.0413, abs=1e-4)
    assert found.high == pytest.approx(0.2 + 0.0413, abs=1e-4)


def test_repeats_of_one_case_have_no_interval() -> None:
    """However many runs they were averaged from: one case tells nothing about others."""
    found = verdict(from_differences([0.5]))
    assert (found.low, found.high, found.bound, found.interval) == (None, None, None, "none")
    assert told(found) == ("can't tell", "powerless")


def test_nothing_in_common_is_no_difference_of_zero() -> None:
    """Without a case there is no number at all."""
    found = verdict(from_differences([]))
    assert (found.difference, found.p, found.method, found.kind) == (
        None,
        None,
        "none",
        "powerless",
    )


def test_ten_skewed_differences_are_not_told_by_t_alone() -> None:
    """Eight slight losses and two gains: the t interval leaves 0 out, Hall's does not."""
    slight = [-0.10, -0.08, -0.09, -0.07, -0.10, -0.06, -0.08, -0.09, 0.01, 0.04]
    assert t_interval(slight)[1] < 0 < skew_interval(slight)[1]
    found = verdict(from_differences(slight))
    assert told(found) == ("worse on these cases", "too few")
    assert (found.p or 1) < 0.05
    assert verdict(from_differences([*slight[:8], -0.05, -0.11])).word == "worse"


def test_a_case_that_did_not_change_hides_no_clear_result() -> None:
    """Seven of eight cases gain half the scale and none loses: p = 2 / 2^7."""
    found = verdict(from_differences([0.5] * 7 + [0.0]))
    assert (found.word, found.p) == ("better", 2 / 2**7)
    assert found.low is not None
    assert found.low > 0.2


def test_a_narrow_interval_says_more_than_that_cases_went_both_ways() -> None:
    """As many up as down, and yet the mean is known to a few points."""
    assert verdict(from_differences([0.01, -0.01] * 20)).kind == "bounded"
    assert verdict(from_differences([0.5, -0.5] * 10)).kind == "mixed"


def test_a_page_of_criteria_is_adjusted_with_holm() -> None:
    """p of 0.0117, 0.0312 and 0.0654 become 0.0352, 0.0625 and 0.0654: one is told, not two."""
    page = [changed(10, 1, 9), changed(6, 0, 14), changed(11, 3, 6)]
    alone = [verdict(criterion) for criterion in page]
    found = verdicts(page)
    p = [one.p or 0 for one in alone]
    assert [one.p for one in found] == p
    assert [one.adjusted for one in found] == pytest.approx([3 * p[0], 2 * p[1], 2 * p[1]])
    assert [one.these_adjusted for one in found] == pytest.approx([3 * p[0], 2 * p[1], 2 * p[1]])
    assert [one.word for one in alone] == ["better", "better", "can't tell"]
    assert [one.word for one in found] == ["better", "can't tell", "can't tell"]


def test_the_two_tests_are_adjusted_each_for_itself() -> None:
    """A case whose labels could reach p < .05 adjusts the test of labels, not that over cases."""
    clear, few = changed(6, 0, 14), from_runs(([0, 0, 1, 1], [0, 0, 1, 1]))
    found = verdicts([clear, few])
    assert found[0].adjusted == pytest.approx(2 / 2**6)
    assert found[0].these_adjusted == pytest.approx(2 * 2 / 2**6)
    assert (verdict(clear).word, found[0].word) == ("better", "can't tell")


def test_criteria_that_could_not_be_told_cost_nothing() -> None:
    """Fewer than six changes never reach p < .05, so asking them too adjusts nothing."""
    clear, idle = changed(6, 0, 14), changed(2, 1, 17)
    found = verdicts([clear, *[idle] * 19])
    assert found[0] == verdict(clear)
    assert found[0].word == "better"
    # What a next step would show is only worked out for the one that is asked alone.
    assert found[1] == replace(verdict(idle), step=None)


def test_a_page_without_criteria_is_empty() -> None:
    """Nothing asked, nothing told."""
    assert verdicts([]) == ()
    assert words([]) == ()


@settings(deadline=None, max_examples=60)
@given(CASES, st.randoms(use_true_random=False))
def test_sides_mirror_and_order_does_not_count(
    cases: list[tuple[list[float], list[float]]], random: Random
) -> None:
    """To the last bit: the same verdict with better and worse, up and down, exchanged."""
    found = verdict(from_runs(*cases))
    shuffled = [(random.sample(a, len(a)), random.sample(b, len(b))) for a, b in cases]
    random.shuffle(shuffled)
    assert verdict(from_runs(*shuffled)) == found
    other: dict[Word, Word] = {
        "better": "worse",
        "worse": "better",
        "better on these cases": "worse on these cases",
        "worse on these cases": "better on these cases",
    }
    assert verdict(from_runs(*[(b, a) for a, b in shuffled])) == replace(
        found,
        word=other.get(found.word, found.word),
        difference=None if found.difference is None else -found.difference,
        low=None if found.high is None else -found.high,
        high=None if found.low is None else -found.low,
        up=found.down,
        down=found.up,
        runs_a=found.runs_b,
        runs_b=found.runs_a,
    )


@settings(deadline=None, max_examples=60)
@given(CASES)
def test_what_holds_of_every_verdict(cases: list[tuple[list[float], list[float]]]) -> None:
    """The interval holds the difference and has a width; a word is told only by the whole rule."""
    found = verdict(from_runs(*cases))
    if found.low is not None and found.high is not None and found.difference is not None:
        assert -1 <= found.low <= found.difference <= found.high <= 1
        assert found.high - found.low > 1e-3
        assert found.bound == max(-found.low, found.high)
    assert (found.kind is None) == (found.word in ("better", "worse"))
    if found.word == "better":
        assert found.low is not None
        assert found.low > 0
    if found.word in ("better", "worse"):
        assert found.changed >= 6
        assert (found.adjusted or 0) < 0.05
    assert bool(found.direction) == (found.these_p is not None and found.these_p < 0.05)
    if found.direction:
        assert found.direction * (found.difference or 0) > 0
    assert words([from_runs(*cases)]) == (found.word,)


def test_the_rule_is_imported_without_what_it_computes_with() -> None:
    """Who asks no verdict does not wait for scipy and statsmodels."""
    code = "import sys, evalcore.statistics.repeats, evalcore.statistics.verdict as _; "
    code += "sys.exit(bool({'scipy', 'statsmodels'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_words_are_those_of_the_verdicts() -> None:
    """The short way that leaves intervals out says the same of a whole page."""
    rng = np.random.default_rng(1)
    page = [from_differences(rng.choice([-0.5, 0, 0.5, 1], 20)) for _ in range(8)]
    assert words(page) == tuple(found.word for found in verdicts(page))
    assert "better" in words(page)


def test_four_runs_of_one_case_decide_for_that_case() -> None:
    """All of B passed and none of A: 2 of 70 ways to label eight runs; of six runs 2 of 20."""
    found = verdict(from_runs(([0] * 4, [1] * 4)))
    assert told(found) == ("better on these cases", "powerless")
    assert found.these_p == pytest.approx(2 / 70)
    assert found.these_method == "labels, exact"
    assert (found.direction, found.ran_once, found.runs_a, found.runs_b) == (1, False, 4, 4)
    assert verdict(from_runs(([0] * 3, [1] * 3))).word == "can't tell"


def test_better_for_cases_like_these_is_better_on_these_too() -> None:
    """Six cases better by one run of three: over cases mid-p is 1 / 2⁶, by their runs 0.19."""
    noisy = from_runs(*[([0, 0, 1], [0, 1, 1])] * 6)
    found = verdict(noisy)
    assert (found.p, found.word) == (1 / 2**6, "can't tell")
    assert (found.these_p or 0) > 0.05


def test_where_more_runs_would_decide_they_are_counted() -> None:
    """Three cases that ran once and all improved: one more run of each; decided needs none."""
    assert verdict(from_runs(*[([0.0], [1.0])] * 3)).more_runs == 1
    assert verdict(from_runs(*[([0.0, 0.0], [1.0, 1.0])] * 3)).more_runs == 0


def test_a_page_of_criteria_is_planned_at_the_level_of_its_step() -> None:
    """Eighteen that tell nothing: each sees less than it would alone."""
    rng = np.random.default_rng(7)
    page = [from_differences(rng.choice([-1, 0, 0, 1], 42)) for _ in range(18)]
    alone, together = verdict(page[0]), verdicts(page)[0]
    assert (together.visible or 0) > 1.2 * (alone.visible or 1)
    assert (together.needed or 0) > 1.4 * (alone.needed or 10**6)
    assert alone.confidence == 0.95
    assert together.confidence == pytest.approx(1 - 0.05 / 18)


def test_more_runs_of_one_of_many_are_planned_at_its_step_too() -> None:
    """Twelve criteria of four cases, each somewhat better: more runs than one alone needs."""
    one = from_runs(*[([0, 0, 1], [0, 1, 1])] * 4)
    alone, together = verdict(one).more_runs, verdicts([one] * 12)[0].more_runs
    assert alone is not None
    assert together is not None
    assert together > alone > 0


def test_the_interval_agrees_with_the_word() -> None:
    """It includes 0 unless the word is better or worse, alone and on pages of twelve."""
    rng = np.random.default_rng(8)
    alone = [from_differences(rng.choice([-1, 0, 1], 20, p=[0.1, 0.5, 0.4])) for _ in range(60)]
    pages = [verdicts(alone[at : at + 12]) for at in range(0, 60, 12)]
    found = [one for page in pages for one in page] + [verdict(one) for one in alone]
    told = [one.word in ("better", "worse") for one in found]
    assert 20 < sum(told) < 100
    outside = [not (one.low or 0) <= 0 <= (one.high or 0) for one in found]
    assert outside == told
