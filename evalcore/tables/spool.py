"""Append-only bytes with random access: in memory while small, else in a file."""

import io
import mmap
import os
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

SMALL = 1 << 20


class SpoolFailed(Exception):
    """The file of a spool cannot be written; its content must be collected without it."""


class Spool:
    """Collects bytes; beyond a megabyte they go to `path`, if given."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.size = 0
        self._memory = io.BytesIO()
        self._file: BinaryIO | None = None

    def write(self, data: bytes | memoryview) -> None:
        """Append bytes.

        Raises:
            SpoolFailed: the file cannot be written.
        """
        self.size += len(data)
        if self.path is None or (self._file is None and self.size <= SMALL):
            self._memory.write(data)
            return
        try:
            if self._file is None:
                self._file = self.path.open("xb", buffering=0)
                self._put(self._memory.getvalue())
                self._memory = io.BytesIO()
            if self._file.closed:
                self._file = self.path.open("ab", buffering=0)
            self._put(data)
        except OSError as error:
            raise SpoolFailed(str(self.path)) from error

    def _put(self, data: bytes | memoryview) -> None:
        rest = memoryview(data)
        while rest and self._file is not None:
            rest = rest[self._file.write(rest) :]

    @property
    def file(self) -> Path | None:
        """The file with all bytes; None while they are in memory."""
        return self.path if self._file is not None else None

    def buffer(self) -> pa.Buffer:
        """Return all bytes so far; a file is mapped, not read."""
        if self._file is None or self.path is None:
            return pa.py_buffer(self._memory.getvalue())
        self._file.close()
        return mapped(self.path)


def mapped(path: Path, folder: int | None = None) -> pa.Buffer:
    """Return the bytes of a file without reading them; the file may be removed afterwards.

    With `folder`, an open folder, `path` is relative to it.

    Raises:
        OSError: it cannot be opened.
    """
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    try:
        if not os.fstat(handle).st_size:
            return pa.py_buffer(b"")
        return pa.py_buffer(mmap.mmap(handle, 0, access=mmap.ACCESS_READ))
    finally:
        os.close(handle)
