"""Open a folder of evaluations and read every grade with its evidence."""

from importlib import import_module

# `python -m evalcore` imports from the current folder until `evalcore.starting` ends that.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evalcore.errors import (
        CannotServe,
        CannotWrite,
        EvalcoreError,
        PathOutside,
        UnknownName,
        WorkspaceNotFound,
    )
    from evalcore.problems import Problem
    from evalcore.tables.snapshot import Tables
    from evalcore.workspace.opened import Workspace, open_workspace

__version__ = "0.1.0"

__all__ = [
    "CannotServe",
    "CannotWrite",
    "EvalcoreError",
    "PathOutside",
    "Problem",
    "Tables",
    "UnknownName",
    "Workspace",
    "WorkspaceNotFound",
    "open_workspace",
]

_HOME = {
    "Problem": "evalcore.problems",
    "Tables": "evalcore.tables.snapshot",
    "Workspace": "evalcore.workspace.opened",
    "open_workspace": "evalcore.workspace.opened",
}


def __getattr__(name: str) -> "Any":
    """Import a public name when it is first used: `evalcore --help` needs no data frames."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "evalcore.errors")), name)
    globals()[name] = value
    return value
