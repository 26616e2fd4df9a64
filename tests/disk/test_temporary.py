"""Temporary folders of killed processes are removed, and no others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalcore.disk.temporary import sweep_temporary, temporary_folder

MADE_AND_KILLED = """
import os, signal
from evalcore.disk.temporary import temporary_folder
with temporary_folder("case") as made:
    (made / "a.txt").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let temporary folders be made in that of the test."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def _killed() -> None:
    subprocess.run([sys.executable, "-c", MADE_AND_KILLED], check=False)


def test_a_folder_is_removed_after_its_use(own_folder: Path) -> None:
    """With what lies in it; until then only its owner may enter it."""
    with temporary_folder("case") as made:
        (made / "a.txt").write_text("x")
        assert made.stat().st_mode & 0o077 == 0
    assert list(own_folder.iterdir()) == []


def test_the_folder_of_a_killed_process_is_swept(own_folder: Path) -> None:
    """Its name says that the process has ended."""
    _killed()
    assert len(list(own_folder.iterdir())) == 1
    assert sweep_temporary() == 1
    assert list(own_folder.iterdir()) == []


def test_a_folder_in_use_stays() -> None:
    """The process that made it is alive."""
    with temporary_folder("case") as made:
        assert sweep_temporary() == 0
        assert made.is_dir()


def test_the_folder_of_a_process_that_nobody_waited_for_is_swept(own_folder: Path) -> None:
    """It has its number until its parent asks, and does nothing any more."""
    with subprocess.Popen([sys.executable, "-c", MADE_AND_KILLED]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert sweep_temporary() == 1
    assert list(own_folder.iterdir()) == []


def test_what_somebody_else_made_stays(own_folder: Path) -> None:
    """Other names, and links under a name of ours, are left alone."""
    (own_folder / "evalcore-case-abc123").mkdir()
    (own_folder / "evalcore-notes").mkdir()
    target = own_folder / "target"
    target.mkdir()
    _killed()
    (left,) = own_folder.glob("evalcore-case-*.tmp")
    (left / "a.txt").unlink()
    left.rmdir()
    left.symlink_to(target)
    assert sweep_temporary() == 0
    assert left.is_symlink()
    assert target.is_dir()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_the_folder_of_another_user_stays(own_folder: Path) -> None:
    """Whatever its name says."""
    _killed()
    (left,) = own_folder.iterdir()
    os.chown(left, 12345, 12345)
    assert sweep_temporary() == 0
