"""The open case of the Compare page, on both sides."""

from dataclasses import dataclass

from evalcore.comparing.case_pair import (
    CriterionPair,
    criterion_changes,
    in_order,
    runs_of_case,
    runs_of_change,
)
from evalcore.comparing.model import CasePair, Comparison, LeftOut, Side
from evalcore.counting.cells import typed
from evalcore.layouts.order import natural
from evalcore.tables.rows import RunRow
from evalcore.views.compare.state import View
from evalcore.views.files.outputs import OutputFile
from evalcore.views.run.evidence import Evidence, evidence


@dataclass(frozen=True)
class OpenSide:
    """One side of the open case: its runs in their order, and the one that is open."""

    side: Side
    runs: tuple[RunRow, ...]
    at: int
    evidence: Evidence | None

    @property
    def run_id(self) -> str | None:
        """The open run; None if the case was not run on this side."""
        return self.evidence.run.run_id if self.evidence else None

    def place_of(self, run_id: str) -> int | None:
        """Return the number of a run, from 1; None if it is not one of these."""
        return next((at for at, row in enumerate(self.runs, 1) if row.run_id == run_id), None)

    @property
    def files(self) -> tuple[OutputFile, ...]:
        """The outputs of the open run."""
        found = self.evidence.files if self.evidence else ()
        return tuple(file for file in found if file.role == "output")


@dataclass(frozen=True)
class OpenCase:
    """The case that is open, on both sides, and its criteria, changed ones first."""

    case_id: str
    pair: CasePair | None
    left: LeftOut | None
    a: OpenSide
    b: OpenSide
    criteria: tuple[CriterionPair, ...]


def open_case(found: Comparison, a: Side, b: Side, view: View) -> OpenCase | None:
    """Return the case that a view opens; None if neither side has it.

    Where the view names no runs, those are open between which the first criterion changed.
    """
    pair = next((one for one in found.pairs if one.case_id == view.case), None)
    left = next((one for one in found.left_out if one.case_id == view.case), None)
    if view.case is None or (pair is None and left is None):
        return None
    criteria = criterion_changes(a, b, view.case, scores=found.scores)
    criteria = in_order(criteria, pair.change if pair else None)
    usual = runs_of_change(*criteria)
    first, second = usual or ((pair.run_a, pair.run_b) if pair else ("", ""))
    return OpenCase(
        view.case,
        pair,
        left,
        _open_side(a, view.case, view.ra, first),
        _open_side(b, view.case, view.rb, second),
        criteria,
    )


def _open_side(side: Side, case_id: str, asked: int | None, usual: str) -> OpenSide:
    rows = typed(side.ws, "runs", RunRow, runs_of_case(side, case_id))
    rows.sort(key=lambda row: natural(row.run or ""))
    if not rows:
        return OpenSide(side, (), 0, None)
    named = next((at for at, row in enumerate(rows, 1) if row.run_id == usual), 1)
    at = asked if asked is not None and asked <= len(rows) else named
    seen = evidence(side.ws, rows[at - 1].run_id or "", look_up_quotes=False)
    return OpenSide(side, tuple(rows), at, seen)
