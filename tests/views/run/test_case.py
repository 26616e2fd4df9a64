"""A case as it is defined."""

from evalcore.views.run.case import guide_text


def test_a_guide_is_words_or_one_anchor_a_line() -> None:
    """Anchors keep their scores."""
    assert guide_text('{"1": "rude", "5": "kind"}') == "1: rude\n5: kind"
    assert guide_text('"Look at the tone."') == "Look at the tone."
    assert guide_text(None) is None
