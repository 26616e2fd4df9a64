"""The failures that follow from a benchmark run: of each failed run, critical where it is new."""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from evalcore.benchmarks.drops import failed_runs
from evalcore.counting.cells import family_of
from evalcore.failures.detail import Failure, described
from evalcore.failures.find import failures
from evalcore.families.base import is_review
from evalcore.families.reviews.models import FailureFields
from evalcore.families.reviews.review import FAILURE
from evalcore.ids import derived_id
from evalcore.judging.limits import LIMITS, shortened
from evalcore.memory.failures import by_rule, new_failures
from evalcore.memory.store import New
from evalcore.trends.alerts import Regression
from evalcore.workspace.opened import Workspace


def failures_of(
    ws: Workspace, suite: str, row: int, fell: Regression | None, at: str
) -> Iterator[New]:
    """Yield a failure for each failed test run of a benchmark run that has none.

    Where it fell, those that newly fail get a critical one in place of what is there; what a
    person said of a run of a store stays, as a store's records do not replace it.
    """
    newly = () if fell is None else fell.step.newly_failing
    others = (run for run in failed_runs(ws, row).tolist() if run not in set(newly))
    yield from (each._replace(at=at) for each in new_failures(ws, suite, others))
    if fell is None:
        return
    known = failures(ws, suite)
    places = np.flatnonzero(np.isin(known.run, newly)).tolist()
    of_run: dict[int, list[Failure]] = {}
    for place, each in zip(places, described(ws, suite, places), strict=True):
        of_run.setdefault(int(known.run[place]), []).append(each)
    for found in of_run.values():
        yield from _critical(ws, found, fell, at)


def _critical(ws: Workspace, found: list[Failure], fell: Regression, at: str) -> Iterator[New]:
    """Yield the critical failure of a run that newly fails, in place of all that it has."""
    first = found[0]
    replaced = tuple(dict.fromkeys(name for each in found for name in each.replaces))
    identity = derived_id(fell.now.benchmark_run or "", f"{FAILURE} {first.run_id}")
    by_person = any(is_review(each.source or "") for each in found)
    if identity in replaced or (by_person and family_of(ws, first.suite).is_store):
        return
    fields = _fields(ws, first, fell)
    yield New(FAILURE, identity, fields, replaced, first.case_id or "", at)


def _fields(ws: Workspace, failure: Failure, fell: Regression) -> FailureFields:
    """Return a failure as critical, with the benchmark run; what a record says is taken over."""
    name = fell.now.name or fell.now.benchmark
    points = round(100 * float(fell.step.drop.points or 0), 1)
    newly = (
        f"Newly failing in the benchmark run {fell.now.benchmark_run} of {name}, which fell by "
        f"{points:g} points."
    )
    worse = failure._replace(description=f"{newly} {failure.description}")
    fields = by_rule(ws, worse, "critical")
    if failure.failure_id is None:
        return fields
    said = shortened(worse.description, LIMITS.failure)
    return replace(fields, description=said, root_cause=failure.root_cause or "")
