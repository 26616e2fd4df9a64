"""The secrets of studies, kept on the machine that created them and never in the workspace."""

import secrets
from hashlib import sha256
from pathlib import Path
from typing import Final

from evalcore.disk.private import load_private, save_private
from evalcore.folders import state_dir

_BYTES: Final = 32
_MAX_BYTES: Final = 4096


def new_secret() -> bytes:
    """Return a new secret."""
    return secrets.token_bytes(_BYTES)


def keep_secret(study: str, secret: bytes) -> None:
    """Store the secret of a study, readable by this user only.

    Raises:
        CannotWrite: it cannot be written.
    """
    save_private(_file(study), {"study": study, "secret": secret.hex()})


def secret_of(study: str) -> bytes | None:
    """Return the secret of a study; None if it is not kept here, or damaged."""
    match load_private(_file(study), _MAX_BYTES):
        case {"study": str(name), "secret": str(secret)} if name == study:
            return as_secret(secret)
    return None


def as_secret(text: str) -> bytes | None:
    """Return a secret that is written in hexadecimal digits, None if it is none."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return None
    return found if len(found) == _BYTES else None


def _file(study: str) -> Path:
    # The id is untrusted: only a digest of it becomes a name.
    name = sha256(study.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return state_dir() / "blind" / f"{name}.json"
