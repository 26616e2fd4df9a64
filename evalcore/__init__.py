"""Open a folder of evaluations and read every grade with its evidence."""

from evalcore.errors import (
    CannotWrite,
    EvalcoreError,
    PathOutside,
    UnknownName,
    WorkspaceNotFound,
)
from evalcore.problems import Problem
from evalcore.workspace.opened import Tables, Workspace, open_workspace

__version__ = "0.1.0"

__all__ = [
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
