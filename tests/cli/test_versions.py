"""`evalcore init` and `evalcore snapshot`, as they are called."""

import json
from pathlib import Path

import pytest

from tests.cli.command import evalcore
from tests.cli.conftest import Invoke

TEXT = "---\nname: notes\ndescription: Use when somebody asks for notes.\n---\n"


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """Return the folder of a skill."""
    root = tmp_path / "skills" / "notes"
    root.mkdir(parents=True)
    (root / "SKILL.md").write_text(TEXT)
    return root


def test_init_says_what_it_wrote(skill: Path, invoke: Invoke) -> None:
    """And what is there already, which is no failure."""
    home = f"{skill}-workspace"
    done = invoke("init", skill)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[:2] == [f"{skill}/evals/evals.json: written, new", f"{home}: written, new"]
    assert lines[2].startswith("v0 is in no commit: ")
    again = invoke("init", skill)
    assert again.exit_code == 0
    *there, said, following = again.stdout.splitlines()
    assert there == [f"{skill}/evals/evals.json: already there", f"{home}: already there"]
    assert following == f"Open it, and run the cases from there: evalcore open {skill.parent}"
    assert said.startswith(f"{home}/history.json lists 1 version already; it was left unchanged.")


def test_init_as_json_is_one_document(skill: Path, invoke: Invoke) -> None:
    """With paths, and what was written."""
    found = json.loads(invoke("init", skill, "--workspace", skill.parent / "w", "--json").stdout)
    assert found["definitions"] == {"path": f"{skill}/evals/evals.json", "written": True}
    assert found["workspace"] == {"path": f"{skill.parent}/w", "written": True}
    assert (found["versions"], found["git_hash"]) == (["v0"], None)


def test_check_finds_nothing_after_both(skill: Path, invoke: Invoke) -> None:
    """What evalcore writes, evalcore reads."""
    invoke("init", skill)
    (skill / "SKILL.md").write_text(TEXT + "More.\n")
    done = invoke("snapshot", f"{skill}-workspace", "--description", "more")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{skill}-workspace: v1 written, 2 files of {skill}.\n")
    report = json.loads(invoke("check", skill.parent, "--json").stdout)
    assert (report["problems"], report["suites"][0]["versions"]) == ([], 2)


def test_an_unchanged_skill_is_no_failure(skill: Path, invoke: Invoke) -> None:
    """A sentence and exit code 0; with --force there is a new version."""
    invoke("init", skill)
    done = invoke("snapshot", f"{skill}-workspace")
    assert (done.exit_code, done.stdout) == (0, "The skill is as in v0; nothing was written.\n")
    found = json.loads(invoke("snapshot", f"{skill}-workspace", "--force", "--json").stdout)
    assert (found["version"], found["written"], found["files"]) == ("v1", True, 2)
    assert found["changes"][-1] == {"pointer": "/current_version", "before": 0, "after": 1}


def test_what_cannot_be_done_ends_with_two(skill: Path, tmp_path: Path) -> None:
    """In a process of its own: a sentence with the next step, no traceback, nothing on stdout."""
    for arguments in (("snapshot", skill), ("init", tmp_path / "none"), ("init", skill, "--x")):
        done = evalcore(*arguments, home=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
    assert "evalcore init" in evalcore("snapshot", skill, home=tmp_path).stderr


def test_names_cannot_command_the_terminal(skill: Path, invoke: Invoke) -> None:
    """Line ends, escapes and letters that reorder text are shown as escapes."""
    (skill / "a\n\x1b[31m\u202eb").symlink_to("SKILL.md")
    said = invoke("init", skill).stdout
    assert "Links are not copied: a\\n\\x1b[31m\\u202eb.\n" in said
    assert json.loads(invoke("init", skill, "--json").stdout)["messages"]
