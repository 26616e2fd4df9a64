"""Names of unfinished files, which identify the writing process and machine."""

import functools
import hashlib
import os
import re
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(
    r"(?P<host>[0-9a-f]{8})-(?P<boot>[0-9a-f]{8})-(?P<pid>[1-9][0-9]{0,9})-[0-9a-f]{16}\.tmp"
)
_BESIDE: Final = re.compile(r"\..+\.[0-9a-f]{12}\.tmp", re.DOTALL)
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES: Final = Path("/proc/self/ns/pid")


def unfinished_name() -> str:
    """Return a new name for a file written by this process."""
    return f"{_host()}-{_boot()}-{os.getpid()}-{secrets.token_hex(8)}.tmp"


def unfinished_beside(name: str) -> str:
    """Return a new name for what will replace a file in its folder."""
    return f".{name}.{secrets.token_hex(6)}.tmp"


def is_unfinished(name: str) -> bool:
    """Return whether evalcore gives such a name to a file that is being written."""
    return bool(_NAME.fullmatch(name) or _BESIDE.fullmatch(name))


def is_abandoned(name: str) -> bool:
    """Return whether a file was being written on this machine by a process that has ended.

    Processes of other machines or containers are unknown: their files never count as abandoned.
    """
    found = _NAME.fullmatch(name)
    if found is None or found["host"] != _host():
        return False
    return found["boot"] != _boot() or not _alive(int(found["pid"]))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it belongs to somebody else
    return not _is_dead(pid)


def _is_dead(pid: int) -> bool:
    """Return whether a process has ended, and its parent has not asked for its end yet (Linux)."""
    with suppress(OSError):
        # Its name, in brackets, may hold any character.
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[:1] == [b"Z"]
    return False


@functools.cache
def _host() -> str:
    """Return an id of the machine and its process namespace."""
    processes = ""
    with suppress(OSError):
        processes = str(_PROCESSES.stat().st_ino)
    return _short(socket.gethostname() + "\0" + processes)


@functools.cache
def _boot() -> str:
    """Return an id of the machine's last boot; a constant if unknown."""
    with suppress(OSError):
        return _short(_BOOT.read_text(encoding="ascii"))
    return _short("")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
