"""The records of other tools that a store holds, found by the name that its own records use."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import EvalcoreError
from evalcore.shapes.prompts import names_of
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

MOST_READ: Final = 500
"""So many documents are looked through; of more only those named like the record."""


class NamedRecord(NamedTuple):
    """A record, and its place."""

    record: Mapping[str, Any]
    path: str
    pointer: str


def named_record(
    ws: Workspace, suite: str, types: tuple[str, ...], name: str
) -> NamedRecord | None:
    """Return the record of a name; beyond the first documents only where its file is called so."""
    found = _index(ws, suite, types).get(name)
    if found is None:
        rest = places(ws, suite, types)[MOST_READ:]
        called = [path for path in rest if name in path.rpartition("/")[2]]
        found = _by_name(ws, called[:MOST_READ], types).get(name)
    return found


@memoize_per_workspace
def _index(ws: Workspace, suite: str, types: tuple[str, ...]) -> dict[str, NamedRecord]:
    return _by_name(ws, places(ws, suite, types)[:MOST_READ], types)


@memoize_per_workspace
def places(ws: Workspace, suite: str, types: tuple[str, ...]) -> list[str]:
    """Return the documents of a suite that may hold records of some types."""
    rows = cells(ws.tables, "documents", "path", "suite", "kind")
    return [path for path, of, kind in rows if of == suite and kind in (*types, "records")]


def _by_name(ws: Workspace, paths: Iterable[str], types: tuple[str, ...]) -> dict[str, NamedRecord]:
    """Return the records of some types in documents by each of their names."""
    found: dict[str, NamedRecord] = {}
    for path in paths:
        value = read_value(ws, path, "")
        whole = isinstance(value, dict)
        for at, record in [("", value)] if whole else enumerate(value or ()):
            if isinstance(record, dict) and _is_of(record, types, whole=whole):
                place = NamedRecord(record, path, "" if whole else f"/{at}")
                found |= {name: place for name in names_of(record) if name not in found}
    return found


def _is_of(record: Mapping[str, Any], types: tuple[str, ...], *, whole: bool) -> bool:
    """Return whether a record is of some types; a document of its own was recognised as one."""
    return whole or record.get("type") in types or record.get("minionTypeId") in types


def read_value(ws: Workspace, path: str, pointer: str) -> Any:
    """Return a value of a document; None where it is gone or hidden."""
    try:
        return ws.raw(path, pointer)
    except EvalcoreError:
        return None
