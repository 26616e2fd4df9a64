"""The failures that follow from a benchmark run: of each failed run, critical where it is new."""

from collections.abc import Iterator

import numpy as np

from evalcore.benchmarks.drops import failed_runs
from evalcore.failures.detail import Failure, described, split_kind
from evalcore.failures.find import failures
from evalcore.families.base import is_review
from evalcore.families.reviews.models import FailureFields
from evalcore.families.reviews.review import FAILURE
from evalcore.judging.limits import LIMITS
from evalcore.memory.store import New, derived_id
from evalcore.memory.stores import is_store
from evalcore.trends.regressions import Regression
from evalcore.workspace.opened import Workspace


def failures_of(
    ws: Workspace, suite: str, row: int, fell: Regression | None, at: str
) -> Iterator[New]:
    """Yield a failure for each failed test run of a benchmark run that has none.

    Where it fell, those that newly fail get a critical one in place of what is there; what a
    person said of a run of a store stays, as a store's records do not replace it.
    """
    known = failures(ws, suite)
    places = np.flatnonzero(np.isin(known.run, failed_runs(ws, row))).tolist()
    newly = set() if fell is None else set(fell.step.newly_failing)
    store = is_store(ws, suite)
    of_run: dict[int, list[Failure]] = {}
    for place, each in zip(places, described(ws, suite, places), strict=True):
        of_run.setdefault(int(known.run[place]), []).append(each)
    for run, found in of_run.items():
        if run in newly and fell is not None:
            yield from _critical(found, fell, at, store=store)
        elif found[0].failure_id is None:
            identity = derived_id(found[0].run_id or "", FAILURE)
            yield _classified(found[0], identity, at, store=store)


def _critical(found: list[Failure], fell: Regression, at: str, *, store: bool) -> Iterator[New]:
    """Yield the critical failure of a run that newly fails, in place of all that it has."""
    replaced = tuple(dict.fromkeys(name for each in found for name in each.replaces))
    identity = derived_id(fell.now.benchmark_run or "", f"{FAILURE} {found[0].run_id}")
    if identity in replaced or (store and any(is_review(each.source or "") for each in found)):
        return
    name = fell.now.name or fell.now.benchmark
    points = round(100 * float(fell.step.drop.points or 0), 1)
    newly = (
        f"Newly failing in the benchmark run {fell.now.benchmark_run} of {name}, which fell by "
        f"{points:g} points."
    )
    first = found[0]
    worse = first._replace(severity="critical", description=f"{newly} {first.description}")
    yield _classified(worse, identity, at, store=store)._replace(supersedes=replaced)


def _classified(each: Failure, identity: str, at: str, *, store: bool) -> New:
    """Return a failure as the rules, or a record, classify it."""
    criteria = [split_kind(name)[1] if store else name for name in each.criteria]
    fields = FailureFields(
        test_run_id=(each.run if store else each.run_id) or "",
        failure_type=each.type,
        description=_text(each.description) or "The run did not pass.",
        affected_criterion_ids=criteria,
        severity=each.severity or "minor",
        root_cause=each.root_cause,
        resolution_notes=None,
    )
    return New(FAILURE, identity, fields, about=each.case_id or "", at=at)


def _text(text: str) -> str:
    return text.strip()[: LIMITS.failure]
