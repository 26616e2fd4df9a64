"""Rates as strips, what a run costs beside them, and how far runs agree."""

from dataclasses import replace
from typing import Any

import pytest

from evalcore.comparing.model import Estimate, Repeats
from evalcore.comparing.outcomes import GATE
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.statistics.verdict import Verdict
from evalcore.views.compare.rates import (
    measure_blocks,
    rate_blocks,
    repeat_blocks,
    scale_note,
    strip_values,
)
from tests.views.compared import comparison, measure, pair, sliced, verdict
from tests.views.panel_json import panel_json

REPEATS = Repeats(
    cases=12,
    agreeing=9,
    pass_at=((1, 0.7), (2, 0.85), (3, 0.9)),
    pass_all=((1, 0.7), (2, 0.6), (3, 0.5)),
    noise=0.06,
    consistency=0.91,
)


SIDE = Estimate(0.64, 0.5, 0.7, 42, 126)


def shown(
    a: Estimate, b: Estimate, told: Verdict | None = None, name: str = "pass rate"
) -> list[Any]:
    """Return both sides of a strip and their difference."""
    return list(strip_values(a, b, told, name).values())


def test_a_side_is_never_without_its_cases() -> None:
    """The value, how many cases it is the mean of, and the runs where they are more."""
    a, b, _ = shown(SIDE, replace(SIDE, runs=42))
    assert a["text"] == "64 % over 42 cases, 126 runs"
    assert b["text"] == "64 % over 42 cases"
    a, *_ = shown(Estimate(None, None, None, 0, 0), SIDE)
    assert a["text"] == "not scored"


def test_both_sides_and_their_difference_have_decimals_that_agree() -> None:
    """83 % against 57 % is never "+27 points": all three have one decimal more."""
    told = verdict(difference=0.833 - 0.567)
    a, b, difference = shown(replace(SIDE, value=0.567), replace(SIDE, value=0.833), told)
    assert (a["text"], b["text"]) == (
        "56.7 % over 42 cases, 126 runs",
        "83.3 % over 42 cases, 126 runs",
    )
    assert difference["difference"] == "+26.6 points"


def test_the_axis_goes_from_0_to_1() -> None:
    """In percent, or plainly where the headline is no share."""
    (strips,) = panel_json(rate_blocks(comparison(pair("c", 0.0, 1.0))))
    assert strips["axis"] == ["0 %", "50 %", "100 %"]
    (strips,) = panel_json(rate_blocks(comparison(pair("c", 0.0, 1.0), headline=EFFICIENCY)))
    assert strips["axis"] == ["0", "0.5", "1"]


def test_both_sides_are_named_with_their_letter_and_version() -> None:
    """A is always the first, the baseline."""
    (row,) = panel_json(rate_blocks(comparison(pair("c", 0.0, 1.0))))[0]["rows"]
    assert row["a"]["text"].startswith("v1: 64 % over 42 cases")
    assert row["b"]["text"].startswith("v2: 86 % over 42 cases")


def test_without_a_verdict_no_rate_is_drawn() -> None:
    """What is not comparable stands nowhere beside each other."""
    assert panel_json(rate_blocks(comparison(verdict=None))) == []


@pytest.mark.parametrize(
    ("word", "shown_as", "mark", "dim"),
    [
        ("better", "▲ better, likely between +7 and +36", "better", False),
        ("better on these cases", "▲ better on these cases", "better", False),
        ("can't tell", "= can't tell, likely between +7 and +36", "tie", True),
        ("worse on these cases", "▼ worse on these cases", "worse", False),
        ("worse", "▼ worse, likely between +7 and +36", "worse", False),
    ],
)
def test_the_difference_says_its_verdict_with_a_sign(
    word: str, shown_as: str, mark: str, dim: bool
) -> None:
    """Signed points and the interval where it agrees with the word; what cannot be told is dim."""
    *_, block = shown(SIDE, replace(SIDE, value=0.85), verdict(word))
    assert block["difference"] == "+21 points"
    assert (block["word"], block["mark"], block["dim"]) == (shown_as, mark, dim)


def test_one_case_has_no_verdict() -> None:
    """Nor a difference."""
    *_, block = shown(SIDE, SIDE)
    assert (block["difference"], block["word"]) == ("", "one case: no verdict")


