"""Keys are counted alike whether a table has room for all that may be, or they are sorted."""

import numpy as np
import pytest

from evalcore.counting.coded import distinct, numbered, slots

KEYS = np.array([7, 3, 7, 0, 3, 9])


@pytest.mark.parametrize("space", [10, 10**12])
def test_keys_are_told_apart(space: int) -> None:
    """In their order, each with its first row."""
    assert distinct(KEYS, space).tolist() == [0, 3, 7, 9]
    found, of_row, first = numbered(KEYS, space)
    assert found.tolist() == [0, 3, 7, 9]
    assert of_row.tolist() == [2, 1, 2, 0, 1, 3]
    assert first.tolist() == [3, 1, 0, 5]


@pytest.mark.parametrize("space", [10, 10**12])
def test_each_row_has_the_slot_of_its_key(space: int) -> None:
    """Also where some slots are empty."""
    keys, of_row = slots(KEYS, space)
    assert keys[of_row].tolist() == KEYS.tolist()
    assert (np.diff(keys) > 0).all()
