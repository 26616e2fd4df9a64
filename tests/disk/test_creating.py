"""A file that is created is whole, has its name once, and is never overwritten."""

import errno
import fcntl
import os
import stat
import threading
from pathlib import Path

import pytest

from evalcore.disk import naming
from evalcore.disk.creating import MAX_BYTES, create
from evalcore.errors import AlreadyStored, CannotWrite, MayBeWritten, PathOutside

DATA, OTHER = b'{"a": 1}\n', b'{"a": 2}\n'
SPARE = "reviews/.tmp"
PATH = "reviews/note/a.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an empty workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def files(root: Path) -> list[str]:
    """Return every file below a folder."""
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if not p.is_dir())


def test_a_new_file_is_made_with_its_folders(root: Path) -> None:
    """It has usual permissions, and nothing else is left behind."""
    before = os.umask(0o027)
    try:
        assert create(root, PATH, DATA, unfinished=SPARE) is True
    finally:
        os.umask(before)
    assert (root / PATH).read_bytes() == DATA
    assert (root / PATH).stat().st_mode & 0o777 == 0o640
    assert (root / PATH).stat().st_nlink == 1
    assert files(root) == [PATH]


def test_the_same_again_changes_nothing(root: Path) -> None:
    """A second try after an answer that got lost is no second file."""
    create(root, PATH, DATA, unfinished=SPARE)
    about = (root / PATH).stat()
    assert create(root, PATH, DATA, unfinished=SPARE) is False
    assert (root / PATH).stat().st_mtime_ns == about.st_mtime_ns


def test_other_content_is_refused(root: Path) -> None:
    """What is there stays, and the caller is given it."""
    create(root, PATH, DATA, unfinished=SPARE)
    with pytest.raises(AlreadyStored) as caught:
        create(root, PATH, OTHER, unfinished=SPARE)
    assert caught.value.now == DATA
    assert (root / PATH).read_bytes() == DATA
    assert files(root) == [PATH]


@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "folder"])
def test_what_is_no_plain_file_is_left_alone(root: Path, kind: str) -> None:
    """It is neither followed, nor waited for, nor replaced."""
    target = root / PATH
    target.parent.mkdir(parents=True)
    (root / "elsewhere").write_bytes(DATA)
    if kind == "pipe":
        os.mkfifo(target)
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to(root / ("elsewhere" if kind == "link" else "nowhere"))
    with pytest.raises(AlreadyStored) as caught:
        create(root, PATH, DATA, unfinished=SPARE)
    assert caught.value.now is None
    assert not (root / "nowhere").exists()


@pytest.mark.parametrize("name", ["reviews", "reviews/note", "reviews/.tmp"])
def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path, name: str) -> None:
    """A folder that is a link out of the workspace is refused."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(outside)
    with pytest.raises(CannotWrite, match="links are not followed"):
        create(root, PATH, DATA, unfinished=SPARE)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("path", ["../a.json", "/etc/a.json", "a//b.json", "./a.json", "a\0.json"])
def test_only_plain_paths_are_taken(root: Path, path: str) -> None:
    """Nothing leads out of the root."""
    with pytest.raises(PathOutside):
        create(root, path, DATA, unfinished=SPARE)


def test_what_is_too_large_is_refused(root: Path) -> None:
    """Nothing is stored that would not be read again."""
    with pytest.raises(CannotWrite, match="at most 4,194,304"):
        create(root, PATH, b"x" * (MAX_BYTES + 1), unfinished=SPARE)
    assert files(root) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.ENOSPC, "the disk is full; free some space"),
        (errno.EROFS, "the folder is read-only; work on a copy"),
        (errno.EACCES, "you do not have permission to write there"),
        (errno.EIO, "the disk reported an error; check the disk"),
        (errno.ESTALE, "its folder was replaced on the file server; open the workspace again"),
        (errno.ENODEV, "correct that, then try again"),
    ],
)
def test_the_cause_and_the_next_step_are_said(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    """In one sentence, and the unfinished file is gone."""

    def failing(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        with pytest.raises(CannotWrite, match=said):
            create(root, PATH, DATA, unfinished=SPARE)
    assert files(root) == []


def no_links(*_: object, **__: object) -> None:
    """Refuse as a file system does that cannot do it."""
    raise OSError(errno.ENOTSUP, "not supported")


@pytest.fixture(params=["no links", "neither links nor moves that refuse"])
def poor_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the file system have no links, or not even a move that refuses to replace."""
    monkeypatch.setattr(os, "link", no_links)
    if request.param != "no links":
        monkeypatch.setattr(naming, "_move_new", no_links)


def test_a_disk_without_links_keeps_the_promise(root: Path, poor_disk: None) -> None:
    """New is new, the same is the same, and other content is refused."""
    assert create(root, PATH, DATA, unfinished=SPARE) is True
    assert create(root, PATH, DATA, unfinished=SPARE) is False
    with pytest.raises(AlreadyStored):
        create(root, PATH, OTHER, unfinished=SPARE)
    assert files(root) == [PATH]


def test_of_many_writers_one_wins_without_links(root: Path, poor_disk: None) -> None:
    """Whatever the file system has: one content is there, whole, and the others are told."""
    gate, won, lost = threading.Barrier(6), [], []

    def write(number: int) -> None:
        gate.wait()
        try:
            create(root, PATH, b"%d" % number * 5_000, unfinished=SPARE)
            won.append(number)
        except AlreadyStored:
            lost.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(lost)) == (1, 5)
    assert (root / PATH).read_bytes() == b"%d" % won[0] * 5_000
    assert files(root) == [PATH]


def test_without_links_and_locks_it_is_refused(
    root: Path, poor_disk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the promise cannot be kept nothing is stored, and the reason is said."""

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(naming, "_move_new", no_links)
    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(CannotWrite, match="this file system has no locks; work on a copy"):
        create(root, PATH, DATA, unfinished=SPARE)
    assert files(root) == []


@pytest.mark.parametrize("often", [1, 9])
def test_what_may_be_written_is_looked_at_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, often: int
) -> None:
    """The name cannot be flushed: once, and it is there; for ever, and nobody may say so."""
    create(root, PATH.replace("a.json", "b.json"), DATA, unfinished=SPARE)
    real, left = os.fsync, iter(range(often))

    def failing(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode) and next(left, None) is not None:
            raise OSError(errno.EIO, "lost")
        real(handle)

    monkeypatch.setattr(os, "fsync", failing)
    if often == 1:
        create(root, PATH, DATA, unfinished=SPARE)
    else:
        with pytest.raises(MayBeWritten, match=r"not known whether .* the disk reported an error"):
            create(root, PATH, DATA, unfinished=SPARE)
    assert (root / PATH).read_bytes() == DATA
