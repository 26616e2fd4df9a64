"""The beginning of a file is read within bounds and never beyond the workspace."""

import os
from pathlib import Path

import pytest

from evalcore.disk.head import read_head
from evalcore.errors import PathOutside


def test_a_small_file_is_read_whole(tmp_path: Path) -> None:
    """Bytes and size are those of the file."""
    (tmp_path / "a.txt").write_bytes(b"hello")
    head = read_head(tmp_path, "a.txt", 100)
    assert (head.data, head.size, head.cut) == (b"hello", 5, False)


def test_a_large_file_is_cut(tmp_path: Path) -> None:
    """Only the wanted bytes are read, and the size of the whole is known."""
    (tmp_path / "a.txt").write_bytes(b"x" * 5000)
    head = read_head(tmp_path, "a.txt", 100)
    assert (len(head.data), head.size, head.cut) == (100, 5000, True)


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/hostname", "link.txt", "a/../../secret.txt"]
)
def test_nothing_outside_is_read(tmp_path: Path, path: str) -> None:
    """Neither a path nor a link leads out of the root."""
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(PathOutside):
        read_head(root, path, 100)


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    """What is no regular file is an error, at once."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        read_head(tmp_path, "pipe", 100)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder has no content to show."""
    with pytest.raises(OSError):
        read_head(tmp_path, "", 100)


def test_a_name_that_is_none_is_refused(tmp_path: Path) -> None:
    """A path with a null character is an error like any other."""
    with pytest.raises(OSError, match="file name"):
        read_head(tmp_path, "a\0b", 100)
