"""What differs between the sides beside what is compared, what is left out, and what is unknown."""

from typing import Any

import pytest

from evalcore.comparing.model import (
    Break,
    Comparability,
    CriterionDifference,
    LeftOut,
    OtherCriterion,
    People,
    Reason,
    Weighted,
    What,
)
from evalcore.counting.rates import EFFICIENCY
from evalcore.views.verdict.limits import (
    LONGEST,
    break_sentence,
    break_sentences,
    left_out_counts,
    left_out_words,
    remark_sentences,
    unknown_words,
)
from tests.views.verdicts import comparison, left, named


def other(
    a: str | None, b: str | None, why: CriterionDifference = "other number", case: str = "x"
) -> OtherCriterion:
    """Return a criterion that the sides do not share."""
    return OtherCriterion(case, "expectation", a, b, why)


def broken(what: What, a: str = "", b: str = "", **given: Any) -> Break:
    """Return a difference between the sides."""
    base: dict[str, Any] = {"cases": (), "mend": "", "stops": False, **given}
    return Break(what, a, b, **base)


def remarks(**given: Any) -> list[str]:
    """Return what is said beside the verdict of v4 against v3."""
    return list(remark_sentences(comparison(**given)))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("only in A", "run only in A"),
        ("not finished in B", "not finished in B"),
        ("not graded in B", "waiting for a grading in B"),
        ("not read in A", "with a grading that cannot be read in A"),
        (
            "side unknown",
            "with a grading in the folder of the case, so it is not known which side it grades",
        ),
        ("set aside", "draft or deprecated"),
        ("gate failed in B", "stopped by the gate in B"),
        ("other criteria", "with other criteria"),
    ],
)
def test_each_reason_to_leave_a_case_out_has_words(reason: Reason, words: str) -> None:
    """They continue "3 cases …"."""
    assert left_out_words(reason) == words


def test_cases_left_out_are_counted_by_reason_most_first() -> None:
    """Each case once, also one that a person excluded."""
    left_out = (*left(1, "only in A"), *left(3, "excluded in B"))
    c = comparison(left_out=(*left_out, LeftOut("x", "x", "only in A")))
    assert left_out_counts(c) == "3 excluded by a person in v4, 2 run only in v3"


def test_a_break_says_what_differs_where_and_what_mends_it() -> None:
    """Without names the sides are A and B."""
    found = broken("executor", "small", "large", cases=("x",), mend="run x again with large")
    assert break_sentence(found) == (
        "Another model did the work in 1 case (small in A, large in B). Run x again with large."
    )


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("judge", "Another judge scored them (x in A, y in B): the change may come from it."),
        ("names", "The names differ, and are taken for the same model (x in A, y in B)."),
        ("sides", "Version and configuration both differ (x, y): the change may come from either."),
    ],
)
def test_a_remark_is_said_as_what_it_is(what: What, words: str) -> None:
    """Nothing is wrong with it, so nothing is to be mended; what it may explain is said."""
    assert break_sentence(broken(what, "x", "y", remark=True)) == words


def test_both_wordings_of_a_changed_criterion_are_named() -> None:
    """At least 5 is not at least 1 (G4)."""
    found = broken(
        "criteria",
        cases=("x",),
        mend="judge again",
        criteria=(other("Names at least 5 sources", "Names at least 1 source"),),
    )
    assert break_sentence(found) == (
        "The criteria differ in 1 case: “Names at least 5 sources” in A, “Names at least 1 source” "
        "in B. Judge again."
    )


def test_a_criterion_of_one_side_only_says_which() -> None:
    """Its wording stands there once."""
    found = broken(
        "criteria",
        criteria=(other(None, "Has a map", "only in B"), other("Old", None, "only in A")),
    )
    assert break_sentence(found) == (
        "The criteria differ in every case: “Has a map” only in B; “Old” only in A."
    )


def test_the_first_three_wordings_are_named_and_the_rest_is_counted() -> None:
    """A wording that several cases share counts once."""
    four = [other(None, f"part {n}", "only in B") for n in range(4)]
    again = other(None, "part 0", "only in B", case="y")
    sentence = break_sentence(broken("criteria", criteria=(*four, again)))
    assert sentence.endswith(
        "“part 0” only in B; “part 1” only in B; “part 2” only in B and 1 more."
    )
    sentence = break_sentence(broken("criteria", criteria=(*four[:3], again)))
    assert sentence.endswith("; “part 2” only in B.")


@pytest.mark.parametrize(("length", "cut"), [(LONGEST, False), (LONGEST + 1, True)])
def test_a_long_wording_is_cut(length: int, cut: bool) -> None:
    """A criterion may be a whole text; white space in it is one space."""
    sentence = break_sentence(
        broken("criteria", criteria=(other("x" * length, None, "only in A"),))
    )
    assert ("…”" in sentence) == cut
    assert f"“{'x' * (LONGEST - 1)}" in sentence
    assert "“a b”" in break_sentence(
        broken("criteria", criteria=(other("a\n\n b", None, "only in A"),))
    )


def test_people_who_judged_one_side_only_are_named() -> None:
    """A strict judge on one side and a lenient one on the other explain any difference (H4)."""
    strict, lenient = People(14, 14, 1, ("strict",)), People(14, 14, 1, ("lenient",))
    assert remarks(people_a=strict, people_b=lenient) == [
        "Judged by lenient in v4, by strict in v3: the change may come from the judges."
    ]
    two = People(14, 14, 2, ("lenient", "strict"))
    (said,) = remarks(people_a=strict, people_b=two)
    assert said.startswith("Judged by lenient, strict in v4, by strict in v3: ")
    (said,) = remarks(people_a=People(0, 14, 0), people_b=two)
    assert said.startswith("Judged by lenient, strict in v4, by nobody in v3: ")


def test_the_same_people_on_both_sides_are_no_remark() -> None:
    """Nor are recorded scores, of which no person is known."""
    strict = People(14, 14, 1, ("strict",))
    assert remarks(people_a=strict, people_b=strict) == []
    assert remarks() == []


def test_weights_give_rates_of_their_own() -> None:
    """As the files weight the cases, it may go the other way (D2)."""
    weighted = Weighted(0.94, 0.06)
    assert remarks(weighted=weighted) == ["Weighted by the cases' own weights: 6 % against 94 %."]
    assert remarks(weighted=weighted, headline=EFFICIENCY) == [
        "Weighted by the cases' own weights: 0.06 against 0.94."
    ]


def test_a_remark_names_the_sides_as_the_verdict_does() -> None:
    """Without what both share."""
    sides = {"a": named("i-1", "with_skill"), "b": named("i-2", "with_skill")}
    fair = Comparability("whole", (broken("judge", "x", "y", remark=True),), ())
    (said,) = break_sentences(comparison(comparability=fair, **sides))
    assert "(x in i-1, y in i-2)" in said


def test_what_no_file_records_is_named() -> None:
    """Nothing where everything is known."""
    assert unknown_words(("judge", "prompts")) == (
        "Not recorded, so perhaps different: who judged, the prompts."
    )
    assert unknown_words(()) == ""


def test_the_wordings_of_a_criterion_are_those_of_named_sides() -> None:
    """As all else in the sentence."""
    changed = other("Names at least 5 sources", "Names at least 1 source")
    found = broken("criteria", criteria=(changed, other(None, "Has a map", "only in B")))
    assert break_sentence(found, "v3", "v4") == (
        "The criteria differ in every case: “Names at least 5 sources” in v3, "
        "“Names at least 1 source” in v4; “Has a map” only in v4."
    )
