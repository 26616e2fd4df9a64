"""Names that hold numbers stand in the order that people expect."""

from evalcore.layouts.order import natural


def test_two_stands_before_ten() -> None:
    """A number counts as a number, not digit by digit, and letters in any case."""
    names = ["run-10", "Run-2", "run-1", "iteration-5b", "iteration-5", "iteration-12"]
    assert sorted(names, key=natural) == [
        "iteration-5",
        "iteration-5b",
        "iteration-12",
        "run-1",
        "Run-2",
        "run-10",
    ]


def test_any_text_has_a_place() -> None:
    """A superscript is no digit, and a name may have more digits than a number can hold."""
    names = ["", "²", "1" * 40, "a", "1a", "a1"]
    assert sorted(names, key=natural) == ["", "1a", "1" * 40, "a", "a1", "²"]
