"""A text is found as a whole, not inside a longer word or number."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.whole import places
from tests.bounded import bounded


@pytest.mark.parametrize(
    ("text", "wanted", "count"),
    [
        ("a free repair, free repair", "free repair", 2),
        ("free repairs", "free repair", 0),
        ("carefree repair", "free repair", 0),
        ("issue 318", "issue 31", 0),
        ("TERN-2026-003.", "TERN-2026-003", 1),
        ("TERN-2026-0031", "TERN-2026-003", 0),
        ("foo_bar", "foo", 0),
        ("12.5", "12", 0),
        ("3,12", "12", 0),
        ("It is 12.", "12", 1),
        ("12, 13", "12", 1),
        ("-5", "5", 0),
        ("3-5", "5", 1),
        ("で無料修理を", "無料修理", 1),
        ("(x)(x)", "(x)", 2),
        ("aa a", "a", 1),
        ("", "a", 0),
        ("a", "", 0),
    ],
)
def test_a_text_stands_where_nothing_goes_on(text: str, wanted: str, count: int) -> None:
    """Letters, digits and decimals beside it make it a part of something else."""
    assert len(list(places(text, wanted))) == count


def test_many_places_are_looked_at_once() -> None:
    """The search ends also where a text begins everywhere and stands nowhere."""
    with bounded():
        assert not list(places("a" * 1_000_000, "a" * 1000))


@given(st.text("ab1., -", max_size=20), st.text("ab1.", min_size=1, max_size=3))
def test_each_place_holds_the_text(text: str, wanted: str) -> None:
    """And none overlaps another."""
    found = list(places(text, wanted))
    assert all(text.startswith(wanted, at) for at in found)
    assert all(b - a >= len(wanted) for a, b in pairwise(found))
