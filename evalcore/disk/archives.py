"""Read a zip of JSON entries one entry at a time, within bounds, and never unpack it to disk."""

import json
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from evalcore.disk.files import MAX_BYTES, Files
from evalcore.disk.parsing import MISSING, Fault, Json, parsed

ARCHIVES: Final = (".eval",)
"""How the names of zips of JSON entries end that a walk lists."""
MARK: Final = b"PK\3\4"
"""What such a file begins with."""
MAX_ENTRIES: Final = 200_000
MAX_DIRECTORY: Final = 32 * 1024 * 1024
"""Bytes of the list of entries at its end, which is read whole."""
MAX_RATIO: Final = 200
SMALL: Final = 1024 * 1024
"""An entry of more bytes than this may not be more than `MAX_RATIO` times its packed size."""

_ZSTD: Final = 93
ENCRYPTED: Final = 0x1 | 0x40
_END: Final = struct.Struct("<4s4H2LH")
_END_64: Final = struct.Struct("<4sQ2H2L4Q")
_LOCATOR: Final = struct.Struct("<4sLQL")
_LOCAL: Final = struct.Struct("<4s22x2H")
BROKEN: Final = (
    BadZipFile, EOFError, struct.error, NotImplementedError, RuntimeError, ValueError,
    OverflowError, LookupError,
)  # fmt: skip
"""What `zipfile` raises where the list of entries is broken."""


class ArchiveFault(OSError):
    """A zip, or one of its entries, that is broken or out of bounds."""


class Archive:
    """An open zip and its entries by name; of several of one name the last counts."""

    def __init__(self, zip_file: ZipFile, handle: int) -> None:
        self._handle = handle
        self._start = zip_file.start_dir
        self.entries: dict[str, ZipInfo] = {}
        self.repeated: list[str] = []
        """The names of entries that come again."""
        for info in zip_file.infolist():
            if info.filename in self.entries:
                self.repeated.append(info.filename)
            self.entries[info.filename] = info

    def read(self, name: str) -> bytes:
        """Return the bytes of an entry.

        Raises:
            ArchiveFault: there is none, it is broken, or it is out of bounds.
        """
        info = self.entries.get(name)
        if info is None:
            raise ArchiveFault(f"it has no entry {name!r}")
        size, packed = info.file_size, info.compress_size
        if info.flag_bits & ENCRYPTED:
            raise ArchiveFault(f"the entry {name!r} is encrypted")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED, _ZSTD):
            method = info.compress_type
            raise ArchiveFault(f"the entry {name!r} is packed by method {method}, which is unknown")
        if max(size, packed) > MAX_BYTES:
            raise ArchiveFault(f"the entry {name!r} has {size:,} bytes; {MAX_BYTES:,} are read")
        if size > SMALL and size > packed * MAX_RATIO:
            raise ArchiveFault(f"the entry {name!r} would grow more than {MAX_RATIO} times")
        header = os.pread(self._handle, _LOCAL.size, info.header_offset)
        if len(header) < _LOCAL.size or not header.startswith(MARK):
            raise ArchiveFault(f"the entry {name!r} is not where the list says")
        _, length, extra = _LOCAL.unpack(header)
        place = info.header_offset + _LOCAL.size + length + extra
        if place + packed > self._start:
            raise ArchiveFault(f"the entry {name!r} ends behind the list of entries")
        data = _unpacked(name, os.pread(self._handle, packed, place), info.compress_type, size)
        if len(data) != size or zlib.crc32(data) != info.CRC:
            raise ArchiveFault(f"the entry {name!r} is not of the size or sum that the list says")
        return data

    def json(self, name: str) -> tuple[Json, Fault | None]:
        """Return the JSON value of an entry, with NaN as missing; MISSING and why if it has none.

        Raises:
            ArchiveFault: there is no such entry, it is broken, or it is out of bounds.
        """
        data = self.read(name)
        value, fault = parsed(data)
        if value is MISSING and fault is not None and fault.code == "invalid-json":
            # Python writes NaN; a long list of scores with one is past what is read leniently.
            try:
                return json.loads(data, parse_constant=lambda _: None), None
            except (ValueError, RecursionError):
                pass
        return value, fault if value is MISSING else None


def is_archive(files: Files, path: str) -> bool:
    """Return whether a file begins as a zip does.

    Raises:
        PathOutside: it leads out of the root.
        OSError: it cannot be read, or is not a regular file.
    """
    with _handle(files, path) as handle:
        return os.pread(handle, len(MARK), 0) == MARK


@contextmanager
def archive(files: Files, path: str) -> Iterator[Archive]:
    """Yield a zip whose list of entries was read; entries are read when they are asked for.

    Raises:
        ArchiveFault: it is no whole zip, or lists more than is read.
        PathOutside: it leads out of the root.
        OSError: it cannot be read, or is not a regular file.
    """
    with _handle(files, path) as handle, os.fdopen(os.dup(handle), "rb", buffering=0) as file:
        end = end_of(file, os.fstat(handle).st_size)
        if end is None or end.comment:
            raise ArchiveFault("its end is missing; it may still be being written")
        if end.entries > MAX_ENTRIES or end.length > MAX_DIRECTORY:
            raise ArchiveFault(
                f"it lists {end.entries:,} entries; at most {MAX_ENTRIES:,} are read"
            )
        try:
            zip_file = ZipFile(file)
        except BROKEN as error:
            raise ArchiveFault(f"it is no whole zip file ({error})") from error
        with zip_file:
            yield Archive(zip_file, handle)


@contextmanager
def _handle(files: Files, path: str) -> Iterator[int]:
    handle = files.open(path)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("it is not a regular file")
        yield handle
    finally:
        os.close(handle)


class End(NamedTuple):
    """What the end of a zip says: how many entries it lists in how many bytes, and its comment."""

    entries: int
    length: int
    comment: int


def end_of(file: BinaryIO, size: int) -> End | None:
    """Return the end of a zip whose first `size` bytes these are; None if they end otherwise.

    A zip is opened only after this: its list of entries is then read whole.
    """
    whole = _END_64.size + _LOCATOR.size + _END.size
    file.seek(max(0, size - whole))
    tail = file.read(min(size, whole)).rjust(whole, b"\0")
    mark, *_, count, length, _, comment = _END.unpack(tail[-_END.size :])
    if mark != b"PK\5\6":
        return None
    if tail[_END_64.size :].startswith(b"PK\6\7"):
        *_, count, length, _ = _END_64.unpack(tail[: _END_64.size])
    return End(count, length, comment)


def _unpacked(name: str, packed: bytes, method: int, size: int) -> bytes:
    """Return at most one byte more than `size` of what packed bytes hold."""
    if method == ZIP_STORED:
        return packed
    try:
        if method == ZIP_DEFLATED:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size + 1)
        import pyarrow as pa  # noqa: PLC0415 - only a zip with this method needs it

        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            found: bytes = stream.read(size + 1)
            return found
    except (zlib.error, OSError, ValueError) as error:
        raise ArchiveFault(f"the entry {name!r} cannot be unpacked ({error})") from error
