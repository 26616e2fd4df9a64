"""Strict JSON: what it forbids or leaves open is found with its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.lint.syntax import MAX_BYTES, MAX_FINDINGS, MAX_TOKENS, findings
from tests.bounded import bounded

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def places(text: str | bytes) -> list[tuple[str, str]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(finding.code, finding.pointer) for finding in findings(data)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b": [{"c": 1, "c": 2}]}', [("duplicate-key", "/b/0/c")]),
        ('{"a": 1, "\\u0061": 2}', [("duplicate-key", "/a")]),
        ('[{"x/y~": 1, "x/y~": 2}]', [("duplicate-key", "/0/x~1y~0")]),
        (
            '{"rate": NaN, "other": [1, -Infinity]}',
            [("not-a-number", "/rate"), ("not-a-number", "/other/1")],
        ),
        ('{"rate": 1e999}', [("not-a-number", "/rate")]),
        ('{"id": 9007199254740993}', [("inexact-integer", "/id")]),
        ('["\\ud800"]', [("lone-surrogate", "/0")]),
        ('{"\\u001b[31m": 1}', [("control-character", "/\x1b[31m")]),
    ],
)
def test_each_case_is_found_at_its_place(text: str, expected: list[tuple[str, str]]) -> None:
    """Duplicate names, numbers that are none or too big, half characters, hidden characters."""
    assert places(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "\ufeff[]",
        '{"a": {"a": 1}, "b": {"a": 2}}',
        '{"id": 9007199254740992, "long": "12345678901234567890", "e": 1e100}',
        '["NaN", "\\ud83d\\ude00", "\\\\ud800", "a \\"quoted\\" text"]',
        '{"größe": 1, "名前": 2, "no-break\u00a0space": 3}',
    ],
)
def test_what_is_allowed_is_not_found(text: str) -> None:
    """The same name in two objects, the largest safe integer, pairs, and words inside texts."""
    assert places(text) == []


def test_too_deep_is_named_once_where_it_begins() -> None:
    """One hundred levels are allowed; the first level below them is the place."""
    assert places("[" * 100 + "]" * 100) == []
    assert places("[" * 103 + "]" * 103) == [("too-deep", "/0" * 100)]


def test_a_bracket_in_a_text_opens_nothing() -> None:
    """Depth counts structure, not characters."""
    assert places(json.dumps(["[" * 500, "{" * 500])) == []


def test_findings_of_one_file_are_bounded() -> None:
    """A file of nothing but faults does not flood the list."""
    text = "{" + ", ".join('"a": NaN' for _ in range(1000)) + "}"
    assert len(places(text)) == MAX_FINDINGS


def test_time_grows_with_the_size_only() -> None:
    """A text of a million quotes and escapes is read in one pass."""
    text = json.dumps(['"\\' * 500_000, 2**60])
    with bounded():
        assert places(text) == [("inexact-integer", "/1")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[" + "1," * MAX_TOKENS + "NaN]", [("not-checked", f"/{MAX_TOKENS // 2 - 1}")]),
        (
            '{"a": NaN, "b": [' + "1," * MAX_TOKENS + "1]}",
            [("not-a-number", "/a"), ("not-checked", f"/b/{MAX_TOKENS // 2 - 3}")],
        ),
        ('{"a": NaN, "b": "' + "x" * MAX_BYTES + '"}', [("not-checked", "")]),
        ('{"a": 1, "b": "' + "x" * (MAX_BYTES // 2) + '"}', []),
    ],
)
def test_what_is_too_large_to_be_looked_at_is_said(
    text: str, expected: list[tuple[str, str]]
) -> None:
    """So much of one file is looked at; the place where it ends is said."""
    with bounded():
        assert places(text) == expected


@given(json_values)
def test_a_value_written_plainly_has_only_its_numbers_and_texts_against_it(value: object) -> None:
    """Whatever Python writes as JSON has no duplicate name, and every pointer leads somewhere."""
    for finding in findings(json.dumps(value).encode()):
        assert finding.code != "duplicate-key"
        place = value
        for part in finding.pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            place = place[int(key)] if isinstance(place, list) else place[key]  # type: ignore[index]


@given(st.binary(max_size=200) | st.text('{}[]",:\\ u0dN1e', max_size=200).map(str.encode))
def test_any_bytes_are_read_without_a_crash(data: bytes) -> None:
    """What is no JSON is another's matter; here it only must not fail."""
    assert len(findings(data)) <= MAX_FINDINGS
