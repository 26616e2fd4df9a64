"""A check that is an object with a type says in words what it checks, and may be a rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.rule_lines import Rule, rule_of_check
from evalcore.checks.rules import Subject, apply
from evalcore.checks.typed import check_of


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"type": "contains", "value": "Form"}, "contains: Form"),
        ({"type": "regex-match", "pattern": "a.*b"}, "regex-match: a.*b"),
        ({"check": "file-exists", "path": "a.md"}, "file-exists: a.md"),
        ({"kind": "contains_any", "values": ["a", "b"]}, "contains_any: a, b"),
        ({"type": "contains", "value": "x", "file": "a.md"}, "contains: x (file: a.md)"),
        ({"type": "tool_called", "tool": "Bash", "times": 2}, "tool_called (tool: Bash, times: 2)"),
        ({"type": "is-json"}, "is-json"),
        ({"contains": "Form"}, "contains: Form"),
        ({"type": "equals", "value": {"a": 1}}, 'equals: {"a":1}'),
        ({"type": "contains", "value": "x", "passed": True, "evidence": "y"}, "contains: x"),
    ],
)
def test_a_check_in_words(fields: dict[str, Any], words: str) -> None:
    """Its type, then what it looks for; a verdict beside it is no part of it."""
    check = check_of(fields)
    assert check is not None
    assert check.words == words


@pytest.mark.parametrize("fields", [{}, {"a": 1, "b": 2}, {"id": "x", "value": 1}])
def test_what_is_no_check(fields: dict[str, Any]) -> None:
    """Without a type, fields are only fields."""
    assert check_of(fields) is None


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"type": "contains", "value": "x"}, Rule("contains", ("x",))),
        ({"type": "Contains Any", "values": ["x", "y"]}, Rule("contains_any", ("x", "y"))),
        ({"type": "containsAll", "value": ["x"]}, Rule("contains_all", ("x",))),
        ({"type": "not-contains", "substring": "x"}, Rule("not_contains", ("x",))),
        ({"type": "regex", "pattern": "a+"}, Rule("matches", ("a+",))),
        ({"type": "regex", "value": "a+", "flags": "i"}, Rule("matches", ("(?i)a+",))),
        ({"type": "file-exists", "path": "*.md"}, Rule("file_exists", ("*.md",))),
        ({"type": "file_exists", "pattern": "*.md"}, Rule("file_exists", ("*.md",))),
        ({"type": "starts-with", "value": "x"}, Rule("starts_with", ("x",))),
        ({"type": "is-json"}, Rule("valid_json")),
        ({"type": "max_words", "value": 9}, Rule("max_words", (), 9.0)),
        (
            {"type": "contains", "value": "x", "file": "a.md"},
            Rule("contains", ("x",), None, "file:a.md"),
        ),
        ({"not_contains": ["x", "y"]}, Rule("not_contains", ("x", "y"))),
    ],
)
def test_a_check_that_means_a_rule(fields: dict[str, Any], rule: Rule) -> None:
    """In the spellings of several tools."""
    assert rule_of_check(fields) == rule


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "llm-rubric", "value": "Is clear"},
        {"type": "contains", "value": "x", "case_sensitive": False},
        {"type": "contains", "value": "x", "expected": False},
        {"type": "contains", "values": ["x", "y"]},
        {"type": "contains", "pattern": "x|y"},
        {"type": "contains", "path": "a.md"},
        {"type": "regex", "path": "a.md"},
        {"type": "contains", "value": 3},
        {"type": "contains_any", "values": []},
        {"type": "contains_any", "values": ["x"] * 201},
        {"type": "contains"},
        {"1": "wrong", "5": "right"},
    ],
)
def test_what_no_rule_says_exactly_is_left_open(fields: dict[str, Any]) -> None:
    """Another type, a field that says more, or a value that may be meant in two ways."""
    assert rule_of_check(fields) is None


@pytest.mark.parametrize("pattern", ["(", "(a+)+$"])
def test_a_pattern_that_cannot_be_searched_decides_nothing(pattern: str) -> None:
    """It is bounded as every pattern of a workspace."""
    rule = rule_of_check({"type": "regex", "value": pattern})
    assert rule is not None
    judged = apply([rule], Subject("a" * 5000 + "!"))
    assert judged.share is None or pattern == "(a+)+$"


@given(st.dictionaries(st.sampled_from(["type", "check", "value", "path", "x"]), st.one_of(
    st.none(), st.text(max_size=4), st.integers(), st.lists(st.text(max_size=2), max_size=2)
)))  # fmt: skip
def test_any_object_is_read(fields: dict[str, Any]) -> None:
    """No value is an error."""
    check = check_of(fields)
    assert check is None or check.words
    rule_of_check(fields)
