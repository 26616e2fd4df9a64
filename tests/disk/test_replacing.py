"""Files that others write too are replaced as a whole, or not at all."""

import errno
import fcntl
import os
import stat
import threading
from pathlib import Path

import pytest

from evalcore.disk import naming, replacing
from evalcore.disk.replacing import digest, put
from evalcore.errors import CannotWrite, ChangedMeanwhile, PathOutside

OLD, NEW = b'{"a": 1}\n', b'{"a": 2}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with one document."""
    folder = tmp_path / "workspace"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner/a.json").write_bytes(OLD)
    return folder


def names(root: Path) -> list[str]:
    """Return everything below a folder."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def test_a_file_that_is_what_was_seen_is_replaced(root: Path) -> None:
    """Its permissions stay, and nothing else is left behind in the workspace."""
    (root / "inner/a.json").chmod(0o640)
    put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert (root / "inner/a.json").read_bytes() == NEW
    assert (root / "inner/a.json").stat().st_mode & 0o777 == 0o640
    assert names(root) == ["inner", "inner/a.json"]


def test_a_file_that_somebody_changed_is_left_alone(root: Path) -> None:
    """The loser is told, with what is there now."""
    (root / "inner/a.json").write_bytes(b"theirs")
    with pytest.raises(ChangedMeanwhile) as caught:
        put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert caught.value.now == b"theirs"
    assert (root / "inner/a.json").read_bytes() == b"theirs"
    assert names(root) == ["inner", "inner/a.json"]


def test_a_file_that_was_removed_is_not_made_again(root: Path) -> None:
    """Somebody did not want it any more."""
    (root / "inner/a.json").unlink()
    with pytest.raises(ChangedMeanwhile, match="removed"):
        put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert names(root) == ["inner"]


def test_a_new_file_is_made_with_usual_permissions(root: Path) -> None:
    """As any other program would make it."""
    before = os.umask(0o027)
    try:
        put(root, "b.json", NEW, seen=None)
    finally:
        os.umask(before)
    assert (root / "b.json").stat().st_mode & 0o777 == 0o640
    assert names(root) == ["b.json", "inner", "inner/a.json"]


def test_a_file_that_is_there_by_now_is_not_overwritten(root: Path) -> None:
    """New means new."""
    with pytest.raises(ChangedMeanwhile):
        put(root, "inner/a.json", NEW, seen=None)
    assert (root / "inner/a.json").read_bytes() == OLD


def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path) -> None:
    """Neither a file nor a folder that is a link, inside or out of the root."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.json").write_bytes(OLD)
    (root / "link").symlink_to(outside)
    (root / "file.json").symlink_to(root / "inner/a.json")
    for path, seen in (
        ("link/a.json", digest(OLD)),
        ("link/b.json", None),
        ("file.json", digest(OLD)),
        ("file.json", None),
    ):
        with pytest.raises(CannotWrite):
            put(root, path, NEW, seen=seen)
    assert names(outside) == ["a.json"]
    assert (outside / "a.json").read_bytes() == (root / "inner/a.json").read_bytes() == OLD


@pytest.mark.parametrize("path", ["../a.json", "/etc/a.json", "inner/../a.json", "", "inner//a"])
def test_nothing_is_written_outside_the_root(root: Path, path: str) -> None:
    """A path is made of plain names."""
    with pytest.raises(PathOutside):
        put(root, path, NEW, seen=None)


def test_a_read_only_file_is_left_alone(root: Path) -> None:
    """Whoever took the right to write it meant so."""
    (root / "inner/a.json").chmod(0o444)
    with pytest.raises(CannotWrite, match="read-only"):
        put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert (root / "inner/a.json").read_bytes() == OLD


def test_what_is_no_file_is_left_alone(root: Path) -> None:
    """A pipe is not waited for, a folder not replaced."""
    os.mkfifo(root / "pipe.json")
    for path in ("pipe.json", "inner"):
        with pytest.raises(CannotWrite, match="no regular file"):
            put(root, path, NEW, seen=digest(OLD))


def test_of_many_writers_each_change_builds_on_the_one_before(root: Path) -> None:
    """Nobody's change is lost: whoever lost reads again, and at the end all are there."""

    def add(mark: bytes) -> None:
        while True:
            seen = (root / "inner/a.json").read_bytes()
            try:
                put(root, "inner/a.json", seen + mark, seen=digest(seen))
            except ChangedMeanwhile:
                continue
            return

    marks = [b"%d\n" % n for n in range(12)]
    threads = [threading.Thread(target=add, args=(mark,)) for mark in marks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (root / "inner/a.json").read_bytes().splitlines(keepends=True)
    assert lines[0] == OLD
    assert sorted(lines[1:]) == sorted(marks)


def test_who_waited_for_a_file_that_was_replaced_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock of the old file says nothing of the new one, even with the same content."""

    def waited(file: int) -> None:
        (root / "inner/b.json").write_bytes(OLD)
        (root / "inner/b.json").replace(root / "inner/a.json")

    monkeypatch.setattr(replacing, "wait_for_turn", waited)
    with pytest.raises(ChangedMeanwhile, match="changed it meanwhile"):
        put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert (root / "inner/a.json").read_bytes() == OLD


def test_where_folders_are_not_flushed_a_file_is_replaced(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every file system can flush a folder."""
    real = os.fsync

    def flush(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "invalid")
        real(handle)

    monkeypatch.setattr(os, "fsync", flush)
    put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert (root / "inner/a.json").read_bytes() == NEW


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.ENOLCK, "this file system has no locks"),
        (errno.EAGAIN, "another evalcore is writing"),
        (errno.EACCES, "you do not have permission to write there"),
    ],
)
def test_a_file_that_cannot_be_locked_is_left_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    """Without a lock a change of somebody else could be lost."""

    def refused(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refused)
    monkeypatch.setattr(naming, "LOCK_SECONDS", 0)
    with pytest.raises(CannotWrite, match=said):
        put(root, "inner/a.json", NEW, seen=digest(OLD))
    assert (root / "inner/a.json").read_bytes() == OLD
    assert names(root) == ["inner", "inner/a.json"]
