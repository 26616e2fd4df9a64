"""Small private JSON files of evalcore, readable only by this user and written atomically."""

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


def save_private(path: Path, value: Json) -> None:
    """Write a JSON value to a file that only this user may read.

    Raises:
        CannotWrite: it cannot be written; the old content stays.
    """
    try:
        data = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:  # half a character, or no number
        raise CannotWrite(path, "it holds something that JSON cannot represent") from error
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


def load_private(path: Path, limit: int) -> Json:
    """Return the value of a file, MISSING if there is none or it is unreadable.

    A file that is not JSON, or has more than `limit` bytes, is renamed, so that nothing is lost.
    """
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with regular(folder, path.name) as file:
                data = content(file, limit)
        finally:
            os.close(folder)
    except TooLarge:
        set_aside(path)
        return MISSING
    except OSError:
        return MISSING
    value = parse(data)
    if value is MISSING:
        set_aside(path)
    return value


def set_aside(path: Path) -> None:
    """Rename an unusable file."""
    with suppress(OSError):
        path.rename(path.with_name(f"{path.name}.{secrets.token_hex(4)}.broken"))
