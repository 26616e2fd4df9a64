"""The failures that match the filters, as a list to export."""

from evalcore.failures.detail import described
from evalcore.failures.query import matching
from evalcore.tables.exported import Listing
from evalcore.views.failures.state import FailuresState

HEAD = (
    "run_id", "case_id", "version", "configuration", "run", "status", "type", "severity", "origin",
    "rule", "description", "root_cause", "criteria", "resolved_at", "resolution_notes", "author",
    "failure_id",
)  # fmt: skip


def failures_listing(state: FailuresState) -> Listing:
    """Return a row for each failure that the filters keep, in the order of the list."""
    places = matching(state.ws, state.suite, state.query, state.scores)
    rows = []
    for one in described(state.ws, state.suite, places.tolist(), state.scores):
        fields = one._asdict() | {
            "run_id": one.run_id or one.named_run,
            "criteria": ", ".join(one.criteria),
        }
        rows.append(tuple(fields[name] for name in HEAD))
    return Listing("failures", HEAD, rows)
