"""Rows that come from review records, and runs that people excluded."""

from pathlib import PurePosixPath

import numpy as np
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.base import REVIEWS, is_review
from evalcore.families.reviews.review import ORIGIN
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def from_reviews(ws: Workspace, table: str) -> Numbers:
    """Return which rows of a table were read from a `reviews` folder.

    They are additional to the recorded judge's rows and never replace them.
    """
    if table == "run_scores":
        return coded(ws, table, "origin").among({ORIGIN})
    source = coded(ws, table, "source")
    near = pc.indices_nonzero(pc.match_substring(source.strings, f"{REVIEWS}/")).to_pylist()
    chosen = np.zeros(source.width, bool)
    # Only these words are looked at: there is one for each document of a workspace.
    chosen[[at for at in near if is_review(source.strings[at].as_py())]] = True
    if not chosen.any():
        return np.zeros(len(source.codes), bool)
    found: Numbers = chosen[source.codes]
    return found


@memoize_per_workspace
def excluded(ws: Workspace) -> Numbers:
    """Return which runs a person excluded from all rates."""
    gone = coded(ws, "exclusions", "run_id")
    if not (gone.codes >= 0).any():
        return np.zeros(len(values(ws, "runs", "passed")), bool)
    words = {gone.words[code] for code in gone.codes[gone.codes >= 0].tolist()}
    return coded(ws, "runs", "run_id").among(words)


@memoize_per_workspace
def records_of_status(ws: Workspace, *status: str) -> frozenset[str]:
    """Return the ids of the review records whose judgments have some status."""
    source = coded(ws, "judgments", "source")
    of_status = coded(ws, "judgments", "status").among(set(status))
    codes = source.codes[of_status & from_reviews(ws, "judgments")]
    return frozenset(PurePosixPath(source.words[code]).stem for code in codes.tolist())
