"""A similar wording that requires something else is another criterion."""

from itertools import combinations

import pytest

from evalcore.comparing.alike import paired
from evalcore.texts.meaning import changed_meaning

CHANGED = [
    ("Names at least 5 sources", "Names at least 1 source", "number"),
    ("Stays under 200 words", "Stays under 2000 words", "number"),
    ("Lists three risks", "Lists four risks", "number"),
    ("Ends within 5 seconds", "Ends within 5 minutes", "number"),
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
    ("More than 5 sources", "At least 5 sources", "quantifier"),
    ("Stays under 200 words", "Stays at 200 words at most", "quantifier"),
    ("The report cites every source", "The report cites a source", "quantifier"),
    ("All tests pass", "The tests pass", "quantifier"),
    ("Most tests pass", "Many tests pass", "quantifier"),
    ("Always greets the user", "Greets the user", "quantifier"),
    ("Names at least 5 sources", "Names 5 sources", "quantifier"),
    ("Returns valid JSON", "Returns JSON", "qualifier"),
    ("Uses the present tense only", "Uses the present tense", "qualifier"),
    ("Returns valid JSON", "Returns complete JSON", "qualifier"),
    ("The summary may name the author", "The summary names the author", "qualifier"),
    ("Names the blue button", "Names the button", "qualifier"),
    ("Lists the risks in a table", "Lists the risks", "qualifier"),
]
SAME = [
    ("Every field has a label.", "Every field has a label (also the date)."),
    ("1. The form has a title", "2. The form has a title"),
    ("Lists three risks", "Lists 3 risks"),
    ("Costs 1,200 dollars", "Costs 1200 dollars"),
    ("Does not mention prices", "Avoids mentioning prices"),
    ("Uses no more than 5 colours", "Uses at most 5 colours"),
    ("Has at least 5 sources", "Has 5 sources or more"),
    ("Has more than 5 sources", "Has over 5 sources"),
    ("Has no fewer than 5 sources", "Has at least 5 sources"),
    ("All tests pass", "Each of the tests passes"),
    ("The output lists the risks", "Lists risks"),
    ("Must not use any tools", "Uses no tools"),
    ("Names this one source", "Names this source"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "two", "what"), CHANGED)
def test_a_changed_number_negation_quantifier_or_qualifier_is_another_requirement(
    one: str, two: str, what: str
) -> None:
    """In both directions."""
    assert changed_meaning(one, two) == what
    assert changed_meaning(two, one) == what


_SENTENCES = (
    "The report {} names sources",
    "Names {} sources of the report",
    "{} steps are listed",
)
_STRICT = (
    *("all", "every", "each", "always", "some", "sometimes", "most", "many", "few", "several"),
    *("both", "either", "exactly 2", "at least 2", "at most 2", "more than 2", "fewer than 2"),
    *("2", "3", "twelve", "not", "never", "no", "without", "only", "valid", "correct", "complete"),
    *("entire", "explicit", "explicitly", "first", "last", "unique", "strictly", "fully", "may"),
)
_ALIKE = ({"all", "every", "each"}, {"not", "never", "no", "without"})


@pytest.mark.parametrize("sentence", _SENTENCES)
def test_what_is_dropped_or_changed_of_such_words_is_never_the_same(sentence: str) -> None:
    """Quantifiers, qualifiers, negations and numbers, each against none and against each other."""
    for one, other in combinations(("", *_STRICT), 2):
        if any({one, other} <= alike for alike in _ALIKE):
            continue
        first, second = (" ".join(sentence.format(word).split()) for word in (one, other))
        assert changed_meaning(first, second) is not None, (first, second)
        assert changed_meaning(second, first) is not None, (first, second)
        assert paired([first], [second], same_meaning=True) == []


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
