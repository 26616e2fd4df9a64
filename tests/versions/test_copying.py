"""A copy of a skill has its own files, all of them or none, and nothing through a link."""

import os
from pathlib import Path

import pytest

from evalcore.disk.unfinished import unfinished_beside, unfinished_name
from evalcore.errors import CannotSnapshot
from evalcore.versions import copying
from evalcore.versions.copying import contents_of, copied, digest_of
from tests.versions.conftest import files


def copy(skill: Path, into: Path) -> copying.Copied:
    """Copy a skill into a new folder."""
    into.mkdir(parents=True)
    return copied(contents_of(skill), into)


def test_caches_environments_and_workspaces_are_no_part(skill: Path, tmp_path: Path) -> None:
    """What tools leave in a folder is not of the skill."""
    before = files(skill)
    for folder in (".git", "node_modules", "__pycache__", "notes-workspace", ".venv", "a/env"):
        (skill / folder).mkdir(parents=True)
        (skill / folder / "x").write_text("x")
    (skill / "a/env/pyvenv.cfg").write_text("home = /usr")
    (skill / ".DS_Store").write_text("x")
    copy(skill, tmp_path / "copy")
    assert files(tmp_path / "copy") == before


def test_what_another_process_is_writing_is_no_part(skill: Path, tmp_path: Path) -> None:
    """It is gone a moment later, or is a file of the skill then."""
    before = files(skill)
    for name in (unfinished_beside("evals.json"), unfinished_name()):
        (skill / name).write_text("{")
    (skill / ".kept.tmp").write_text("Ours.")
    copy(skill, tmp_path / "copy")
    assert files(tmp_path / "copy") == {**before, ".kept.tmp": b"Ours."}


def test_links_and_pipes_are_left_out_and_said(skill: Path, tmp_path: Path) -> None:
    """Neither their targets are read, nor is a pipe waited for."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("key")
    before = files(skill)
    (skill / "leads-out").symlink_to(secret)
    (skill / "key").symlink_to(secret / "key")
    os.mkfifo(skill / "pipe")
    copy(skill, tmp_path / "copy")
    assert files(tmp_path / "copy") == before
    assert list(contents_of(skill).remarks) == [
        "Links are not copied: key, leads-out.",
        "Pipes and devices are not copied: pipe.",
    ]


def test_any_name_is_copied(skill: Path, tmp_path: Path) -> None:
    """Line ends, letters that reorder text, and bytes that are no text."""
    for name in ("two\nlines", "\u202egnp.exe", os.fsdecode(b"\xff\xfe")):
        (skill / name).write_text("text")
    copy(skill, tmp_path / "copy")
    assert files(tmp_path / "copy") == files(skill)


def test_programs_stay_programs(skill: Path, tmp_path: Path) -> None:
    """A script of the skill can be run from its copy."""
    (skill / "run.sh").write_text("#!/bin/sh\n")
    (skill / "run.sh").chmod(0o755)
    copy(skill, tmp_path / "copy")
    assert os.access(tmp_path / "copy" / "run.sh", os.X_OK)
    assert not os.access(tmp_path / "copy" / "SKILL.md", os.X_OK)


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        ("MAX_FILES", 1, "more than 1 files"),
        ("MAX_FILE_BYTES", 3, "bytes; files of a skill have at most"),
        ("MAX_BYTES", 10, "in its files"),
        ("MAX_NAMES", 1, "names"),
    ],
)
def test_what_is_too_large_is_refused(
    skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, said: str
) -> None:
    """With a sentence; a part of a skill is never taken for a version."""
    monkeypatch.setattr(copying, limit, value)
    with pytest.raises(CannotSnapshot, match=said):
        copy(skill, tmp_path / "copy")


def test_a_sparse_file_is_refused_by_its_size(skill: Path) -> None:
    """The real bound, before anything is read."""
    with (skill / "huge").open("wb") as file:
        file.truncate(copying.MAX_FILE_BYTES + 1)
    with pytest.raises(CannotSnapshot, match="at most 64 MB"):
        contents_of(skill)


def test_a_file_that_cannot_be_read_is_named(skill: Path, tmp_path: Path) -> None:
    """It was listed and is gone when it is to be copied."""
    contents = contents_of(skill)
    (skill / "SKILL.md").unlink()
    (tmp_path / "copy").mkdir()
    with pytest.raises(CannotSnapshot, match=r"SKILL\.md could not be read: No such file"):
        copied(contents, tmp_path / "copy")


def test_a_digest_tells_content_and_names(skill: Path, tmp_path: Path) -> None:
    """Equal copies have equal digests; a moved byte or a renamed file makes another."""
    first = copy(skill, tmp_path / "w" / "a").digest
    assert digest_of(tmp_path / "w", "a") == first
    (tmp_path / "w" / "a" / "SKILL.md").rename(tmp_path / "w" / "a" / "skill.md")
    assert digest_of(tmp_path / "w", "a") != first
    assert digest_of(tmp_path / "w", "none") is None
    (tmp_path / "w" / "link").symlink_to(skill)
    assert digest_of(tmp_path / "w", "link") is None
