"""Rules are read from lines of a text; a malformed one is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.rule_lines import MAX_RULES, Rule, parse


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ('contains "free repair"', Rule("contains", ("free repair",))),
        ("contains 'a'", Rule("contains", ("a",))),
        ("contains `a`", Rule("contains", ("a",))),
        ("contains “a”", Rule("contains", ("a",))),
        (r'contains "say \"a\\b\" \d"', Rule("contains", (r'say "a\b" \d',))),
        ('contains_any "a" "b"', Rule("contains_any", ("a", "b"))),
        ("contains_all \"a\"  'b'", Rule("contains_all", ("a", "b"))),
        ('not_contains "x"', Rule("not_contains", ("x",))),
        ("matches /a b/c/", Rule("matches", ("a b/c",))),
        ("equals expected", Rule("equals")),
        ("expected", Rule("expected")),
        ("expected offer.total", Rule("expected", ("offer.total",))),
        ("number expected.total tolerance 0.01", Rule("number", ("total",), 0.01)),
        ("number total", Rule("number", ("total",))),
        ("max_words 250", Rule("max_words", (), 250.0)),
        ("min_words 0", Rule("min_words", (), 0.0)),
        ("max_lines 1", Rule("max_lines", (), 1.0)),
        ("max_chars\t5", Rule("max_chars", (), 5.0)),
        ("valid_json", Rule("valid_json")),
        ('valid_json "a.json"', Rule("valid_json", ("a.json",))),
        ('file_exists "*.md"', Rule("file_exists", ("*.md",))),
        ('exactly_once "TERN-2026-003"', Rule("exactly_once", ("TERN-2026-003",))),
        ('starts_with "a"', Rule("starts_with", ("a",))),
        ('ends_with "a"', Rule("ends_with", ("a",))),
    ],
)
def test_each_rule_is_read(line: str, rule: Rule) -> None:
    """With its arguments."""
    assert parse(f"rule: {line}") == [rule]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "unknown",
        'Contains "a"',
        "contains",
        "contains a",
        'contains "a" "b"',
        'contains ""',
        'contains "a',
        'contains "a"b',
        "contains_any",
        'contains_any "a" b',
        "matches",
        "matches a",
        "matches //",
        "matches /(/",
        'matches "a"',
        "max_words",
        "max_words -1",
        "max_words 1.5",
        "max_words 1 2",
        "max_words 1234567890",
        "max_words ٣",
        "valid_json x",
        'file_exists "../x"',
        "file_exists",
        "equals",
        "equals actual",
        "expected a b",
        'expected "a"',
        "number",
        "number expected",
        "number a tolerance",
        "number a tolerance -1",
        "number a within 1",
        "number a tolerance 1 2",
    ],
)
def test_a_malformed_rule_is_named(line: str) -> None:
    """Nothing of the text is applied then."""
    found = parse(f'rule: contains "a"\nrule: {line}')
    assert isinstance(found, str)
    assert found.startswith("The rule “")


def test_rules_stand_on_lines_of_their_own() -> None:
    """Among prose, indented or in a list; a rule inside a sentence is prose."""
    listed = "  rule: max_words 1\r\n- rule: max_lines 2\n* rule:valid_json\n"
    text = f"Prose.\n{listed}A rule: max_words 3\nrules: x"
    rules = parse(text)
    assert [rule.name for rule in rules if isinstance(rule, Rule)] == [
        "max_words", "max_lines", "valid_json",
    ]  # fmt: skip
    assert parse("No rules here.") == []


def test_as_many_rules_as_the_bound_are_read() -> None:
    """One more is too many."""
    assert len(parse("rule: valid_json\n" * MAX_RULES)) == MAX_RULES
    assert "more than 100 rules" in str(parse("rule: valid_json\n" * (MAX_RULES + 1)))


@given(st.text() | st.text("\"'`“”/\\ ab1", max_size=30).map("contains {}".format))
def test_every_text_is_read_or_refused(line: str) -> None:
    """No line raises an exception."""
    found = parse(f"rule: {line}\nrule: matches {line}")
    assert isinstance(found, (list, str))
