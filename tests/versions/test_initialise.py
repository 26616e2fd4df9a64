"""A skill gets test cases to begin with, and a workspace; what is there is left alone."""

import json
import re
from pathlib import Path

import pytest

from evalcore.errors import CannotSnapshot, WorkspaceNotFound
from evalcore.lint import check
from evalcore.versions import initialise
from evalcore.workspace.opened import open_workspace
from tests.versions.conftest import TEXT, files, history


def test_a_skill_gets_test_cases_and_a_first_version(skill: Path) -> None:
    """v0 is the skill with its new test cases; nothing is graded yet."""
    begun = initialise(skill)
    assert begun.workspace == skill.with_name("notes-workspace")
    assert files(begun.workspace / "v0" / "skill") == files(skill)
    (entry,) = history(begun.workspace)["versions"]
    at = entry.pop("timestamp")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", at)
    assert entry == {
        "version": 0,
        "description": "baseline",
        "git_hash": None,
        "path": "v0/skill",
        "average_score": None,
    }
    assert history(begun.workspace)["current_version"] == 0


def test_the_example_case_keeps_every_rule(skill: Path) -> None:
    """The full check of what init wrote finds nothing, from above and in the workspace."""
    begun = initialise(skill)
    assert json.loads(begun.definitions.read_text("utf-8"))["skill"] == str(skill)
    assert check(open_workspace(skill.parent)) == []
    assert check(open_workspace(begun.workspace)) == []


def test_a_second_time_nothing_is_written(skill: Path) -> None:
    """Every byte stays, and a sentence says what is there."""
    initialise(skill)
    before = files(skill.parent)
    again = initialise(skill)
    assert (again.definitions_written, again.workspace_written) == (False, False)
    assert "lists 1 version already" in " ".join(again.messages)
    assert files(skill.parent) == before


def test_own_test_cases_stay(skill: Path) -> None:
    """A skill with cases only gets the workspace."""
    own = '{"cases": []}'
    (skill / "evals").mkdir()
    (skill / "evals" / "evals.json").write_text(own)
    begun = initialise(skill)
    assert (begun.definitions_written, begun.workspace_written) == (False, True)
    assert (begun.workspace / "v0/skill/evals/evals.json").read_text() == own


def test_a_workspace_with_another_history_is_left_alone(skill: Path) -> None:
    """Its versions are somebody's work, even where they do not begin with 0."""
    home = skill.with_name("notes-workspace")
    home.mkdir()
    (home / "history.json").write_text('{"versions": [{"version": 7}], "current_version": 0}')
    before = files(home)
    begun = initialise(skill)
    assert (begun.workspace_written, begun.versions) == (False, ("v7",))
    assert files(home) == before


@pytest.mark.parametrize("name", ["v3/skill", "iteration-1"])
def test_versions_without_a_history_are_left_alone(skill: Path, name: str) -> None:
    """Nothing is mixed with what another tool keeps there."""
    (skill.with_name("notes-workspace") / name).mkdir(parents=True)
    before = files(skill.parent)
    with pytest.raises(CannotSnapshot, match=r"left unchanged\. Name another folder"):
        initialise(skill)
    assert files(skill.parent) == before


@pytest.mark.parametrize("text", ["{", '{"evals": []}', "[]"])
def test_test_cases_of_another_tool_are_left_alone(skill: Path, text: str) -> None:
    """A history beside cases that it does not belong to would help nobody."""
    (skill / "evals").mkdir()
    (skill / "evals" / "evals.json").write_text(text)
    before = files(skill.parent)
    with pytest.raises(CannotSnapshot, match="contains no list of cases"):
        initialise(skill)
    assert files(skill.parent) == before


def test_a_broken_history_is_said(skill: Path) -> None:
    """It is not replaced."""
    home = skill.with_name("notes-workspace")
    home.mkdir()
    (home / "history.json").write_text('{"versions": [')
    with pytest.raises(CannotSnapshot, match="evalcore check"):
        initialise(skill)
    assert (home / "history.json").read_text() == '{"versions": ['
    assert not (skill / "evals").exists()


def test_a_first_version_without_history_is_recorded(skill: Path) -> None:
    """As a killed init leaves it: the copy is there, whole, and no document names it."""
    home = initialise(skill).workspace
    (home / "history.json").unlink()
    assert initialise(skill).workspace_written
    assert history(home)["current_version"] == 0
    (home / "history.json").unlink()
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    with pytest.raises(CannotSnapshot, match="differs from the current skill"):
        initialise(skill)


def test_the_workspace_can_lie_elsewhere(skill: Path, tmp_path: Path) -> None:
    """Even inside the skill, of which it is then no part."""
    outside = initialise(skill, tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "history.json").is_file()
    assert files(outside.workspace / "v0" / "skill") == files(skill)
    inner = initialise(skill, skill / "tries")
    assert set(files(inner.workspace / "v0" / "skill")) == {
        "SKILL.md",
        "evals/evals.json",
        "references/style.md",
    }


def test_what_cannot_be_a_skill_is_refused(skill: Path, tmp_path: Path) -> None:
    """A missing folder, the skill itself as its workspace, and a workspace as a skill."""
    with pytest.raises(WorkspaceNotFound):
        initialise(tmp_path / "none")
    with pytest.raises(CannotSnapshot, match="at once"):
        initialise(skill, skill)
    home = initialise(skill).workspace
    with pytest.raises(CannotSnapshot, match="it is a workspace"):
        initialise(home)
