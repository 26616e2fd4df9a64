"""How much of what a person writes is stored: all of it, or none with the reason."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.errors import CannotJudge
from evalcore.judging.answering.excluding import exclude
from evalcore.judging.answering.sending import send
from evalcore.judging.answering.submitting import skip
from evalcore.judging.limits import LIMITS, shortened, stored
from tests.dashboard.live import ROOT
from tests.judging.notes_and_exclusions import ANA, RUN, records, small

PANELS = ROOT / "pages/parts/panels"

Act = Callable[[Workspace, str], Any]


def test_up_to_the_limit_all_is_stored() -> None:
    """Blanks around it do not count; half a character is replaced."""
    assert stored(f"  {'é' * 5}\n", 5, "It") == "é" * 5
    assert stored("\ud800", 1, "It") == "?"
    with pytest.raises(CannotJudge, match="It has 6 characters, at most 5 are stored"):
        stored("é" * 6, 5, "It")


def test_what_is_shown_in_part_says_so() -> None:
    """With how much of it there is."""
    assert shortened("x" * 5, 5) == "x" * 5
    assert shortened("x" * 6_000, 5) == "xxxxx … (cut, 5 of 6,000 characters)"


@pytest.mark.parametrize(
    "act",
    [
        lambda ws, text: exclude(ws, RUN, text, ANA),
        lambda ws, text: send(ws, [RUN], text, ANA),
        lambda ws, text: skip(ws, RUN, ANA, text),
    ],
    ids=["exclude", "send", "skip"],
)
def test_a_reason_that_is_too_long_stores_nothing(tmp_path: Path, act: Act) -> None:
    """It is one limit for every reason; what just fits is stored whole."""
    ws, longest = small(tmp_path), "x" * LIMITS.reason
    with pytest.raises(CannotJudge, match="The reason has 1,001 characters, at most 1,000"):
        act(ws, f"{longest}x")
    assert records(ws) == ()
    act(ws, longest)
    assert [record.fields["reason"] for record in records(ws)] == [longest]


def test_scripts_have_no_limits_of_their_own() -> None:
    """They come with the panel's data; a `maxlength` would cut what is pasted without a word."""
    scripts = "".join(path.read_text("utf-8") for path in sorted(PANELS.glob("judge*.js")))
    assert "maxlength" not in scripts
    assert not any(f"{limit}" in scripts for limit in LIMITS if limit >= 1_000)
