"""The skill as it is now becomes the next version of its workspace."""

import json
import os
import shutil
from pathlib import Path

import pytest

from evalcore.demo import packaged
from evalcore.errors import CannotSnapshot, CannotWrite, ChangedMeanwhile, SuiteNotNamed
from evalcore.lint import check
from evalcore.proposals import proposal
from evalcore.versions import initialise, recording, take_snapshot
from evalcore.versions.placing import unfinished
from evalcore.workspace.opened import open_workspace
from tests.versions.conftest import TEXT, change, entries, files, history, names


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """Return a copy of the demo's workspace with three graded versions after the first."""
    shutil.copytree(packaged() / "release-notes", tmp_path / "demo" / "release-notes")
    name = "release-notes-workspace"
    shutil.copytree(packaged() / name, tmp_path / "demo" / name)
    return tmp_path / "demo" / name


def test_the_changed_skill_is_the_next_version(skill: Path, home: Path) -> None:
    """Copy, entry and current version go together, and the check finds nothing."""
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    taken = take_snapshot(home, description="more")
    assert (taken.version, taken.written, taken.files) == ("v1", True, 3)
    assert files(home / "v1" / "skill") == files(skill)
    assert (entries(home, "version"), entries(home, "path")) == ([0, 1], ["v0/skill", "v1/skill"])
    assert (entries(home, "description")[1], history(home)["current_version"]) == ("more", 1)
    assert names(home) == ["history.json", "v0", "v1"]
    assert check(open_workspace(home)) == check(open_workspace(skill.parent)) == []


def test_an_unchanged_skill_makes_no_version(home: Path) -> None:
    """Unless it is asked for."""
    before = files(home)
    taken = take_snapshot(home)
    assert (taken.version, taken.written) == ("v0", False)
    assert taken.messages == ("The skill is as in v0; nothing was written.",)
    assert files(home) == before
    assert take_snapshot(home, force=True).version == "v1"


def test_averages_stand_in_their_own_entries(demo: Path) -> None:
    """The average of v3 goes to v3, not one entry too late; v4 has none yet."""
    problems = check(open_workspace(demo.parent))
    change(demo, lambda value: value["versions"][3].update(average_score=None))
    taken = take_snapshot(demo)
    assert (taken.version, entries(demo, "average_score")) == (
        "v4",
        [1.9, 3.34, 3.17, 4.4838, None],
    )
    assert check(open_workspace(demo.parent)) == problems


def test_an_average_that_is_right_stays_as_it_is_printed(demo: Path) -> None:
    """4.48 says the same as the gradings in fewer decimals."""
    assert [each.dotted_path for each in take_snapshot(demo).changes] == [
        "versions.4",
        "current_version",
    ]
    assert entries(demo, "average_score")[3:] == [4.48, None]


def test_the_text_of_others_stays(skill: Path, home: Path) -> None:
    """Their fields and their formatting, down to the spaces."""
    change(home, lambda value: value.update(owner="Ana"), indent=4)
    change(home, lambda value: value["versions"][0].update(note="kept"), indent=4)
    text = (home / "history.json").read_text()
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    take_snapshot(home)
    now = (home / "history.json").read_text()
    start = text.index("        }\n    ]")
    assert now.startswith(text[:start])
    assert now.endswith('"current_version": 1,\n    "owner": "Ana"\n}')


def test_a_copy_without_an_entry_is_recorded(skill: Path, home: Path) -> None:
    """As a kill between copy and entry leaves it; the check is not troubled by it."""
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    text = (home / "history.json").read_text()
    take_snapshot(home)
    (home / "history.json").write_text(text)
    assert check(open_workspace(home)) == []
    assert take_snapshot(home).version == "v1"
    assert (entries(home, "version"), names(home)) == (
        [0, 1],
        ["history.json", "v0", "v1"],
    )


def test_a_copy_of_another_state_keeps_its_number(skill: Path, home: Path) -> None:
    """Nothing is known of it, so the next number is taken."""
    (home / "v1" / "skill").mkdir(parents=True)
    (home / "v1" / "skill" / "SKILL.md").write_text("older")
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    assert take_snapshot(home).version == "v2"
    assert entries(home, "version") == [0, 2]


