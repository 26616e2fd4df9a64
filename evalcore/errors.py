"""Exceptions for faults of the caller.

    EvalcoreError
    ├── WorkspaceNotFound     the folder to open does not exist, or is not a folder
    ├── UnknownName           a suite, version, table or run that the workspace does not have
    ├── UnknownFamily         a family of documents that this version does not read
    ├── PathOutside           a path that would leave the workspace
    ├── HiddenUntilJudged     a file about a run that the judge has yet to judge
    ├── CannotWrite           a target that exists already or cannot be written
    │   ├── ChangedMeanwhile  a file that somebody else wrote since it was read
    │   ├── AlreadyStored     a record of that id with other content
    │   └── NotAllStored      some scores of a submission are stored and others are not
    ├── CannotJudge           an answer that a judge cannot give
    ├── StaleTask             what a judge saw has changed since
    ├── CannotCompare         the request names no two sides to compare
    ├── SuiteNotNamed         the folder has several suites, or none, and the request names none
    ├── NoRevision            the folder has no git history that can be read
    ├── PicturesMissing       PNG pictures need an extra that is not installed
    ├── CannotRun             a run that cannot be planned, started or resumed
    │   └── NothingToRun      there is nothing of what was asked for
    ├── CannotSnapshot        a skill that cannot be copied, or whose versions are not recorded here
    ├── CannotAllow           a command that cannot be allowed
    ├── CannotApprove         a decision on a version that lacks what it needs
    ├── CannotBundle          a bundle that cannot be made, or answered, as asked
    ├── BundleRefused         a file that is no whole and harmless bundle
    ├── CannotImport          a file that is not what it should bring, or was changed
    ├── NoTable               a file that cannot be read as a table of runs
    └── CannotServe           the dashboard cannot be started as asked

Faults in the data of a workspace are never raised: they are `Problem` values.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

DISTRIBUTION = "evalcore-workspace"
"""The name to install by: `evalcore` on the public package index is another project."""


class EvalcoreError(Exception):
    """Base of every exception that evalcore raises on purpose."""


class WorkspaceNotFound(EvalcoreError):
    """The folder to open does not exist, or is not a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        what = "is not a folder" if path.exists() else "does not exist"
        super().__init__(f"{path} {what}. Name the folder that holds your evaluations.")


class UnknownName(EvalcoreError):
    """A name that the workspace does not have; the message offers the nearest one."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        known = list(known)
        near = get_close_matches(name, known, n=1)
        if near:
            hint = f"Did you mean {near[0]!r}?"
        elif known:
            hint = f"There is: {', '.join(sorted(known)[:8])}."
        else:
            hint = "There is none."
        super().__init__(f"There is no {what} {name!r}. {hint}")


class SuiteNotNamed(EvalcoreError):
    """The folder has several suites, or none, and the request names none."""

    def __init__(self, path: Path, suites: Sequence[str]) -> None:
        listed = f"{', '.join(suites[:8])}{', …' if len(suites) > 8 else ''}"
        super().__init__(
            f"{path} has {len(suites):,} suites; name one with --suite: {listed}."
            if suites
            else f"{path} has no suite. `evalcore check` says what was looked for."
        )


class UnknownFamily(EvalcoreError):
    """A family of documents that this version does not read."""

    def __init__(self, name: str | None, known: Iterable[str]) -> None:
        super().__init__(
            f"This evalcore reads no family of documents {name!r}; it reads {', '.join(known)}. "
            "Open the folder again, or with the evalcore that it was opened with."
        )


class PathOutside(EvalcoreError):
    """A path that would leave the workspace."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path!r} lies outside the workspace; only files inside it are read.")


