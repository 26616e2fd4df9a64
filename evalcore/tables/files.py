"""What connects records, and what became of the files."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Int, Str


class RelationRow(NamedTuple):
    """A link between two records."""

    suite: Code
    source_type: Code
    source_id: Code
    relation: Code
    target_type: Code
    target_id: Code
    origin: Code  # field, record
    found: Bool
    source: Code
    pointer: Code


class ProblemRow(NamedTuple):
    """A fault found in a file."""

    path: Code
    pointer: Code
    severity: Code
    code: Code
    message: Str
    hint: Str
    suite: Code


class DocumentRow(NamedTuple):
    """A file that was recognised."""

    path: Str
    family: Code
    kind: Code
    suite: Code
    records: Int  # judged items, records or entries read from it
