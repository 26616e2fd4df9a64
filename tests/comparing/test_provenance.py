"""Which judges and models produced the runs of two sides, and which names mean the same model."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from evalcore.comparing.provenance import (
    UNNAMED,
    alias_pairs,
    is_alias,
    other_judges,
    other_models,
)
from evalcore.shapes.judge import RULES
from evalcore.tables.rows import Row
from tests.comparing.judged import judged, opened, side

TWO = ["The form has a title.", "Every field has a label."]
ALL = {"tabs": TWO, "links": TWO}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("claude-sonnet", "claude-sonnet-4-6"),
        ("claude-sonnet", "claude-sonnet-4.6"),
        ("Claude Sonnet 4.6", "claude-sonnet-4.6"),
        ("claude-sonnet-4-6 (via an agent)", "claude-sonnet-4-6"),
        ("claude-sonnet-4-6 [thinking]", "claude-sonnet-4-6"),
        ("anthropic/claude-sonnet-4-6", "claude-sonnet-4-6"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("claude-sonnet-4-latest", "claude-sonnet-4"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt", "gpt-5"),
    ],
)
def test_names_that_are_taken_for_the_same_model(one: str, two: str) -> None:
    """Brackets, a provider, a date, and a name without any number; in both directions."""
    assert is_alias(one, two)
    assert is_alias(two, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("claude-sonnet-4-5", "claude-sonnet-4-6"),
        ("claude-sonnet-4", "claude-sonnet-4-6"),
        ("claude-sonnet", "claude-opus-4-6"),
        ("claude-sonnet-4-6", "claude-opus-4-6"),
        ("gpt-4", "gpt-4o"),
        ("gpt-5", "gpt-5-mini"),
        ("gpt", "gpt-mini-5"),
        ("gemini", "claude"),
        ("", ""),
        ("(unknown)", "[none]"),
    ],
)
def test_names_of_different_models(one: str, two: str) -> None:
    """A number that is said is a version; nothing is no name."""
    assert not is_alias(one, two)
    assert not is_alias(two, one)


def test_the_same_model_and_an_alias_beside_it_are_paired() -> None:
    """Of several models each needs its partner."""
    one = frozenset({"gpt-5", "claude-sonnet"})
    assert alias_pairs(one, frozenset({"gpt-5", "claude-sonnet-4-6"})) == {
        ("claude-sonnet", "claude-sonnet-4-6")
    }
    assert alias_pairs(one, frozenset({"gpt-4", "claude-sonnet-4-6"})) is None
    assert alias_pairs(one, frozenset({"claude-sonnet-4-6"})) is None
    assert alias_pairs(one, one) == set()


def test_an_alias_is_no_other_model_but_is_named(tmp_path: Path) -> None:
    """In the case where the names differ, and only there."""
    ws = opened(
        tmp_path,
        judged("v0", {"tabs": TWO}, model="claude-sonnet"),
        judged("v0", {"links": TWO}, model="claude-sonnet-4-6"),
        judged("v1", ALL, model="claude-sonnet-4-6"),
    )
    found = other_models(side(ws, "v0"), side(ws, "v1"), ALL)
    assert (found.cases, found.a, found.b, found.compared) == (set(), (), (), 2)
    assert found.aliases == {("claude-sonnet", "claude-sonnet-4-6")}


def test_another_model_of_one_case_is_named_with_that_case(tmp_path: Path) -> None:
    """The alias of the other case is not its cause."""
    ws = opened(
        tmp_path,
        judged("v0", {"tabs": TWO}, model="claude-sonnet"),
        judged("v0", {"links": TWO}, model="gpt-5"),
        judged("v1", ALL, model="claude-sonnet-4-6"),
    )
    found = other_models(side(ws, "v0"), side(ws, "v1"), ALL)
    assert (found.cases, found.a, found.b) == ({"links"}, ("gpt-5",), ("claude-sonnet-4-6",))
    assert found.aliases == {("claude-sonnet", "claude-sonnet-4-6")}


def test_an_alias_of_the_judge_is_no_other_judge(tmp_path: Path) -> None:
    """A judge is a model too."""
    ws = opened(
        tmp_path,
        judged("v0", ALL, judge="claude-opus"),
        judged("v1", ALL, judge="claude-opus-4-6"),
    )
    found = other_judges(side(ws, "v0"), side(ws, "v1"), ALL)
    assert not found.cases
    assert found.aliases == {("claude-opus", "claude-opus-4-6")}


@pytest.mark.parametrize("first", ["ana", "ana-1"])
def test_two_people_are_not_aliases_by_a_number(tmp_path: Path, first: str) -> None:
    """Of judges who are people, ana, ana-1 and ana-2 are three, though models would be one."""
    ws = opened(
        tmp_path,
        judged("v0", ALL, judge=first, judge_type="human"),
        judged("v1", ALL, judge="ana-2", judge_type="human"),
    )
    found = other_judges(side(ws, "v0"), side(ws, "v1"), ALL)
    assert found.cases == {"tabs", "links"}


def test_a_name_that_one_side_does_not_record_is_compared_with_nothing(tmp_path: Path) -> None:
    """It is unknown, never different."""
    ws = opened(tmp_path, judged("v0", ALL, model="gpt-5"), judged("v1", ALL))
    assert other_models(side(ws, "v0"), side(ws, "v1"), ALL).compared == 0


def by_rules(version: str, cases: dict[str, list[str]], number: int = 1) -> Iterable[Row]:
    """New runs that were judged by rules alone."""
    return judged(version, cases, number=number, judge=RULES, judge_type="heuristic")


@pytest.mark.parametrize("judge", [None, "model-a"])
def test_rules_of_new_runs_are_another_judge_than_a_model(
    tmp_path: Path, judge: str | None
) -> None:
    """Also than one that is not named; there is no side that it takes the place of."""
    ws = opened(tmp_path, judged("v0", ALL, judge=judge), by_rules("v1", ALL))
    found = other_judges(side(ws, "v0"), side(ws, "v1"), ALL)
    assert found.cases == {"tabs", "links"}
    assert (found.a, found.b) == ((judge or UNNAMED,), (RULES,))


def test_rules_of_new_runs_beside_a_model_in_one_case_are_another_judge(tmp_path: Path) -> None:
    """Its score is the mean of both, and the other side's that of the model."""
    ws = opened(
        tmp_path,
        judged("v0", ALL),
        judged("v1", ALL),
        by_rules("v1", {"tabs": TWO}, 2),
    )
    found = other_judges(side(ws, "v0"), side(ws, "v1"), ALL)
    assert (found.cases, found.b) == ({"tabs"}, (UNNAMED, RULES))
    assert not other_judges(side(ws, "v0"), side(ws, "v0"), ALL).cases


def test_two_versions_judged_by_the_same_rules_have_one_judge(tmp_path: Path) -> None:
    """Nothing is said of it."""
    ws = opened(tmp_path, by_rules("v0", ALL), by_rules("v1", ALL))
    assert not other_judges(side(ws, "v0"), side(ws, "v1"), ALL).cases
