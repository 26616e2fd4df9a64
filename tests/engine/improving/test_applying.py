"""Suggestions are applied where their text to replace stands exactly once."""

import pytest

from evalcore.engine.found import Suggested
from evalcore.engine.improving.applying import NOT_THERE, OVERLAPS, SAME, SEVERAL, applied

TEXTS = {"SKILL.md": "Write briefly.\nBe kind.\nBe kind to all.\n", "more.md": "Cite it.\n"}


def suggested(before: str, after: str) -> Suggested:
    """Return a suggestion."""
    return Suggested("body", before, after, "It helps.")


def test_each_is_applied_to_the_file_that_has_its_text() -> None:
    """What is around it stays, to the letter; files that do not change are left out."""
    found = applied([suggested("Write  briefly.", "Write three lines.")], TEXTS)
    assert found.why_not == (None,)
    assert found.texts == {"SKILL.md": "Write three lines.\nBe kind.\nBe kind to all.\n"}


def test_several_in_one_file_are_all_applied_to_the_text_as_it_was() -> None:
    """What one writes is not changed by the next, whatever their order."""
    changes = [
        suggested("to all.", "to everyone."),
        suggested("Write briefly.", "Be kind to all. Write."),
    ]
    found = applied(changes, TEXTS)
    assert found.texts["SKILL.md"] == "Be kind to all. Write.\nBe kind.\nBe kind to everyone.\n"
    assert found.number == 2


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("Be brief.", "Be long.", NOT_THERE),
        ("Be kind", "Be nice", SEVERAL.format(2)),
        ("Cite it.", "Cite it.", SAME),
        ("  ", "More.", NOT_THERE),
    ],
)
def test_what_is_not_certain_is_not_applied(before: str, after: str, why: str) -> None:
    """Nothing of it changes, and the reason is told."""
    found = applied([suggested(before, after)], TEXTS)
    assert (found.texts, found.why_not, found.number) == ({}, (why,), 0)


def test_of_overlapping_ones_the_first_is_applied() -> None:
    """The text of the second is no longer there as it was."""
    changes = [suggested("Write briefly.", "Write."), suggested("briefly.\nBe kind.", "well.")]
    found = applied(changes, TEXTS)
    assert found.why_not == (None, OVERLAPS.format(1))
    assert found.texts["SKILL.md"] == "Write.\nBe kind.\nBe kind to all.\n"


def test_neighbours_do_not_overlap() -> None:
    """One may end where the other begins."""
    changes = [suggested("Write ", "Say "), suggested("briefly.", "much.")]
    found = applied(changes, {"SKILL.md": "Writebriefly."})
    assert found.why_not == (None, None)
    assert found.texts == {"SKILL.md": "Saymuch."}
