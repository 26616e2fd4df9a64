"""The verdict in sentences: what was seen, how far it carries, what was lost and may explain it."""

import re
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest

from evalcore.comparing.model import (
    Break,
    Comparability,
    Comparison,
    Lost,
    LostRuns,
    People,
    Repeats,
    SameOutputs,
    Slice,
    Weighted,
)
from evalcore.comparing.outcomes import GATE, IN_TIME
from evalcore.counting.rates import EFFICIENCY
from evalcore.families.base import MEAN_SCORE
from evalcore.statistics.planning import Step
from evalcore.statistics.verdict import Kind
from evalcore.views.verdict.method import how
from evalcore.views.verdict.sentence import cautions, lead, rest, sentence, slice_sentence
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

SEEN = (
    "v4 passes more than v3: 83 % against 62 % on 42 cases "
    "(+21 points, likely between +7 and +36); 10 improved, 1 got worse."
)
LESS_GATED = Slice(
    "outcome",
    GATE,
    estimate(1.0, 14),
    estimate(0.5, 14),
    verdict(word="worse", cases=14, difference=-0.5, low=-0.7, high=-0.3, up=0, down=7),
    0,
    7,
)


def test_what_was_seen_comes_first_and_how_far_it_carries_after_it() -> None:
    """The lead is a sentence of its own; the rest follows it."""
    c = comparison()
    assert (lead(c), rest(c)) == (SEEN, "Better, for cases like these too.")
    assert sentence(c) == f"{SEEN} Better, for cases like these too."


def test_three_cases_that_ran_once_say_what_would_decide() -> None:
    """Rates, difference, changes, reach, the cheapest step: never "can never decide"."""
    c = comparison(
        verdict=unclear(
            "powerless",
            cases=3,
            up=3,
            down=0,
            difference=0.69,
            low=None,
            high=None,
            more_runs=2,
            these_adjusted=0.25,
        ),
        estimate_a=estimate(0.28, 3),
        estimate_b=estimate(0.97, 3),
        pairs=tuple(pair(f"case-{n}") for n in range(3)),
    )
    assert sentence(c) == (
        "v4 passes more than v3: 97 % against 28 % on 3 cases (+69 points); "
        "3 improved, none got worse. Can't tell: two equal versions would look like this in 1 of 4 "
        "evaluations. "
        "3 runs of each case would probably decide for these cases (8 chances in 10); "
        "six cases or more for others."
    )


def test_all_parts_stand_in_one_order() -> None:
    """Seen and reach in the sentence; what was lost, and what may explain it, as cautions."""
    model = Break("executor", "small", "large", (), "run again", stops=False, remark=True)
    names = Break("names", "sonnet", "sonnet-4", (), "", stops=False, remark=True)
    c = comparison(
        verdict=verdict(kind="lost", word="can't tell"),
        lost=LostRuns((), (Lost("runs", "gate failed", 7, 14),), unequal=True, low=0.0, high=0.5),
        outcomes=(LESS_GATED,),
        comparability=Comparability("whole", (model, names), ()),
        weighted=Weighted(0.94, 0.06),
        hidden=(0, 1),
        same_outputs=SameOutputs(("case-01",), "better"),
        alike=(("a", "b", "c"), ("d", "e", "f", "g")),
        people_a=People(14, 14, 1, ("strict",)),
        people_b=People(14, 14, 1, ("lenient",)),
    )
    assert sentence(c).endswith(
        "Can't tell: it depends on lost runs: 7 of 14 runs of v4 (stopped by the gate), none of v3."
    )
    assert cautions(c)[:-2] == (
        "Lost runs: 7 of 14 runs of v4 (stopped by the gate), none of v3.",
        "Counting what was lost against v4 and for it, the difference is between 0 and +50.",
        (
            "Same outputs on both sides with other grades: 1 case. That difference is the judge's, "
            "so better or worse has to hold without it."
        ),
        "1 run of v4 is hidden until you have judged.",
        (
            "Runs that pass the gate: 50 % against 100 % on 14 cases (−50 points, "
            "likely between −70 and −30); 7 got worse, none improved: "
            "worse."
        ),
        (
            "Another model did the work (small in v3, large in v4): the change may come from it. "
            "Run again."
        ),
        "The names differ, and are taken for the same model (sonnet in v3, sonnet-4 in v4).",
        "Judged by lenient in v4, by strict in v3: the change may come from the judges.",
        "Weighted by the cases' own weights: 6 % against 94 %.",
        (
            "The prompts of 7 cases look like copies of 2 templates, so they are no independent "
            "cases: give the copies of one template a tag, and name it with --cluster."
        ),
    )
    assert cautions(comparison()) == ()


@pytest.mark.parametrize("kind", get_args(Kind))
def test_two_sentences_at_most_follow_what_was_seen(kind: str) -> None:
    """Whatever is known: the rest are lines of their own."""
    for given in product(("can't tell", "worse on these cases"), (3, 20), (2, 50), (None, 40, 900)):
        word, cases, more, needed = given
        c = comparison(
            verdict=unclear(
                kind, word=word, cases=cases, more_runs=more, needed_as_seen=needed,
                these_adjusted=0.25, step=Step(0.4, 0.3),
            ),
            lost=LostRuns((), (Lost("runs", "gate failed", 7, 14),), unequal=True, low=0.0, high=1),
            same_outputs=SameOutputs(("case-01",), None),
        )  # fmt: skip
        assert 1 <= len(re.findall(r"\.(?= |$)", rest(c))) <= 2, rest(c)


