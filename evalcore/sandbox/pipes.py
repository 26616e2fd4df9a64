"""The pipes of a child process, read and written without ever waiting for one of them alone."""

import os
import selectors
import subprocess
from contextlib import suppress
from typing import IO, Any, Final, Self

MAX_FLOOD: Final = 64 * 1024 * 1024
"""A child that writes more to both streams together is not read to its end."""

_CHUNK: Final = 64 * 1024
_POLL_SECONDS: Final = 0.02  # where the system cannot say when a process ends


class Pipes:
    """The three streams of a child, and word of its end.

    A pipe that a process left behind holds open is not waited for.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: bytes, keep: int) -> None:
        self.read = 0
        self.cut = False
        self._process = process
        self._keep = keep
        self._input = memoryview(stdin)
        self._selector = selectors.PollSelector()
        self._pid = _pid_handle(process)
        self._parts: dict[int, bytearray] = {}
        if self._pid is not None:
            self._selector.register(self._pid, selectors.EVENT_READ)
        for stream in (process.stdout, process.stderr):
            self._parts[_registered(self._selector, stream, selectors.EVENT_READ)] = bytearray()
        if process.stdin:
            _registered(self._selector, process.stdin, selectors.EVENT_WRITE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                with suppress(OSError):  # what could not be written is of no use any more
                    stream.close()
        if self._pid is not None:
            os.close(self._pid)

    def wait(self, seconds: float) -> bool:
        """Read and write for at most `seconds`, until something happened; True: it has ended."""
        if self._pid is None:
            seconds = min(seconds, _POLL_SECONDS)
        ended = False
        for key, events in self._selector.select(max(seconds, 0.0)):
            if key.fd == self._pid:
                ended = True
            elif events & selectors.EVENT_WRITE:
                self._write(key)
            else:
                self._read(key.fd)
        return ended if self._pid is not None else self._process.poll() is not None

    def drain(self) -> None:
        """Read what the pipes still hold."""
        for handle in self._parts:
            while self._is_open(handle) and self.read <= 2 * MAX_FLOOD and self._read(handle):
                pass

    def kept(self) -> tuple[bytes, bytes]:
        """Return what was kept of standard output and standard error."""
        output, errors = self._parts.values()
        return bytes(output), bytes(errors)

    def _read(self, handle: int) -> bool:
        """Read once; False if there is nothing now."""
        try:
            data = os.read(handle, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._selector.unregister(handle)
            return False
        self.read += len(data)
        part = self._parts[handle]
        room = self._keep - len(part)
        part += data[:room]
        self.cut = self.cut or len(data) > room
        return True

    def _write(self, key: selectors.SelectorKey) -> None:
        stream: Any = key.fileobj
        try:
            self._input = self._input[os.write(key.fd, self._input[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it closed its input, and reads no more
            self._input = self._input[:0]
        if not self._input:
            self._selector.unregister(stream)
            with suppress(OSError):
                stream.close()

    def _is_open(self, handle: int) -> bool:
        return handle in self._selector.get_map()


def _registered(selector: selectors.BaseSelector, stream: IO[bytes] | None, event: int) -> int:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    selector.register(stream, event)
    return stream.fileno()


def _pid_handle(process: "subprocess.Popen[bytes]") -> int | None:
    """Return a handle that can be waited for together with the pipes (Linux)."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(process.pid)
    except OSError:  # an old kernel, or one that forbids it
        return None
