"""`evalcore trust`: how far a model as judge agrees with people, and rates corrected for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evalcore.cli.answering import Answer, fields, plain
from evalcore.cli.opening import open_suite
from evalcore.cli.screen import styled
from evalcore.cli.terminal import harmless
from evalcore.counting.cells import family_of
from evalcore.errors import UnknownName
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.validating.trust import Trust, trust
from evalcore.views.blocks import page
from evalcore.views.judge.trust import column_name, corrected_sentence, sentence, trust_blocks

SCHEMA: Final = 1
"""Increased when a name of the document changes its meaning or is removed, not for new ones."""


def describe(path: Path, suite: str | None, judge: str | None, *, blind: bool) -> Answer:
    """Say how far the judge of a suite can be trusted.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite, or the suite no such judge.
    """
    ws, name = open_suite(path, suite)
    records = load_reviews(review_folder(ws, name))
    found = trust(ws, name, records, independent=blind)
    if judge is not None and found is not None:
        named = [each for each in found.judges if judge in (each.id, each.judge)]
        if not named:
            raise UnknownName("judge", judge, [each.judge for each in found.judges])
        found = trust(ws, name, records, judge=named[0].id, independent=blind)
    head = {"schema": SCHEMA, "root": ws.root, "suite": name}
    here = family_of(ws, name).judged_here
    return Answer(lambda: head | _document(found), _lines(found, judged_here=here))


def _lines(found: Trust | None, *, judged_here: bool) -> Iterator[RenderableType]:
    """Yield the section of the page as text: its sentences and tables."""
    for block in trust_blocks(found, judged_here=judged_here):
        match block:
            case page.Verdict():
                yield styled(block.text, "bold")
            case page.Say():
                yield block.text
            case page.Heading():
                yield ""
                hint = f" ({block.hint})" if block.hint else ""
                yield styled(f"{block.text}{hint}", "bold")
            case page.Table():
                yield _table(block)


def _table(block: page.Table) -> Table:
    """Return a table without its column of bars."""
    shown = [at for at, _ in enumerate(block.head) if not any(r.cells[at].bar for r in block.rows)]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for at in shown:
        name, is_number = block.head[at]
        table.add_column(harmless(name), justify="right" if is_number else "left", overflow="fold")
    for row in block.rows:
        cells = (row.cells[at] for at in shown)
        table.add_row(
            *(Text("\n".join(map(harmless, filter(None, (c.text, c.sub))))) for c in cells)
        )
    return table


def _document(found: Trust | None) -> dict[str, Any]:
    """Return the figures as a document. docs/trust.md explains every name."""
    if found is None:
        return {"judge": None}
    value = plain(found)
    for each in (value["checked"], *value["criteria"]):
        if each is not None:
            del each["row"]
    for each, column in zip(value["rates"]["columns"], found.rates.columns, strict=True):
        each["sample"] = fields(column.sample, "state", "missing")
        each |= {"name": column_name(column), "sentence": corrected_sentence(column)}
    ids = {"judge": value["judge"] | {"id": found.judge.id}}
    ids |= {"judges": [each._asdict() | {"id": each.id} for each in found.judges]}
    document: dict[str, Any] = value | ids | {"sentence": sentence(found)}
    return document
