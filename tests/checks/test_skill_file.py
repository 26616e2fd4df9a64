"""A SKILL.md is found and taken apart, and its frontmatter cannot grow."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.produced import MAX_TEXT, Produced
from evalcore.checks.skill_file import (
    MAX_FRONTMATTER,
    NotYaml,
    SkillFile,
    fields,
    parted,
    skill_file,
)
from tests.bounded import bounded
from tests.families.build import write


def test_the_outermost_skill_file_is_taken(tmp_path: Path) -> None:
    """Of several, the first by name."""
    write(tmp_path, {"out/b/SKILL.md": "b", "out/c/SKILL.md": "c", "out/a/x/SKILL.md": "a"})
    assert skill_file(Produced(tmp_path, "out")) == SkillFile("b/SKILL.md", None, "b")
    assert skill_file(Produced(tmp_path, "nowhere")) is None


def test_a_skill_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """It is there, but nobody can tell what it says."""
    write(tmp_path, {"out/SKILL.md": "x" * (MAX_TEXT + 1)})
    assert "4,194,305 bytes" in str(skill_file(Produced(tmp_path, "out")))
    (tmp_path / "out/SKILL.md").write_bytes(b"\xff")
    assert "not text" in str(skill_file(Produced(tmp_path, "out")))


@pytest.mark.parametrize(
    ("text", "frontmatter", "body"),
    [
        ("---\na: 1\n---\nbody", "\na: 1\n", "\nbody"),
        ("---\r\na: 1\r\n---\r\nbody", "\na: 1\r\n", "\nbody"),
        ("--- \na: 1\n---", "\na: 1\n", ""),
        ("---\na: 1\n---\nb\n---\nc", "\na: 1\n", "\nb\n---\nc"),
        ("---\na: 1\n", None, "---\na: 1\n"),
        ("\n---\na: 1\n---\n", None, "\n---\na: 1\n---\n"),
        ("---x\n---\n---\n", None, "---x\n---\n---\n"),
        ("", None, ""),
    ],
)
def test_the_frontmatter_stands_between_the_first_two_marks(
    text: str, frontmatter: str | None, body: str
) -> None:
    """It begins on the first line, or there is none."""
    assert parted("SKILL.md", text) == SkillFile("SKILL.md", frontmatter, body)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &x [1]\nb: *x", "anchors"),
        ("a: *x", "anchors"),
        ("&x a: 1", "anchors"),
        ("a: [", "not valid YAML"),
        ("a: !!python/object/apply:os.system [ls]", "not valid YAML"),
        ("a: !!int ''", "does not fit"),
        ("a: !!timestamp x", "does not fit"),
        ("a: 2024-99-99", "does not fit"),
        ("- a", "no fields"),
        ("", "no fields"),
        ("[" * 5000, "nested too deeply"),
        ("a: " + "x" * (MAX_FRONTMATTER - 2), "more than"),
    ],
)
def test_a_frontmatter_that_is_not_plain_is_refused(text: str, said: str) -> None:
    """The reason is a sentence."""
    with bounded(), pytest.raises(NotYaml, match=said):
        fields(text)


def test_the_longest_frontmatter_is_read() -> None:
    """It ends exactly at the bound."""
    assert fields("a: " + "x" * (MAX_FRONTMATTER - 3))["a"].startswith("x")


@given(st.text("ab:-[]{}&*!|>#'\"\n \t0123?,<=", max_size=60) | st.text())
def test_every_frontmatter_is_read_or_refused(text: str) -> None:
    """Only one exception says that it cannot be read."""
    try:
        assert isinstance(fields(text), dict)
    except NotYaml as error:
        assert str(error).endswith(".")
