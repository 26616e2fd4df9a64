"""A similar wording that requires something else is another criterion."""

import pytest

from evalcore.texts.meaning import changed_meaning

CHANGED = [
    ("Names at least 5 sources", "Names at least 1 source", "number"),
    ("Stays under 200 words", "Stays under 2000 words", "number"),
    ("Lists three risks", "Lists four risks", "number"),
    ("Lists 3 risks", "Lists the risks", "number"),
    ("The answer does mention prices", "The answer does not mention prices", "negation"),
    ("Output is valid JSON", "Output is not valid JSON", "negation"),
    ("Output is valid JSON", "Output is invalid JSON", "negation"),
    ("The link works", "The link doesn't work", "negation"),
    ("Gives medical advice", "Refuses to give medical advice", "negation"),
    ("Nennt den Preis", "Nennt den Preis nicht", "negation"),
    ("回答提到价格", "回答不提到价格", "negation"),
    ("All tests pass", "Some tests pass", "quantifier"),
    ("At least 5 sources", "At most 5 sources", "quantifier"),
    ("More than 5 sources", "Fewer than 5 sources", "quantifier"),
]
SAME = [
    ("Every field has a label.", "Every field has a label (also the date)."),
    ("1. The form has a title", "2. The form has a title"),
    ("Lists three risks", "Lists 3 risks"),
    ("Costs 1,200 dollars", "Costs 1200 dollars"),
    ("Does not mention prices", "Avoids mentioning prices"),
    ("Uses no more than 5 colours", "Uses at most 5 colours"),
    ("Has at least 5 sources", "Has 5 sources or more"),
    ("All tests pass", "Each of the tests passes"),
    ("All tests pass", "The tests pass"),
    ("Names this one source", "Names this source"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "two", "what"), CHANGED)
def test_a_changed_number_negation_or_quantifier_is_another_requirement(
    one: str, two: str, what: str
) -> None:
    """In both directions."""
    assert changed_meaning(one, two) == what
    assert changed_meaning(two, one) == what


@pytest.mark.parametrize(("one", "two"), SAME)
def test_other_words_for_the_same_requirement_change_nothing(one: str, two: str) -> None:
    """In both directions."""
    assert changed_meaning(one, two) is None
    assert changed_meaning(two, one) is None


def test_only_the_beginning_of_a_long_wording_counts() -> None:
    """A whole document as a wording takes no longer than its first 2,000 characters."""
    text = "word " * 399 + "word7"
    assert len(text) == 2_000
    assert changed_meaning(text, text[:-1] + "8") == "number"
    assert changed_meaning(text + " 7", text + " 8") is None
