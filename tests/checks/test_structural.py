"""Structural expectations of six types are decided, and faulty ones are said to be."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks import structural
from evalcore.checks.outcome import Outcome, decided, not_run
from evalcore.checks.produced import MAX_TEXT, Produced
from evalcore.checks.structural import check, gate_passed
from tests.families.build import write

FILES = {
    "out/a.test.ts": "one\nvi.fn()\nthree",
    "out/in/b.test.ts": "import x",
    "out/notes.md": "# Notes",
}


def outcome(root: Path, transcript: str | None = None, limit: int = 100, **fields: Any) -> Outcome:
    """Return the outcome of an expectation about the files in `out`."""

    def run_script(script: str) -> Outcome:
        return decided(script == "true", f"Ran {script}.")

    return check(fields, Produced(root, "out", limit), transcript, run_script)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with three produced files."""
    return write(tmp_path, FILES)


def test_a_file_that_exists_is_named(root: Path) -> None:
    """As the field's checker says it."""
    found = outcome(root, type="file_exists", pattern="*.test.ts")
    assert found == (True, "Found: a.test.ts, in/b.test.ts.", None)


def test_a_file_that_is_missing_is_said_with_what_there_is(root: Path) -> None:
    """The reader sees at once what the run produced instead."""
    found = outcome(root, type="file_exists", pattern="*.py")
    assert found.passed is False
    assert found.evidence == (
        "No file matches “*.py”; the run produced a.test.ts, in/b.test.ts, notes.md."
    )


def test_one_matching_file_that_contains_the_text_is_enough(root: Path) -> None:
    """The evidence is the line."""
    found = outcome(root, type="file_contains", pattern="*.test.ts", match="import")
    assert found == (True, "Line 1 of in/b.test.ts: “import x”.", None)
    assert outcome(root, type="file_contains", pattern="*", match_any=["zzz", "Notes"]).passed
    assert outcome(root, type="file_contains", pattern="*", match_regex=r"^#\s\w+$").passed


def test_a_text_that_no_matching_file_contains_fails(root: Path) -> None:
    """Also if another file contains it, and if no file matches."""
    found = outcome(root, type="file_contains", pattern="*.ts", match="Notes")
    assert found.passed is False
    assert found.evidence == "Not found: “Notes”. Searched: a.test.ts, in/b.test.ts."
    assert outcome(root, type="file_contains", pattern="*.py", match="x").passed is False


def test_patterns_are_python_s_without_flags(root: Path) -> None:
    """A caret stands at the beginning of the text, not of each line."""
    fields: dict[str, Any] = {"type": "file_contains", "pattern": "a.test.ts"}
    assert outcome(root, **fields, match_regex="^three").passed is False
    assert outcome(root, **fields, match_regex="(?m)^three").passed is True
    assert outcome(root, **fields, match_regex="one.vi").passed is False


def test_one_file_that_contains_what_it_must_not_fails(root: Path) -> None:
    """The evidence is the line."""
    found = outcome(root, type="file_not_contains", pattern="*.test.ts", match="vi.fn()")
    assert found == (False, "Line 2 of a.test.ts: “vi.fn()”.", None)


def test_what_no_file_contains_passes(root: Path) -> None:
    """Also where no file matches, and then it is said."""
    found = outcome(root, type="file_not_contains", pattern="*.md", match="vi.fn()")
    assert found == (True, "Not found: “vi.fn()”. Searched: notes.md.", None)
    empty = outcome(root, type="file_not_contains", pattern="*.py", match="x")
    assert empty.passed is True
    assert empty.evidence.startswith("No file matches “*.py”")


def test_what_stands_near_exempts_a_match(root: Path) -> None:
    """The outcome says that there was something to exempt."""
    fields: dict[str, Any] = {"type": "file_not_contains", "pattern": "*.ts", "match": "vi.fn()"}
    found = outcome(root, **fields, except_context=["three"])
    assert found.passed is True
    assert found.evidence.startswith("Not found except near what exempts it: ")
    for none in ([], None, ["elsewhere"]):
        assert outcome(root, **fields, except_context=none).passed is False


@pytest.mark.parametrize(
    ("operator", "count", "passed"),
    [
        ("==", 1, False), ("==", 2, True), ("==", 3, False),
        (">=", 1, True), (">=", 2, True), (">=", 3, False),
        ("<=", 1, False), ("<=", 2, True), ("<=", 3, True),
        (None, 2, True), (None, 1, False), ("==", 2.0, True),
    ],
)  # fmt: skip
def test_files_are_counted(root: Path, operator: str | None, count: int, passed: bool) -> None:
    """Exactly so many where no operator is named."""
    fields: dict[str, Any] = {"operator": operator} if operator else {}
    found = outcome(root, type="file_count", pattern="*.ts", count=count, **fields)
    assert found.passed is passed
    assert found.evidence.startswith("2 files match “*.ts”, expected ")


