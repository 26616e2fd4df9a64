"""No version is approved without a benchmark run that shows improvement over its baseline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from evalcore.benchmarks.improvement import Improvement, improvement
from evalcore.benchmarks.members import row_of
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.hard_rules.model import Broken, Check, Found, Place
from evalcore.problems import Problem
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.workspace.opened import Workspace

if TYPE_CHECKING:
    from evalcore.approvals.standing import Decision
    from evalcore.tables.rows import ApprovalRow

LAPSED: Final = "approval-lapsed"
NOT_JUSTIFIED: Final = "approval-not-justified"
_HINTS: Final = {
    LAPSED: "Decide again on the version and the runs as they are now, or withdraw the approval.",
    NOT_JUSTIFIED: "Run a benchmark for both versions and decide again, or waive the rule with "
    "an owner, a reason and an end date.",
}
_SAYS: Final[dict[Improvement, str]] = {
    "better": "",
    "same": "Its benchmark run has the same values as that of the baseline.",
    "worse": "A value of its benchmark run is lower than that of the baseline.",
    "unknown": "Its benchmark runs have no value to compare.",
}


class _Judged(NamedTuple):
    """A decision that lets a version replace another: its row, and code and reason of a fault."""

    row: int
    code: str
    why: str


def _find(ws: Workspace, suite: str) -> Found:
    """Look at the current decision for each version and baseline."""
    granted = _granted(ws, suite)
    broken = [each.row for each in granted if each.code]
    return Found("approvals", len(granted) - len(broken), np.array(broken, np.int64))


@memoize_per_workspace
def _granted(ws: Workspace, suite: str) -> tuple[_Judged, ...]:
    """Return the decisions that stand and approve or waive, or did until they lapsed."""
    if not coded(ws, "approvals", "suite").among({suite}).any():
        return ()
    # What a decision rests on needs pandas, and few suites have any.
    from evalcore.approvals.standing import IN_FORCE, standing  # noqa: PLC0415

    place = {key: at for at, key in enumerate(cells(ws.tables, "approvals", "suite", "approval"))}
    return tuple(
        _Judged(place[suite, each.row.approval], *_fault(ws, suite, each))
        for each in standing(ws, suite)
        if each.row.decision in IN_FORCE
    )


def _fault(ws: Workspace, suite: str, decision: Decision) -> tuple[str, str]:
    """Return code and reason of what is wrong with a decision, both empty if it stands."""
    if decision.state == "lapsed":
        return LAPSED, decision.why
    waived = decision.state == "waived"
    why = _lacking(decision.row) if waived else _not_shown(ws, suite, decision.row)
    return (NOT_JUSTIFIED, why) if why else ("", "")


def _lacking(row: ApprovalRow) -> str:
    """Return what a waiver does not say; nothing if it says all."""
    parts = (("owner", row.owner), ("reason", row.reason), ("end", row.expires_at))
    lacks = [name for name, value in parts if not value]
    return f"The waiver names no {' and no '.join(lacks)}." if lacks else ""


def _not_shown(ws: Workspace, suite: str, row: ApprovalRow) -> str:
    """Return why the benchmark runs of an approval show no improvement; nothing if they do."""
    from evalcore.approvals.standing import benchmark_runs_of  # noqa: PLC0415 - as above

    named = (row_of(ws, suite, name) for name in benchmark_runs_of(row))
    here = [at for at in named if at is not None]
    of = dict(zip(picked(ws.tables.columns["benchmark_runs"]["version"], here), here, strict=True))
    missing = [each or "no version" for each in (row.baseline, row.version) if each not in of]
    if missing or row.baseline is None or row.version is None:
        return f"It names no existing benchmark run of {' and of '.join(missing)}."
    return _SAYS[improvement(ws, of[row.baseline], of[row.version])]


def _describe(ws: Workspace, rows: Numbers) -> Iterator[Broken]:
    yield from (broken for _, broken in _faults(ws, rows))


def _faults(ws: Workspace, rows: Numbers) -> Iterator[tuple[str, Broken]]:
    """Yield code and description of what is wrong with some decisions."""
    table = ws.tables.columns["approvals"]
    names = ("suite", "approval", "version", "source", "pointer")
    found = (picked(table[name], rows.tolist()) for name in names)
    for row, suite, name, version, source, pointer in zip(rows.tolist(), *found, strict=True):
        fault = next(each for each in _granted(ws, suite) if each.row == row)
        lapsed = fault.code == LAPSED
        what = "has lapsed" if lapsed else "is not justified"
        message = f"The approval of {str(version)[:120]!r} {what}: {fault.why}"
        place = Place("approval", source or "", pointer or "")
        yield fault.code, Broken("approval", name or "", message, (place,))


def _problems(ws: Workspace, suite: str, rows: Numbers) -> Iterator[Problem]:
    for code, broken in _faults(ws, rows):
        _, path, at = broken.places[0]
        yield Problem(path, at, "warning", code, broken.message, _HINTS[code], suite)


CHECK: Final = Check("approvals", _find, _describe, _problems)
