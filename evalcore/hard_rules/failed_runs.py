"""Each run that failed has a record of its failure."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.failure_rows import current_failures
from evalcore.counting.joined import run_of
from evalcore.counting.outcomes import run_outcomes
from evalcore.counting.rates import ASIDE, valued
from evalcore.counting.tally import FAIL
from evalcore.families.base import REVIEWS
from evalcore.families.registry import family
from evalcore.families.reviews.review import BENCHMARK, FAILURE
from evalcore.hard_rules.model import Broken, Check, Found, Place, warnings
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.workspace.opened import Workspace


def _find(ws: Workspace, suite: str) -> Found:
    """Look for the failure of each run that failed as Gradings counts it."""
    mine = coded(ws, "runs", "suite").among({suite})
    failed = mine & (run_outcomes(ws) == FAIL)
    if not failed.any():
        return Found("failures")
    failed &= valued(ws)["end"] != ASIDE
    named = np.zeros(len(values(ws, "runs", "passed")) + 1, bool)
    named[run_of(ws, "failures")[current_failures(ws)]] = True
    recorded = named[:-1]
    return Found(
        "failures",
        kept=int((failed & recorded).sum()),
        broken=np.flatnonzero(failed & ~recorded),
        asked=keeps(ws, suite, BENCHMARK, FAILURE),
    )


def keeps(ws: Workspace, suite: str, *kinds: str) -> bool:
    """Return whether a suite keeps what seed 001 remembers: a store, or records of some types."""
    families = dict(cells(ws.tables, "suites", "suite", "family"))
    if family(families[suite]).is_store:
        return True
    kept = coded(ws, "documents", "suite").among({suite})
    kept &= coded(ws, "documents", "family").among({REVIEWS})
    return bool((kept & coded(ws, "documents", "kind").among(kinds)).any())


def _describe(ws: Workspace, runs: Numbers) -> Iterator[Broken]:
    table = ws.tables.columns["runs"]
    found = (picked(table[name], runs.tolist()) for name in ("run_id", "source", "pointer"))
    for name, source, pointer in zip(*found, strict=True):
        yield Broken(
            "run",
            name,
            "This run failed, but no eval-failure record says why.",
            (Place("run", source or "", pointer or ""),),
        )


CHECK: Final = Check(
    "failures",
    _find,
    _describe,
    warnings(
        "no-failure",
        "Record the failures of the suite: evalcore failures FOLDER --record, or one by one on "
        "the Failures page.",
        _describe,
    ),
)