def test_no_file_can_be_expected(root: Path) -> None:
    """Nought is a number."""
    found = outcome(root, type="file_count", pattern="*.py", count=0)
    assert found == (True, "0 files match “*.py”, expected == 0.", None)


def test_a_script_is_run_by_the_caller(root: Path) -> None:
    """Its outcome is the outcome."""
    assert outcome(root, type="custom_script", script="true") == (True, "Ran true.", None)
    assert outcome(root, type="custom_script", script="false").passed is False


def test_the_transcript_is_searched_for_errors(root: Path) -> None:
    """Without one nobody can say."""
    assert outcome(root, "fine", type="no_errors").passed is True
    assert outcome(root, "fatal: no", type="no_errors").passed is False
    assert outcome(root, None, type="no_errors").status == "not_run"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"type": None},
        {"type": ["file_exists"]},
        {"type": "file_exist", "pattern": "*"},
        {"type": "file_exists"},
        {"type": "file_exists", "pattern": 3},
        {"type": "file_exists", "pattern": "../*"},
        {"type": "file_contains", "pattern": "*"},
        {"type": "file_contains", "pattern": "*", "match": "a", "match_any": ["b"]},
        {"type": "file_contains", "pattern": "*.py", "match_regex": "("},
        {"type": "file_contains", "pattern": "*", "match_regex": "((a{999}){999}){999}"},
        {"type": "file_not_contains", "pattern": "*", "match": "a", "except_context": "b"},
        {"type": "file_not_contains", "pattern": "*", "match": "a", "except_context": ""},
        {"type": "file_not_contains", "pattern": "*", "match": "a", "except_context": [1]},
        {"type": "file_not_contains", "pattern": "*"},
        {"type": "file_count", "pattern": "*"},
        {"type": "file_count", "pattern": "*", "count": "2"},
        {"type": "file_count", "pattern": "*", "count": True},
        {"type": "file_count", "pattern": "*", "count": -1},
        {"type": "file_count", "pattern": "*", "count": 1.5},
        {"type": "file_count", "pattern": "*", "count": float("nan")},
        {"type": "file_count", "pattern": "*", "count": 1, "operator": ">"},
        {"type": "file_count", "pattern": "*", "count": 1, "operator": 3},
        {"type": "custom_script"},
        {"type": "custom_script", "script": " "},
        {"type": "custom_script", "script": "a\0b"},
        {"type": "custom_script", "script": ["ls"]},
    ],
)
def test_a_faulty_expectation_is_invalid(root: Path, fields: dict[str, Any]) -> None:
    """It neither passes nor fails, and says what is wrong."""
    found = outcome(root, "fine", **fields)
    assert (found.passed, found.status) == (None, "invalid")
    assert found.evidence.endswith(".")


def test_a_catastrophic_pattern_is_invalid(tmp_path: Path) -> None:
    """It is stopped after a second."""
    write(tmp_path, {"out/a": "a" * 5000 + "b"})
    found = outcome(tmp_path, type="file_contains", pattern="*", match_regex="(a+)+$")
    assert found.status == "invalid"
    assert "took longer than 1 s" in found.evidence


