"""Read a bundle that anybody may have made or changed: only whole, bounded and harmless ones."""

import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from evalcore.bundles.manifest import (
    DATA,
    MANIFEST,
    MAX_BYTES,
    MAX_FILES,
    MAX_MANIFEST,
    MAX_RATIO,
    REPORTS,
    SEAL,
    SEALED_BY,
    SIGNATURE,
    SMALL,
    File,
    Manifest,
    Sealed,
    seal_of,
    sealed,
)
from evalcore.bundles.names import Names, fault_of_path
from evalcore.bundles.signing import MAX_SIGNATURE, signer
from evalcore.disk.archives import BROKEN, ENCRYPTED, end_of
from evalcore.errors import BundleRefused
from evalcore.families.base import REVIEWS

MAX_DIRECTORY: Final = 96 * 1024 * 1024
"""Bytes of the list at the end of a zip, which is read whole."""
_BROKEN: Final = (*BROKEN, zlib.error, OSError)
"""What `zipfile` raises where a zip is broken, or cannot be read."""


class Bundle(NamedTuple):
    """An open bundle whose list of files is that of its manifest, and who signed it, if known."""

    file: Path
    sealed: Sealed
    signed_by: str | None
    has_signature: bool
    archive: ZipFile

    @property
    def manifest(self) -> Manifest:
        """What it says of itself."""
        return self.sealed.manifest

    def files(self) -> Iterator[tuple[File, bytes]]:
        """Yield each file of the manifest and its bytes, compared with its sha256.

        At its end the whole bundle is compared with its own: until then nothing is believed.

        Raises:
            BundleRefused: one is not what the manifest says, or any byte of the bundle was changed.
        """
        for each in self.manifest.files:
            data = _content(self.file, self.archive, each.path, each.size)
            if sha256(data).hexdigest() != each.sha256:
                raise BundleRefused(self.file, each.path, "its content was changed")
            yield each, data
        with self.file.open("rb") as handle:
            size = handle.seek(0, 2)
            handle.seek(max(0, size - SEALED_BY))
            if handle.read() != seal_of(handle, size):
                raise BundleRefused(self.file, "", "it was changed, or its end is missing")


@contextmanager
def opened(file: Path, signers: Path | None = None) -> Iterator[Bundle]:
    """Yield a bundle whose manifest, names and sizes were checked; `files` checks the rest.

    With a file of allowed signers, it must be signed by one of them.

    Raises:
        BundleRefused: it is no bundle, or not a whole and harmless one.
        CannotBundle: signatures cannot be checked here.
        OSError: it cannot be read.
    """
    with file.open("rb") as handle:
        _require_small_list(file, handle)
        try:
            archive = ZipFile(handle)
        except _BROKEN as error:
            raise BundleRefused(file, "", f"it is no whole zip file ({error})") from error
        with archive:
            infos = _entries(file, archive)
            if MANIFEST not in infos:
                raise BundleRefused(file, "", f"it has no {MANIFEST}, so it is no bundle")
            data = _content(file, archive, MANIFEST, infos[MANIFEST].file_size)
            try:
                found = sealed(data)
            except ValueError as error:
                raise BundleRefused(file, MANIFEST, str(error)) from error
            _require_listed(file, found.manifest, infos)
            by = None
            if signers is not None:
                if SIGNATURE not in infos:
                    raise BundleRefused(file, "", "it is not signed")
                size = infos[SIGNATURE].file_size
                if size > MAX_SIGNATURE:
                    raise BundleRefused(file, SIGNATURE, "it is too large for a signature")
                signature = _content(file, archive, SIGNATURE, size)
                by = signer(found.data, signature, signers)
                if by is None:
                    raise BundleRefused(file, SIGNATURE, f"it is of nobody in {signers}")
            yield Bundle(file, found, by, SIGNATURE in infos, archive)