def test_time_outs_have_a_verdict_of_their_own() -> None:
    """On these cases only, here."""
    late = replace(
        LESS_GATED,
        name=IN_TIME,
        verdict=verdict(word="worse on these cases", cases=3, up=0, down=3),
    )
    (said,) = cautions(comparison(outcomes=(late,)))
    assert said.endswith("3 got worse: worse on these 3 cases.")


def test_the_gate_is_not_said_twice_where_it_is_the_headline() -> None:
    """A side that the gate stopped whole is compared by its gate."""
    c = comparison(headline=GATE, outcomes=(LESS_GATED,))
    assert cautions(c) == ()


def test_what_is_not_comparable_gets_no_difference() -> None:
    """It names what differs and the step that mends it; the first that stops goes before others."""
    run = Break("executor", "small", "large", (), "run v3 again", stops=False, remark=True)
    asked = Break("prompts", "", "", (), "run v3 again with the prompts of v4", stops=True)
    c = incomparable(comparability=Comparability("nothing", (run, asked), ()))
    assert sentence(c) == (
        "v4 and v3 are not comparable: the prompts differ in every case. "
        "Run v3 again with the prompts of v4."
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


def test_a_mean_score_is_scored_and_not_passed() -> None:
    """As Overview has it: nothing passes where runs are scored."""
    said = sentence(comparison(headline=MEAN_SCORE, family="rows"))
    assert said.startswith("v4 scores higher than v3: mean score 83 % against 62 % on 42 cases")


def test_without_scores_a_partial_break_is_not_the_reason() -> None:
    """What differs in one case is not why none can be compared."""
    partly = Break("prompts", "", "", ("case",), "run again", stops=False)
    c = incomparable(
        comparability=Comparability("part", (partly,), ()),
        left_out=left(5, "not scored in A"),
        scores="human",
    )
    assert sentence(c) == (
        "v4 and v3 are not comparable: no case was scored in both by people's scores "
        "(5 not scored in v3)."
    )


def _full() -> Comparison:
    """Return a comparison with much behind it."""
    prompts = Break("prompts", "", "", ("a", "b"), "run both cases again in v4", stops=False)
    return comparison(
        verdict=verdict(method="sign-flip, exact", interval="bca", adjusted=0.09),
        left_out=left(3, "only in A"),
        comparability=Comparability("part", (prompts,), ("judge",)),
        repeats_a=Repeats(12, 9, (), (), 0.041, 0.9),
    )


def test_no_p_and_no_forbidden_word_stand_on_the_surface() -> None:
    """The method stands behind "how", and nothing is called significant or undecidable."""
    kinds = [kind for kind in get_args(Kind) if kind != "saturated"]
    said = [sentence(comparison(verdict=unclear(kind))) for kind in kinds]
    said += [sentence(_full()), sentence(incomparable())]
    assert not [words for words in said if "p = " in words or "McNemar" in words]
    assert not [words for words in said if "never" in words]
    assert not [words for words in (*said, *how(_full())) if "significan" in words]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (
            verdict(),
            (
                "tone: 83 % against 62 % on 42 cases (+21 points, likely between +7 and +36); "
                "10 improved, 1 got worse: better."
            ),
        ),
        (
            verdict(word="better on these cases"),
            (
                "tone: 83 % against 62 % on 42 cases (+21 points); "
                "10 improved, 1 got worse: better on these 42 cases."
            ),
        ),
        (
            unclear("bounded", bound=0.05),
            (
                "tone: 83 % against 62 % on 42 cases (+21 points, likely between +7 and +36); "
                "10 improved, 1 got worse: can't tell."
            ),
        ),
        (
            verdict(word="worse on these cases", cases=1),
            (
                "tone: 83 % against 62 % on 42 cases (+21 points); "
                "10 improved, 1 got worse: worse on this case."
            ),
        ),
        (None, "tone: 83 % against 62 % on 42 cases; too few to compare."),
    ],
)
def test_a_criterion_is_told_as_the_whole(told: Any, words: str) -> None:
    """The same words in the same order, the verdict last."""
    a, b = estimate(26 / 42), estimate(35 / 42)
    assert slice_sentence(Slice("criterion", "tone", a, b, told, 10, 1)) == words


def test_the_rates_of_a_criterion_give_its_difference() -> None:
    """83 % against 57 % is never "+27" (17 of 84 slices were so)."""
    told = verdict(word="better", difference=0.833 - 0.567, low=0.05, high=0.45)
    found = Slice("criterion", "tone", estimate(0.567), estimate(0.833), told, 10, 1)
    assert slice_sentence(found).startswith("tone: 83.3 % against 56.7 % on 42 cases (+26.6 points")


def test_a_tag_has_the_numbers_of_the_headline_and_a_criterion_its_own() -> None:
    """Neither page nor terminal says percent of an efficiency; a criterion passes or not."""
    told = verdict(difference=0.05, low=0.01, high=0.09)
    criterion = Slice("criterion", "tone", estimate(0.89), estimate(0.94), told, 10, 1)
    tag = replace(criterion, kind="tag", name="hard")
    assert slice_sentence(tag, EFFICIENCY) == (
        "hard: overall efficiency 0.94 against 0.89 on 42 cases "
        "(+0.05, likely between +0.01 and +0.09); 10 improved, 1 got worse: better."
    )
    assert slice_sentence(criterion, EFFICIENCY).startswith(
        "tone: 94 % against 89 % on 42 cases (+5"
    )


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        ((0, 0), ""),
        ((0, 1), "1 run of v4 is hidden until you have judged."),
        ((2, 3), "3 runs of v4 and 2 runs of v3 are hidden until you have judged."),
    ],
)
def test_hidden_runs_are_said(hidden: tuple[int, int], said: str) -> None:
    """As a caution."""
    assert cautions(replace(comparison(), hidden=hidden)) == ((said,) if said else ())
