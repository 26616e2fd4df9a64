"""The folders of runs on this machine: each has its plan, its journal and what is in progress."""

import functools
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec

from evalcore.disk.creating import create, why
from evalcore.disk.values import now_text
from evalcore.engine.following import follow
from evalcore.engine.lock import RunLock
from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress, State
from evalcore.errors import CannotRun, CannotWrite, UnknownName
from evalcore.folders import state_dir

Stop = Literal["gently", "now"]

PLAN: Final = "plan.json"
LOG: Final = "log.txt"
WORKSPACE: Final = "workspace.txt"
_ID: Final = re.compile(r"[0-9a-f-]{36}")
_LOCK: Final = "lock"
_STARTED: Final = "started.txt"
_STOPS: Final[tuple[Stop, ...]] = ("now", "gently")


class RunFolder:
    """The folder of one run, which outlives the processes that work on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._plan: Plan | None = None

    @property
    def id(self) -> str:
        """The id of the run."""
        return self.path.name

    @property
    def plan(self) -> Plan:
        """What the run asks.

        Raises:
            CannotRun: its plan cannot be read.
        """
        if self._plan is None:
            try:
                self._plan = _plan(self.path / PLAN)
            except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
                raise CannotRun(
                    f"The plan of run {self.id} cannot be read ({error}). It may be of another "
                    "evalcore; start a new run."
                ) from error
        return self._plan

    def progress(self) -> Progress:
        """Return how far the run is; what a process left in work that died is interrupted."""
        found = follow(self.path, self.plan)
        if not found.is_open or self.is_worked_on():
            return found
        # It may have ended, or another one begun, since the journal was read.
        again = follow(self.path, self.plan)
        if again.is_open and again.processes == found.processes:
            again.lose()
        return again

    def state(self, progress: Progress | None = None) -> State:
        """Return what the run is doing: a process that died leaves it interrupted."""
        found = progress or self.progress()
        if found.is_open:
            return "interrupted" if found.is_lost else "running"
        if (not found.processes or self._began_after(found)) and self.is_worked_on():
            return "running"
        return found.how or "planned"  # type: ignore[return-value] # what `Ended` says is a state

    def note_start(self) -> None:
        """Note that a process is started now, which takes a moment to say so in the journal."""
        (self.path / _STARTED).write_text(now_text(), "ascii")

    def _began_after(self, found: Progress) -> bool:
        """Return whether a process was started that the journal did not have when it was read."""
        try:
            return (self.path / _STARTED).read_text("ascii") >= found.changed
        except FileNotFoundError:
            return False

    def lock(self, given: int | None = None) -> RunLock:
        """Return the lock that the process holds which works on the run.

        `given` is the handle of who started this process, and holds it already.
        """
        return RunLock(self.path / _LOCK, given)

    def is_worked_on(self) -> bool:
        """Return whether a process of this machine works on the run now."""
        return self.lock().is_held()

    def ask_to_stop(self, how: Stop) -> None:
        """Ask the run's process to stop: after the cases in work, or at once."""
        (self.path / f"stop-{how}").touch(mode=0o600)

    def asked_to_stop(self) -> Stop | None:
        """Return how the run is to stop, if somebody asked for it."""
        return next((how for how in _STOPS if (self.path / f"stop-{how}").exists()), None)

    def forget_stop(self) -> None:
        """Take back what was asked, as the run is resumed."""
        for how in _STOPS:
            with suppress(FileNotFoundError):
                (self.path / f"stop-{how}").unlink()

    def done(self, index: int) -> Path:
        """Return the folder that keeps what a test run produced until it is written."""
        return self.path / "done" / str(index)

    def drop(self, index: int) -> None:
        """Remove what a test run produced, once it is in the workspace."""
        self._stored(index).touch(mode=0o600)
        shutil.rmtree(self.done(index), ignore_errors=True)

    def is_stored(self, index: int) -> bool:
        """Return whether a test run is in the workspace: then a late worker has nothing to do."""
        return self._stored(index).exists()

    def hand_out(self, index: int) -> None:
        """Let a test run be executed, also one that is in the workspace."""
        self._stored(index).unlink(missing_ok=True)

    def _stored(self, index: int) -> Path:
        return self.path / "done" / f"{index}.stored"


@functools.lru_cache(maxsize=32)
def _plan(path: Path) -> Plan:
    """Return a plan, which never changes."""
    return msgspec.json.decode(path.read_bytes(), type=Plan)


def runs_dir() -> Path:
    """Return the folder of all runs."""
    return state_dir() / "runs"


def new_run(plan: Plan) -> RunFolder:
    """Keep a plan; nothing is started.

    Raises:
        CannotWrite: it cannot be written.
    """
    home = runs_dir()
    data = msgspec.json.format(msgspec.json.encode(plan), indent=1)
    try:
        (home / plan.id).mkdir(parents=True, mode=0o700, exist_ok=True)
        (home / plan.id / WORKSPACE).write_text(plan.workspace, "utf-8", "surrogateescape")
        # Of 100,000 test runs it has some 100 MB.
        create(home, f"{plan.id}/{PLAN}", data, unfinished=f"{plan.id}/new", limit=len(data))
    except OSError as error:
        raise CannotWrite(home / plan.id / PLAN, why(error)) from error
    return RunFolder(home / plan.id)


def run_folder(name: str) -> RunFolder:
    """Return a run by its id, or by its beginning if only one has it.

    Raises:
        UnknownName: there is none.
    """
    known = [folder.id for folder in all_runs()]
    found = [each for each in known if name and each.startswith(name)]
    if len(found) != 1:
        raise UnknownName("run", name, known)
    return RunFolder(runs_dir() / found[0])


def all_runs(workspace: Path | None = None) -> Iterator[RunFolder]:
    """Yield the runs on this machine, newest first; with `workspace` only its own."""
    try:
        names = sorted((path.name for path in runs_dir().iterdir()), reverse=True)
    except FileNotFoundError:
        return
    for name in names:
        folder = RunFolder(runs_dir() / name)
        is_run = _ID.fullmatch(name) and (folder.path / PLAN).is_file()
        if is_run and (workspace is None or _is_of(folder, workspace)):
            yield folder


def in_progress(workspace: Path, suite: str) -> list[RunFolder]:
    """Return the runs of a suite that processes of this machine work on now, newest first."""
    found = []
    for folder in all_runs(workspace):
        with suppress(CannotRun):  # a plan of another evalcore is not known to be of this suite
            if folder.is_worked_on() and folder.plan.suite == suite:
                found.append(folder)
    return found


def _is_of(folder: RunFolder, workspace: Path) -> bool:
    """Say whether a run is of a workspace; its plan may be large, and is not read for that."""
    try:
        named = (folder.path / WORKSPACE).read_text("utf-8", "surrogateescape")
    except OSError:
        return False
    return named == os.path.realpath(workspace)