def test_time_and_cost_are_never_judged() -> None:
    """More seconds are a plain number with a sign; no cell has a colour."""
    blocks = panel_json(
        measure_blocks(comparison(measures=(measure(), measure("cost", 0.5, 0.25))))
    )
    cells = [cell for row in blocks[-1]["rows"] for cell in row["cells"]]
    assert [cell["text"] for cell in cells[:5]] == ["time", "40 s", "52 s", "+12 s", "5 cases"]
    assert cells[3]["sub"] == "likely between +9 s and +15 s"
    assert cells[8]["text"] == "−$0.25"
    assert not any("mark" in cell for cell in cells)


def test_what_was_not_measured_says_so() -> None:
    """In one sentence, never as 0; a table is there for the rest only."""
    none = [measure(name, None, None) for name in ("time", "tokens", "cost")]
    (said,) = panel_json(measure_blocks(comparison(measures=none)))
    assert said["text"] == "Time, tokens and cost were not measured on both sides of any case."
    _, table, said = panel_json(measure_blocks(comparison(measures=(measure(), none[2]))))
    assert [row["cells"][0]["text"] for row in table["rows"]] == ["time"]
    assert said["text"] == "Cost was not measured on both sides of any case."


def test_repeats_say_how_far_runs_agree_and_what_chance_does() -> None:
    """Agreeing cases, pass@k and pass^k of the largest k, and the noise floor in a sentence."""
    blocks = panel_json(repeat_blocks(comparison(repeats_a=REPEATS, repeats_b=None)))
    rows = [[cell["text"] for cell in row["cells"]] for row in blocks[1]["rows"]]
    assert rows == [
        ["cases whose runs agree", "9 of 12", "one run a case"],
        ["at least one of 3 runs passes (pass@3)", "90 %", "one run a case"],
        ["all 3 runs pass (pass^3)", "50 %", "one run a case"],
        ["consistency of all runs (1 − stddev / mean)", "0.91", "one run a case"],
    ]
    assert blocks[2]["text"] == ("Noise floor: ±6 points if v1 ran again (12 cases).")


def test_runs_that_do_not_pass_or_fail_have_no_pass_at_k() -> None:
    """Only what there is stands in the table."""
    plain = replace(REPEATS, pass_at=(), pass_all=(), consistency=None, noise=None)
    blocks = panel_json(repeat_blocks(comparison(repeats_a=plain, repeats_b=plain)))
    rows = [[cell["text"] for cell in row["cells"]] for row in blocks[1]["rows"]]
    assert [row[0] for row in rows] == [
        "cases whose runs agree",
        "consistency of all runs (1 − stddev / mean)",
    ]
    assert rows[1][1] == "no mean above 0"
    assert len(blocks) == 2


def test_one_run_each_says_what_repeats_need() -> None:
    """A sentence in place of an empty table."""
    assert "needs a second run" in panel_json(repeat_blocks(comparison()))[1]["text"]


@pytest.mark.parametrize(
    ("headline", "worth"),
    [
        ("pass_rate", "the share of its checks that passed"),
        (SHARE, "the share of its runs that passed"),
        (SHARED_HEADLINE, "the mean of the criteria that both sides were asked"),
        (EFFICIENCY, "the mean of structural pass rate"),
    ],
)
def test_the_scale_is_said(headline: str, worth: str) -> None:
    """What a value from 0 to 1 is, for every headline."""
    note = scale_note(comparison(headline=headline))
    assert worth in note
    assert note.endswith(".")


def test_how_runs_ended_is_a_strip_of_its_own() -> None:
    """Gate and time-outs below the rates, with their own verdicts; not where they are the rates."""
    gate = sliced(GATE, 1.0, 0.5, verdict("worse", difference=-0.5), kind="outcome")
    c = comparison(pair("c", 0.0, 1.0), outcomes=(gate,))
    rates, ended = panel_json(rate_blocks(c))
    assert (rates["label"], ended["label"]) == (
        "Share of runs passed, mean over cases",
        "How runs ended",
    )
    (row,) = ended["rows"]
    assert (row["name"], row["a"]["text"], row["difference"]["mark"]) == (
        GATE,
        "100 % over 8 cases, 24 runs",
        "worse",
    )
    assert len(panel_json(rate_blocks(replace(c, headline=GATE)))) == 1