def _require_small_list(file: Path, handle: BinaryIO) -> None:
    """Refuse a file that does not end as a zip does, or whose list of files is too long to read."""
    size = handle.seek(0, 2)
    handle.seek(max(0, size - SEALED_BY))
    if handle.read(len(SEAL)) == SEAL:
        size -= SEALED_BY
    end = end_of(handle, size)
    if end is None or end.comment not in (0, SEALED_BY):
        raise BundleRefused(file, "", "it is no bundle, or its end is missing")
    if end.entries > MAX_FILES + 2 or end.length > MAX_DIRECTORY:
        raise BundleRefused(file, "", f"it lists more than {MAX_FILES:,} files")


def _entries(file: Path, archive: ZipFile) -> dict[str, ZipInfo]:
    """Return what a zip lists, by name, after looking at every name and size."""
    names, found, total = Names(), dict[str, ZipInfo](), 0
    for info in archive.infolist():
        name, kind = info.filename, info.external_attr >> 16
        fault = names.fault_of(info.orig_filename)
        if fault is None and info.orig_filename != name:
            fault = "its name is not a plain path below the folder"
        elif stat.S_IFMT(kind) not in (0, stat.S_IFREG):
            fault = "it is a link or no regular file"
        elif info.flag_bits & ENCRYPTED:
            fault = "it is encrypted"
        elif info.compress_type not in (ZIP_DEFLATED, ZIP_STORED):
            fault = "it is compressed in another way than bundles are"
        elif info.file_size > SMALL + MAX_RATIO * info.compress_size:
            fault = f"it grows to {info.file_size:,} bytes from {info.compress_size:,}"
        total += info.file_size
        if fault is None and (total > MAX_BYTES or len(found) > MAX_FILES + 1):
            fault = f"with it there are more than {MAX_FILES:,} files or {MAX_BYTES >> 30} GB"
        if fault is not None:
            raise BundleRefused(file, name[:200], fault)
        found[name] = info
    if total > SMALL * len(found) + MAX_RATIO * file.stat().st_size:
        raise BundleRefused(file, "", f"it grows to {total:,} bytes")
    return found


def _require_listed(file: Path, manifest: Manifest, infos: dict[str, ZipInfo]) -> None:
    """Refuse a bundle that holds other files than its manifest lists, or says odd names."""
    if fault_of_path(manifest.workspace) or "/" in manifest.workspace:
        raise BundleRefused(file, MANIFEST, "the name of its workspace is no name of a folder")
    for suite in manifest.suites:
        path = suite.reviews
        if fault_of_path(path) or path.rpartition("/")[2] != REVIEWS:
            raise BundleRefused(file, MANIFEST, f"{path!r} is no folder of records")
    listed = {each.path: each.size for each in manifest.files}
    names = Names()
    for path in (*listed, *(f"{manifest.root}/{each}" for each in manifest.folders)):
        if fault := names.fault_of(path):
            raise BundleRefused(file, path[:200], fault)
    if len(listed) != len(manifest.files) or len(manifest.folders) > MAX_FILES:
        raise BundleRefused(file, MANIFEST, "it lists a file twice, or too many folders")
    for name in infos.keys() - listed.keys() - {MANIFEST, SIGNATURE}:
        raise BundleRefused(file, name, f"the {MANIFEST} does not list it")
    for name, size in listed.items():
        if name not in infos or infos[name].file_size != size:
            why = "it is missing" if name not in infos else "its size was changed"
            raise BundleRefused(file, name, why)
        if not name.startswith((f"{manifest.root}/", f"{REPORTS}/")) or (
            name.startswith(REPORTS) and (name.count("/") > 1 or not name.endswith(".html"))
        ):
            raise BundleRefused(file, name, f"it is neither below {DATA} nor a report")


def _content(file: Path, archive: ZipFile, name: str, size: int) -> bytes:
    """Return the bytes of a file in a bundle, which has so many of them."""
    if name == MANIFEST and size > MAX_MANIFEST:
        raise BundleRefused(file, name, f"it has more than {MAX_MANIFEST:,} bytes")
    try:
        with archive.open(name) as member:
            data = member.read(size + 1)
            member.read(1)  # at its end the checksum is compared
    except _BROKEN as error:
        raise BundleRefused(file, name, f"it cannot be unpacked ({error})") from error
    if len(data) != size:
        raise BundleRefused(file, name, "its size was changed")
    return data
