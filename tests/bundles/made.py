"""Bundles for tests: of a copy of demo suites, and forged ones that evalcore would not write."""

import json
import stat
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from evalcore.bundles.content import content
from evalcore.bundles.making import About, write_bundle
from evalcore.bundles.manifest import SEALED_BY, seal_of
from evalcore.judging.hiding import workspace_for_readers
from evalcore.workspace.opened import Workspace

NAME = "acme"
HOME = f"data/{NAME}"
FILE = f"{HOME}/reviews/a.json"


def bundled(ws: Workspace, out: Path, *suites: str, outputs: bool = True) -> Path:
    """Write a bundle of a workspace without reports, as it may be sent to anyone."""
    ws = workspace_for_readers(ws)
    names = suites or tuple(ws.tables.suites["suite"].astype(str))
    found = content(ws, names, outputs=outputs)
    with out.open("w+b") as file:
        write_bundle(file, ws.root, found, About("workspace", "evalcore 1", NAME, outputs), {})
    return out


def manifest_of(files: Mapping[str, bytes], listed: Any = None, **said: Any) -> bytes:
    """Return the manifest of some files, or of what is `listed`; `said` replaces what it says."""
    if listed is None:
        listed = [
            {"path": path, "size": len(data), "sha256": sha256(data).hexdigest()}
            for path, data in files.items()
        ]
    lines = "".join(f"{each['sha256']}  {each['path']}\n" for each in listed)
    about = {
        "format": "evalcore-bundle", "version": 1, "kind": "workspace", "made_by": "evalcore 1",
        "workspace": NAME, "suites": [], "outputs": True, "hidden_runs": 0, "left_out": [],
        "of": None, "fingerprint": sha256(lines.encode("utf-8", "replace")).hexdigest(),
        "folders": [], "files": listed, **said,
    }  # fmt: skip
    return json.dumps(about).encode()


def entry(name: str, mode: int = stat.S_IFREG | 0o600) -> ZipInfo:
    """Return the entry of a zip with whatever name and mode."""
    info = ZipInfo("x")
    info.filename, info.external_attr, info.compress_type = name, mode << 16, ZIP_DEFLATED
    return info


def forged(out: Path, files: Mapping[str, bytes], **said: Any) -> Path:
    """Write a bundle of whatever files, and the manifest that `manifest_of` makes of them."""
    with ZipFile(out, "w") as archive:
        archive.writestr(entry("manifest.json"), manifest_of(files, **said))
        for path, data in files.items():
            archive.writestr(entry(path), data)
    return with_seal(out)


def with_seal(bundle: Path) -> Path:
    """Give a zip the end that says the sha256 of all before it."""
    with ZipFile(bundle, "a") as archive:
        archive.comment = bytes(SEALED_BY)
    with bundle.open("r+b") as file:
        end = file.seek(0, 2)
        seal = seal_of(file, end)
        file.seek(end - SEALED_BY)
        file.write(seal)
    return bundle
