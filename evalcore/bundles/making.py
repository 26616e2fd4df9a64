"""Make bundles: the same files, and the same evalcore, give the same bytes."""

import stat
import zlib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from evalcore.bundles.content import Content
from evalcore.bundles.manifest import (
    DATA,
    FORMAT,
    MANIFEST,
    MAX_BYTES,
    MAX_FILES,
    MAX_RATIO,
    MAX_TEXT,
    REPORTS,
    SEALED_BY,
    SIGNATURE,
    SMALL,
    File,
    Kind,
    Manifest,
    encoded,
    fingerprint_of,
    seal_of,
)
from evalcore.bundles.names import fault_of_path
from evalcore.bundles.signing import Key
from evalcore.disk.files import Files
from evalcore.errors import CannotBundle, PathOutside

MADE: Final = (1980, 1, 1, 0, 0, 0)
"""No clock is in a bundle."""
LEVEL: Final = 6


class About(NamedTuple):
    """What a manifest says beside the files; see there."""

    kind: Kind
    made_by: str
    workspace: str
    outputs: bool = False
    hidden_runs: int = 0
    of: str | None = None


def plain_name(name: str) -> str:
    """Return the name of a folder, or another one where that cannot be in a bundle."""
    return "workspace" if "/" in name or fault_of_path(name) else name


def write_bundle(
    out: BinaryIO,
    root: Path,
    content: Content,
    about: About,
    reports: Mapping[str, bytes],
    key: Key | None = None,
) -> Manifest:
    """Write a bundle of the files of a workspace and its reports, and return its manifest.

    `out` is empty, and is read, too. Each file is read once, and said to be left out where it
    cannot be. The manifest is signed where there is a key.

    Raises:
        CannotBundle: it is too much, or cannot be signed.
        OSError: it cannot be written.
    """
    files = Files(root)
    left_out, found, size = list(content.left_out), list[File](), 0
    with ZipFile(out, "w") as archive:
        for path in content.paths:
            try:
                data = content.stand_ins.get(path) or files.read(path)
            except (OSError, PathOutside) as error:
                why = error.strerror if isinstance(error, OSError) else str(error)
                left_out.append(f"Left out: {path!r}: it cannot be read ({why}).")
                continue
            found.append(_added(archive, f"{DATA}/{about.workspace}/{path}", data))
            size += len(data)
            if size > MAX_BYTES or len(found) > MAX_FILES - len(reports):
                raise CannotBundle(
                    f"{root} is too large for a bundle: more than {MAX_FILES:,} files or "
                    f"{MAX_BYTES // 1024**3} GB. Name one suite, or leave out --with-outputs."
                )
        found += [_file(f"{REPORTS}/{name}", data) for name, data in sorted(reports.items())]
        manifest = Manifest(
            format=FORMAT,
            version=1,
            **about._asdict(),
            suites=list(content.suites),
            folders=list(content.folders),
            left_out=[each[:MAX_TEXT] for each in left_out],
            fingerprint=fingerprint_of(found),
            files=found,
        )
        data = encoded(manifest)
        _added(archive, MANIFEST, data)
        if key is not None:
            _added(archive, SIGNATURE, key.signed(data))
        for name, data in sorted(reports.items()):
            _added(archive, f"{REPORTS}/{name}", data)
        archive.comment = bytes(SEALED_BY)
    end = out.seek(0, 2)
    seal = seal_of(out, end)
    out.seek(end - SEALED_BY)
    out.write(seal)
    return manifest


def _added(archive: ZipFile, name: str, data: bytes) -> File:
    """Add a file to a bundle; one that compresses too well to be told from a bomb is stored."""
    info = ZipInfo(name, MADE)
    info.external_attr = (stat.S_IFREG | 0o600) << 16
    info.compress_type = ZIP_DEFLATED
    if len(data) > SMALL and len(zlib.compress(data, LEVEL)) * MAX_RATIO < len(data):
        info.compress_type = ZIP_STORED
    archive.writestr(info, data, compresslevel=LEVEL)
    return _file(name, data)


def _file(name: str, data: bytes) -> File:
    return File(name, len(data), sha256(data).hexdigest())
