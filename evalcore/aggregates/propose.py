"""What shall become of the aggregates of a workspace, suite by suite."""

from collections.abc import Callable, Iterator
from typing import Final

from evalcore.aggregates.descriptions import descriptions
from evalcore.aggregates.history import history
from evalcore.aggregates.iterations import iterations
from evalcore.aggregates.proposals import Proposal
from evalcore.disk.files import Files
from evalcore.errors import UnknownName
from evalcore.families.descriptions.assign import UNASSIGNED
from evalcore.workspace.cells import cells
from evalcore.workspace.opened import Workspace

_OF_FAMILY: Final[dict[str, Callable[..., Iterator[Proposal]]]] = {
    "improve": history,
    "rubric": iterations,
    "iterations": iterations,
    "descriptions": descriptions,
}
NOTHING: Final = "Records hold no aggregates of their own: there is nothing to write."


def proposals(
    ws: Workspace, suite: str | None = None, version: str | None = None, *, replace: bool = False
) -> list[Proposal]:
    """Return what shall become of each document that aggregates belong into; nothing is written.

    With `replace`, benchmarks of another shape are replaced by standard ones.

    Raises:
        UnknownName: there is no such suite, or no such version in any of the suites.
        OSError: a document cannot be read.
    """
    suites = list(cells(ws.tables, "suites", "suite", "family"))
    names = [name for name, _ in suites]
    if suite is not None and suite not in names:
        raise UnknownName("suite", suite, names)
    chosen = [(name, family) for name, family in suites if suite in (None, name)]
    if version is not None:
        chosen = [each for each in chosen if _has(ws, *each, version)]
    files = Files(ws.root)
    found = [each for name, family in chosen for each in _of(ws, files, name, family, version,
                                                             replace=replace)]  # fmt: skip
    return _apart(found)


def _has(ws: Workspace, suite: str, family: str, version: str) -> bool:
    """Say whether a suite has a version; a description may be named that no entry is of yet."""
    rows = cells(ws.tables, "versions", "suite", "version")
    known = [label for own, label in rows if own == suite]
    return version in known or (family == "descriptions" and UNASSIGNED in known)


def _of(
    ws: Workspace, files: Files, suite: str, family: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    if family not in _OF_FAMILY:
        return iter((Proposal(suite, version, None, "left", (NOTHING,)),))
    return _OF_FAMILY[family](ws, files, suite, version, replace=replace)


def _apart(found: list[Proposal]) -> list[Proposal]:
    """Leave a document alone that the aggregates of two suites would be written into."""
    first: dict[str, Proposal] = {}
    both = {each.path for each in found
            if each.path is not None and first.setdefault(each.path, each) is not each}  # fmt: skip
    said = ("The runs of several suites belong into this document, so it was left alone.",)
    return [each._replace(state="left", said=said, found=(), data=None)
            if each.path in both else each for each in found]  # fmt: skip
