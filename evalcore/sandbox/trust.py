"""Commands of a workspace that this user allowed, each by its exact bytes and place."""

import hashlib
import os
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.private import load_private, save_private
from evalcore.errors import CannotAllow
from evalcore.folders import state_dir
from evalcore.sandbox.visible import visible

MAX_TEXT: Final = 256 * 1024
"""A longer command cannot be allowed: nobody reads it."""

_ALLOWED: Final = "trust"
_SHOWN: Final = "shown"
_MAX_RECORD: Final = 8 * 1024 * 1024
_OTHERS_WRITE: Final = 0o022


class Command(NamedTuple):
    """A command: the document that names it, its exact text, and the bytes of its script files.

    Run these bytes and this text, never what is read again.
    """

    path: Path
    text: str
    files: Mapping[Path, bytes]


def trust_id(command: Command) -> str:
    """Return the sha256 over path and text of a command, and path and bytes of each script file.

    Each part stands as its own sha256, so that no text looks like another's parts.
    """
    parts = [os.fsencode(_absolute(command.path)), command.text.encode("utf-8", "surrogatepass")]
    for path in sorted(command.files):
        parts += [os.fsencode(_absolute(path)), command.files[path]]
    digests = b"".join(hashlib.sha256(part).digest() for part in parts)
    return hashlib.sha256(digests).hexdigest()


def note_shown(command: Command) -> None:
    """Remember that this command was shown to the user with every byte that it would run.

    Raises:
        CannotWrite: it cannot be remembered.
    """
    known = trust_id(command)
    save_private(_file(known, _SHOWN), {"trust_id": known})


def was_shown(command: Command) -> bool:
    """Return whether exactly this command was shown to the user."""
    return _is_noted(command, _SHOWN)


def allow(command: Command) -> str:
    """Remember that the user allows exactly this command, and return its id.

    Raises:
        CannotAllow: it is longer than anybody reads.
        CannotWrite: it cannot be remembered.
    """
    if len(command.text) > MAX_TEXT:
        raise CannotAllow(f"The command in {command.path} has {len(command.text):,} characters.")
    known = trust_id(command)
    record = {
        "trust_id": known,
        "path": visible(_absolute(command.path)),
        "text": visible(command.text),
        "files": [visible(_absolute(path)) for path in sorted(command.files)],
        "allowed_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    save_private(_file(known), record)
    return known


def forget(command: Command) -> bool:
    """Allow a command no longer; False if it was not allowed."""
    try:
        _file(trust_id(command)).unlink()
    except FileNotFoundError:
        return False
    return True


def is_allowed(command: Command) -> bool:
    """Return whether the user allowed exactly this command."""
    return _is_noted(command, _ALLOWED)


def _is_noted(command: Command, kind: str) -> bool:
    """Return whether there is a record of a command.

    One that others may write, or that belongs to somebody else, does not count.
    """
    known = trust_id(command)
    file = _file(known, kind)
    if not (_is_private(file.parent) and _is_private(file)):
        return False
    record = load_private(file, _MAX_RECORD)
    return isinstance(record, dict) and record.get("trust_id") == known


def _file(known: str, kind: str = _ALLOWED) -> Path:
    return state_dir() / kind / f"{known}.json"


def _is_private(path: Path) -> bool:
    try:
        about = path.lstat()
    except OSError:
        return False
    kind = stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)
    return kind and about.st_uid == os.geteuid() and not about.st_mode & _OTHERS_WRITE


def _absolute(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100 - links are not resolved: the place is as named
