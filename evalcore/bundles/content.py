"""Which files of a workspace travel in a bundle, and which do not and why."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from evalcore.bundles.manifest import MAX_FILES, BundledSuite
from evalcore.bundles.names import Names
from evalcore.counting.cells import typed
from evalcore.counting.run_files import beside, role_of, with_steps
from evalcore.disk.outputs import list_outputs
from evalcore.errors import PathOutside
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.tables.cells import cells
from evalcore.tables.rows import RunRow
from evalcore.workspace.above import is_above
from evalcore.workspace.opened import Workspace

NAMED: Final = 5
"""So many files that are left out are named for each reason."""


class Content(NamedTuple):
    """The files that travel, sorted, and sentences on those that are left out."""

    suites: tuple[BundledSuite, ...]
    paths: tuple[str, ...]
    left_out: tuple[str, ...]


def content(ws: Workspace, suites: Iterable[str], *, outputs: bool) -> Content:
    """Return what of some suites travels: what is hidden in `ws` does not.

    Those are the documents that are read, what reading looks into beside them, such as the skill of
    a version, and the records of judgments; with `outputs` also what runs wrote and did.

    Raises:
        UnknownName: there is no such suite.
    """
    chosen = set(suites)
    found = set(_documents(ws, chosen))
    places = {str(each) for each in _outputs_column(ws, chosen)}
    found |= {path for path in _looked_into(ws, chosen) if outputs or not _is_output(path, places)}
    if outputs:
        for run in typed(ws, "runs", RunRow, range(ws.tables.rows("runs"))):
            if run.suite in chosen:
                found.update(_of_run(ws, run))
    above = sum(map(is_above, found))
    reasons: dict[str, list[str]] = {}
    names, kept = Names(), []
    for path in sorted(found):
        if is_above(path) or ws.hidden.covers(path):
            continue
        if fault := names.fault_of(path):
            reasons.setdefault(fault, []).append(path)
        else:
            kept.append(path)
    said = [_said(fault, paths) for fault, paths in sorted(reasons.items())]
    if above:
        said.append(f"Left out: {above:,} records above the folder. Bundle the folder above it.")
    listed = tuple(BundledSuite(each, review_folder(ws, each).path) for each in sorted(chosen))
    return Content(listed, tuple(kept), tuple(said))


def _said(fault: str, paths: list[str]) -> str:
    named = ", ".join(map(repr, paths[:NAMED]))
    more = f" and {len(paths) - NAMED:,} more" if len(paths) > NAMED else ""
    return f"Left out: {named[:700]}{more}: {fault}."


def _documents(ws: Workspace, suites: set[str]) -> Iterator[str]:
    """Yield the documents of suites, also those that could not be read: they are lost runs."""
    listed = set(ws.opened.listing.paths)
    for table in ("documents", "problems"):
        for path, suite in cells(ws.tables, table, "path", "suite"):
            if suite in suites and (path in listed or is_above(path)):
                yield path


def _looked_into(ws: Workspace, suites: set[str]) -> Iterator[str]:
    """Yield further files that opening the folder looked into, of some suites."""
    homes = [
        str(each or "")
        for suite, *places in cells(ws.tables, "suites", "suite", "root", "skill_path")
        if suite in suites
        for each in places
    ]
    for path in ws.opened.manifest.extra_stats:
        near = any(home in ("", ".") or PurePosixPath(path).is_relative_to(home) for home in homes)
        if near and not is_above(path) and _is_file(ws.root, path):
            yield path


def _outputs_column(ws: Workspace, suites: set[str]) -> Iterator[str]:
    for suite, place in cells(ws.tables, "runs", "suite", "outputs"):
        if suite in suites and place:
            yield place


def _is_output(path: str, places: set[str]) -> bool:
    """Return whether a run wrote a file, or tells in it what it did."""
    above = map(str, PurePosixPath(path).parents)
    return role_of(PurePosixPath(path).name) != "output" or not places.isdisjoint((path, *above))


def _of_run(ws: Workspace, run: RunRow) -> Iterator[str]:
    """Yield what a run wrote, its transcripts and notes."""
    yield from (path for path, _ in beside(ws, run))
    yield from with_steps(ws, run)
    if run.outputs and "#" not in run.outputs:
        try:
            yield from (file.path for file in list_outputs(ws.root, run.outputs, MAX_FILES))
        except (OSError, PathOutside, ValueError):
            return  # it has no outputs here


def _is_file(root: Path, path: str) -> bool:
    place = root / path
    return place.is_file() and not place.is_symlink()
