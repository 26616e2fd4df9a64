"""The words of the table of places: what a place is, and the parts of the pages."""

from typing import NamedTuple

RAW = "raw"

GRID = "Gradings: grid"
CASE = "Gradings: prompt and expected output"
RUN = "Gradings: run"
CRITERIA = "Gradings: criteria"
CHECKS = "Gradings: structural checks"
CONVENTIONS = "Gradings: conventions"
CLAIMS = "Gradings: claims"
NOTES = "Gradings: notes"
FEEDBACK = "Gradings: feedback"
COMPARISONS = "Gradings: comparisons"
FAILURES = "Gradings: failure analysis"
ABOUT = "Gradings: about the version"
OUTPUTS = "Gradings: output files"
DOCUMENT = "Gradings: raw document"
OVERVIEW = "Overview"
JUDGE = "Judge"
DEFINED = "Data: cases and criteria"
DOCUMENTS = "Data: documents"


class Place(NamedTuple):
    """Where a field goes.

    `columns`: `table.column`, several joined by ", ", or `raw`: in the document behind `source` and
    `pointer`. `shown`: the page, and the part of it, that shows the field.
    """

    columns: str
    shown: str


Places = dict[str, Place]


def shown(where: str, **columns: str) -> Places:
    """The places of fields that one part of a page shows: `field="table.column"`."""
    return {field: Place(column, where) for field, column in columns.items()}


def raw(where: str, *fields: str) -> Places:
    """The places of fields that stay in the raw document."""
    return {field: Place(RAW, where) for field in fields}


def below(prefix: str, places: Places) -> Places:
    """The same places, each field below `prefix`."""
    return {prefix + field: place for field, place in places.items()}
