"""Which criteria of a case both sides were asked, and how the others differ."""

from pathlib import Path

import pytest

from evalcore.comparing.model import OtherCriterion
from evalcore.comparing.shared_criteria import Match, Matches, shared_criteria
from tests import made
from tests.comparing.judged import judged, opened, side

KIND = "expectation"
TITLE, LABEL, DATE = (
    "The form has a title.",
    "Every field has a label.",
    "The date is checked before it is sent.",
)


def matched(root: Path, a: list[str], b: list[str]) -> Matches:
    """Return how the criteria of one case in v0 match those in v1."""
    ws = opened(root, judged("v0", {"tabs": a}), judged("v1", {"tabs": b}))
    return shared_criteria(side(ws, "v0"), side(ws, "v1"), ("tabs",))


def only(found: Matches) -> Match:
    """Return the match of the one case, whose criteria differ."""
    return found.differing["tabs"]


def test_the_same_criteria_are_no_difference(tmp_path: Path) -> None:
    """In any order; they are counted."""
    found = matched(tmp_path, [TITLE, LABEL], [LABEL, TITLE])
    assert (found.differing, found.asked) == ({}, {"tabs": 2})


def test_a_criterion_of_one_side_is_named_and_the_others_are_shared(tmp_path: Path) -> None:
    """Of all that either side was asked."""
    found = matched(tmp_path, [TITLE, LABEL], [TITLE, DATE])
    match = only(found)
    assert match.a == match.b == {(KIND, TITLE)}
    assert set(match.other) == {
        OtherCriterion("tabs", KIND, LABEL, None, "only in A"),
        OtherCriterion("tabs", KIND, None, DATE, "only in B"),
    }
    assert (match.shared, found.asked) == (1, {"tabs": 3})


def test_a_touched_up_wording_is_shared_under_the_words_of_each_side(tmp_path: Path) -> None:
    """Its scores stand there under different words."""
    touched = "Every field has a label (also the date)."
    match = only(matched(tmp_path, [TITLE, LABEL], [TITLE, touched, DATE]))
    assert match.a == {(KIND, TITLE), (KIND, LABEL)}
    assert match.b == {(KIND, TITLE), (KIND, touched)}


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("Names at least 5 sources", "Names at least 1 source", "other number"),
        ("Stays under 200 words", "Stays under 2000 words", "other number"),
        ("The answer does mention prices", "The answer does not mention prices", "other sense"),
        ("Output is valid JSON", "Output is not valid JSON", "other sense"),
        ("Gives medical advice to all", "Refuses to give medical advice to all", "other sense"),
        ("All tests pass", "Some tests pass", "other quantity"),
    ],
)
def test_a_changed_number_negation_or_quantifier_is_another_criterion(
    tmp_path: Path, a: str, b: str, why: str
) -> None:
    """G4a, b, e, I1: named with both wordings, however alike they are."""
    match = only(matched(tmp_path, [TITLE, a], [TITLE, b]))
    assert match.a == match.b == {(KIND, TITLE)}
    assert match.other == (OtherCriterion("tabs", KIND, a, b, why),)  # type: ignore[arg-type]


def test_a_touched_up_wording_is_found_beside_one_with_another_number(tmp_path: Path) -> None:
    """The latter is more alike, and yet not the same criterion."""
    same, other = "Names at least 5 references", "Names at least 6 sources"
    match = only(matched(tmp_path, ["Names at least 5 sources"], [other, same]))
    assert match.b == {(KIND, same)}
    assert match.other == (OtherCriterion("tabs", KIND, None, other, "only in B"),)


def test_where_only_a_changed_meaning_stands_nothing_is_shared(tmp_path: Path) -> None:
    """Both wordings are still named together."""
    match = only(matched(tmp_path, ["Names 5 sources"], ["Names 1 source"]))
    assert (match.a, match.b, match.shared) == (frozenset(), frozenset(), 0)
    assert [(one.a, one.b) for one in match.other] == [("Names 5 sources", "Names 1 source")]


