"""Open a folder as the judge of this machine may see it."""

from pathlib import Path

from evalcore.cli.terminal import complain
from evalcore.judging.hiding import workspace_for
from evalcore.judging.storing.judges import only_known_judge
from evalcore.views.words.wording import hidden_runs
from evalcore.workspace.opened import Workspace, open_workspace


def open_for_judge(path: Path) -> Workspace:
    """Open a folder without what is hidden from the only judge of this machine, and say so.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
    """
    judge, whole = only_known_judge(), open_workspace(path)
    ws = workspace_for(whole, judge)
    if judge is not None and ws.hidden:
        runs = hidden_runs(len(ws.hidden.runs))
        complain(f"Not shown: {runs}, hidden until {judge.id} has judged.")
    return ws