class HiddenUntilJudged(EvalcoreError):
    """A file about a run that the judge has yet to judge independently or blind."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            "Hidden until you have judged: it is about runs that you judge independently or blind."
        )


class CannotWrite(EvalcoreError):
    """A target that exists already or cannot be written."""

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        super().__init__(f"{path} was not written: {why}.")


class MayBeWritten(CannotWrite):
    """A target that was written, perhaps: the system failed when it was to confirm it."""

    def __init__(self, path: Path, why: str) -> None:
        said = f"It is not known whether {path} was written: {why}. Nothing is written twice."
        EvalcoreError.__init__(self, said)


class ChangedMeanwhile(CannotWrite):
    """A file that somebody else wrote since it was read; `now` is its content (None: deleted).

    The message may say `what` changed.
    """

    def __init__(self, path: Path, now: bytes | None, what: str = "") -> None:
        self.now = now
        was = "removed" if now is None else "changed"
        super().__init__(path, f"somebody else {was} it meanwhile{what}; look at it and try again")


class AlreadyStored(CannotWrite):
    """A record of that id with other content; `now` is that content (None: not a plain file).

    It was left alone.
    """

    def __init__(self, path: Path, now: bytes | None) -> None:
        self.now = now
        super().__init__(
            path, "something else is stored under its name, and stays; read that, then begin again"
        )


class NotAllStored(CannotWrite):
    """Some scores of a submission are stored and others are not.

    `receipts` are those of the stored ones. Storing the same again completes it.
    """

    def __init__(self, first: CannotWrite, receipts: Sequence[Any], missing: int) -> None:
        self.receipts = tuple(receipts)
        total = len(self.receipts) + missing
        are = "are known to be" if isinstance(first, MayBeWritten) else "are"
        stored = f"{len(self.receipts)} of {total} scores {are} stored"
        EvalcoreError.__init__(self, f"{first} {stored}; store again to complete them.")


class CannotJudge(EvalcoreError):
    """An answer that a judge cannot give; the message says which, and what is valid."""


class CannotAnswer(EvalcoreError):
    """Something that was sent cannot be answered, or set done; the message says what to do."""


class StaleTask(EvalcoreError):
    """What a judge saw has changed since; the message says what."""


class CannotCompare(EvalcoreError):
    """The request names no two sides; the message is the reason and the next step."""


class CannotBenchmark(EvalcoreError):
    """A benchmark that cannot be made or run as asked; the message says why and what to do."""


class CannotRun(EvalcoreError):
    """A run that cannot be planned, started or resumed; the message says why and what to do."""


class NothingToRun(CannotRun):
    """Nothing of what is asked for is there to be run; the message says what else could be."""


class CannotSnapshot(EvalcoreError):
    """A skill that cannot be copied, or whose versions are not recorded where it was said."""


class NoRevision(EvalcoreError):
    """The folder has no git history that can be read; the message is the reason."""


class CannotAllow(EvalcoreError):
    """A command that cannot be allowed; the message is the reason."""


class CannotApprove(EvalcoreError):
    """A decision on a version that lacks what it needs; the message says what, and what to do."""


class CannotImport(EvalcoreError):
    """A file that is not what it should bring, or was changed."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"Nothing was imported from {file}: {why}.")


class NoTable(EvalcoreError):
    """A file that cannot be read as a table of runs."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"{file} cannot be read as a table: {why}.")


class CannotBundle(EvalcoreError):
    """A bundle that cannot be made or answered as asked; the message says why and what to do."""


class BundleRefused(EvalcoreError):
    """A file that is no whole and harmless bundle; the message names what in it is wrong."""

    def __init__(self, file: Path, what: str, why: str) -> None:
        within = f"{what!r} in it: " if what else ""
        super().__init__(
            f"{file} was not opened: {within}{why}. Nothing of it is used; ask for it again."
        )


class CannotServe(EvalcoreError):
    """The dashboard cannot be started as asked; the message is the reason and the next step."""


def extra(name: str) -> str:
    """Return how to install an extra of ours."""
    return f'pip install "{DISTRIBUTION}[{name}]", or in a checkout pip install ".[{name}]"'


class PicturesMissing(EvalcoreError):
    """PNG pictures need an extra that is not installed."""

    def __init__(self) -> None:
        super().__init__(
            f"PNG pictures need an extra: {extra('pictures')}. SVG pictures work without it."
        )
