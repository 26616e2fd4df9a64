"""Names of output files below their common folder, whose path may tell the version."""

from collections.abc import Iterable
from pathlib import PurePosixPath


def file_named(paths: Iterable[str], name: str | None) -> str | None:
    """Return the path of an output file by its name below the common folder, or by itself."""
    names = short_names(paths)
    return next((path for path, short in names.items() if name in (short, path)), None)


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Return the name of each file below their common folder."""
    known = list(paths)
    parents = [PurePosixPath(path).parent.parts for path in known]
    shared = 0
    for level in zip(*parents, strict=False):
        if len(set(level)) > 1:
            break
        shared += 1
    return {path: _below(path, shared) for path in known}


def _below(path: str, shared: int) -> str:
    _, mark, at = path.partition("#/")
    return at.rpartition("/")[2] if mark else "/".join(PurePosixPath(path).parts[shared:])
