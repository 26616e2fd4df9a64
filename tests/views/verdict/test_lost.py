"""What each side lost is said with its n, and what it could change."""

from typing import Any

import pytest

from evalcore.comparing.model import Lost, LostRuns
from evalcore.views.verdict.limits import lost_sentences, lost_words
from tests.views.verdicts import comparison

MINUS = "\N{MINUS SIGN}"


def told(*, a: tuple[Lost, ...] = (), b: tuple[Lost, ...] = (), **given: Any) -> list[str]:
    """Return what is said of what v3 (A) and v4 (B) lost."""
    scores = given.pop("scores", "recorded")
    return list(lost_sentences(comparison(lost=LostRuns(a, b, **given), scores=scores)))


def runs(why: Any, n: int, of: int = 14) -> Lost:
    """Return lost runs."""
    return Lost("runs", why, n, of)


def test_nothing_lost_is_nothing_said() -> None:
    """Most comparisons lose nothing."""
    assert told() == []


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("not scored", "not scored"),
        ("excluded", "excluded by a person"),
        ("not finished", "not finished"),
        ("gate failed", "stopped by the gate"),
    ],
)
def test_each_reason_has_words_and_the_other_side_lost_none(why: Any, words: str) -> None:
    """B first, as in the verdict."""
    assert told(b=(runs(why, 3),)) == [f"Lost runs: 3 of 14 runs of v4 ({words}), none of v3."]


def test_several_reasons_are_counted_apart() -> None:
    """Their sum stands before them."""
    lost = (runs("not scored", 1, 1200), runs("excluded", 1000, 1200))
    assert told(a=lost, b=(runs("gate failed", 1, 1),)) == [
        (
            "Lost runs: 1 of 1 run of v4 (stopped by the gate), 1,001 of 1,200 runs of v3 "
            "(1 not scored, 1,000 excluded by a person)."
        )
    ]


def test_with_people_s_scores_alone_it_is_said_whose_are_missing() -> None:
    """The recorded judge may well have scored the run."""
    (said,) = told(b=(runs("not scored", 3),), scores="human")
    assert said == "Lost runs: 3 of 14 runs of v4 (not judged whole by people), none of v3."


def test_criteria_without_a_score_are_counted_as_criteria() -> None:
    """Their runs count, by the criteria that have one."""
    lost = Lost("criteria", "not scored", 14, 56)
    assert told(b=(lost,)) == ["Criteria without a score: 14 of 56 criteria of v4, none of v3."]


def test_time_outs_are_named_though_they_count() -> None:
    """As failed runs, which the rates do not tell (R3)."""
    assert told(b=(runs("timed out", 8),)) == [
        "Timed out, counted as failed: 8 of 14 runs of v4, none of v3."
    ]


def test_runs_criteria_and_time_outs_have_a_sentence_each() -> None:
    """In this order."""
    lost = (
        runs("not finished", 2),
        runs("timed out", 1),
        Lost("criteria", "not scored", 3, 40),
    )
    assert [sentence.partition(":")[0] for sentence in told(b=lost)] == [
        "Lost runs",
        "Criteria without a score",
        "Timed out, counted as failed",
    ]


def test_unequal_shares_say_what_the_lost_ones_could_change() -> None:
    """Counted against B, and for it."""
    said = told(b=(runs("excluded", 7),), unequal=True, low=0.0, high=0.5, without="better")
    assert said[-1] == (
        "Counting what was lost against v4 and for it, the difference is between 0 and +50."
    )
    said = told(b=(runs("excluded", 7),), unequal=True, low=-0.25, high=0.5, without="better")
    assert said[-1].endswith(f"is between {MINUS}25 and +50.")


def test_equal_shares_change_nothing_and_say_no_bounds() -> None:
    """Both sides lost alike."""
    lost = (runs("not scored", 7),)
    assert told(a=lost, b=lost) == [
        "Lost runs: 7 of 14 runs of v4 (not scored), 7 of 14 runs of v3 (not scored)."
    ]


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (runs("excluded", 1), "runs excluded by a person"),
        (runs("timed out", 1), "runs timed out, counted as failed"),
        (runs("not scored", 1), "runs not scored"),
        (Lost("criteria", "not scored", 1, 4), "criteria without a score"),
    ],
)
def test_what_was_lost_has_a_name_for_a_table(one: Lost, words: str) -> None:
    """Time-outs say that they count."""
    assert lost_words(one, "recorded") == words


def test_the_name_of_unscored_runs_says_whose_scores_are_missing() -> None:
    """With people's scores alone."""
    assert lost_words(runs("not scored", 1), "human") == "runs not judged whole by people"
