"""What test cases and runs name of other toolboxes, followed where a store holds their records."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from evalcore.families.records.loading import Record
from evalcore.families.records.shapes import AGENT_RUN, CONNECTIONS, leads_to_run, quoted
from evalcore.families.records.store import missing_reference
from evalcore.problems import Problem
from evalcore.shapes.prompts import names_of

_ON: Final = ("test-run", "test-case", "skill-definition")
"""The types whose records name others so."""


def unfollowed(records: Sequence[Record], suite: str) -> Iterator[Problem]:
    """Yield what leads nowhere, and one note for each type of which a store holds no record."""
    for wanted in dict.fromkeys(CONNECTIONS.values()):
        targets = [record for record in records if record.type in wanted]
        names = set[str]().union(*(names_of({"id": each.id, **_about(each)}) for each in targets))
        open_ = [each for each in _named(records, wanted) if each[2] not in names]
        if any(map(_is_kept, targets)):
            for record, field, name in open_:
                at = f"{record.fields_at}/{field}"
                yield missing_reference(suite, record, field, wanted[0], name, at)
        elif open_:
            yield _elsewhere(suite, wanted[0], open_)


def _about(record: Record) -> dict[str, Any]:
    return {**record.envelope, "fields": record.fields}


def _is_kept(record: Record) -> bool:
    """Return whether a record shows that its toolbox keeps its records here.

    An agent-run that leads to a test-run was written for it, by whoever ran the case.
    """
    return record.type != AGENT_RUN or not leads_to_run(record.fields)


def _named(records: Sequence[Record], wanted: tuple[str, ...]) -> Iterator[tuple[Record, str, str]]:
    """Yield each record that names one of some types, with the field and the name."""
    fields = [field for field, types in CONNECTIONS.items() if types == wanted]
    for record in records:
        for field in fields if record.type in _ON else ():
            name = record.fields.get(field)
            if isinstance(name, str) and name.strip():
                yield record, field, name


def _elsewhere(suite: str, wanted: str, named: Sequence[tuple[Record, str, str]]) -> Problem:
    record, field, name = named[0]
    several = f"{len(named):,} records name" if len(named) > 1 else "A record names"
    return Problem(
        record.path,
        f"{record.fields_at}/{field}",
        "info",
        "not-followed",
        f"{several} one of the type {wanted} (here {quoted(name)}); this store has none, so it "
        "cannot be shown.",
        f"Keep the records of the type {wanted} in the same store to follow them.",
        suite,
    )