def test_all_files_together_have_one_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that is slow in each of many files is stopped, too."""
    write(tmp_path, {f"out/{number}": "a" * 26 + "b" for number in range(5)})
    monkeypatch.setattr(structural, "MAX_SECONDS", 0.0)
    found = outcome(tmp_path, type="file_contains", pattern="*", match_regex="(a|a)+$")
    assert found.status == "invalid"


def test_a_file_that_cannot_be_searched_leaves_absence_open(tmp_path: Path) -> None:
    """A match elsewhere still decides."""
    write(tmp_path, {"out/a": "x" * (MAX_TEXT + 1), "out/b": "yes"})
    fields: dict[str, Any] = {"pattern": "*", "match": "x"}
    for kind in ("file_contains", "file_not_contains"):
        found = outcome(tmp_path, type=kind, **fields)
        assert (found.passed, found.status) == (None, "not_run")
        assert "a has 4,194,305 bytes" in found.evidence
    assert outcome(tmp_path, type="file_contains", pattern="*", match="yes").passed is True
    assert outcome(tmp_path, type="file_not_contains", pattern="*", match="yes").passed is False


def test_a_file_too_long_for_patterns_is_searched_for_texts(tmp_path: Path) -> None:
    """Only patterns have the lower bound."""
    write(tmp_path, {"out/a": "x" * (1024 * 1024) + "y"})
    assert outcome(tmp_path, type="file_contains", pattern="*", match="y").passed is True
    assert outcome(tmp_path, type="file_contains", pattern="*", match_regex="y").status == "not_run"


def test_all_texts_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after the bound is not searched, and that is said."""
    write(tmp_path, {"out/a": "xx", "out/b": "y"})
    monkeypatch.setattr(structural, "MAX_SEARCHED", 3)
    assert outcome(tmp_path, type="file_contains", pattern="*", match="y").passed is True
    monkeypatch.setattr(structural, "MAX_SEARCHED", 2)
    assert outcome(tmp_path, type="file_contains", pattern="*", match="y").status == "not_run"


def test_a_file_that_is_not_text_is_searched_as_far_as_it_can_be(tmp_path: Path) -> None:
    """One odd byte does not hide what a file must not contain."""
    write(tmp_path, {"out/a": ""})
    (tmp_path / "out/a").write_bytes(b"\xff TODO")
    fields: dict[str, Any] = {"type": "file_not_contains", "pattern": "*"}
    assert outcome(tmp_path, **fields, match="TODO").passed is False
    assert "a is not text" in outcome(tmp_path, **fields, match="zzz").evidence


def test_what_is_not_listed_leaves_absence_open(root: Path) -> None:
    """Of a listing that was cut, only what is there decides."""
    cut: dict[str, Any] = {"limit": 1}
    assert outcome(root, **cut, type="file_exists", pattern="a.*").passed is True
    assert outcome(root, **cut, type="file_exists", pattern="*.py").status == "not_run"
    assert outcome(root, **cut, type="file_contains", pattern="*", match="zz").status == "not_run"
    absent = outcome(root, **cut, type="file_not_contains", pattern="*", match="zz")
    assert absent.status == "not_run"
    counts = {
        (operator, count): outcome(
            root, **cut, type="file_count", pattern="*", operator=operator, count=count
        ).passed
        for operator in ("==", ">=", "<=")
        for count in (0, 1, 2)
    }
    assert counts == {
        ("==", 0): False, ("==", 1): None, ("==", 2): None,
        (">=", 0): True, (">=", 1): True, (">=", 2): None,
        ("<=", 0): False, ("<=", 1): None, ("<=", 2): None,
    }  # fmt: skip


def test_links_and_pipes_are_no_files(root: Path) -> None:
    """A link to a secret neither exists nor contains anything."""
    (root / "secret").write_text("secret")
    (root / "out/link.txt").symlink_to(root / "secret")
    os.mkfifo(root / "out/pipe.txt")
    assert outcome(root, type="file_exists", pattern="*.txt").passed is False
    assert outcome(root, type="file_contains", pattern="**", match="secret").passed is False


@pytest.mark.parametrize(
    ("passed", "gate"),
    [
        ([], True),
        ([True, True], True),
        ([True, False], False),
        ([None, False], False),
        ([True, None], None),
        ([None], None),
    ],
)
def test_the_gate_is_what_the_critical_ones_say(
    passed: list[bool | None], gate: bool | None
) -> None:
    """One failure closes it; what cannot be said leaves it open whether it is closed."""
    outcomes = [not_run("No.") if one is None else decided(one, "Yes.") for one in passed]
    assert gate_passed(outcomes) is gate


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)
KINDS = st.sampled_from(
    ["file_exists", "file_contains", "file_not_contains", "file_count", "no_errors"]
)
FIELDS = st.sampled_from(
    ["pattern", "match", "match_any", "match_regex", "except_context", "count", "operator", "type"]
)


@given(KINDS, st.dictionaries(FIELDS, VALUES))
def test_every_expectation_has_an_outcome(
    tmp_path_factory: pytest.TempPathFactory, kind: str, fields: dict[str, Any]
) -> None:
    """No document raises an exception, and every outcome has a sentence as evidence."""
    root = tmp_path_factory.getbasetemp() / "every"
    write(root, {"out/a.md": "a", "secret.md": "secret"})
    found = outcome(root, "fine", **({"type": kind, "pattern": "*"} | fields))
    assert found.evidence.endswith((".", "…"))
    assert (found.passed is None) == (found.status is not None)
