"""Rules are applied to outputs, and what cannot be said is left open."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.produced import Produced
from evalcore.checks.rules import Judged, Rule, Subject, apply, parse
from evalcore.checks.subject import MAX_TEXT
from tests.families.build import write


def judged(lines: str, text: str = "", **fields: Any) -> Judged:
    """Return the judgment of a text by rules on lines."""
    rules = parse("\n".join(f"rule: {line}" for line in lines.split(";")))
    assert isinstance(rules, list), rules
    return apply(rules, Subject(text, **fields))


@pytest.mark.parametrize(
    ("line", "text", "passed"),
    [
        ('contains "free repair"', "a free repair.", True),
        ('contains "free repair"', "a Free repair.", False),
        ('contains_any "a" "b"', "b", True),
        ('contains_any "a" "b"', "c", False),
        ('contains_all "a" "b"', "ab", True),
        ('contains_all "a" "b"', "a", False),
        ('not_contains "a" "b"', "c", True),
        ('not_contains "a" "b"', "cb", False),
        ('exactly_once "a b"', "a b.", True),
        ('exactly_once "a b"', "a b, a b", False),
        ('exactly_once "a b"', "a", False),
        ('exactly_once "ab"', "ab abc", True),
        ('exactly_once "ab"', "ab abc ab", False),
        ('exactly_once "ab"', "abc", False),
        ('starts_with "a"', " ab", True),
        ('starts_with "a"', "ba", False),
        ('ends_with "a"', "ba\n", True),
        ('ends_with "a"', "ab", False),
        ("matches /^a.c$/", "abc", True),
        ("matches /^b/", "a\nb", False),
        ("matches /(a+)+$/", "a" * 5000 + "b", None),
        ("matches /b/", "a" * 1024 * 1024 + "b", None),
        ("max_words 3", " a b\nc ", True),
        ("max_words 3", "a b c d", False),
        ("max_words 2", "a b c", False),
        ("min_words 3", "a b c", True),
        ("min_words 3", "a b", False),
        ("max_words 3", "これは文です", None),
        ("max_lines 2", "\na\nb\n", True),
        ("max_lines 1", "a\nb", False),
        ("max_lines 0", " ", True),
        ("max_chars 3", " abc ", True),
        ("max_chars 3", "abcd", False),
        ("valid_json", ' {"a": 1} ', True),
        ("valid_json", "{a: 1}", False),
        ("valid_json", '{"a": 1,}', False),
        ("valid_json", "", False),
        ("valid_json", '"\ud800"', False),
        ('contains "a"', "a" * (MAX_TEXT + 1), None),
        ('file_exists "a"', "a", None),
        ("expected", "a", None),
    ],
)  # fmt: skip
def test_a_rule_holds_or_not_or_cannot_be_applied(
    line: str, text: str, passed: bool | None
) -> None:
    """Its share is 1, 0 or missing."""
    found = judged(line, text)
    assert found.passed is passed
    assert found.share == (None if passed is None else float(passed))
    assert found.rationale.endswith((".", "…"))


@pytest.mark.parametrize(
    ("line", "share"),
    [
        ("expected", 0.5),
        ("expected a", 1.0),
        ("expected b.c", 0.0),
        ("expected d.e", 1.0),
        ("expected b.x", None),
        ("equals expected", 0.0),
        ("number expected.n tolerance 0.5", 1.0),
        ("number n tolerance 0.49", 0.0),
        ("number n", 0.0),
        ("number a", 0.0),
        ("number zzz", None),
    ],
)
def test_expected_values_are_held_against_actual_ones(line: str, share: float | None) -> None:
    """At a dotted path, which may be one key, or all together."""
    expected = {"a": "X", "b": {"c": 1}, "d.e": "yes", "n": 1.5}
    actual = {"a": "x", "b": {"c": 2}, "d.e": "oh yes indeed", "n": 2, "more": 1}
    found = judged(line, expected=expected, actual=actual)
    assert found.share == share


def test_equal_values_have_no_other_keys() -> None:
    """What is only contained is not equal."""
    assert judged("equals expected", expected={"a": 1}, actual={"a": 1.0}).passed is True
    assert judged("equals expected", expected={"a": 1}, actual={"a": 1, "b": 2}).passed is False
    assert judged("equals expected", expected=["a"], actual=["a", "b"]).passed is False
    assert judged("expected", expected=["a"], actual=["a", "b"]).passed is True


def test_items_of_lists_have_paths() -> None:
    """By their number from 0."""
    fields: dict[str, Any] = {"expected": {"a": [1, 2]}, "actual": {"a": [1, 2]}}
    assert judged("expected a.1", **fields).passed is True
    assert judged("expected a.2", **fields).passed is None


@pytest.mark.parametrize(
    "fields", [{"expected": {"a": 1}}, {"actual": {"a": 1}}, {"expected": {}, "actual": {}}]
)
def test_without_both_values_nobody_can_say(fields: dict[str, Any]) -> None:
    """Missing is not wrong."""
    assert judged("expected", **fields).share is None
    assert judged("expected a", **fields).share is None


def test_several_rules_are_one_judgment() -> None:
    """All must hold, the share is their mean, and each gives its reason."""
    found = judged('contains "a";contains "b";max_words 1;max_chars 1', "a")
    assert found.passed is False
    assert found.share == 0.75
    assert found.rationale.startswith("Found: “a”. Not found: “b”. The text has 1 words;")
    assert judged('contains "a";max_words 1', "a")[:2] == (1.0, True)


def test_one_rule_that_cannot_be_applied_leaves_the_share_open() -> None:
    """A failure beside it stays one."""
    assert judged('contains "a";expected', "a")[:2] == (None, None)
    assert judged('contains "b";expected', "a")[:2] == (None, False)
    assert apply([], Subject("a"))[:2] == (None, None)


def test_files_are_looked_for(tmp_path: Path) -> None:
    """By name in any folder, by path in one."""
    write(tmp_path, {"out/in/a.md": "x", "out/a.json": {}, "out/b.json": "{"})
    produced = Produced(tmp_path, "out")
    outcomes = {
        line: judged(line, produced=produced).passed
        for line in (
            'file_exists "*.md"', 'file_exists "a.md"', 'file_exists "in/a.md"',
            'file_exists "x/a.md"', 'valid_json "a.json"', 'valid_json "*.json"',
            'valid_json "c.json"',
        )
    }  # fmt: skip
    assert list(outcomes.values()) == [True, True, True, False, True, False, False]
    cut = Produced(tmp_path, "out", limit=1)
    assert judged('file_exists "*.py"', produced=cut).passed is None


@pytest.mark.parametrize(
    ("rule", "text", "passed"),
    [
        (Rule("contains", ("A-b",)), "a b", None),
        (Rule("contains", ("A-b",)), "c", False),
        (Rule("contains", ("A-b",)), "A-b", True),
        (Rule("not_contains", ("A b",)), "**a**  b", None),
        (Rule("not_contains", ("A b",)), "c", True),
        (Rule("exactly_once", ("Ab",)), "ab", None),
        (Rule("exactly_once", ("Ab",)), "c", False),
        (Rule("starts_with", ("Ab",)), "**Ab**", None),
        (Rule("starts_with", ("Ab",)), "c", False),
        (Rule("ends_with", ("Ab",)), "x Ab.", None),
        (Rule("ends_with", ("Ab",)), "Ab" + "c" * 40, False),
    ],
)
def test_a_near_match_leaves_a_sentence_open(rule: Rule, text: str, passed: bool | None) -> None:
    """People would argue about case, marks and spaces; who wrote a rule meant the characters."""
    assert apply([rule._replace(literal=False)], Subject(text)).passed is passed
    assert apply([rule], Subject(text)).passed is not None


def test_a_path_in_another_folder_leaves_a_sentence_open(tmp_path: Path) -> None:
    """The folder of the outputs may hold the folder that the path begins in."""
    produced = Produced(write(tmp_path, {"out/work/a/b.md": "x"}), "out")
    rule = Rule("file_exists", ("./a/b.md",), literal=False)
    assert apply([rule], Subject("", produced=produced)).passed is None
    assert apply([rule._replace(literal=True)], Subject("", produced=produced)).passed is False


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("\n12345\nmore words", True),
        ("123456", False),
        ("Subject: 12345\nmore", True),
        ("Subject: 123456", False),
        ("```\n12345", None),
        ("# 1", None),
        ("", None),
    ],
)
def test_the_subject_line_is_the_first_one(text: str, passed: bool | None) -> None:
    """Without the word; what begins otherwise has none."""
    rule = Rule("max_chars", (), 5.0, "subject")
    assert apply([rule], Subject(text)).passed is passed


def test_the_body_of_a_skill_is_what_follows_its_frontmatter(tmp_path: Path) -> None:
    """Without a SKILL.md nobody can say."""
    root = write(tmp_path, {"out/SKILL.md": "---\nname: a\n---\none\ntwo\n"})
    rule = Rule("max_lines", (), 2.0, "skill")
    produced = Produced(root, "out")
    assert apply([rule], Subject("", produced=produced)).passed is True
    assert apply([rule._replace(number=1.0)], Subject("", produced=produced)).passed is False
    assert apply([rule], Subject("one")).passed is None
    assert apply([rule], Subject("", produced=Produced(root, "nowhere"))).passed is None


def test_a_file_is_read_if_there_is_just_one(tmp_path: Path) -> None:
    """Of several nobody knows which is meant."""
    root = write(tmp_path, {"out/a.md": "x", "out/in/b.md": "x", "out/b.md": "y"})
    produced = Produced(root, "out")
    for path, passed in (("a.md", True), ("b.md", None), ("c.md", None), ("in/b.md", True)):
        rule = Rule("contains", ("x",), None, f"file:{path}")
        assert apply([rule], Subject("", produced=produced)).passed is passed
    assert apply([Rule("contains", ("x",), None, "file:a.md")], Subject("x")).passed is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.", max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.text(st.characters()), JSON, JSON, st.text(st.characters(), min_size=1, max_size=4))
def test_every_output_is_judged(text: str, expected: Any, actual: Any, wanted: str) -> None:
    """No output raises an exception, whatever the rule."""
    names = ["contains", "contains_any", "not_contains", "exactly_once", "starts_with", "ends_with"]
    rules = [Rule(name, (wanted,), literal=flag) for name in names for flag in (True, False)]
    rules += [Rule("expected"), Rule("equals"), Rule("expected", (wanted,)), Rule("number", ("a",))]
    rules += [Rule("valid_json"), Rule("max_words", (), 2.0), Rule("max_lines", (), 2.0, "subject")]
    for rule in rules:
        found = apply([rule], Subject(text, expected, actual))
        assert (found.share is None) == (found.passed is None)
        found.rationale.encode()
