"""Run a program as the user, with some folders hidden from it, so that it cannot look up answers.

This is no protection against the program itself.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from evalcore.sandbox.bubblewrap import missing
from evalcore.sandbox.child import program_path


def hidden(command: Sequence[str], hide: Iterable[Path], show: Path, path: str) -> list[str] | None:
    """Return a command that sees empty folders in the place of those in `hide`; None without bwrap.

    `show` stays visible, and is where it starts; so do the program itself, which is looked up in
    `path`, and files that the command names by their whole path. A folder that holds the user's
    home is not hidden: programs need what they keep there. The program gets process ids of its own,
    so that everything it starts ends with it.
    """
    bwrap, program = program_path("bwrap", path), program_path(command[0], path)
    if bwrap is None or program is None or missing() is not None:
        return None
    home, shown = os.path.realpath(Path.home()), os.path.realpath(show)
    folders = {os.path.realpath(each) for each in hide if each.is_dir()}
    covered = [each for each in sorted(folders) if not _is_below(home, each)]
    line = [bwrap, "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--die-with-parent"]
    for each in covered:
        line += ["--tmpfs", each]
    for each in (program, *command[1:]):
        if os.path.isabs(each) and os.path.isfile(each) and _is_in(each, covered):  # noqa: PTH117, PTH113 - text
            line += ["--ro-bind", each, each]
    if _is_in(shown, covered):
        line += ["--bind", shown, shown]
    return [*line, "--chdir", shown, "--", program, *command[1:]]


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(_is_below(path, each) for each in folders)


def _is_below(path: str, folder: str) -> bool:
    return os.path.commonpath([os.path.realpath(path), folder]) == folder
