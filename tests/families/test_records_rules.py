"""Each rule of records is checked; a store that keeps them all is quiet."""

from pathlib import Path

import pytest

from evalcore.families.records.rules import RULES
from evalcore.problems import Problem
from tests.families.records_store import (
    Fields,
    a_case,
    a_rubric,
    basic,
    criterion,
    record,
    write,
)
from tests.families.ruled import broken_by_suites


def linted(root: Path, **replaced: Fields | None) -> list[Problem]:
    found = broken_by_suites(RULES, write(root, basic(**replaced)))
    return [problem for problem in found if problem.code != "not-followed"]


def test_a_store_that_keeps_the_rules_is_quiet(tmp_path: Path) -> None:
    """Nothing is said about the basic store."""
    assert linted(tmp_path) == []


@pytest.mark.parametrize(
    ("code", "replaced"),
    [
        ("no-weight", {"tone": criterion("tone", None)}),
        ("weight-out-of-range", {"tone": criterion("tone", 1.4)}),
        ("empty-scale", {"tone": criterion("tone", 0.4, minScore=5)}),
        ("threshold-unreachable", {"r": a_rubric(passingThreshold=5.1)}),
        ("threshold-always-reached", {"r": a_rubric(passingThreshold=1)}),
        ("no-threshold", {"r": a_rubric(passingThreshold=None)}),
        ("no-criteria", {"r": a_rubric(criteriaIds=[]), "relevance": None, "tone": None}),
        ("repeated-criterion", {"r": a_rubric(criteriaIds=["tone", "relevance", "tone"])}),
        ("criterion-not-listed", {"r": a_rubric(criteriaIds=["tone"])}),
        ("inactive-rubric", {"r": a_rubric(isActive=False)}),
        ("no-rubric", {"case": a_case(rubricId=None)}),
        ("no-benchmark-run", {"pc": record("prompt-comparison", "pc", {"winner": "A"})}),
    ],
)
def test_a_broken_rule_is_a_warning(
    tmp_path: Path, code: str, replaced: dict[str, Fields | None]
) -> None:
    """The rule that is broken is named, at the record that breaks it."""
    found = [problem for problem in linted(tmp_path, **replaced) if problem.code == code]
    assert [problem.severity for problem in found] == ["warning"]


def test_a_criterion_of_another_rubric_is_named(tmp_path: Path) -> None:
    """A criterion belongs to the rubric that it names."""
    other = record("rubric", "other", {"criteriaIds": ["tone"], "passingThreshold": 1.5})
    codes = {problem.code for problem in linted(tmp_path, other=other)}
    assert codes == {"foreign-criterion"}


def test_drafts_may_lack_a_rubric(tmp_path: Path) -> None:
    """Rules about use are for active cases."""
    assert linted(tmp_path, draft=a_case("draft", rubricId=None, status="draft")) == []
