"""The lists of the Data page that match the filters, as lists to export."""

from evalcore.counting.cells import typed, where
from evalcore.tables.exported import Listing
from evalcore.tables.rows import CaseRow
from evalcore.views.data.definitions import matching_cases
from evalcore.views.data.lists import DataView, files, matching
from evalcore.views.problems import Problems
from evalcore.workspace.opened import Workspace

PROBLEM = ("path", "pointer", "severity", "code", "message", "hint")
CASE = (
    "case_id", "name", "status", "prompt", "expected", "tags", "source", "pointer", "criteria",
)  # fmt: skip
DOCUMENT = ("path", "family", "kind", "suite", "records", "problems")


def problems_listing(problems: Problems, view: DataView) -> Listing:
    """Return every problem that the filters keep."""
    rows = matching(problems, view)
    return Listing("problems", PROBLEM, [tuple(getattr(r, n) for n in PROBLEM) for r in rows])


def documents_listing(ws: Workspace, view: DataView, problems: Problems) -> Listing:
    """Return every document that the filters keep."""
    found = files(ws, view, problems, whole=True)
    return Listing("documents", DOCUMENT, [tuple(line) for line in found.lines])


def cases_listing(ws: Workspace, suite: str, view: DataView) -> Listing:
    """Return every defined case that the search keeps, with the number of its criteria."""
    rows = typed(ws, "cases", CaseRow, matching_cases(ws, suite, view))
    asked = ws.tables.criteria["case_id"].iloc[where(ws, "criteria", suite=suite)]
    counts = asked.value_counts().to_dict()
    listed = [(*(getattr(r, n) for n in CASE[:-1]), int(counts.get(r.case_id, 0))) for r in rows]
    return Listing("cases", CASE, listed)
