"""What two sequences have in common, in order."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from evalcore.texts.matching import Block, blocks

ITEMS = st.lists(st.integers(0, 6), max_size=40)


def as_said(a: Sequence[int], b: Sequence[int], found: list[Block]) -> bool:
    """Say whether blocks are equal runs that go on in both sequences, none touching the next."""
    ends = (0, 0)
    for number, (i, j, size) in enumerate(found):
        if size < 1 or i < ends[0] or j < ends[1] or a[i : i + size] != b[j : j + size]:
            return False
        if number and (i, j) == ends:
            return False
        ends = (i + size, j + size)
    return ends[0] <= len(a) and ends[1] <= len(b)


@given(ITEMS, ITEMS, st.sampled_from([0, 50, 400_000]))
def test_what_is_found_is_common_and_in_order(a: list[int], b: list[int], budget: int) -> None:
    """Whatever the budget, every run is equal on both sides and none goes back."""
    assert as_said(a, b, blocks(a, b, budget))


@given(ITEMS)
def test_equal_sequences_are_one_run(a: list[int]) -> None:
    """Nothing differs between a sequence and itself."""
    assert blocks(a, a) == ([Block(0, 0, len(a))] if a else [])


def test_a_moved_line_does_not_drag_others_along() -> None:
    """What stands once on both sides anchors: braces and blanks between do not."""
    a = ["one", "}", "two", "}", "three", "}"]
    b = ["two", "}", "three", "}", "one", "}"]
    common = [a[i + at] for i, _, size in blocks(a, b) for at in range(size)]
    assert common == ["two", "}", "three", "}"]


def test_ends_are_common_without_any_budget() -> None:
    """What two sequences begin and end with is found by looking once."""
    a = [0] * 50 + [1] + [0] * 50
    b = [0] * 50 + [2] + [0] * 50
    assert blocks(a, b, 0) == [Block(0, 0, 50), Block(51, 51, 50)]


def test_what_stands_once_on_both_sides_anchors_without_any_budget() -> None:
    """What stands twice on one side does not."""
    a = ["x", "}", "one", "}", "y"]
    assert blocks(a, ["z", "}", "one", "}", "w"], 0) == [Block(1, 1, 3)]
    assert blocks(a, ["z", "one", "v", "one", "w"], 0) == []
    assert blocks(["x", "one", "v", "one", "y"], ["z", "}", "one", "}", "w"], 0) == []


def test_work_stays_within_the_budget() -> None:
    """Items that are repeated thousands of times are not all compared with each other.

    Without a bound this would be some 10^11 steps.
    """
    a = [number % 7 for number in range(20_000)] + [100]
    b = [number * 3 % 7 for number in range(20_000)] + [200]
    assert as_said(a, b, blocks(a, b))
