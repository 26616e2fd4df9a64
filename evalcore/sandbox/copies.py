"""Copies of folders: into sandboxes that root starts, and of what is left in one."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from evalcore.disk.files import TooLarge
from evalcore.disk.handles import content, regular
from evalcore.disk.handles import folder as opened
from evalcore.disk.temporary import NOBODY, temporary_folder

MAX_FILES: Final = 20_000
MAX_BYTES: Final = 512 * 1024 * 1024
MAX_DEPTH: Final = 100


@contextmanager
def copied_for_nobody(folder: int) -> Iterator[Path]:
    """Yield a fresh copy of an open folder, owned by nobody; it is removed afterwards.

    Links are copied as links, and never followed; pipes, sockets and devices are left out.

    Raises:
        TooLarge: it has more than 20,000 files, 512 MiB, or 100 folders in each other.
        OSError: it cannot be copied.
    """
    with temporary_folder("copy") as home:
        _copy(folder, home)
        with opened(home) as handle:
            give_to_nobody(handle)
        yield home


def give_to_nobody(folder: int) -> None:
    """Make nobody the owner of an open folder and all in it; links are not followed.

    A file with a second name keeps its owner: the other one may lie outside the folder.
    """
    for _, folders, names, inner in os.fwalk(".", dir_fd=folder, follow_symlinks=False):
        for name in (".", *folders, *names):
            about = os.stat(name, dir_fd=inner, follow_symlinks=False)
            if stat.S_ISDIR(about.st_mode) or about.st_nlink == 1:
                os.chown(name, NOBODY, NOBODY, dir_fd=inner, follow_symlinks=False)


def replaced_by(folder: int, home: Path) -> str:
    """Put what an open folder holds in the place of what `home` does; return why it cannot be.

    That is a bound which the open folder exceeds; then a part of it is there.

    Raises:
        OSError: `home` cannot be written.
    """
    for each in home.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()
    os.fchmod(folder, 0o700)  # what ran in it may have taken it from its owner
    try:
        _copy(folder, home)
    except TooLarge:
        return (
            f"It left more than {MAX_FILES:,} files, {MAX_BYTES // 1024**2} MiB as they are read, "
            f"or {MAX_DEPTH} folders in each other."
        )
    return ""


def _copy(folder: int, home: Path) -> None:
    count = size = 0
    for parent, folders, names, inner in os.fwalk(".", dir_fd=folder, follow_symlinks=False):
        for name in (*folders, *names):
            count += 1
            if count > MAX_FILES or parent.count("/") >= MAX_DEPTH:
                raise TooLarge(size)
            size += _copy_one(inner, name, home / parent / name, MAX_BYTES - size)


def _copy_one(inner: int, name: str, target: Path, limit: int) -> int:
    """Copy a file with its time, a link or an empty folder, and return its bytes.

    What its owner may not read is left out.
    """
    about = os.stat(name, dir_fd=inner, follow_symlinks=False)
    if stat.S_ISLNK(about.st_mode):
        target.symlink_to(os.readlink(name, dir_fd=inner))
    elif stat.S_ISDIR(about.st_mode):
        target.mkdir()
    elif stat.S_ISREG(about.st_mode):
        try:
            with regular(inner, name) as file:
                data = content(file, limit)
        except PermissionError:
            return 0
        target.write_bytes(data)
        target.chmod(stat.S_IMODE(about.st_mode) & 0o777)
        os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))
        return len(data)
    return 0
