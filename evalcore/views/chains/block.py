"""Describe the chain of a record, for the page that shows the record."""

from collections.abc import Iterable
from typing import Final

from evalcore.chains.find import Chain, Link, chain, chain_of, record_at
from evalcore.chains.records import Records, SuiteRecords
from evalcore.views.blocks import chain as blocks
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Heading
from evalcore.views.chains.names import TYPES, counted, described
from evalcore.workspace.opened import Workspace

NAMED: Final = 3
"""More records than these are counted."""
TITLE: Final = "Came from and led to"
NONE_BEFORE: Final = "No recorded origin."
NONE_AFTER: Final = "Nothing recorded yet."


def chain_blocks(
    ws: Workspace, suite: str, kind: str, name: str, *, title: str = TITLE
) -> list[Block]:
    """Describe the chain of the record of a type with an id; nothing where it has none.

    Without a title it belongs to what is above it.
    """
    return _blocks(SuiteRecords(ws, suite), chain(ws, suite, kind, name), title)


def chain_blocks_at(ws: Workspace, path: str, pointer: str = "") -> list[Block]:
    """Describe the chain of the record at a place of a document; nothing where none is there."""
    found = record_at(ws, path, pointer)
    if found is None:
        return []
    return _blocks(found[0], chain_of(*found), TITLE)


def _blocks(of: SuiteRecords, found: Chain, title: str) -> list[Block]:
    if not (found.came_from or found.led_to):
        return []
    (record,) = described(of, found.record)
    block = blocks.Chain(
        label=f"{TITLE}: {record.kind} {record.text}",
        record=record,
        came_from=_links(of, found.came_from, later=False, near=found.record),
        led_to=_links(of, found.led_to, later=True, near=found.record),
        none_before=NONE_BEFORE,
        none_after=NONE_AFTER,
    )
    return [Heading(title), block] if title else [block]


def _links(
    of: SuiteRecords, links: Iterable[Link], *, later: bool, near: Records
) -> list[blocks.ChainLink]:
    return [
        blocks.ChainLink(
            relation=link.relation.words,
            onward=link.relation.first == "source",
            sentence=_sentence(link),
            records=_records(of, link.records, near),
            further=_links(of, link.further, later=later, near=link.records),
        )
        for link in links
    ]


def _records(of: SuiteRecords, records: Records, near: Records) -> list[blocks.ChainRecord]:
    if records.total > NAMED:
        return [counted(of, records, near)]
    return described(of, records)


def _sentence(link: Link) -> str:
    relation = link.relation
    return f"{TYPES[relation.source]} {relation.words} {TYPES[relation.target]}"
