"""Bundles that were unpacked on this machine: what is known of one without its zip.

Every page asks, so that this imports nothing that reads a zip.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.bundles.manifest import DATA, MANIFEST, MAX_MANIFEST, Manifest, sealed
from evalcore.disk.files import Files
from evalcore.errors import PathOutside
from evalcore.folders import bundles_dir

DIGITS: Final = 24
"""So many digits of a digest are the name of a folder; two bundles of one name are compared."""


class Unpacked(NamedTuple):
    """A bundle that was unpacked: its workspace's folder, what it says of itself, who signed it.

    `digest` is the sha256 of its manifest; it `has_signature` also where nobody asked by whom.
    """

    root: Path
    manifest: Manifest
    digest: str
    signed_by: str | None = None
    has_signature: bool = False


def unpacked_at(root: Path) -> Unpacked | None:
    """Return the bundle that a folder was unpacked from; None for any other folder."""
    place = root.parent.parent
    if root.parent.name != DATA or place.parent != bundles_dir():
        return None
    manifest = _manifest_at(place)
    if manifest is None or place / manifest[0].root != root:
        return None
    return Unpacked(root, *manifest)


@lru_cache(maxsize=4)
def _manifest_at(place: Path) -> tuple[Manifest, str] | None:
    """Return the manifest and digest of an unpacked bundle, whose folder is called by that."""
    try:
        found = sealed(Files(place).read(MANIFEST, MAX_MANIFEST))
    except (OSError, PathOutside, ValueError):
        return None
    return (found.manifest, found.digest) if place.name == found.digest[:DIGITS] else None
