"""Claims: each test run owns its place in the workspace before it is executed.

A claim is a mark beside the place, `.run-3.claim`, that only one can create. Many processes, also
on several machines that share the disk, may plan the same number: one gets it, the others the next
ones. It is a link that leads nowhere and names its owner, as that is made in one step and whole on
every disk; where links cannot be made it is a file. What is written to the place flushes the folder
of both to disk, so a place that is there after a power failure has its claim.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from evalcore.disk.creating import why
from evalcore.disk.handles import NEW, content, folder, names_of, regular, write_all
from evalcore.engine.plan import Plan
from evalcore.engine.writing import running_of
from evalcore.errors import CannotRun, CannotWrite
from evalcore.families.running import TestRun, claim_of
from evalcore.ids import run_id

_NO_LINKS: Final = frozenset(
    {errno.EPERM, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
)
_MOST: Final = 4096
_TRIES: Final = 100
_BEGIN: Final = "evalcore run "
_OWNED: Final = (
    "Run {} owns its output until it has ended; if it was killed, resume it. Then resume this one."
)
_GRADED: Final = "It was graded meanwhile, by another run or by hand. Nothing is left to do."


class Claims:
    """The places in the workspace that the test runs of one plan own."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._root = plan, Path(plan.workspace)
        self._made = set[str]()

    def own(self, planned: TestRun, run: TestRun, *, is_new: bool) -> TestRun:
        """Return a test run at a place that it owns from now on: its own, else the next free one.

        `planned` is the run as it was planned, `run` where it was when this was last called. Where
        `is_new`, nothing of it was executed yet, and a place that holds something is not free.

        Raises:
            CannotRun: it is of a stored output, which another run works on or has graded.
            CannotWrite: the claim cannot be made.
        """
        owner = self._owner(planned)
        while True:
            holder = self._claimed(run, owner)
            if holder is None and is_new and self._is_taken(run):
                self.release(planned, run)
            elif holder is None or holder == owner:
                return run
            if run.stored is not None:
                raise CannotRun(_GRADED if holder is None else _OWNED.format(_name(holder)))
            run = self._next(run)

    def another(self, planned: TestRun, run: TestRun) -> TestRun:
        """Return a test run at the next free place, as something else is stored at its own.

        Raises:
            CannotWrite: the claim cannot be made.
        """
        self.release(planned, run)
        return self.own(planned, self._next(run), is_new=True)

    def release(self, planned: TestRun, run: TestRun) -> None:
        """Remove the claim of a test run: its documents are in its place, or will not come.

        Folders that were made for it, and are empty, go too.
        """
        *home, name = names_of(claim_of(run))
        if self._holder(home, name) != self._owner(planned):
            return
        with suppress(OSError):
            with folder(self._root, home) as there:
                os.unlink(name, dir_fd=there)
            while "/".join(home) in self._made:
                name = home.pop()
                with folder(self._root, home) as there:
                    os.rmdir(name, dir_fd=there)

    def _next(self, run: TestRun) -> TestRun:
        number, place = running_of(self._plan).next_place(run)
        key = run_id(self._plan.suite, run.case, run.version, run.configuration, number)
        return msgspec.structs.replace(run, run=number, place=place, run_id=key)

    def _owner(self, planned: TestRun) -> str:
        """Return what a claim says: of this run, and of those of its test runs planned there."""
        return f"{_BEGIN}{self._plan.id} of {planned.place.rpartition('/')[2]}"

    def _claimed(self, run: TestRun, owner: str) -> str | None:
        """Claim the place of a test run; return who owns it already, None if nobody did."""
        *home, name = names_of(claim_of(run))
        for path in ("/".join(home[:n]) for n in range(len(home), 0, -1)):
            if path in self._made or os.path.lexists(self._root / path):
                break
            self._made.add(path)
        fault = None
        for _ in range(_TRIES):  # another run may remove an empty folder in between
            try:
                with folder(self._root, home, make=True, durable=False) as there:
                    _create(there, name, owner)
            except FileExistsError:
                return self._holder(home, name)
            except OSError as error:
                fault = error
                if not isinstance(error, FileNotFoundError):
                    break
            else:
                return None
        assert fault is not None
        raise CannotWrite(self._root / claim_of(run), why(fault)) from fault

    def _holder(self, home: list[str], name: str) -> str:
        """Return what a claim says; empty if it is gone, or says nothing that could be read."""
        with suppress(OSError), folder(self._root, home) as there:
            with suppress(OSError):
                return os.readlink(name, dir_fd=there)
            with regular(there, name) as file:
                return content(file, _MOST).decode("utf-8", "replace")
        return ""

    def _is_taken(self, run: TestRun) -> bool:
        """Return whether a place holds something that this run cannot have written."""
        paths = [] if run.stored is not None else [run.place]
        paths += [] if run.again else [running_of(self._plan).grading_path(run)]
        return any(os.path.lexists(self._root / path) for path in paths)


def _name(holder: str) -> str:
    return holder.removeprefix(_BEGIN).partition(" ")[0] or "of another evalcore"


def _create(there: int, name: str, owner: str) -> None:
    try:
        os.symlink(owner, name, dir_fd=there)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        file = os.open(name, NEW, 0o666, dir_fd=there)
        try:
            write_all(file, owner.encode())
            os.fsync(file)
        finally:
            os.close(file)
