"""Small private JSON files of evalcore, readable only by this user and written atomically."""

import json
import secrets
from contextlib import suppress
from pathlib import Path

from evalcore.disk.creating import why
from evalcore.disk.files import TooLarge
from evalcore.disk.handles import content, finished, flush, folder, regular
from evalcore.disk.naming import move
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
        raise CannotWrite(path, "it contains something that JSON cannot represent") from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = f"{path.stem[:8]}{secrets.token_hex(6)}.tmp"
        with folder(path.parent) as home:
            with finished(home, temporary, data, 0o600):
                move(home, temporary, home, path.name)
            flush(home)
    except OSError as error:
        raise CannotWrite(path, why(error)) from error


def load_private(path: Path, limit: int) -> Json:
    """Return the value of a file as `read_private` does, MISSING also if it cannot be read."""
    try:
        return read_private(path, limit)
    except OSError:
        return MISSING


def read_private(path: Path, limit: int) -> Json:
    """Return the value of a file, MISSING if there is none.

    A file that is not JSON, or has more than `limit` bytes, is renamed, so that nothing is lost.

    Raises:
        OSError: it cannot be read; what is written now would replace what it holds.
    """
    try:
        with folder(path.parent) as home, regular(home, path.name) as file:
            value = parse(content(file, limit))
    except FileNotFoundError:
        return MISSING
    except TooLarge:
        value = MISSING
    if value is MISSING:
        set_aside(path)
    return value


def set_aside(path: Path) -> None:
    """Rename an unusable file."""
    with suppress(OSError):
        path.rename(path.with_name(f"{path.name}.{secrets.token_hex(4)}.broken"))
