"""The cases of a comparison that match the filters, as a list to export."""

from evalcore.comparing.model import CasePair, LeftOut
from evalcore.tables.exported import Listing
from evalcore.views.compare.state import Listed

HEAD = ("case_id", "name", "change", "a", "b", "difference", "runs_a", "runs_b", "left_out_because")


def pairs_listing(cases: Listed) -> Listing:
    """Return a row for each listed case: both values from 0 to 1, or why it does not count."""
    return Listing("comparison", HEAD, [_row(case) for case in cases.every])


def _row(case: CasePair | LeftOut) -> tuple[str | float | None, ...]:
    if isinstance(case, LeftOut):
        return (case.case_id, case.name, None, None, None, None, None, None, case.reason)
    values = (case.a, case.b, case.difference, case.runs_a, case.runs_b)
    return (case.case_id, case.name, case.change, *values, None)
