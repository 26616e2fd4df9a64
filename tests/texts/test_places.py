"""Where a passage stands in texts."""

from evalcore.texts.places import MAX_PASSAGE, Place, places_of


def test_white_space_between_words_is_not_compared() -> None:
    """Line breaks and indents are how a text is laid out, not what it says."""
    texts = {"a.md": "Write\n  it  briefly."}
    assert places_of(" Write it briefly. ", texts) == [Place("a.md", 0, 20)]


def test_letters_and_signs_are_compared_as_they_are() -> None:
    """Signs with a meaning in patterns are only themselves."""
    assert places_of("a.b", {"x": "a.b axb A.B"}) == [Place("x", 0, 3)]
    assert places_of("(", {"x": "f(x)"}) == [Place("x", 1, 2)]


def test_every_place_is_found_in_every_text() -> None:
    """Also where places overlap: then it is not known which is meant."""
    assert places_of("ab ab", {"x": "ab ab ab", "y": "ab  ab"}) == [
        Place("x", 0, 5),
        Place("x", 3, 8),
        Place("y", 0, 6),
    ]


def test_an_empty_or_endless_passage_stands_nowhere() -> None:
    """The one would be everywhere; the other takes too long to look for."""
    assert places_of(" \n", {"x": "a b"}) == []
    long = "a" * MAX_PASSAGE
    assert len(places_of(long, {"x": long})) == 1
    assert places_of(long + "a", {"x": long + "a"}) == []
