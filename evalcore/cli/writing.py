"""Write the one file that a command is asked for, and replace none unasked."""

import os
from pathlib import Path

from evalcore.errors import CannotWrite


def require_new(out: Path, *, force: bool) -> None:
    """Raise `CannotWrite` if a file exists that may not be replaced."""
    if os.path.lexists(out) and not force:
        raise CannotWrite(
            out, "it exists already; add --force to replace it, or choose another name"
        )


def write_file(out: Path, data: bytes, *, force: bool) -> None:
    """Write a file; with `force` one of that name is replaced.

    Raises:
        CannotWrite: it exists, if only since a moment ago, and may not be replaced.
    """
    try:
        with out.open("wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError:
        require_new(out, force=force)
        raise
