"""Wordings of two lists are paired: the same, then the alike, then, where it is safe, by place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.comparing.alike import likeness, paired

LISTS = st.lists(st.text(max_size=12), max_size=8)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Checks the PDBs with kubectl", "Checks the PDBs with kubectl (get pdb --all-namespaces)"),
        ("Reads setup.md first", "Reads references/setup.md first"),
        ("missing flag is declared on line 9", "missing flag is declared on line 12"),
        ("設定ファイルの merge_method を参照する", "設定ファイルの merge_method を必ず参照する"),
    ],
)
def test_a_wording_that_was_touched_up_is_the_same(a: str, b: str) -> None:
    """An example more, a longer path, another line, in any script."""
    assert paired([a], [b]) == [(0, 0)]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Repeats the full sequence for 1.30", "Provides sequential control plane upgrades"),
        ("The page has a title", "Nothing loads from the network"),
        (
            "Recommends upgrades, not a direct jump",
            "Recommends skip-level upgrades within the supported skew, to save time and trouble",
        ),
    ],
)
def test_a_wording_that_asks_something_else_is_not(a: str, b: str) -> None:
    """Also not where a long text happens to hold most of a short one's letters."""
    assert paired([a], [b]) == []


def test_equal_wordings_are_paired_before_alike_ones() -> None:
    """A second copy pairs with the second copy, wherever they stand."""
    assert paired(["The date is set", "One", "One"], ["One", "The date is set.", "One"]) == [
        (1, 0),
        (0, 1),
        (2, 2),
    ]


def test_the_place_pairs_only_lists_of_one_length() -> None:
    """What is left of two lists of one length stands in the same order."""
    assert paired(["One", "red"], ["One", "blue"], by_position=True) == [(0, 0), (1, 1)]
    assert paired(["red"], ["blue", "green"], by_position=True) == []
    assert paired(["red"], ["blue"]) == []


@given(LISTS, LISTS, st.booleans())
def test_each_wording_is_paired_at_most_once(a: list[str], b: list[str], by_position: bool) -> None:
    """No position of either list stands in two pairs, and all equal words are paired."""
    found = paired(a, b, by_position=by_position)
    assert len({one for one, _ in found}) == len({two for _, two in found}) == len(found)
    assert len(found) >= sum(min(a.count(word), b.count(word)) for word in {*a})


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_is_a_share_and_the_same_both_ways(one: str, two: str) -> None:
    """From 0 to 1, and 1 for a text and itself."""
    assert likeness(one, two) == likeness(two, one)
    assert 0 <= likeness(one, two) <= likeness(one, one) == 1


def test_similar_wordings_of_another_meaning_are_no_pair_where_that_is_asked() -> None:
    """At least 5 is not at least 1; without asking they are told apart elsewhere."""
    one, two = ["Names at least 5 sources"], ["Names at least 1 sources"]
    assert paired(one, two) == [(0, 0)]
    assert paired(one, two, same_meaning=True) == []


def test_the_best_pair_of_the_same_meaning_is_taken_though_another_is_more_alike() -> None:
    """The copy with another number does not take the place of the touched up one."""
    one = ["Names at least 5 sources"]
    two = ["Names at least 6 sources", "Names at least 5 references"]
    assert paired(one, two) == [(0, 0)]
    assert paired(one, two, same_meaning=True) == [(0, 1)]
