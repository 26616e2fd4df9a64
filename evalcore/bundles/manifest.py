"""The manifest of a bundle: what it was made of, and every file in it with its sha256."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, BinaryIO, Final, Literal, NamedTuple

import msgspec

from evalcore.disk.files import MAX_BYTES as MAX_FILE

FORMAT: Final = "evalcore-bundle"
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.json.sig"
DATA: Final = "data"
REPORTS: Final = "reports"
MAX_MANIFEST: Final = 64 * 1024 * 1024
MAX_FILES: Final = 250_000
MAX_BYTES: Final = 4 * 1024**3
MAX_RATIO: Final = 200
"""So many times as large as in the bundle a file may be; a bomb is a thousand times as large."""

SMALL: Final = 64 * 1024
"""What is not larger is no bomb."""
MAX_TEXT: Final = 1_000
SEAL: Final = b"sha256:"
SEALED_BY: Final = len(SEAL) + 64
"""So many bytes at the end of a bundle, the comment of the zip, are the sha256 of all before."""

_Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
_Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Kind = Literal["workspace", "reply"]


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in a bundle: where it stands there, its size and sha256."""

    path: _Text
    size: Annotated[int, msgspec.Meta(ge=0, le=MAX_FILE)]
    sha256: _Hex


class BundledSuite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A suite in a bundle, and the folder of its records of judgments below the workspace."""

    suite: _Text
    reviews: _Text


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle says of itself.

    `kind` is "reply" where it holds only the records that were made in the bundle whose manifest
    has the sha256 `of`. `folders` below the workspace have no file in it. `outputs` says whether
    what the runs wrote is in it. So many `hidden_runs` are left out, as a blind study that is open
    compares them; `left_out` says why other files are.
    """

    format: Literal["evalcore-bundle"]
    version: Literal[1]
    kind: Kind
    made_by: Annotated[str, msgspec.Meta(pattern=r"^evalcore [\w.+]{1,40}$")]
    workspace: _Text
    suites: list[BundledSuite]
    outputs: bool
    hidden_runs: int
    left_out: list[_Text]
    of: _Hex | None
    fingerprint: _Hex
    folders: list[_Text]
    files: list[File]

    @property
    def root(self) -> str:
        """The folder of the workspace in the bundle."""
        return f"{DATA}/{self.workspace}"


class Sealed(NamedTuple):
    """A manifest, its bytes as they stand in the bundle, and their sha256."""

    manifest: Manifest
    data: bytes
    digest: str


def seal_of(bundle: BinaryIO, size: int) -> bytes:
    """Return what ends a bundle of so many bytes.

    The sha256 of its files says nothing of dates, names and padding in the zip itself.
    """
    bundle.seek(0)
    found, left = sha256(), size - SEALED_BY
    while data := bundle.read(min(left, 1 << 20)):
        found.update(data)
        left -= len(data)
    return SEAL + found.hexdigest().encode()


def fingerprint_of(files: Iterable[File]) -> str:
    """Return one digest of all files: that of the lines that `sha256sum` writes of them."""
    lines = (f"{each.sha256}  {each.path}\n".encode() for each in files)
    return sha256(b"".join(lines)).hexdigest()


def sealed(data: bytes) -> Sealed:
    """Return the manifest that some bytes are.

    Raises:
        ValueError: they are none that this evalcore reads, as the end of a sentence.
    """
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ValueError(f"it is no manifest that this evalcore reads: {error}") from error
    if manifest.fingerprint != fingerprint_of(manifest.files):
        raise ValueError("its fingerprint is not that of its files")
    return Sealed(manifest, data, sha256(data).hexdigest())


def encoded(manifest: Manifest) -> bytes:
    """Return the bytes of a manifest, a file each line."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
