"""What connects records, and what became of the files."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Int, Str


class RelationRow(NamedTuple):
    """A link between two records."""

    suite: Code
    source_type: Code  # type of the record it goes out from
    source_id: Code  # its id
    relation: Code  # how the two are related
    target_type: Code  # type of the record it leads to
    target_id: Code  # its id
    origin: Code  # field, record: what states it
    found: Bool  # whether both records are there
    source: Code
    pointer: Code


class ProblemRow(NamedTuple):
    """A fault found in a file."""

    path: Code  # the file, relative to the workspace
    pointer: Code
    severity: Code  # error, warning, info
    code: Code  # what kind of problem it is
    message: Str  # what is wrong
    hint: Str  # the next step
    suite: Code


class DocumentRow(NamedTuple):
    """A file that was recognised."""

    path: Str  # the file, relative to the workspace
    family: Code  # dialect it was read by
    kind: Code  # what it is in its dialect
    suite: Code
    records: Int  # judged items, records or entries read from it
