"""Open a folder of evaluations and read every grade with its evidence.

    import evalcore

    workspace = evalcore.open_workspace("FOLDER")
    workspace                                  # how much it holds; its faults: workspace.problems
    workspace.tables.runs                      # a data frame; so is each of workspace.tables.names
    workspace.tables.counted()                 # the judgments that rates and means are made of
    workspace.tables.text("judgments")         # their rationales and evidence
    evalcore.rates(workspace, "SUITE")         # the headline of each version
    evalcore.compare(workspace, "SUITE").verdict    # newest against the one before; or "v1", "v2"
    evalcore.trend(workspace, "SUITE").directions

The figures are those on screen and of the commands. docs/tables.md lists tables and columns.
"""

from importlib import import_module

# `python -m evalcore` imports from the current folder until `evalcore.starting` ends that.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evalcore.comparing.model import Comparison
    from evalcore.counting.outcomes import Column
    from evalcore.counting.rates import Rate
    from evalcore.errors import (
        CannotCompare,
        CannotServe,
        CannotWrite,
        EvalcoreError,
        PathOutside,
        UnknownName,
        WorkspaceNotFound,
    )
    from evalcore.figures import MetricTrend, compare, rates, trend
    from evalcore.problems import Problem
    from evalcore.tables.snapshot import Tables
    from evalcore.workspace.opened import Workspace, open_workspace

__version__ = "0.2.0"

__all__ = [
    "CannotCompare",
    "CannotServe",
    "CannotWrite",
    "Column",
    "Comparison",
    "EvalcoreError",
    "MetricTrend",
    "PathOutside",
    "Problem",
    "Rate",
    "Tables",
    "UnknownName",
    "Workspace",
    "WorkspaceNotFound",
    "compare",
    "open_workspace",
    "rates",
    "trend",
]

_HOME = {
    "Column": "evalcore.counting.outcomes",
    "Comparison": "evalcore.comparing.model",
    "MetricTrend": "evalcore.figures",
    "Problem": "evalcore.problems",
    "Rate": "evalcore.counting.rates",
    "Tables": "evalcore.tables.snapshot",
    "Workspace": "evalcore.workspace.opened",
    "compare": "evalcore.figures",
    "open_workspace": "evalcore.workspace.opened",
    "rates": "evalcore.figures",
    "trend": "evalcore.figures",
}


def __getattr__(name: str) -> "Any":
    """Import a public name when it is first used: `evalcore --help` needs no data frames."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "evalcore.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, also those that nobody used yet: help and completion list them."""
    return [*globals(), *__all__]
