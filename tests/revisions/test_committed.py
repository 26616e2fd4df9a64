"""Which commit holds exactly the files of a folder."""

import socket
import subprocess
from pathlib import Path

import pytest
from dulwich import porcelain
from dulwich.repo import Repo

from evalcore.revisions.committed import Committed
from evalcore.versions.copying import contents_of, copied
from evalcore.versions.recording import commit_of

WHO = b"Somebody <somebody@example.org>"


def commit(top: Path) -> str:
    """Commit everything below a folder."""
    with Repo(str(top)) as repo:
        paths = [
            str(path.relative_to(top))
            for path in top.rglob("*")
            if (path.is_file() or path.is_symlink()) and ".git" not in path.parts
        ]
        repo.get_worktree().stage(paths)
    sha = porcelain.commit(str(top), b"change", author=WHO, committer=WHO, sign=False)
    return sha.decode()


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """Return a skill in a repository, with a commit that holds it as it is."""
    top = tmp_path / "top"
    root = top / "skills" / "notes"
    root.mkdir(parents=True)
    (root / "SKILL.md").write_text("text")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("SKILL.md")
    (top / "README.md").write_text("about")
    porcelain.init(str(top)).close()
    commit(top)
    return root


def found(skill: Path, tmp_path: Path) -> Committed:
    """Return the commit of a copy of the skill."""
    into = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
    into.mkdir()
    contents = contents_of(skill)
    return commit_of(contents, copied(contents, into))


def test_a_committed_skill_has_the_hash_of_head(skill: Path, tmp_path: Path) -> None:
    """Also while other folders of the repository have changes."""
    (skill.parents[1] / "README.md").write_text("changed")
    with Repo(str(skill.parents[1])) as repo:
        assert found(skill, tmp_path) == Committed(repo.head().decode())


@pytest.mark.parametrize("name", ["SKILL.md", "new.md", "run.sh", "link"])
def test_a_change_is_uncommitted(skill: Path, tmp_path: Path, name: str) -> None:
    """A changed, new, no longer executable file, or a link that leads elsewhere."""
    if name == "run.sh":
        (skill / name).chmod(0o644)
    elif name == "link":
        (skill / name).unlink()
        (skill / name).symlink_to("run.sh")
    else:
        (skill / name).write_text("changed")
    assert found(skill, tmp_path) == Committed(None, f"{name} is not as in the last commit")


def test_a_removed_file_is_uncommitted(skill: Path, tmp_path: Path) -> None:
    """The commit holds more than the skill as it is."""
    (skill / "run.sh").unlink()
    assert found(skill, tmp_path).sha is None


def test_an_ignored_file_is_uncommitted(skill: Path, tmp_path: Path) -> None:
    """It is copied, and the commit does not have it."""
    (skill.parents[1] / ".gitignore").write_text("*.local\n")
    commit(skill.parents[1])
    assert found(skill, tmp_path).sha is not None
    (skill / "my.local").write_text("x")
    assert found(skill, tmp_path).why == "my.local is not as in the last commit"


def test_what_is_not_copied_is_not_compared(skill: Path, tmp_path: Path) -> None:
    """Caches may come and go."""
    (skill / "__pycache__").mkdir()
    (skill / "__pycache__" / "a.pyc").write_text("x")
    assert found(skill, tmp_path).sha is not None


def test_without_a_commit_there_is_no_hash(skill: Path, tmp_path: Path) -> None:
    """No repository, no commit yet, a folder that no commit has, or a broken repository."""
    top = skill.parents[1]
    (top / "new").mkdir()
    (top / "new" / "SKILL.md").write_text("new")
    assert found(top / "new", tmp_path).why == "the last commit does not have the folder"
    (top / ".git" / "HEAD").write_text("ref: refs/heads/none\n")
    assert found(skill, tmp_path).why == "the repository has no commit yet"
    (top / ".git" / "HEAD").write_text("?")
    assert found(skill, tmp_path).sha is None
    (top / ".git").rename(top / "git")
    assert "not in a git repository" in found(skill, tmp_path).why


def test_no_process_is_started(
    skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the repository configures has no effect: git's objects alone are read."""
    monkeypatch.setattr(subprocess, "Popen", None)
    monkeypatch.setattr(socket, "socket", None)
    (skill.parents[1] / ".git" / "config").write_text("[filter")
    assert found(skill, tmp_path).sha is not None
