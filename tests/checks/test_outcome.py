"""An outcome says whether a check passed, and its evidence stays short and readable."""

from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.outcome import (
    MAX_EVIDENCE,
    MAX_QUOTED,
    Outcome,
    capped,
    decided,
    invalid,
    listed,
    not_run,
    quoted,
    shown,
)


def test_only_what_is_undecided_has_a_status() -> None:
    """A check that was applied passed or not; another one says what hindered it."""
    assert decided(True, "It is.") == Outcome(True, "It is.", None)
    assert not_run("Missing.") == Outcome(None, "Missing.", "not_run")
    assert invalid("Faulty.") == Outcome(None, "Faulty.", "invalid")


def test_evidence_of_the_longest_length_is_kept_whole() -> None:
    """One character more and the end is cut and marked."""
    assert decided(True, "x" * MAX_EVIDENCE).evidence == "x" * MAX_EVIDENCE
    assert decided(True, "x" * (MAX_EVIDENCE + 1)).evidence == "x" * (MAX_EVIDENCE - 1) + "…"


def test_eight_names_are_listed_and_the_rest_is_counted() -> None:
    """Nobody reads a thousand names."""
    names = [f"{number}.md" for number in range(10)]
    assert listed(names[:2]) == "0.md, 1.md"
    assert listed(names[:8]).endswith("6.md, 7.md")
    assert listed(names[:9]).endswith("7.md and 1 more")


def test_a_path_cannot_forge_a_line() -> None:
    """A line break or a control character in a file's name is written as an escape."""
    assert shown("a\nLine 1: passed") == "a\\nLine 1: passed"
    assert shown("ä/b c.md") == "ä/b c.md"
    assert shown("x" * MAX_QUOTED) == "x" * MAX_QUOTED
    assert shown("x" * MAX_QUOTED + "y") == "…" + "x" * (MAX_QUOTED - 2) + "y"


@given(st.text(st.characters()))
def test_every_text_can_be_written(text: str) -> None:
    """Even lone surrogates, which file names may hold."""
    for made in (capped(text), quoted(text), shown(text)):
        made.encode()
    assert "\n" not in quoted(text)
    assert len(quoted(text)) <= MAX_QUOTED + 2
