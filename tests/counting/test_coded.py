"""Keys are counted alike whether a table has room for all that may be, or they are sorted."""

import numpy as np
import pytest

from evalcore.counting.coded import FEW_WORDS, MOST_ASKED, Coded, distinct, numbered, slots
from evalcore.tables.arrays import strings

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


def column(words: int) -> Coded:
    """Return a column of two thousand rows with so many words, some of them on no row."""
    codes = np.random.default_rng(words).integers(-1, words - 1, 2_000)
    return Coded(codes, strings([f"word {at}" for at in range(words)]))


@pytest.mark.parametrize("words", [3, FEW_WORDS - 1, FEW_WORDS, 5 * FEW_WORDS])
def test_the_rows_of_a_word_are_those_with_its_code(words: int) -> None:
    """In their order, whether all codes are compared or the rows of each are remembered."""
    found = column(words)
    for code in (-1, 0, 1, words - 2, words - 1):
        assert found.rows_of(code).tolist() == np.flatnonzero(found.codes == code).tolist()


def test_a_word_that_is_asked_for_again_has_the_same_code() -> None:
    """Also once more words were asked for than are remembered; an unknown word has none."""
    found = column(2 * MOST_ASKED)
    for _ in range(2):
        for at in (0, 1, MOST_ASKED, 2 * MOST_ASKED - 1, *range(MOST_ASKED + 2)):
            assert found.place(f"word {at}") == at
        assert found.place("no word") == -1


def test_rows_are_told_by_their_word() -> None:
    """A row without a word is of none, also where the word is unknown."""
    found = Coded(np.array([0, -1, 1, 0]), strings(["a", "b"]))
    rows = np.array([0, 1, 2, 3])
    assert found.are("a", rows).tolist() == [True, False, False, True]
    assert not found.are("c", rows).any()
