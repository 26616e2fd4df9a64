"""Tell whether another project called evalcore is in the way of this one."""

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Final

import evalcore
from evalcore.errors import DISTRIBUTION
from evalcore.starting import start_python

_ENTRY: Final = b"evalcore.__main__"
"""What our own program imports."""
_MAX_BYTES: Final = 65_536
_FIND: Final = "import importlib.util as u; print(getattr(u.find_spec('evalcore'), 'origin', ''))"


def foreign() -> Iterator[str]:
    """Yield what to do about each other evalcore that Python or the shell finds."""
    ours = Path(evalcore.__file__)
    for other in distributions(name="evalcore"):
        yield (
            f"evalcore {other.version} in {other.locate_file('')} is another project, and its "
            "files have the names of ours: `pip uninstall evalcore`, then `pip install "
            f"--force-reinstall --no-deps {DISTRIBUTION}`, in a checkout `.`"
        )
    if (found := _imported()) and not found.samefile(ours):
        yield (
            f"`import evalcore` loads {found}, this is {ours}: take its folder out of PYTHONPATH, "
            "or uninstall it"
        )
    if (program := shutil.which("evalcore")) and not _starts_ours(Path(program)):
        yield (
            f"the command `evalcore` is {program}, another program: run `{sys.executable} -P -m "
            f"evalcore`, or put {Path(sys.executable).parent} first on PATH"
        )


def _imported() -> Path | None:
    """Return the file that `import evalcore` loads in a new process; None for none."""
    with start_python(["-c", _FIND], stdout=PIPE, stderr=DEVNULL) as process:
        said, _ = process.communicate()
    found = Path(os.fsdecode(said.strip()))
    return found if found.is_file() else None


def _starts_ours(program: Path) -> bool:
    try:
        with program.open("rb") as file:
            return _ENTRY in file.read(_MAX_BYTES)
    except OSError:
        return False
