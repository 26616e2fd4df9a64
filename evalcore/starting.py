"""Start Python, and be started, without what lies in the current folder: it may be a workspace.

Python looks there before anywhere else when it runs `-m` or `-c`, and so do relative entries of
PYTHONPATH. A `secrets.py` of a workspace would be run by it, with the user's keys.
"""

import os
import sys

# Nothing else is imported up here: before `leave_current_folder` it would be looked for there.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence
    from typing import Any

_SEARCHED = ("PATH", "PYTHONPATH")


def start_python(
    arguments: "Sequence[str]", *, environment: "Mapping[str, str] | None" = None, **options: "Any"
) -> "subprocess.Popen[bytes]":
    """Start this Python in a process that imports nothing from the folder it is started in.

    What the user set up for every Python is theirs: `.pth` files, `usercustomize`, and absolute
    entries of PYTHONPATH. Folders of evalcore are given whole, as the process may run elsewhere.
    """
    import subprocess  # noqa: PLC0415 - as said above

    given = os.environ if environment is None else environment
    whole = {
        name: os.path.abspath(value)  # noqa: PTH100 - text, as it is in the environment
        for name, value in given.items()
        if name.startswith("EVALCORE_") and name.endswith("_DIR") and value
    }
    return subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
        [sys.executable, "-P", *arguments], env={**_without_relative(given), **whole}, **options
    )


def leave_current_folder() -> None:
    """Import nothing from the current folder from now on, and find no program there.

    It is the first act of the command. What `python -m` imported until then came from there.
    """
    path = os.path  # text, as pathlib is not imported yet
    try:
        here = os.getcwd()  # noqa: PTH109 - as above
    except OSError:  # it was removed: nothing can lie there
        here = os.devnull
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    own = {path.normpath(entry) for entry in named if path.isabs(entry)}
    # Python has made the relative ones absolute.
    left = {path.normpath(path.join(here, entry)) for entry in ("", *named)} - own
    sys.path[:] = [
        entry for entry in sys.path if path.isabs(entry) and path.normpath(entry) not in left
    ]
    found = _without_relative(os.environ)
    for name in _SEARCHED:
        os.environ.pop(name, None)
    os.environ.update({name: found[name] for name in _SEARCHED if name in found})


def _without_relative(given: "Mapping[str, str]") -> dict[str, str]:
    """Return an environment whose lists of folders hold absolute ones only, or are missing."""
    found = dict(given)
    for name in _SEARCHED:
        entries = [each for each in found.pop(name, "").split(os.pathsep) if each[:1] == os.sep]
        if entries:
            found[name] = os.pathsep.join(entries)
    return found
