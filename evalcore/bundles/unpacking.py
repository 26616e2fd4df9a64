"""Unpack a bundle on this machine, once: read-only, but for the records of judgments made in it.

What people store in an opened bundle is theirs alone, so it lies in the state folder: a cache may
be deleted. A folder that was unpacked is compared with the bundle each time, and never replaced.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from evalcore.bundles.manifest import DATA, MANIFEST, Manifest
from evalcore.bundles.reading import Bundle, opened
from evalcore.bundles.unpacked import DIGITS, Unpacked
from evalcore.disk.creating import why
from evalcore.disk.files import Files
from evalcore.disk.handles import NEW, folder, names_of, write_all
from evalcore.disk.unfinished import is_abandoned, unfinished_name
from evalcore.errors import BundleRefused, CannotBundle, PathOutside
from evalcore.folders import bundles_dir

_READ_ONLY: Final = 0o500
_UNFINISHED: Final = "new-"


def unpack(file: Path, signers: Path | None = None) -> Unpacked:
    """Unpack a bundle where that is still to do, and return its folder.

    Several processes may do so at once: the first folder that is whole stays.

    Raises:
        BundleRefused: it is no whole and harmless bundle, or no workspace; nothing is left of it.
        CannotBundle: what was unpacked before was changed since, or nothing can be written.
    """
    with opened(file, signers) as bundle:
        if bundle.manifest.kind != "workspace":
            raise BundleRefused(
                file, "", "it holds answers to a bundle; take them with evalcore bundle --take"
            )
        place = bundles_dir() / bundle.sealed.digest[:DIGITS]
        try:
            if not place.is_dir():
                _write(bundle, place)
            else:
                _compare(bundle, place)
            _close(bundle.manifest, place)
        except OSError as error:
            raise CannotBundle(f"{file} was not unpacked: {why(error)}.") from error
        return Unpacked(
            place / bundle.manifest.root,
            bundle.manifest,
            bundle.sealed.digest,
            bundle.signed_by,
            bundle.has_signature,
        )


def _write(bundle: Bundle, place: Path) -> None:
    """Write all files of a bundle into a new folder, which gets its name when it is whole."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in place.parent.glob(f"{_UNFINISHED}*"):
        # What processes of this machine left when they were killed.
        if is_abandoned(left.name.removeprefix(_UNFINISHED)):
            with suppress(OSError):
                shutil.rmtree(left)
    new = place.parent / f"{_UNFINISHED}{unfinished_name()}"
    new.mkdir(mode=0o700)
    try:
        for each, data in bundle.files():
            _write_new(new, each.path, data)
        _write_new(new, MANIFEST, bundle.sealed.data)
        records = (suite.reviews for suite in bundle.manifest.suites)
        for path in (*bundle.manifest.folders, *records):
            names = names_of(f"{bundle.manifest.root}/{path}")
            with folder(new, names, make=True, durable=False):
                pass
        try:
            new.rename(place)
        except OSError:
            if not place.is_dir():  # somebody else was quicker
                raise
            _compare(bundle, place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _write_new(root: Path, path: str, data: bytes) -> None:
    """Write a file that was not there, never through a link."""
    *above, name = names_of(path)
    with folder(root, above, make=True, durable=False) as home:
        handle = os.open(name, NEW, 0o400, dir_fd=home)
        try:
            write_all(handle, data)
        finally:
            os.close(handle)


def _compare(bundle: Bundle, place: Path) -> None:
    """Read a bundle to its end, and compare what was unpacked before with it."""
    files = Files(place)
    for each, data in bundle.files():
        try:
            same = files.read(each.path) == data
        except (OSError, PathOutside):
            same = False
        if not same:
            raise CannotBundle(
                f"{place / each.path} was changed since it was unpacked. Write what was judged "
                f"there with evalcore bundle --reply {bundle.file}, remove {place}, and open it "
                "again."
            )


def _close(manifest: Manifest, place: Path) -> None:
    """Take the right to write from every folder but those of records.

    Without the outputs of the runs nothing is to be judged, and those are closed too.
    """
    homes = {place / manifest.root / suite.reviews for suite in manifest.suites}
    kept = homes if manifest.outputs else set()
    for parent, folders, _ in os.walk(place / DATA):
        here = Path(parent)
        if here in kept:
            folders.clear()
        else:
            here.chmod(_READ_ONLY)
