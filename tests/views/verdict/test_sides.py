"""Names of the two sides: full ones, and such as are just long enough to tell them apart."""

from evalcore.views.verdict.sides import side_names, side_words
from tests.views.verdicts import comparison, named


def test_a_side_has_a_full_name() -> None:
    """Version, configuration and folder."""
    assert side_words(named("v4")) == "v4"
    assert side_words(named("i-2", "with_skill", workspace="new")) == "i-2, with_skill of new"


def test_what_both_sides_share_is_kept_apart_from_their_names() -> None:
    """It is said once, after the second name."""
    sides = named("i-1", "with_skill"), named("i-2", "with_skill")
    assert side_names(comparison(a=sides[0], b=sides[1])) == ("i-1", "i-2", ", both with_skill")
    sides = named("i-2", "without_skill"), named("i-2", "with_skill")
    assert side_names(comparison(a=sides[0], b=sides[1])) == (
        "without_skill",
        "with_skill",
        " in i-2",
    )
