"""What each side lost stands on Compare, as it does in the sentence."""

from typing import Any

from evalcore.comparing.model import Lost, LostRuns
from evalcore.views.compare.rates import lost_blocks
from tests.views.compared import comparison
from tests.views.panel_json import panel_json

EXCLUDED = Lost("runs", "excluded", 14, 28)


def shown(*, a: tuple[Lost, ...] = (), b: tuple[Lost, ...] = (), **given: Any) -> Any:
    """Return the blocks on what v1 (A) and v2 (B) lost."""
    return panel_json(lost_blocks(comparison(lost=LostRuns(a, b, **given))))


def test_nothing_lost_is_no_table() -> None:
    """Most comparisons lose nothing."""
    assert shown() == []


def test_each_reason_is_a_row_with_both_sides() -> None:
    """Of how many; the side that lost none says so."""
    late = Lost("runs", "timed out", 1, 28)
    _, table, _ = shown(a=(late,), b=(EXCLUDED, Lost("runs", "timed out", 3, 28)))
    rows = [[cell["text"] for cell in row["cells"]] for row in table["rows"]]
    assert rows == [
        ["runs timed out, counted as failed", "1 of 28", "3 of 28"],
        ["runs excluded by a person", "none", "14 of 28"],
    ]


def test_unequal_shares_say_what_they_could_change() -> None:
    """Between which differences, and what that means for the verdict."""
    *_, said = shown(b=(EXCLUDED,), unequal=True, low=0.0, high=0.5)
    assert said["text"] == (
        "The sides lost unequal shares. Counted once against B and once for it, the difference is "
        "between 0 and +50; better or worse is told only if both agree."
    )
    *_, said = shown(b=(EXCLUDED,), unequal=True)
    assert said["text"] == "The sides lost unequal shares."


def test_equal_shares_say_that_they_change_nothing() -> None:
    """The difference is compared as it is."""
    *_, said = shown(a=(EXCLUDED,), b=(EXCLUDED,))
    assert said["text"].startswith("Both sides lost equal shares")


def test_time_outs_alone_are_not_called_equal_shares() -> None:
    """They count, so nothing of either side is missing."""
    late = Lost("runs", "timed out", 3, 28)
    *_, said = shown(b=(late,))
    assert said["text"] == "They count as failed, so the difference is compared as it is."
    *_, said = shown(a=(EXCLUDED,), b=(EXCLUDED, late))
    assert said["text"].startswith("Both sides lost equal shares")
