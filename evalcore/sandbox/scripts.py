"""The script files that a command names, read once: the bytes that are hashed also run."""

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from evalcore.disk.files import TooLarge
from evalcore.disk.handles import LINK, content, folder, regular
from evalcore.disk.temporary import temporary_folder
from evalcore.errors import CannotAllow, PathOutside

MAX_FILES: Final = 64
MAX_BYTES: Final = 8 * 1024 * 1024
"""Of one script file; a command that names more, or larger ones, cannot be allowed."""

# What separates names in a shell, in Python and in most other languages.
_BETWEEN: Final = re.compile(r"[\s\"'`;|&<>(){}\[\]$=,:*?!#@%\\\0]+")
_MODULES: Final = re.compile(r"^\s*(?:from|import)\s+([\w.]+)", re.MULTILINE)
_MAX_TOKENS: Final = 20_000
_NONE_HERE: Final = LINK | {errno.ENOENT, errno.EINVAL, errno.ENAMETOOLONG, errno.ENXIO}


def referenced(script_text: str, below: Path) -> dict[Path, bytes]:
    """Return the files below a folder that a text names, and those that they name in turn.

    A name is looked for from the folder, from that of the file that names it, and without its first
    parts: `$SKILL/scripts/x.py` is `scripts/x.py`. Links are not followed. What is not found is not
    laid out for the run either, so that no byte can run that was not hashed.

    Raises:
        CannotAllow: it names more than 64 files, or one that is too large or cannot be read.
    """
    base = Path(os.path.abspath(below))  # noqa: PTH100 - links are not resolved
    found: dict[Path, bytes] = {}
    texts: list[tuple[str, tuple[str, ...]]] = [(script_text, ())]
    while texts:
        text, home = texts.pop()
        for names in _candidates(text, home):
            path = base.joinpath(*names)
            if path in found or (data := _read(base, names)) is None:
                continue
            if len(found) == MAX_FILES:
                raise CannotAllow(f"The command names more than {MAX_FILES} files of {base}.")
            found[path] = data
            texts.append((data.decode("utf-8", "replace"), names[:-1]))
    return dict(sorted(found.items()))


def _candidates(text: str, home: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the parts of each path that a text may name, once each."""
    tokens = dict.fromkeys(_BETWEEN.split(text)[:_MAX_TOKENS])
    modules = dict.fromkeys(_MODULES.findall(text))
    named = [*tokens, *(f"{module.replace('.', '/')}.py" for module in modules)]
    seen: set[tuple[str, ...]] = set()
    for token in named:
        parts = tuple(part for part in token.split("/") if part not in ("", "."))
        for first in range(min(len(parts), 8)):
            for names in (parts[first:], (*home, *parts[first:])):
                if ".." not in names and names not in seen:
                    seen.add(names)
                    yield names


def _read(base: Path, names: tuple[str, ...]) -> bytes | None:
    """Return the bytes of a regular file; None if there is none, or a link leads there."""
    *inner, name = names
    try:
        # Most words name nothing: one look tells, before folders are opened one by one.
        if not stat.S_ISREG(base.joinpath(*names).lstat().st_mode):
            return None
        with folder(base, inner) as home, regular(home, name) as file:
            return content(file, MAX_BYTES)
    except TooLarge as error:
        where = base.joinpath(*names)
        raise CannotAllow(f"{where} is too large for a script: {error.strerror}.") from error
    except OSError as error:
        if error.errno in _NONE_HERE:
            return None
        where = base.joinpath(*names)
        raise CannotAllow(f"{where} cannot be read: {error.strerror}.") from error


@contextmanager
def laid_out(files: Mapping[Path, bytes], below: Path) -> Iterator[Path]:
    """Yield a fresh folder with these bytes, at their places below `below`; it is removed then.

    Raises:
        PathOutside: a file does not lie there.
    """
    base = Path(os.path.abspath(below))  # noqa: PTH100 - as in `referenced`
    with temporary_folder("script") as home:
        for path, data in files.items():
            if not path.is_relative_to(base) or ".." in path.parts:
                raise PathOutside(str(path))
            place = home / path.relative_to(base)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            place.chmod(0o755)
        yield home
