"""Open a folder in the background, and tell how far that is."""

from concurrent.futures import Future, wait
from functools import partial
from pathlib import Path
from threading import Thread

from evalcore.live.live_workspace import LiveWorkspace
from evalcore.workspace.opened import open_workspace


class Opening:
    """A folder that is being opened: `done` of `whole` files are read; 0 of 0 where none need be.

    Every method may be called from any thread.
    """

    def __init__(self, root: Path) -> None:
        self.done, self.whole = 0, 0
        self._found: Future[LiveWorkspace] = Future()
        Thread(target=self._open, args=(root,), name="opening", daemon=True).start()

    @property
    def share(self) -> float:
        """The share of the files that have been read."""
        return self.done / self.whole if self.whole else 0.0

    def wait(self, seconds: float) -> bool:
        """Wait for the end of it; False if that takes longer."""
        return bool(wait([self._found], seconds).done)

    def result(self) -> LiveWorkspace:
        """Return the workspace when it is open, or raise what kept it from being opened."""
        return self._found.result()

    def stop(self) -> None:
        """Stop watching the folder, once it is open."""
        self._found.add_done_callback(_stop)

    def _open(self, root: Path) -> None:
        try:
            found = LiveWorkspace(root, partial(open_workspace, progress=self._tell))
        except BaseException as fault:  # noqa: BLE001 - raised where the result is asked for
            self._found.set_exception(fault)
        else:
            self._found.set_result(found)

    def _tell(self, done: int, whole: int) -> None:
        self.done, self.whole = done, whole


def _stop(found: Future[LiveWorkspace]) -> None:
    if found.exception() is None:
        found.result().stop()
