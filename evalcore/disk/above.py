"""Folders above an opened one, up to the top of the git repository that holds it."""

import os
from pathlib import Path

REPOSITORY = ".git"


def folders_above(root: Path) -> list[tuple[Path, str]]:
    """Return the folders above `root` within its repository, the nearest first.

    Each comes with the path of `root` below it. Without a repository, or if `root` is its top,
    there is none.
    """
    real = Path(os.path.realpath(root))
    found: list[tuple[Path, str]] = []
    for above in (real, *real.parents):
        if above != real:
            found.append((above, real.relative_to(above).as_posix()))
        if os.path.lexists(above / REPOSITORY):
            return found
    return []


def way_up(part: str) -> str:
    """Return the relative path to a folder above, which sees the folder below it as `part`."""
    return "/".join([".."] * (part.count("/") + 1))