def test_what_a_killed_snapshot_left_is_removed(skill: Path, home: Path) -> None:
    """An unfinished copy is no suite for the check, and the next snapshot sweeps it up."""
    pid = os.fork()
    if not pid:
        with unfinished(home) as copy:
            shutil.copytree(skill, copy, dirs_exist_ok=True)
            os._exit(0)
    os.waitpid(pid, 0)
    assert len([name for name in names(home) if name.endswith(".tmp")]) == 1
    assert check(open_workspace(home)) == []
    take_snapshot(home, force=True)
    assert names(home) == ["history.json", "v0", "v1"]


def test_a_graded_number_is_not_given_again(skill: Path, home: Path) -> None:
    """Gradings of a version that nobody recorded are not those of the new one."""
    grading = {"case_id": "example-case", "version": 1, "run": 1, "results": []}
    (home / "grading").mkdir()
    (home / "grading" / "example-case_v1_run1.json").write_text(json.dumps(grading))
    assert take_snapshot(home, force=True).version == "v2"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[1]", '{"versions": 3}', '{"versions": [4]}', '"v0"']
)
def test_a_broken_history_is_left_alone(skill: Path, home: Path, text: str) -> None:
    """With a sentence, and without a copy that nobody names."""
    (home / "history.json").write_text(text)
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    with pytest.raises(CannotSnapshot, match="cannot be read as a list of versions"):
        take_snapshot(home)
    assert ((home / "history.json").read_text(), names(home)) == (
        text,
        ["history.json", "v0"],
    )


def test_a_read_only_history_leaves_no_copy(skill: Path, home: Path) -> None:
    """What is refused leaves nothing behind."""
    (home / "history.json").chmod(0o444)
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    with pytest.raises(CannotWrite, match="read-only"):
        take_snapshot(home)
    assert names(home) == ["history.json", "v0"]


def test_a_linked_history_is_not_written(skill: Path, home: Path, tmp_path: Path) -> None:
    """Nor is what it leads to."""
    elsewhere = tmp_path / "elsewhere.json"
    (home / "history.json").rename(elsewhere)
    (home / "history.json").symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    with pytest.raises((CannotSnapshot, CannotWrite)):
        take_snapshot(home, force=True)
    assert elsewhere.read_bytes() == before


def test_a_change_of_somebody_else_is_said(
    skill: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays, and the copy is taken back."""
    write = proposal.write

    def late(*arguments: object) -> None:
        change(home, lambda value: value.update(owner="Ana"))
        write(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(recording, "write", late)
    with pytest.raises(ChangedMeanwhile, match="owner"):
        take_snapshot(home, force=True)
    assert (history(home)["owner"], names(home)) == ("Ana", ["history.json", "v0"])


def test_the_skill_is_found_or_named(skill: Path, home: Path, tmp_path: Path) -> None:
    """Beside its workspace, in the folder above, or where the user says."""
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    assert take_snapshot(skill.parent).version == "v1"
    moved = tmp_path / "moved"
    skill.rename(moved)
    with pytest.raises(CannotSnapshot, match="--skill"):
        take_snapshot(home)
    assert take_snapshot(home, skill=moved).messages[0].startswith("The skill is as in v1")


def test_a_link_is_no_skill_unless_it_is_named(skill: Path, home: Path, tmp_path: Path) -> None:
    """What lies beside a workspace of somebody else may lead anywhere."""
    skill.rename(tmp_path / "moved")
    skill.symlink_to(tmp_path / "moved")
    with pytest.raises(CannotSnapshot, match="--skill"):
        take_snapshot(home)
    assert take_snapshot(home, skill=skill, force=True).version == "v1"


def test_several_workspaces_are_told_apart(skill: Path, home: Path) -> None:
    """By the name of the suite."""
    shutil.copytree(skill, skill.with_name("other"))
    other = initialise(skill.with_name("other")).workspace
    with pytest.raises(SuiteNotNamed, match="notes, other"):
        take_snapshot(skill.parent)
    assert take_snapshot(skill.parent, suite="other", force=True).workspace == other


def test_a_folder_without_a_history_is_told_of_init(skill: Path) -> None:
    """The next step is named."""
    with pytest.raises(CannotSnapshot, match="evalcore init"):
        take_snapshot(skill)
