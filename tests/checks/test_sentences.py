"""Only sentences that are certain to mean a rule are read as one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.rule_lines import Rule
from evalcore.checks.sentences import MAX_SENTENCE, rule_of
from tests.bounded import bounded


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ('Contains "free repair"', Rule("contains", ("free repair",))),
        ('The output contains "free repair".', Rule("contains", ("free repair",))),
        ("Output mentions `kubectl drain`", Rule("contains", ("kubectl drain",))),
        ("Response includes 'Refs:'", Rule("contains", ("Refs:",))),
        ("Should include “Closes #123”", Rule("contains", ("Closes #123",))),
        ('must contain the exact phrase "as is"', Rule("contains", ("as is",))),
        ("Cites TERN-2026-003", Rule("contains", ("TERN-2026-003",))),
        ("Cites TERN-2026-003 exactly once", Rule("exactly_once", ("TERN-2026-003",))),
        ("Mentions localStorage", Rule("contains", ("localStorage",))),
        ("Output contains fetched_at.", Rule("contains", ("fetched_at",))),
        ('Contains "x" exactly once.', Rule("exactly_once", ("x",))),
        ('Does NOT contain "TODO"', Rule("not_contains", ("TODO",))),
        ('The reply never mentions "refund"', Rule("not_contains", ("refund",))),
        ('The answer must not include "x"', Rule("not_contains", ("x",))),
        ('Starts with "Dear"', Rule("starts_with", ("Dear",))),
        ("The text begins with `fix:`", Rule("starts_with", ("fix:",))),
        ('Output ends with "Regards"', Rule("ends_with", ("Regards",))),
        ("Is valid JSON", Rule("valid_json")),
        ("The output is valid JSON.", Rule("valid_json")),
        ("`report.json` is valid JSON", Rule("valid_json", ("report.json",))),
        ("Output is at most 250 words", Rule("max_words", (), 250.0)),
        ("Under 250 words", Rule("max_words", (), 249.0)),
        ("The response stays under 1,000 words.", Rule("max_words", (), 999.0)),
        ("No more than 20 lines", Rule("max_lines", (), 20.0)),
        ("Has fewer than 3 lines", Rule("max_lines", (), 2.0)),
        ("Is less than 280 characters long", Rule("max_chars", (), 279.0)),
        ("Contains at least 50 words", Rule("min_words", (), 50.0)),
        ("Subject line is under 50 characters", Rule("max_chars", (), 49.0, "subject")),
        ('The subject line starts with "fix"', Rule("starts_with", ("fix",), None, "subject")),
        ("SKILL.md body is under 500 lines", Rule("max_lines", (), 499.0, "skill")),
        ("Creates file `report.md`", Rule("file_exists", ("report.md",))),
        ("Writes docs/plan.md", Rule("file_exists", ("docs/plan.md",))),
        ("Produces a file named summary.csv", Rule("file_exists", ("summary.csv",))),
        ("README.md exists", Rule("file_exists", ("README.md",))),
        ("./a-b/.env.json exists", None),
        ("./a-b/c.json was written.", Rule("file_exists", ("./a-b/c.json",))),
        (
            "references/tables.md does NOT contain `STALE-RUN`",
            Rule("not_contains", ("STALE-RUN",), None, "file:references/tables.md"),
        ),
        ("`a.md` contains 'x'", Rule("contains", ("x",), None, "file:a.md")),
    ],
)
def test_a_plain_sentence_is_a_rule(sentence: str, rule: Rule | None) -> None:
    """A near match leaves each of them open."""
    assert rule_of(sentence) == (rule and rule._replace(literal=False))


LEFT_TO_READERS = (
    "",
    ".",
    "Body contains This reverts commit 7be20c1",
    "Footer refers to issue 318",
    'Contains "a" and "b"',
    'Contains "a" or "b"',
    'Contains "a", "b"',
    'Contains either "a"',
    'Contains "a" before "b"',
    'Contains "a" and is under 20 words',
    'Contains a section "Risks"',
    'Includes a "Risks" section',
    'Contains "a" in the footer',
    'Contains "a" at least twice',
    'Contains "a" only once per page',
    'The second paragraph contains "a"',
    'Body contains "a"',
    'The footer contains "a"',
    'The commit message contains "a"',
    'The report contains "a"',
    'Each finding cites "a"',
    'Every response contains "a"',
    'No response contains "a"',
    'If asked, the output contains "a"',
    'The output contains "a" if asked',
    'It is not true that the output contains "a"',
    'Not only contains "a"',
    'Contains no "a"',
    'Does not only contain "a"',
    'Does not fail to mention "a"',
    'Does not contain "a" or "b"',
    'Does not repeat "a"',
    'Does not start with "a"',
    "Mentions pricing",
    "Mentions GitHub",
    "Mentions GDPR",
    "Contains H1",
    "Has 3 sections",
    "Includes 10-15",
    "Includes follow-up",
    "Includes step-by-step",
    "Mentions localStorage as insecure",
    "Contains route call",
    "Contains dispatch_event or WRITE_COMPLETE",
    "Contains `SKILL.md:<line>`",
    "Contains `{name}`",
    "Contains `YYYY-MM-DD`",
    "Contains `a|b`",
    "Contains `a*`",
    'Contains "yes or no"',
    'Contains "Dear ..."',
    'Contains "Dear …"',
    'Contains "[date]"',
    'Contains " "',
    'Contains "don"t"',
    "Contains 'don't'",
    'Contains "a',
    "Is not valid JSON",
    "Is valid JSON with a key a",
    "Subject line is valid JSON",
    "Contains valid JSON",
    "Is valid YAML",
    "Is under 2 pages",
    "Is about 200 words",
    "Is not under 200 words",
    "Is between 100 and 200 words",
    "Is exactly 200 words",
    "Is under 1 words",
    "Is under 0 words",
    "Is under 1,00 words",
    "Each line is under 80 characters",
    "Lines are under 80 characters",
    "The summary is under 200 words",
    "Frontmatter is under 20 lines",
    "Under 200 words per section",
    "The introduction stays under 50 words",
    "At least 5 lines",
    "current_branch.ahead exists",
    "A backup exists",
    "README.md no longer exists",
    "README.md does not exist",
    "README.md exists and is non-empty",
    "README.md and LICENSE.md exist",
    "<name>.md exists",
    "*.md exists",
    "../a.md exists",
    "/etc/a.md exists",
    "Creates README.md in docs",
    "Does not create README.md",
    "Creates a file",
    "SKILL.md frontmatter does NOT contain `a`",
    "SKILL.md contains a table",
    "README.md is under 200 words and links back",
    'Must contain "a" — otherwise fails',
    "!output.includes('a')",
    "output.includes('a')",
)


def test_every_other_sentence_is_left_to_readers() -> None:
    """Two things, alternatives, negations, unknown parts, placeholders and plain words."""
    assert [sentence for sentence in LEFT_TO_READERS if rule_of(sentence) is not None] == []


def test_the_longest_sentence_is_read() -> None:
    """One character more is not."""
    sentence = f'Contains "{"x" * (MAX_SENTENCE - 11)}"'
    assert len(sentence) == MAX_SENTENCE
    assert rule_of(sentence) is not None
    assert rule_of(sentence.replace("x", "xx", 1)) is None


@pytest.mark.parametrize(("word", "read"), [("ab_cde", True), ("ab_cd", False)])
def test_an_identifier_has_six_characters(word: str, read: bool) -> None:
    """Shorter ones, such as H1 or p95, are names of things."""
    assert (rule_of(f"Mentions {word}") is not None) is read


def test_a_hostile_sentence_ends() -> None:
    """Whatever it repeats."""
    with bounded():
        for piece in ("a-", "a.", "a/", "a_1", "`", '"a" ', "the ", "aA1", "1,"):
            for start in ("", "Mentions ", "Creates ", "Under "):
                assert rule_of((start + piece * 300)[:MAX_SENTENCE]) in (None, rule_of(start))


@given(st.text() | st.text("contains `\"'ab.md_1 exists", max_size=40))
def test_every_sentence_is_read_or_left(sentence: str) -> None:
    """No sentence raises an exception."""
    rule = rule_of(sentence)
    assert rule is None or not rule.literal


def texts_of(value: Any) -> Iterator[str]:
    """Yield the assertions in a document of any family."""
    if isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in ("expectations", "assertions") and isinstance(inner, list):
                yield from (item for item in inner if isinstance(item, str))
            if key in ("text", "assertion", "description") and isinstance(inner, str):
                yield inner
            yield from texts_of(inner)


def test_real_assertions_are_left_or_mean_their_rule(realworld: Path) -> None:
    """Of all real ones, those that are read were read by people first."""
    found: set[str] = set()
    for name in ("evals.json", "eval_metadata.json", "grading.json"):
        for path in realworld.rglob(name):
            try:
                found.update(texts_of(json.loads(path.read_text("utf-8"))))
            except ValueError:
                continue
    read = {text: rule for text in found if (rule := rule_of(text))}
    part = "file:references/tables.md"
    assert len(found) > 1000
    assert read == {
        "references/tables.md does NOT contain `STALE-FROM-PREVIOUS-RUN`": Rule(
            "not_contains", ("STALE-FROM-PREVIOUS-RUN",), None, part, literal=False
        )
    }
