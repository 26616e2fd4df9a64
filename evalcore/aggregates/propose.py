"""Proposed changes to the aggregate documents of a workspace, suite by suite."""

from collections.abc import Iterator, Mapping

from evalcore.counting.cells import family_of
from evalcore.disk.files import Files
from evalcore.errors import UnknownName
from evalcore.families.aggregating import Noted
from evalcore.families.registry import family
from evalcore.proposals.proposal import Proposal
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace


def proposals(
    ws: Workspace, suite: str | None = None, version: str | None = None, *, replace: bool = False
) -> list[Proposal]:
    """Return a proposal for each aggregate document; nothing is written.

    With `replace`, benchmarks of another shape are replaced by standard ones.

    Raises:
        UnknownName: there is no such suite, or no such version in any of the suites.
        OSError: a document cannot be read.
    """
    suites = list(cells(ws.tables, "suites", "suite", "family"))
    names = [name for name, _ in suites]
    if suite is not None and suite not in names:
        raise UnknownName("suite", suite, names)
    chosen = [(name, of) for name, of in suites if suite in (None, name)]
    if version is not None:
        chosen = [each for each in chosen if _has(ws, *each, version)]
    files = Files(ws.root)
    found = [
        each for name, of in chosen for each in _of(ws, files, name, of, version, replace=replace)
    ]
    return _apart(found)


def notes_files(
    ws: Workspace, suite: str, version: str | None, noted: Mapping[str, Noted], now: str
) -> list[Proposal]:
    """Return proposals for the files from which a suite's loop reads people's notes.

    `noted` is by run id, `now` the time of blank notes. Empty if no loop reads notes.
    """
    writer = family_of(ws, suite).aggregates()
    if writer is None or writer.notes_file is None:
        return []
    return writer.notes_file(ws.tables, Files(ws.root), suite, version, noted, now)


def reads_notes(name: str | None) -> bool:
    """Return whether the loop of a family reads people's notes from a file."""
    writer = family(name).aggregates()
    return writer is not None and writer.notes_file is not None


def _has(ws: Workspace, suite: str, of: str, version: str) -> bool:
    """Return whether a suite has a version, or runs that can be written under a new one."""
    rows = cells(ws.tables, "versions", "suite", "version")
    known = [label for own, label in rows if own == suite]
    writer = family(of).aggregates()
    return version in known or (writer is not None and writer.unassigned in known)


def _of(
    ws: Workspace, files: Files, suite: str, of: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    writer = family(of).aggregates()
    if writer is None:
        message = f"The family {of} has no aggregate documents: there is nothing to write."
        return iter((Proposal(suite, version, None, "left", (message,)),))
    return writer.propose(ws.tables, files, suite, version, replace=replace)


def _apart(found: list[Proposal]) -> list[Proposal]:
    """Leave a document alone if the aggregates of two suites would be written to it."""
    first: dict[str, Proposal] = {}
    both = {
        each.path
        for each in found
        if each.path is not None and first.setdefault(each.path, each) is not each
    }
    messages = ("The runs of several suites belong to this document, so it was left unchanged.",)
    return [
        each._replace(state="left", messages=messages, found=(), data=None)
        if each.path in both
        else each
        for each in found
    ]
