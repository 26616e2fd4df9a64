"""The one way in which commands open a folder: as the judge of this machine may see it."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from evalcore.cli.answering import print_lines
from evalcore.cli.screen import progress
from evalcore.cli.terminal import complain
from evalcore.disk.listing import walk
from evalcore.errors import CannotBundle, SuiteNotNamed, UnknownName
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import only_known_judge
from evalcore.views.words.wording import hidden_runs
from evalcore.workspace.hidden import NOTHING, Hidden
from evalcore.workspace.opened import Workspace, open_workspace, reopened

TERMINAL: Final = Judge("terminal", "terminal")
"""Who acts where this machine knows no judge, or several."""


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


def open_suite(path: Path, suite: str | None) -> tuple[Workspace, str]:
    """Open a folder as `open_for_judge` does; return it with the suite that is named or the only.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
        SuiteNotNamed, UnknownName: there are several suites or none, or none of that name.
    """
    ws = open_for_judge(path)
    return ws, suite_of(ws, path, suite)


def suite_of(ws: Workspace, path: Path, name: str | None) -> str:
    """Return the suite that is named, else the only one.

    Raises:
        SuiteNotNamed, UnknownName: there are several or none, or none of that name.
    """
    from evalcore.counting.rates import rates  # noqa: PLC0415 - `check` needs no statistics

    known = list(rates(ws))
    if name is None and len(known) != 1:
        raise SuiteNotNamed(path, known)
    if name is not None and name not in known:
        raise UnknownName("suite", name, known)
    return name or known[0]


def suites_of(ws: Workspace, name: str | None) -> Sequence[str]:
    """Return the suite that is named, else all.

    Raises:
        UnknownName: there is no such suite.
    """
    from evalcore.counting.choices import suite_ids  # noqa: PLC0415 - `check` need not count

    known = suite_ids(ws)
    if name is not None and name not in known:
        raise UnknownName("suite", name, known)
    return known if name is None else (name,)


def by_suite(lines: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of suites one after another: of several asked, each below its name."""
    if len(lines) == 1:
        return [line for of in lines.values() for line in of]
    return [line for name, of in lines.items() if of for line in (f"{name}:", *of)]


def folder_to_show(path: Path, signers: Path | None) -> Path:
    """Return the folder that the dashboard shows, and say of a bundle what is known of it.

    Raises:
        BundleRefused, CannotBundle: it is no whole and harmless bundle, or not signed as asked.
    """
    if not is_bundle(path):
        if signers is not None:
            raise CannotBundle(f"{path} is no bundle; only bundles are signed.")
        return path
    from evalcore.bundles.unpacking import unpack  # noqa: PLC0415 - quick start

    with progress("Unpacking"):
        found = unpack(path, signers)
    if found.signed_by is not None:
        said = f"signed by {found.signed_by}, complete and unchanged"
    elif found.has_signature:
        said = "complete and unchanged; by whom it is signed was not asked for with --signers"
    else:
        said = "complete and unchanged; it is not signed"
    print_lines([f"{path}: {said}."])
    return found.root


def is_bundle(path: Path) -> bool:
    """Return whether a path is to be opened as a bundle and not as a folder."""
    return path.suffix.lower() == ".zip" and path.is_file()


def author() -> Judge:
    """Return who writes records from the command line."""
    return only_known_judge() or TERMINAL


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


class Followed:
    """A folder that is asked again and again, each time as it is then.

    What it tells goes on to readers whom nobody knows, so it is without the runs of open blind
    studies, too. `changes` counts how often the folder was found changed.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.changes = path, 0
        self._whole: Workspace | None = None
        self._lock = threading.Lock()

    def now(self) -> Workspace:
        """Return the folder as it is now; the same snapshot again while no file changes.

        Raises:
            WorkspaceNotFound: it is not a folder, or no longer.
        """
        from evalcore.judging.hiding import workspace_for_readers  # noqa: PLC0415 - imports much

        with self._lock:
            if self._whole is None:
                self._whole = open_workspace(self.path)
            elif self._whole.differs(walk(self._whole.root)):
                self._whole = reopened(self._whole)
                self.changes += 1
            return workspace_for_readers(_for_judge(self._whole))


def _opened(path: Path) -> Workspace:
    if is_bundle(path):
        from evalcore.bundles.unpacking import unpack  # noqa: PLC0415 - quick start

        path = unpack(path).root
    return _for_judge(open_workspace(path))


def _for_judge(whole: Workspace) -> Workspace:
    judge = only_known_judge()
    if judge is None:
        return whole
    from evalcore.judging.hiding import workspace_for  # noqa: PLC0415 - imports much

    return workspace_for(whole, judge)
