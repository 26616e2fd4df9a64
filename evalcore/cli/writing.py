"""Write the one file that a command is asked for, and replace none unasked."""

import os
from pathlib import Path
from typing import Final

from evalcore.errors import CannotWrite

FORCE: Final = "add --force to replace it, or choose another name"


def require_new(out: Path, *, force: bool = False, instead: str = FORCE) -> None:
    """Raise `CannotWrite` if a file exists that may not be replaced, with what to do `instead`."""
    if os.path.lexists(out) and not force:
        raise CannotWrite(out, f"it exists already; {instead}")


def write_file(out: Path, data: bytes, *, force: bool = False, instead: str = FORCE) -> None:
    """Write a file; with `force` one of that name is replaced.

    Raises:
        CannotWrite: it exists, if only since a moment ago, and may not be replaced.
    """
    try:
        with out.open("wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError:
        require_new(out, force=force, instead=instead)
        raise
