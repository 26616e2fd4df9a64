"""Cases that can never fail, criteria that cannot be checked: said with their place."""

from typing import Any

import pytest

from evalcore.families.improve.rules import RULES
from tests.families.ruled import broken

Document = dict[str, Any]


def case(*expectations: Document, **fields: Any) -> Document:
    return {"id": "case-01", "prompt": "p", "files": [], "expectations": [*expectations], **fields}


def expectation(**fields: Any) -> Document:
    return {"criterion": "a", "description": "Parses as YAML", "required": True, **fields}


def found(value: Any, kind: str = "evals") -> list[tuple[str, str]]:
    return broken(RULES, kind, value)


def test_good_cases_have_nothing_to_mend() -> None:
    """A case with a required, concrete expectation passes."""
    assert found({"cases": [case(expectation())]}) == []


@pytest.mark.parametrize(
    ("cases", "code", "pointer"),
    [
        ([case(expectation()), case(expectation())], "duplicate-case", "/cases/1/id"),
        ([case(expectation(), id="Case 1")], "not-kebab-case", "/cases/0/id"),
        ([case(expectation(required=False))], "nothing-required", "/cases/0/expectations"),
        ([case()], "nothing-required", "/cases/0/expectations"),
        (
            [case(expectation(), expectation())],
            "duplicate-criterion",
            "/cases/0/expectations/1/criterion",
        ),
        (
            [case(expectation(description=" "))],
            "empty-description",
            "/cases/0/expectations/0/description",
        ),
        (
            [case(expectation(description="Output is appropriate"))],
            "vague-criterion",
            "/cases/0/expectations/0/description",
        ),
    ],
)
def test_rules_of_the_test_cases(cases: list[Document], code: str, pointer: str) -> None:
    """Each broken rule is one warning at the place to mend."""
    assert found({"cases": cases}) == [(code, pointer)]


def test_passed_is_never_set_by_itself() -> None:
    """`passed` follows from the score: without one it says nothing."""
    results = [{"criterion": "a", "passed": True}, {"criterion": "b", "passed": True, "score": 3}]
    assert found({"results": results}, "grading") == [("passed-without-score", "/results/0/passed")]


def test_a_suggestion_needs_before_and_after() -> None:
    """A change is only actionable with the text before and after it."""
    suggestions = [{"before": "x", "after": "y"}, {"before": "x", "after": ""}]
    expected = [("suggestion-not-actionable", "/suggestions/1")]
    assert found({"suggestions": suggestions}, "analysis") == expected
