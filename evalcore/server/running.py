"""The dashboards that run: each gives its own user more addresses, through a private socket."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final

from evalcore.errors import CannotServe
from evalcore.folders import state_dir

_OPEN_FILES: Final = Path("/proc/self/fd")
_PATIENCE_SECONDS: Final = 5.0
_MAX_BYTES: Final = 4096


def private_file(workspace: Path, ending: str) -> Path:
    """Return a file about a running dashboard on `workspace`, in a folder of this user alone."""
    folder = state_dir() / "running"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = hashlib.sha256(str(workspace.resolve()).encode("utf-8", "surrogateescape"))
    return folder / f"{name.hexdigest()[:16]}{ending}"


def link_from_running(workspace: Path) -> str | None:
    """Return a new address from the dashboard of this user that shows `workspace`, if one runs."""
    with socket.socket(socket.AF_UNIX) as asking:
        if not _reached(asking, private_file(workspace, ".sock")):
            return None
        with suppress(OSError), asking.makefile("rb") as answer:
            return answer.read(_MAX_BYTES).decode() or None
    return None


@contextmanager
def offering_links(workspace: Path, new_url: Callable[[], str]) -> Iterator[None]:
    """Give the other `evalcore open` of this user addresses of the dashboard on `workspace`.

    Of several dashboards on one folder, the first does.
    """
    path = private_file(workspace, ".sock")
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as asking:
        if _reached(asking, path):
            yield
            return
        try:
            path.unlink(missing_ok=True)
            with _short(path) as address:
                listening.bind(address)
            path.chmod(0o600)
            listening.listen()
        except OSError as error:
            sys.stderr.write(f"Another `evalcore open` will start another dashboard: {error}.\n")
            yield
            return
        Thread(target=_answer_all, args=(listening, new_url), daemon=True).start()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _reached(asking: socket.socket, path: Path) -> bool:
    """Connect; False if nobody listens: none runs, or it was killed and left its socket behind."""
    asking.settimeout(_PATIENCE_SECONDS)
    try:
        with _short(path) as address:
            asking.connect(address)
    except OSError:
        return False
    return True


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Yield an address of a socket's file: some 100 bytes are allowed, and folders may be deep."""
    handle = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"{_OPEN_FILES}/{handle}/{path.name}" if _OPEN_FILES.is_dir() else str(path)
    finally:
        os.close(handle)


def _answer_all(listening: socket.socket, new_url: Callable[[], str]) -> None:
    while True:
        asking, _ = listening.accept()
        # Who only looked whether somebody listens is gone already.
        with asking, suppress(OSError, CannotServe):
            asking.sendall(new_url().encode())
