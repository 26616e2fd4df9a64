"""Every call to the operating system that a piece of Python makes, one of which goes wrong."""

import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

CALLS = (
    "access", "close", "fstat", "fsync", "link", "listdir", "lstat", "mkdir", "open", "pread",
    "rename", "replace", "rmdir", "scandir", "stat", "statvfs", "unlink", "write",
)  # fmt: skip

Fault = Callable[[Callable[[], Any], str, tuple[Any, ...]], Any]
"""What happens instead of a call: it gets the call, its name and what it was called with."""


class Counted:
    """How many calls there were, and whether the fault came up."""

    def __init__(self) -> None:
        self.calls = 0
        self.name = ""


@contextmanager
def fault_at(number: int, fault: Fault) -> Iterator[Counted]:
    """Let the call of that number, from 1, in this thread be the fault."""
    counted, me = Counted(), threading.get_ident()
    real = {name: getattr(os, name) for name in CALLS}

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*given: Any, **named: Any) -> Any:
            if threading.get_ident() != me:
                return call(*given, **named)
            counted.calls += 1
            if counted.calls != number:
                return call(*given, **named)
            counted.name = name
            return fault(lambda: call(*given, **named), name, given)

        return instead

    for name, call in real.items():
        setattr(os, name, wrapped(name, call))
    try:
        yield counted
    finally:
        for name, call in real.items():
            setattr(os, name, call)


def fails(code: int) -> Fault:
    """The call fails; a file that is closed is closed nevertheless, as Linux does it."""

    def fault(call: Callable[[], Any], name: str, given: tuple[Any, ...]) -> Any:
        if name == "close":
            call()
        raise OSError(code, os.strerror(code))

    return fault


def dies_before(call: Callable[[], Any], name: str, given: tuple[Any, ...]) -> Any:
    """The process is killed when it would make the call."""
    os.kill(os.getpid(), signal.SIGKILL)


def dies_after(call: Callable[[], Any], name: str, given: tuple[Any, ...]) -> Any:
    """The process is killed when it made the call, whatever came of it."""
    try:
        call()
    finally:
        os.kill(os.getpid(), signal.SIGKILL)


_write = os.write


def _half(name: str, given: tuple[Any, ...]) -> None:
    if name == "write":
        file, data = given
        _write(file, data[: len(data) // 2])


def dies_half_way(call: Callable[[], Any], name: str, given: tuple[Any, ...]) -> Any:
    """The process is killed in the middle of a write."""
    _half(name, given)
    os.kill(os.getpid(), signal.SIGKILL)


def full_half_way(call: Callable[[], Any], name: str, given: tuple[Any, ...]) -> Any:
    """The disk takes half of what is written, and is full then."""
    _half(name, given)
    if name == "close":
        call()
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


DEATHS: dict[str, Fault] = {
    "before": dies_before,
    "after": dies_after,
    "half way": dies_half_way,
}
