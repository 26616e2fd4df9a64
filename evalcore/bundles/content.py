"""Which files of a workspace travel in a bundle, and which do not and why."""

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from evalcore.bundles.manifest import MAX_FILES, BundledSuite
from evalcore.bundles.names import Names, fault_of_path
from evalcore.counting.cells import typed
from evalcore.counting.run_files import beside, role_of, with_steps
from evalcore.disk.outputs import LEFT_OUT, holds_outputs, list_outputs, stand_in
from evalcore.errors import PathOutside
from evalcore.families.linting import bases_of_files
from evalcore.families.reviews.basis import output_sha256
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.tables.cells import cells
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import RunRow
from evalcore.workspace.above import is_above
from evalcore.workspace.opened import Workspace

NAMED: Final = 5
"""So many files that are left out are named for each reason."""


class Content(NamedTuple):
    """The files that travel, sorted, and sentences on those that are left out, or cannot be.

    `stand_ins` are files that stand for the outputs of runs, by their paths; `folders` those that
    would be missing otherwise, as some of them say that there is a run.
    """

    suites: tuple[BundledSuite, ...]
    paths: tuple[str, ...]
    left_out: tuple[str, ...]
    stand_ins: Mapping[str, bytes] = {}
    folders: tuple[str, ...] = ()


def content(ws: Workspace, suites: Iterable[str], *, outputs: bool) -> Content:
    """Return what of some suites travels: what is hidden in `ws` does not.

    Those are the documents that are read, the files of cases, what reading looks into beside them,
    such as the skill of a version, and the records of judgments; with `outputs` also what runs
    wrote and did.

    Raises:
        UnknownName: there is no such suite.
    """
    chosen = set(suites)
    homes = [
        place
        for suite, *places in cells(ws.tables, "suites", "suite", "root", "skill_path")
        if suite in chosen
        for place in places
        if place is not None
    ]
    runs = [
        run
        for run in typed(ws, "runs", RunRow, range(ws.tables.rows("runs")))
        if run.suite in chosen and run.run_id not in ws.hidden.runs
    ]
    found, stand_ins = set(_documents(ws, chosen, homes)), dict[str, bytes]()
    found.update(path for path in _inputs(ws, chosen) if _is_near(path, homes))
    if outputs:
        found.update(_looked_into(ws, homes), *(_of_run(ws, run) for run in runs))
    else:
        places = {run.outputs for run in runs if run.outputs}
        found.update(path for path in _looked_into(ws, homes) if not _is_output(path, places))
        stand_ins = dict(_stand_ins(ws, places - found))
        found |= stand_ins.keys()
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
    said = []
    held = 0 if outputs else sum(output_pointer(run) is not None for run in runs)
    if held:
        said.append(f"In it all the same: outputs of {held:,} runs, as their documents hold them.")
    for fault, paths in sorted(reasons.items()):
        named = ", ".join(map(repr, paths[:NAMED]))[:700]
        more = f" and {len(paths) - NAMED:,} more" if len(paths) > NAMED else ""
        said.append(f"Left out: {named}{more}: {fault}.")
    if above:
        said.append(f"Left out: {above:,} records above the folder. Bundle the folder above it.")
    there = {folder for path in kept for folder in map(str, PurePosixPath(path).parents)}
    folders = [
        each
        for each in sorted(ws.opened.listing.folders - there)
        if _is_near(each, homes) and not ws.hidden.covers(each) and names.fault_of(each) is None
    ]
    listed = tuple(BundledSuite(each, review_folder(ws, each).path) for each in sorted(chosen))
    return Content(listed, tuple(kept), tuple(said), stand_ins, tuple(folders))


def _is_near(path: str, homes: Iterable[str]) -> bool:
    return any(home in ("", ".") or PurePosixPath(path).is_relative_to(home) for home in homes)


def _documents(ws: Workspace, suites: set[str], homes: Iterable[str]) -> Iterator[str]:
    """Yield the documents of suites, also those that could not be read: they are lost runs."""
    for path, suite in cells(ws.tables, "documents", "path", "suite"):
        if suite in suites:
            yield path
    listed = set(ws.opened.listing.paths)
    for path, suite in cells(ws.tables, "problems", "path", "suite"):
        if path in listed and (suite in suites or (suite is None and _is_near(path, homes))):
            yield path


def _inputs(ws: Workspace, suites: set[str]) -> Iterator[str]:
    """Yield the files that cases name and that are there; none with a dot before its name.

    Whoever wrote the documents may have named what nobody would send, such as `.env`.
    """
    places = {suite: at for suite, *at in cells(ws.tables, "suites", "suite", "root", "skill_path")}
    for suite, path, files in cells(ws.tables, "cases", "suite", "source", "files"):
        if suite not in suites or not files or not path:
            continue
        named = (name for name in json.loads(files) if isinstance(name, str) and "\0" not in name)
        bases = bases_of_files(path, *places[suite])
        for place in {posixpath.normpath(f"{base}/{name}" if base else name)
                      for name in named for base in bases}:  # fmt: skip
            hidden = any(each.startswith(".") for each in place.split("/"))
            if not hidden and not fault_of_path(place) and (ws.root / place).is_file():
                yield place


def _looked_into(ws: Workspace, homes: Iterable[str]) -> Iterator[str]:
    """Yield further files that opening the folder looked into."""
    for path in ws.opened.manifest.extra_stats:
        place = ws.root / path
        if not is_above(path) and _is_near(path, homes) and place.is_file():
            yield path


def _is_output(path: str, places: AbstractSet[str]) -> bool:
    """Return whether a run wrote a file, or tells in it what it did."""
    above = map(str, PurePosixPath(path).parents)
    return role_of(PurePosixPath(path).name) != "output" or not places.isdisjoint((path, *above))


def _stand_ins(ws: Workspace, places: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield a file for the outputs of each run that has some here.

    It says their digest, so that a judgment is as fresh in the bundle as it is here.
    """
    for place in places:
        if not ws.hidden.covers(place) and holds_outputs(ws.root, place):
            path = place if (ws.root / place).is_file() else f"{place}/{LEFT_OUT}"
            yield path, stand_in(output_sha256(ws.root, place))


def _of_run(ws: Workspace, run: RunRow) -> Iterator[str]:
    """Yield what a run wrote, its transcripts and notes."""
    yield from (path for path, _ in beside(ws, run))
    yield from with_steps(ws, run)
    if run.outputs:
        try:
            yield from (file.path for file in list_outputs(ws.root, run.outputs, MAX_FILES))
        except (OSError, PathOutside, ValueError):
            return  # it has no outputs here
