"""Put the copy of a version into its workspace: the whole folder at once, under a new number."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from evalcore.disk.creating import why
from evalcore.disk.handles import flush, folder, listed
from evalcore.disk.unfinished import is_abandoned, unfinished_name
from evalcore.errors import CannotWrite

SKILL: Final = "skill"
"""The folder of a version's copy: `vN/skill`, which no walk enters."""

_VERSION: Final = re.compile(r"v(\d{1,9})")


def place(number: int) -> str:
    """Return the path of a version's copy below its workspace."""
    return f"v{number}/{SKILL}"


def numbers_in(names: list[str]) -> set[int]:
    """Return the numbers of names like `v3`."""
    return {int(found[1]) for found in map(_VERSION.fullmatch, names) if found}


def numbers_on_disk(workspace: Path) -> set[int]:
    """Return the version numbers that a workspace has names for."""
    with folder(workspace) as home:
        return numbers_in(listed(home))


@contextmanager
def unfinished(workspace: Path) -> Iterator[Path]:
    """Yield a new folder for a copy, `.….tmp/v0/skill`; what is left of it is removed afterwards.

    So named, no walk enters it. What killed processes left is removed too.
    """
    with folder(workspace) as home:
        gone = [name for name in listed(home) if name[:1] == "." and is_abandoned(name[1:])]
    for name in gone:
        shutil.rmtree(workspace / name, ignore_errors=True)
    away = workspace / f".{unfinished_name()}"
    try:
        try:
            (away / place(0)).mkdir(parents=True)
        except OSError as error:
            raise CannotWrite(workspace, why(error)) from error
        yield away / place(0)
    finally:
        shutil.rmtree(away, ignore_errors=True)


def put_in_place(workspace: Path, copy: Path, number: int) -> bool:
    """Give a finished copy its number; False if another copy has it.

    Raises:
        CannotWrite: it cannot be moved.
    """
    away = copy.parent.parent
    try:
        with folder(workspace) as home, folder(away) as spare:
            with folder(away, [copy.parent.name]) as version:
                flush(version)
            # A folder that is not empty is never replaced.
            os.rename(copy.parent.name, f"v{number}", src_dir_fd=spare, dst_dir_fd=home)
            flush(home)
    except OSError as error:
        if error.errno in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}:
            return False
        raise CannotWrite(workspace / f"v{number}", why(error)) from error
    return True


def take_back(workspace: Path, number: int) -> None:
    """Remove a copy that was put in place and that nothing names yet."""
    away = f".{unfinished_name()}"
    with suppress(OSError):  # the next snapshot finds it
        (workspace / f"v{number}").rename(workspace / away)
        shutil.rmtree(workspace / away, ignore_errors=True)
