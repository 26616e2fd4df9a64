"""The one way in which commands open a folder: as the judge of this machine may see it."""

from pathlib import Path

from evalcore.cli.screen import progress
from evalcore.cli.terminal import complain
from evalcore.judging.storing.judges import only_known_judge
from evalcore.views.words.wording import hidden_runs
from evalcore.workspace.hidden import NOTHING, Hidden
from evalcore.workspace.opened import Workspace, open_workspace


def open_for_judge(path: Path) -> Workspace:
    """Open a folder without what is hidden from the only judge of this machine, and say so.

    A command that has to know everything, as it writes what others read, takes `unmasked` of it and
    prints nothing of the runs in `hidden`.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
    """
    with progress("Reading"):
        ws = _opened(path)
    if ws.hidden:
        runs = hidden_runs(len(ws.hidden.runs))
        complain(f"Not shown: {runs}, hidden until {ws.hidden.judge} has judged.")
    return ws


def open_state(here: Workspace, path: Path) -> Workspace:
    """Open another state of a folder; what is hidden in the folder is hidden in it too."""
    return open_workspace(path).hiding(here.hidden.runs, here.hidden.judge)


def hidden_here(path: Path) -> Hidden:
    """Return what is hidden in a folder from the judge of this machine, without a word.

    A folder is opened only where the machine knows a judge.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
    """
    return NOTHING if only_known_judge() is None else _opened(path).hidden


def _opened(path: Path) -> Workspace:
    judge, whole = only_known_judge(), open_workspace(path)
    if judge is None:
        return whole
    from evalcore.judging.hiding import workspace_for  # noqa: PLC0415 - imports much

    return workspace_for(whole, judge)
