"""Patterns name files as graders write them, and cost little whatever they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.globs import MAX_PATTERN, MAX_SEGMENTS, Glob, parse_glob
from tests.bounded import bounded


def matches(pattern: str, path: str) -> bool:
    """Return whether a sound pattern matches a path."""
    glob = parse_glob(pattern)
    assert isinstance(glob, Glob), glob
    return glob.matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.test.ts", "a.test.ts"),
        ("*.test.ts", "src/deep/a.test.ts"),
        ("./*.md", "a.md"),
        ("docs/*.md", "docs/a.md"),
        ("docs//*.md", "docs/a.md"),
        ("docs/**", "docs/a.md"),
        ("docs/**", "docs/in/a.md"),
        ("**/a.md", "a.md"),
        ("**/a.md", "x/y/a.md"),
        ("docs/**/a.md", "docs/a.md"),
        ("docs/**/a.md", "docs/x/y/a.md"),
        ("**/**/a.md", "x/a.md"),
        ("**", "x/y/a.md"),
        ("a?.[mt]d", "ab.md"),
        ("[!a].md", "b.md"),
        (".env", "in/.env"),
        ("a\nb", "a\nb"),
    ],
)
def test_a_pattern_matches_as_its_writer_means(pattern: str, path: str) -> None:
    """By name in any folder, by relative path, and across folders with two stars."""
    assert matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "a.MD"),
        ("*.md", "a.md.txt"),
        ("*.md", "a.md\n"),
        ("docs/*.md", "docs/in/a.md"),
        ("docs/*.md", "other/docs/a.md"),
        ("docs/**/a.md", "other/a.md"),
        ("docs/**/a.md", "docs/b.md"),
        ("**/in/a.md", "a.md"),
        ("a.md/**/b", "a.md"),
        ("a", "a/b"),
    ],
)
def test_a_pattern_matches_nothing_else(pattern: str, path: str) -> None:
    """One star stays within a name, and case differs."""
    assert not matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("", "empty"),
        (" ", "empty"),
        ("/etc/passwd", "absolute"),
        ("~/x", "absolute"),
        ("../x", "leads out"),
        ("a/../../x", "leads out"),
        ("a/..", "leads out"),
        ("a\\b", "backslash"),
        ("..\\x", "backslash"),
        ("a\0b", "NUL"),
        ("docs/", "names a folder"),
        (".", "names a folder"),
        ("x" * (MAX_PATTERN + 1), "more than 500"),
        ("/".join("x" * (MAX_SEGMENTS + 1)), "40 folders"),
    ],
)
def test_a_pattern_that_is_no_relative_one_is_refused(pattern: str, said: str) -> None:
    """What could lead out of the folder is refused with a reason, not searched."""
    reason = parse_glob(pattern)
    assert isinstance(reason, str)
    assert said in reason


def test_the_longest_pattern_is_matched() -> None:
    """The bounds themselves are within the bounds."""
    assert matches("x" * MAX_PATTERN, "x" * MAX_PATTERN)
    assert matches("/".join("x" * MAX_SEGMENTS), "/".join("x" * MAX_SEGMENTS))


def test_hostile_patterns_end() -> None:
    """Stars upon stars are tried once each, within a name and across folders."""
    with bounded():
        assert not matches("*a" * 249 + "*b", "a" * 4000)
        assert not matches("**/" * 39 + "b", "/".join("a" * 64))
        assert not matches("**/*a*a/" * 19 + "b", "/".join(["a" * 50] * 64))


@given(st.text("ab*?[]!-./", max_size=30), st.text("ab./", min_size=1, max_size=30))
def test_every_pattern_is_matched_or_refused(pattern: str, path: str) -> None:
    """No pattern raises an exception."""
    glob = parse_glob(pattern)
    assert isinstance(glob, str) or glob.matches(path) in (True, False)


@given(
    st.lists(
        st.text("ab.", min_size=1, max_size=3).filter(lambda n: set(n) != {"."}),
        min_size=1,
        max_size=6,
    )
)
def test_a_path_matches_itself(names: list[str]) -> None:
    """A pattern without marks names one path."""
    assert matches("/".join(names), "/".join(names))
    assert matches("**/" + names[-1], "/".join(names))
