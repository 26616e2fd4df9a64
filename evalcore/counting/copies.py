"""Which runs are the same run: everything that they left is the same, byte for byte."""

from pathlib import PurePosixPath
from typing import Final

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.cells import family_of, typed
from evalcore.counting.coded import Numbers, coded, distinct, numbered, positions, values
from evalcore.counting.digests import output_digest
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.run_files import RUN_DOCUMENTS
from evalcore.disk.outputs import outputs_digest
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.basis import sha256_of
from evalcore.layouts.order import natural
from evalcore.tables.arrays import strings, true_places
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace

NEAR: Final = 64
"""Gradings of one run differ by no more bytes: those of the number that a copy was given."""
_WHERE: Final = ("suite", "case_id", "version", "configuration")


@memoize_per_workspace
def copied(ws: Workspace) -> Numbers:
    """Return for each run the position of the run that it is a copy of; -1 for all others.

    Copies are of one case, version and configuration; the one with the lowest number is the run.
    """
    found = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    source, pointer = coded(ws, "runs", "source"), coded(ws, "runs", "pointer")
    listing = ws.opened.listing
    known = np.append(listing.sizes, -1)[positions(source.strings, strings(listing.paths))]
    size = np.append(known, -1)[source.codes]
    own = (size >= 0) & (pointer.among({""}) | (pointer.codes < 0))
    own[true_places(pc.is_null(ws.tables.columns["runs"]["outputs"].strings))] = False
    rows = np.flatnonzero(own)
    place: Numbers = np.zeros(len(rows), np.int64)
    for name in _WHERE:
        column = coded(ws, "runs", name)
        joined = place * column.width + column.keys_of(rows)
        place = numbered(joined, (len(rows) + 1) * column.width)[1]
    score = np.nan_to_num(values(ws, "runs", "score")[rows], nan=-1.0)
    order = np.lexsort((size[rows], score, place))
    near = (np.diff(place[order]) == 0) & (np.diff(score[order]) == 0)
    near &= np.diff(size[rows][order]) <= NEAR
    ends = order[np.append(np.flatnonzero(near), np.flatnonzero(near) + 1)]
    alike = rows[distinct(ends, len(rows) + 1)]
    runs = zip(alike.tolist(), typed(ws, "runs", RunRow, alike), strict=True)
    first: dict[tuple[str | None, ...], int] = {}
    for at, run in sorted(runs, key=lambda one: natural(one[1].run or "")):
        left = left_by(ws, run)
        key = (run.suite, run.case_id, run.version, run.configuration, left)
        if left is not None and first.setdefault(key, at) != at:
            found[at] = first[key]
    return found


def left_by(ws: Workspace, run: RunRow, *, without_outputs: bool = False) -> str | None:
    """Return a digest of everything that a run left: outputs, grading, timing and transcript.

    It leaves out the number or id by which a grading names its run. None where the run has no
    document of its own, or no outputs (unless `without_outputs`), or they are too large: then
    nothing tells two runs that came out alike from two copies of one.
    """
    if not run.source or run.pointer or run.run_id is None:
        return None
    if not (run.outputs or without_outputs):
        return None
    document = PurePosixPath(run.source)
    if document.name in RUN_DOCUMENTS and (
        not run.outputs or PurePosixPath(run.outputs).parent == document.parent
    ):
        return outputs_digest(ws.root, str(document.parent))
    output = output_digest(ws, run.run_id) if run.outputs else ""
    try:
        value = ws.raw(run.source)
    except EvalcoreError:
        return None
    if output is None or not isinstance(value, dict):
        return None
    own = family_of(ws, run.suite).names_run
    return sha256_of([output, {name: of for name, of in value.items() if name != own}])