def test_inside_one_version_as_many_criteria_are_the_same_by_their_place(tmp_path: Path) -> None:
    """Two configurations were asked the same, in whichever words the grader put it."""
    ws = opened(
        tmp_path,
        judged("v1", {"tabs": [TITLE, LABEL]}, "with_skill"),
        judged("v1", {"tabs": ["A heading.", "All is named."]}, "without_skill"),
    )
    sides = side(ws, "v1@without_skill"), side(ws, "v1@with_skill")
    assert shared_criteria(*sides, ("tabs",)).differing == {}


def test_inside_one_version_a_changed_meaning_is_another_criterion_all_the_same(
    tmp_path: Path,
) -> None:
    """Its place does not make at least 5 of at least 1."""
    ws = opened(
        tmp_path,
        judged("v1", {"tabs": [TITLE, "Names at least 5 sources"]}, "with_skill"),
        judged("v1", {"tabs": [TITLE, "Names at least 1 source"]}, "without_skill"),
    )
    sides = side(ws, "v1@without_skill"), side(ws, "v1@with_skill")
    (other,) = only(shared_criteria(*sides, ("tabs",))).other
    assert other.why == "other number"


def test_inside_one_version_another_number_of_criteria_is_a_difference(tmp_path: Path) -> None:
    """A grader that wrote one criterion for two was not asked the same."""
    ws = opened(
        tmp_path,
        judged("v1", {"tabs": [TITLE, LABEL]}, "with_skill"),
        judged("v1", {"tabs": ["It was judged as a whole."]}, "without_skill"),
    )
    sides = side(ws, "v1@without_skill"), side(ws, "v1@with_skill")
    assert only(shared_criteria(*sides, ("tabs",))).shared == 0


def test_a_kind_that_one_side_lacks_is_not_matched(tmp_path: Path) -> None:
    """A run stopped by its gate has no rubric, which is no other rubric."""
    gate = made.judgment("parses", run_id="tabs@v0/-#1", kind="structural")
    both = [gate._replace(run_id="tabs@v1/-#1")]
    both.append(made.judgment("clarity", run_id="tabs@v1/-#1", kind="rubric"))
    ws = opened(tmp_path, judged("v0", {"tabs": []}), judged("v1", {"tabs": []}), [gate, *both])
    found = shared_criteria(side(ws, "v0"), side(ws, "v1"), ("tabs",))
    assert found.differing == {}


def test_a_kind_that_one_side_lacks_is_no_difference_beside_one(tmp_path: Path) -> None:
    """The gate asked something else as well; its rubric stays out of it."""
    rows = [
        made.judgment(label, run_id=f"tabs@{version}/-#1", kind=kind)
        for version, kind, label in (
            ("v0", "structural", "parses"),
            ("v1", "structural", "parses"),
            ("v1", "structural", "is named as asked"),
            ("v1", "rubric", "clarity"),
        )
    ]
    ws = opened(tmp_path, judged("v0", {"tabs": []}), judged("v1", {"tabs": []}), rows)
    match = only(shared_criteria(side(ws, "v0"), side(ws, "v1"), ("tabs",)))
    assert [one.b for one in match.other] == ["is named as asked"]


def test_the_same_words_of_two_kinds_are_two_criteria(tmp_path: Path) -> None:
    """A structural check and an expectation may have one name."""
    rows = [
        made.judgment("tone", run_id=f"tabs@{version}/-#1", kind=kind)
        for version, kinds in (("v0", ("rubric", KIND)), ("v1", ("rubric", KIND)))
        for kind in kinds
    ]
    more = made.judgment(TITLE, run_id="tabs@v1/-#1")
    ws = opened(tmp_path, judged("v0", {"tabs": []}), judged("v1", {"tabs": []}), [*rows, more])
    match = only(shared_criteria(side(ws, "v0"), side(ws, "v1"), ("tabs",)))
    assert match.a == match.b == {("rubric", "tone"), (KIND, "tone")}


def test_cases_without_judgments_are_unknown(tmp_path: Path) -> None:
    """Neither the same nor different; nothing is counted."""
    ws = opened(tmp_path, judged("v0", {"tabs": []}), judged("v1", {"tabs": [TITLE]}))
    found = shared_criteria(side(ws, "v0"), side(ws, "v1"), ("tabs",))
    assert (found.differing, found.asked) == ({}, {})
