"""Temporary folders whose names tell which process made them, so that nobody else removes them."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from evalcore.disk.unfinished import is_abandoned, unfinished_name

_START: Final = "evalcore-"
NOBODY: Final = 65534
"""The user to whom root gives the folders of sandboxes."""


@contextmanager
def temporary_folder(kind: str) -> Iterator[Path]:
    """Yield a new folder that only this user can enter; it is removed with all in it."""
    made = Path(tempfile.gettempdir(), f"{_START}{kind}-{unfinished_name()}")
    made.mkdir(mode=0o700)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def sweep_temporary() -> int:
    """Remove the folders that processes of this machine left when they were killed.

    Returns how many went. Those of running processes and of other users stay.
    """
    removed = 0
    with os.scandir(tempfile.gettempdir()) as entries:
        left = [Path(each.path) for each in entries if _is_left(each)]
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
        removed += not path.exists()
    return removed


def _is_left(entry: "os.DirEntry[str]") -> bool:
    kind, _, name = entry.name.removeprefix(_START).partition("-")
    if not (entry.name.startswith(_START) and kind and is_abandoned(name)):
        return False
    try:
        about = entry.stat(follow_symlinks=False)
    except OSError:  # its own process has removed it meanwhile
        return False
    owners = {os.geteuid()} | ({NOBODY} if os.geteuid() == 0 else set())
    return stat.S_ISDIR(about.st_mode) and about.st_uid in owners
