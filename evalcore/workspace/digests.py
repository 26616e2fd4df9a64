"""Digests that tell whether files are still as they were written."""

import os
from collections.abc import Iterable
from typing import Final

import xxhash

BLOCK: Final = 1 << 20
"""Bytes read at a time: several hundred megabytes are checked with little memory."""


def digests(folder: int, names: Iterable[str]) -> dict[str, str]:
    """Return the digest of each named file of an open folder.

    Raises:
        OSError: one cannot be read.
    """
    buffer = bytearray(BLOCK)
    return {name: _digest(folder, name, buffer) for name in names}


def with_digest(data: bytes) -> bytes:
    """Return bytes preceded by their digest."""
    return f"{xxhash.xxh3_64_hexdigest(data)}\n".encode() + data


def checked(data: bytes) -> bytes:
    """Return the bytes that `with_digest` was given.

    Raises:
        ValueError: they are not the same any more.
    """
    content = data.partition(b"\n")[2]
    if with_digest(content) != data:
        raise ValueError("the content does not match its digest")
    return content


def _digest(folder: int, name: str, buffer: bytearray) -> str:
    found, view = xxhash.xxh3_64(), memoryview(buffer)
    handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    # Not mapped: a bad sector of the disk is an exception when read, but kills who maps it.
    with os.fdopen(handle, "rb", buffering=0) as file:
        while size := file.readinto(buffer):
            found.update(view[:size])
    return found.hexdigest()
