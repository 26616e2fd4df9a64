"""The lists of the Data page that match the filters, as lists to export."""

from evalcore.tables.exported import Listing
from evalcore.views.data.lists import DataView, files, matching
from evalcore.views.problems import Problems
from evalcore.workspace.opened import Workspace

PROBLEM = ("path", "pointer", "severity", "code", "message", "hint")
DOCUMENT = ("path", "family", "kind", "suite", "records", "problems")


def problems_listing(problems: Problems, view: DataView) -> Listing:
    """Return every problem that the filters keep."""
    rows = [problems.rows[at] for at in matching(problems, view)]
    return Listing("problems", PROBLEM, [tuple(getattr(r, n) for n in PROBLEM) for r in rows])


def documents_listing(ws: Workspace, view: DataView, problems: Problems) -> Listing:
    """Return every document that the filters keep."""
    found = files(ws, view, problems, whole=True)
    return Listing("documents", DOCUMENT, [tuple(line) for line in found.lines])
