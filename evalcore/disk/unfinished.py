"""Names of files that are being written: they tell which process of which machine writes them."""

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
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES: Final = Path("/proc/self/ns/pid")


def unfinished_name() -> str:
    """Return a new name for a file that this process writes."""
    return f"{_host()}-{_boot()}-{os.getpid()}-{secrets.token_hex(8)}.tmp"


def is_abandoned(name: str) -> bool:
    """Say whether a file was being written on this machine by a process that is no more.

    Of another machine, or of a container beside this one, nothing can be known: its files are not.
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
    return True


@functools.cache
def _host() -> str:
    """Return what tells one machine, and one set of process numbers on it, from another."""
    processes = ""
    with suppress(OSError):
        processes = str(_PROCESSES.stat().st_ino)
    return _short(socket.gethostname() + "\0" + processes)


@functools.cache
def _boot() -> str:
    """Return what tells one start of this machine from another; the same always if unknown."""
    with suppress(OSError):
        return _short(_BOOT.read_text(encoding="ascii"))
    return _short("")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
