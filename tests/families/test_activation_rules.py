"""A trigger set that can show only misses, or only false alarms, is named."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.lint import check
from tests.families.activation_documents import (
    ALWAYS,
    NEVER,
    SHOULD,
    SHOULD_NOT,
    TWO_TRIES,
    results,
    trigger_set,
)
from tests.families.build import changed, write


def found(root: Path, value: Any) -> list[tuple[str, str, str]]:
    """Return what the check says of one file, beside what opening says."""
    ws = open_workspace(write(root, {"pdf/evals/set.json": value}), cache=False)
    return [(problem.code, problem.pointer, problem.severity) for problem in check(ws)]


@pytest.mark.parametrize("value", [trigger_set(), results(ALWAYS), TWO_TRIES])
def test_what_the_scripts_write_has_no_fault(tmp_path: Path, value: Any) -> None:
    """Neither in its shape nor by a rule."""
    assert found(tmp_path, value) == []


@pytest.mark.parametrize(
    ("value", "lacks"),
    [
        (trigger_set(SHOULD, []), "should not activate"),
        (trigger_set([], SHOULD_NOT), "should activate"),
        ({"should_trigger": list(SHOULD)}, "should not activate"),
    ],
)
def test_a_set_of_one_kind_is_named(tmp_path: Path, value: Any, lacks: str) -> None:
    """With what it lacks."""
    ws = open_workspace(write(tmp_path, {"set.json": value}), cache=False)
    (problem,) = check(ws)
    assert (problem.code, problem.severity) == ("one-sided-set", "warning")
    assert f"no query that {lacks}" in problem.message


def test_an_odd_shape_is_noted_once(tmp_path: Path) -> None:
    """Fifty items without the same field are one matter, and no more than a note."""
    items = [{"prompt": f"{n}", "should_trigger": n % 2 == 0} for n in range(50)]
    assert found(tmp_path, items) == [("not-as-documented", "/0/prompt", "info")]


def test_a_field_of_another_type_in_results_is_noted(tmp_path: Path) -> None:
    """With its place."""
    value = changed(results(NEVER), skill_name=7)
    assert ("not-as-documented", "/skill_name", "info") in found(tmp_path, value)
    first = TWO_TRIES["history"][0]
    loop = changed(TWO_TRIES, history=[changed(first, train_total="3")])
    assert ("not-as-documented", "/history/0/train_total", "info") in found(tmp_path / "b", loop)
