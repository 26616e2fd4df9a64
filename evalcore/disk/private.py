"""Small JSON files of evalcore's own, for this user only: written as a whole, never in parts."""

import json
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from evalcore.disk.creating import why
from evalcore.disk.files import TooLarge
from evalcore.disk.handles import content, flush, regular, write_all
from evalcore.disk.parsing import MISSING, Json, parse
from evalcore.errors import CannotWrite


def keep(path: Path, value: Json) -> None:
    """Make a JSON value the content of a file that only this user may read.

    Raises:
        CannotWrite: it cannot be written; what was there stays.
    """
    try:
        data = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:  # half a character, or no number
        raise CannotWrite(path, "it holds something that JSON has no form for") from error
    try:
        _written(path, data)
    except OSError as error:
        raise CannotWrite(path, why(error)) from error


def _written(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.stem[:8], suffix=".tmp")
    try:
        try:
            write_all(handle, data)
            flush(handle)
        finally:
            os.close(handle)
        Path(unfinished).replace(path)
    except OSError:
        with suppress(OSError):
            Path(unfinished).unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        flush(folder)
    finally:
        os.close(folder)


def kept(path: Path, limit: int) -> Json:
    """Return the value of a file, MISSING when there is none that can be read.

    A file that holds no JSON, or more than `limit` bytes, is put aside under another name, so that
    nothing of it is lost.
    """
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with regular(folder, path.name) as file:
                data = content(file, limit)
        finally:
            os.close(folder)
    except TooLarge:
        put_aside(path)
        return MISSING
    except OSError:
        return MISSING
    value = parse(data)
    if value is MISSING:
        put_aside(path)
    return value


def put_aside(path: Path) -> None:
    """Give a file that cannot be used another name beside it."""
    with suppress(OSError):
        path.rename(path.with_name(f"{path.name}.{secrets.token_hex(4)}.broken"))
