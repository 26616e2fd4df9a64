"""Conventions for skills are decided as far as rules can."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.conventions import MAX_DESCRIPTION, MAX_LINES, MAX_NAME, conventions
from evalcore.checks.outcome import Outcome
from evalcore.checks.produced import MAX_TEXT, Produced
from tests.families.build import write

USE = "Use when deploying."
SAID = (
    "19 characters, says when to use it (“Use when”). "
    "Whether it gives away the workflow is not decided by rules."
)


def judged(
    root: Path, name: str = "a-skill", description: str = USE, body: str = "# Body\n\nSome words."
) -> dict[str, Outcome]:
    """Return the conventions of a SKILL.md with these parts."""
    text = f"---\nname: {name}\ndescription: {description}\n---\n{body}"
    write(root, {"out/SKILL.md": text})
    return conventions(Produced(root, "out"))


def test_a_sound_skill_passes_what_rules_decide(tmp_path: Path) -> None:
    """The other two of the five conventions are left to readers."""
    assert judged(tmp_path) == {
        "frontmatter": (True, "Valid YAML with description and the name “a-skill”.", None),
        "description_field": (True, SAID, None),
        "token_efficiency": (
            True,
            "The body of SKILL.md has 4 words in 3 lines; fewer than 500 lines are expected.",
            None,
        ),
    }


def test_without_a_skill_nothing_is_judged(tmp_path: Path) -> None:
    """A run that wrote something else has no conventions of skills."""
    write(tmp_path, {"out/README.md": "x"})
    assert conventions(Produced(tmp_path, "out")) == {}


@pytest.mark.parametrize(
    ("name", "passed"),
    [
        ("a", True),
        ("a1-b2", True),
        ("x" * MAX_NAME, True),
        ("x" * (MAX_NAME + 1), False),
        ("A-b", False),
        ("a_b", False),
        ("a--b", False),
        ("-a", False),
        ("a-", False),
        ("'a\\n'", False),
        ("", False),
        ("' '", False),
        ("12", False),
        ("[a]", False),
        ("*x", False),
    ],
)
def test_a_name_is_made_of_small_letters_and_hyphens(
    tmp_path: Path, name: str, passed: bool
) -> None:
    """It is a text of at most 64 characters."""
    assert judged(tmp_path, name=name)["frontmatter"].passed is passed


@pytest.mark.parametrize(
    ("description", "passed"),
    [
        ("Deploys. Use when asked.", True),
        ("Runs whenever a test fails.", True),
        ("Use this for tables.", True),
        ("Deploys containers.", False),
        ("Whenceforth", False),
        ("Use when <b>asked</b>", False),
        ("Use when a < b", True),
        ("''", False),
        ("3", False),
        ("when " + "x" * (MAX_DESCRIPTION - 5), True),
        ("when " + "x" * (MAX_DESCRIPTION - 4), False),
        ("テストが失敗したときに使用する", None),
    ],
)
def test_a_description_says_when_to_use_the_skill(
    tmp_path: Path, description: str, passed: bool | None
) -> None:
    """Within 1,024 characters and without tags; other languages are left to readers."""
    assert judged(tmp_path, description=description)["description_field"].passed is passed


def test_a_body_has_fewer_than_500_lines(tmp_path: Path) -> None:
    """Blank lines at its ends do not count."""
    short = judged(tmp_path, body="\n" + "x\n" * (MAX_LINES - 1) + "\n")["token_efficiency"]
    assert short.passed is True
    assert "499 words in 499 lines" in short.evidence
    assert judged(tmp_path, body="x\n" * MAX_LINES)["token_efficiency"].passed is False
    assert "0 words in 0 lines" in judged(tmp_path, body="")["token_efficiency"].evidence


def test_without_a_frontmatter_only_the_size_can_pass(tmp_path: Path) -> None:
    """The reason is said for the frontmatter."""
    write(tmp_path, {"out/SKILL.md": "# Body"})
    found = conventions(Produced(tmp_path, "out"))
    assert [outcome.passed for outcome in found.values()] == [False, False, True]
    assert "does not begin with a frontmatter" in found["frontmatter"].evidence


def test_a_skill_that_cannot_be_read_is_not_judged(tmp_path: Path) -> None:
    """Each convention is left open."""
    write(tmp_path, {"out/SKILL.md": "x" * (MAX_TEXT + 1)})
    found = conventions(Produced(tmp_path, "out"))
    assert len(found) == 3
    assert {outcome.status for outcome in found.values()} == {"not_run"}


@given(st.text())
def test_every_skill_is_judged(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Whatever stands in its frontmatter."""
    root = tmp_path_factory.getbasetemp() / "skill"
    (root / "out").mkdir(parents=True, exist_ok=True)
    (root / "out/SKILL.md").write_bytes(f"---\n{text}\n---\n".encode())
    assert len(conventions(Produced(root, "out"))) == 3
