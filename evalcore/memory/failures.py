"""Record why runs failed: by the rules for those that nobody classified, and as a model says it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import numpy as np

from evalcore.counting.cells import family_of, typed
from evalcore.counting.coded import Numbers
from evalcore.counting.run_criteria import run_row
from evalcore.disk.values import time_text
from evalcore.failures.detail import Failure, described, split_kind
from evalcore.failures.find import GUESS, failures
from evalcore.failures.rules import SEVERITIES
from evalcore.families.reviews.models import FailureFields, MemoryItemFields
from evalcore.families.reviews.review import (
    BY_RULE,
    FAILURE,
    LESSON,
    MODEL_MARK,
    FailureType,
    Severity,
    origin_of,
)
from evalcore.ids import derived_id
from evalcore.judging.limits import LIMITS, shortened
from evalcore.judging.model import Receipt
from evalcore.memory.store import New, remember
from evalcore.tables.cells import cells
from evalcore.tables.rows import FailureRow
from evalcore.workspace.opened import Workspace

_BY: Final = "Classified by the rule {}: {}."
_BY_NONE: Final = "The rules cannot determine the type, so it is recorded as a wrong output."
_SAID: Final = ("person", "model")
_ROOM: Final = 500
"""Characters that are left for what is said beside a description."""


class Finding(NamedTuple):
    """What a model says of a failed run, with the record ids of what it follows from.

    `criteria` are `kind:criterion`; `replaces` are the records that stood when it was asked. The
    ids of the new records follow from `asked`, the id of what asked; `about` says how it was asked.
    """

    asked: str
    run_id: str
    at: str
    type: FailureType
    severity: Severity
    description: str
    criteria: tuple[str, ...]
    root_cause: str
    lesson: str
    replaces: tuple[str, ...]
    about: Mapping[str, Any]


def unrecorded(ws: Workspace, suite: str) -> Numbers:
    """Return the positions of the failed runs that no record says anything of.

    Raises:
        UnknownName: there is no such suite.
    """
    found = failures(ws, suite)
    runs: Numbers = found.run[found.origin == GUESS]
    return runs


def record_failures(
    ws: Workspace, suite: str, runs: Iterable[int] | None = None, author: str = BY_RULE
) -> tuple[Receipt, ...]:
    """Write an eval-failure, as the rules classify it, for each failed run that has none.

    `runs` are positions of test runs; those that did not fail, or have a record, are passed over,
    so doing it again writes nothing. None means all runs of the suite.

    Raises:
        UnknownName: there is no such suite.
        AlreadyStored: a record that says otherwise has the id of one.
        CannotWrite: one cannot be written; writing again completes it.
    """
    return remember(ws, suite, new_failures(ws, suite, runs), author)


def new_failures(ws: Workspace, suite: str, runs: Iterable[int] | None = None) -> list[New]:
    """Return the records that `record_failures` writes.

    Raises:
        UnknownName: there is no such suite.
    """
    found = failures(ws, suite)
    wanted = found.origin == GUESS
    if runs is not None:
        wanted &= np.isin(found.run, np.fromiter(runs, np.int64))
    return [_by_rule(ws, each) for each in described(ws, suite, np.flatnonzero(wanted))]


def by_rule(ws: Workspace, failure: Failure, severity: Severity | None = None) -> FailureFields:
    """Return the fields of a failure as the rules classify it, or with another severity."""
    why = _BY_NONE if failure.rule is None else _BY.format(failure.rule, failure.why)
    said = shortened(failure.description, LIMITS.failure - _ROOM)
    criteria = failure.criteria
    return FailureFields(
        test_run_id=_run_name(ws, failure.suite, failure.run_id or ""),
        failure_type=failure.type or "wrong-output",
        description=f"{said}\n\n{why}",
        affected_criterion_ids=_names(ws, failure.suite, criteria),
        severity=severity or failure.severity or "minor",
    )


def _by_rule(ws: Workspace, failure: Failure) -> New:
    name = _guess_id(ws, failure.suite, failure.run_id or "")
    about = failure.case_id or failure.run_id or ""
    return New(FAILURE, name, by_rule(ws, failure), failure.replaces, about)


def record_finding(ws: Workspace, suite: str, finding: Finding, model: str) -> tuple[Receipt, ...]:
    """Write what a model says of a failure, and the lesson of it; again, nothing is written twice.

    It replaces what stood when the model was asked: what somebody said since stands beside it. That
    the failure is resolved, where it is, stays.

    Raises:
        UnknownName: the suite or the run is no longer there.
        CannotWrite: a record cannot be written; writing again completes it.
    """
    run = run_row(ws, finding.run_id)
    before = _before(ws, suite, finding.replaces, _guess_id(ws, suite, finding.run_id))
    ends = ((each.resolved_at, each.notes) for each in before)
    resolved = next(((at, notes) for at, notes in ends if at is not None), None)
    fields = FailureFields(
        test_run_id=_run_name(ws, suite, finding.run_id),
        failure_type=finding.type,
        description=shortened("\n\n".join(_described(finding, before)), LIMITS.failure - _ROOM),
        affected_criterion_ids=_names(ws, suite, finding.criteria),
        severity=_severity(finding, before),
        root_cause=finding.root_cause,
        resolved_at=None if resolved is None else time_text(resolved[0]),
        resolution_notes=None if resolved is None else resolved[1],
    )
    about = run.case_id or finding.run_id
    name = derived_id(finding.asked, f"{FAILURE} {finding.run_id}")
    failure = New(FAILURE, name, fields, finding.replaces, about, finding.at, finding.about)
    lesson = MemoryItemFields(
        agent_id=run.executor,
        lesson=finding.lesson,
        about_type=FAILURE,
        about_id=name,
        tags=[finding.type, finding.severity],
    )
    kept = derived_id(finding.asked, f"{LESSON} {finding.run_id}")
    known = tuple(each for each in _lessons(ws, suite, finding.replaces) if each != kept)
    taught = New(LESSON, kept, lesson, known, about, finding.at, finding.about)
    return remember(ws, suite, [failure, taught], f"{MODEL_MARK}{model}")


class _Before(NamedTuple):
    """What a record that is replaced says, and who says it."""

    severity: str | None
    description: str
    resolved_at: datetime | None
    notes: str | None
    origin: str


def _before(ws: Workspace, suite: str, names: Sequence[str], guess: str) -> list[_Before]:
    """Return what the records of these ids say; one that only records a guess says nothing more."""
    names = [each for each in names if each != guess]
    kept = np.flatnonzero(ws.tables.failures["failure_id"].isin(names).to_numpy())
    return [
        _Before(
            each.severity,
            each.description or "",
            each.resolved_at,
            each.resolution_notes,
            origin_of(each.author, each.origin or ""),
        )
        for each in typed(ws, "failures", FailureRow, kept)
        if each.suite == suite
    ]


def _described(finding: Finding, before: Sequence[_Before]) -> list[str]:
    """Return what a model says, and in short what the records say that it replaces."""
    parts = [finding.description]
    if _severity(finding, before) != finding.severity:
        parts.append(f"[The model says {finding.severity}; the severity recorded before stays.]")
    older = (each.description for each in before if each.origin not in _SAID and each.description)
    return [*parts, *(f"Recorded before: {shortened(each, _ROOM)}" for each in older)]


def _severity(finding: Finding, before: Sequence[_Before]) -> Severity:
    """Return how severe it is: a model does not play down what a document or a rule recorded."""
    recorded = {each.severity for each in before if each.origin not in _SAID}
    return next(each for each in SEVERITIES if each in recorded or each == finding.severity)


def _lessons(ws: Workspace, suite: str, of: Sequence[str]) -> list[str]:
    """Return the lessons of failures, which a lesson of what replaces those replaces too."""
    rows = cells(ws.tables, "messages", "suite", "kind", "about", "message")
    return [
        name for own, kind, about, name in rows if (own, kind) == (suite, LESSON) and about in of
    ]


def _guess_id(ws: Workspace, suite: str, run_id: str) -> str:
    """Return the id of the record of what the rules guess of a run."""
    return derived_id(_run_name(ws, suite, run_id), FAILURE)


def _run_name(ws: Workspace, suite: str, run_id: str) -> str:
    """Return how a record of the suite names a run: in a store by the id of its record."""
    if not family_of(ws, suite).is_store:
        return run_id
    return run_row(ws, run_id).run or run_id


def _names(ws: Workspace, suite: str, criteria: Iterable[str]) -> list[str]:
    """Return how a record of the suite names criteria: in a store without their kind."""
    if not family_of(ws, suite).is_store:
        return list(criteria)
    return list(dict.fromkeys(split_kind(name)[1] for name in criteria))
