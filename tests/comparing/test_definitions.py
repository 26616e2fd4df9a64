"""A criterion of one name that two sides define differently is another criterion."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.comparability import shared
from evalcore.comparing.definitions import alike, redefined
from evalcore.tables.rows import CriterionRow
from tests import made
from tests.comparing.judged import judged, opened, side

KEY = ("expectation", "title")


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"weight": 3.0}, True),
        ({"guide": '{"1": "bad"}'}, True),
        ({"required": True}, True),
        ({"description": "The output must be valid JSON with three keys."}, True),
        ({"description": "The title is not set."}, True),
        ({"description": "The title is set, and clear."}, True),
        ({"description": "the title is set"}, False),
        ({"description": None}, False),
        ({"weight": 1.0}, False),
    ],
)
def test_a_criterion_that_two_folders_define_differently_is_another(
    tmp_path: Path, change: dict[str, Any], other: bool
) -> None:
    """A label may stay while its meaning moves; a touched up description is no other meaning."""
    title = made.criterion("title", case_id="tabs", description="The title is set.", weight=1.0)
    run = list(judged("v1", {"tabs": ["title"]}))
    one = side(opened(tmp_path / "a", run, [title]), "v1")
    two = side(opened(tmp_path / "b", run, [CriterionRow(**{**title._asdict(), **change})]), "v1")
    assert bool(redefined(one, two, ["tabs"])) == other
    assert bool(shared(one, two).incomparable) == other


def test_both_definitions_are_named_with_their_rules(tmp_path: Path) -> None:
    """What was asked on each side, in words."""
    title = made.criterion("title", case_id="tabs", description="The title is set.", weight=1.0)
    run = list(judged("v1", {"tabs": ["title", "links"]}))
    one = side(opened(tmp_path / "a", run, [title]), "v1")
    two = side(opened(tmp_path / "b", run, [title._replace(weight=3.0)]), "v1")
    words = ("The title is set; weight 1.0", "The title is set; weight 3.0")
    assert redefined(one, two, ["tabs"]) == {"tabs": {KEY: words}}
    match = shared(one, two).criteria["tabs"]
    assert match.a == {("expectation", "links")}
    (other,) = match.other
    assert (other.a, other.b, other.why) == (*words, "other number")


def test_inside_one_suite_there_is_one_definition(tmp_path: Path) -> None:
    """Versions of a suite that keep no skill of their own have nothing else to mean."""
    title = made.criterion("title", case_id="tabs", description="The title is set.")
    ws = opened(tmp_path, *(judged(v, {"tabs": ["title"]}) for v in ("v0", "v1")), [title])
    assert redefined(side(ws, "v0"), side(ws, "v1"), ["tabs"]) == {}


def test_a_convention_is_no_criterion(tmp_path: Path) -> None:
    """It is judged by nobody."""
    title = made.criterion("title", kind="convention", case_id="tabs", description="One thing.")
    run = list(judged("v1", {"tabs": ["title"]}))
    one = side(opened(tmp_path / "a", run, [title]), "v1")
    two = side(opened(tmp_path / "b", run, [title._replace(description="Quite another.")]), "v1")
    assert redefined(one, two, ["tabs"]) == {}


def test_a_convention_is_no_criterion_beside_one_that_changed(tmp_path: Path) -> None:
    """Only the criterion is named."""
    run = list(judged("v1", {"tabs": ["title"]}))
    convention = made.criterion("case", kind="convention", case_id="tabs", description="One thing.")
    title = made.criterion("title", case_id="tabs", description="The title is set.")
    one = opened(tmp_path / "a", run, [convention, title])
    changed = convention._replace(description="Quite another."), title._replace(weight=2.0)
    two = opened(tmp_path / "b", run, changed)
    assert redefined(side(one, "v1"), side(two, "v1"), ["tabs"])["tabs"].keys() == {KEY}


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (None, "Has three fields.", True),
        ("Has three fields.", "Has three fields, each with a label.", False),
        ("Has three fields.", "It has three fields", True),
        ("Has three fields.", "Has four fields.", False),
        ("Has three fields.", "Nobody is asked for a password.", False),
    ],
)
def test_descriptions_are_alike_unless_their_meaning_changed(
    one: str | None, two: str, same: bool
) -> None:
    """One that is not recorded says nothing against it."""
    assert alike(one, two) == alike(two, one) == same
