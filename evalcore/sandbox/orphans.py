"""End what a child process left behind: orphans that this process adopts meanwhile (Linux)."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

MARK: Final = "EVALCORE_CHILD"
"""The variable that tells whose child a process is; it holds one token for each caller above."""

_SET_SUBREAPER: Final = 36
_GET_SUBREAPER: Final = 37
_TASKS: Final = Path("/proc/self/task")
_PATIENCE: Final = 10.0

# Dead children that led a session, by process and time of its start: when each was first seen.
_dead: dict[tuple[int, str], float] = {}
_lock = threading.Lock()
_running = 0
_was_reaper = False


def marked(env: Mapping[str, str], token: str) -> dict[str, str]:
    """Return the environment of a child with its token, and those of this process itself."""
    above = os.environ.get(MARK)
    return {**env, MARK: f"{above} {token}" if above else token}


@contextmanager
def marking(token: str) -> Iterator[None]:
    """Let the children that are started meanwhile carry one more token."""
    above = os.environ.get(MARK)
    os.environ[MARK] = marked({}, token)[MARK]
    try:
        yield
    finally:
        if above is None:
            del os.environ[MARK]
        else:
            os.environ[MARK] = above


def end_marked(token: str, seconds: float = 5.0) -> int:
    """Kill the processes with a token that a killed process left, and return how many (Linux).

    Whoever started them waits for them. One may start another one meanwhile: it goes on until none
    is found, for at most `seconds`.
    """
    end = time.monotonic() + seconds
    ended: set[int] = set()
    while found := _with_token(token.encode()):
        for pid in found:
            _kill(pid)
        ended.update(found)
        if time.monotonic() > end:
            break
        time.sleep(0.01)
    return len(ended)


def _with_token(token: bytes) -> list[int]:
    try:
        names = [path.name for path in Path("/proc").iterdir()]
    except OSError:  # not Linux
        return []
    pids = [int(name) for name in names if name.isdecimal()]
    return [pid for pid in pids if pid != os.getpid() and token in _tokens(pid)]


def _tokens(pid: int) -> list[bytes]:
    start = f"{MARK}=".encode()
    found = (each for each in _environment(pid).split(b"\0") if each.startswith(start))
    return next(found, start).removeprefix(start).split()


@contextmanager
def adopting() -> Iterator[None]:
    """Let orphans below this process become its children, so that they can be found.

    Only while it is needed: a daemon that another part of this process starts is left to init.
    """
    global _running, _was_reaper  # noqa: PLW0603 - a property of the process
    with _lock:
        if _running == 0:
            _was_reaper = _is_reaper()
            _become_reaper(True)
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if _running == 0:
                _become_reaper(_was_reaper)


def end_orphans(leader: int, token: str, seconds: float) -> None:
    """Kill and reap adopted processes of a session or with a token, for at most `seconds`.

    Each one's own children are adopted when it is gone, so it goes on until none is found.
    """
    end = time.monotonic() + seconds
    pause = 0.0005
    while _killed(leader, token.encode()) and time.monotonic() < end:
        time.sleep(pause)
        pause = min(pause * 2, 0.02)


def _killed(leader: int, token: bytes) -> bool:
    """Kill the children of this process that are meant, and reap those; True: there were some."""
    found = False
    for pid in _children():
        about = _about(pid)
        environment = b"" if about.state == "Z" else _environment(pid)
        if about.session == leader or token in environment:
            found = True
            _kill(pid)
            _reap(pid)
        elif not environment and _is_init(pid):
            # It is ending, and takes all of its namespace with it.
            found = True
            _reap(pid)
        elif about.state == "Z" and _is_forgotten(pid, about):
            _reap(pid)
    return found


def _is_init(pid: int) -> bool:
    """Return whether it is the first process of a namespace: only adopted children are."""
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except OSError:
        return False
    _, _, line = status.partition(b"\nNSpid:")
    return line.partition(b"\n")[0].split()[1:] == [b"1"]


def _is_forgotten(pid: int, about: "_About") -> bool:
    """Return whether a dead child is one that nobody will wait for, because it was adopted.

    What another part of this process started is in our session, or leads its own and is waited
    for soon.
    """
    if about.session == os.getsid(0):
        return False
    if about.session != pid:
        return True
    key, now = (pid, about.started), time.monotonic()
    for old in [old for old, seen in _dead.copy().items() if now - seen > 2 * _PATIENCE]:
        _dead.pop(old, None)
    return now - _dead.setdefault(key, now) >= _PATIENCE


def _children() -> list[int]:
    pids: list[int] = []
    with suppress(OSError):
        for task in _TASKS.iterdir():
            with suppress(OSError):
                pids += map(int, (task / "children").read_bytes().split())
    return pids


class _About(NamedTuple):
    """What the system says about a process; `session` is -1 when there is none."""

    state: str
    session: int
    started: str


def _about(pid: int) -> _About:
    try:
        # Its name, in brackets, may hold any character.
        text = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].decode()
    except OSError:
        return _About("", -1, "")
    fields = text.split()
    return _About(fields[0], int(fields[3]), fields[19])


def _environment(pid: int) -> bytes:
    """Return the environment of a process; empty when it has none any more, as it is ending."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # how a system says that it is ending differs
        return b""


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _reap(pid: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _library() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if sys.platform == "linux" else None


_LIBRARY: Final = _library()


def _is_reaper() -> bool:
    answer = ctypes.c_int(0)
    if _LIBRARY is not None:
        _LIBRARY.prctl(_GET_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    return bool(answer.value)


def _become_reaper(wanted: bool) -> None:
    if _LIBRARY is not None:
        _LIBRARY.prctl(_SET_SUBREAPER, ctypes.c_ulong(wanted), 0, 0, 0)
