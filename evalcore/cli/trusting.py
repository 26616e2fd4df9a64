"""`evalcore trust`: how far a model as judge agrees with people, and rates corrected for it."""

import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.table import Table
from rich.text import Text

from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text, plain
from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
from evalcore.cli.trending import suite_of
from evalcore.errors import UnknownName
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.validating.trust import Trust, trust
from evalcore.views.blocks import page
from evalcore.views.judge.trust import (
    column_name,
    corrected_sentence,
    sentence,
    trust_blocks,
)
from evalcore.workspace.opened import Workspace

SCHEMA: Final = 1
"""Increased when a name of the document changes its meaning or is removed, not for new ones."""


class Asked(NamedTuple):
    """The request as typed."""

    path: Path
    suite: str | None = None
    judge: str | None = None
    blind: bool = False


def describe(asked: Asked, *, as_json: bool) -> int:
    """Print how far the judge of a suite can be trusted; return 0.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite, or the suite no such judge.
    """
    ws = open_for_judge(asked.path)
    suite = suite_of(ws, asked.path, asked.suite)
    found = _found(ws, suite, asked)
    if as_json:
        sys.stdout.write(json_text(_document(ws, suite, found)))
    else:
        _show(found)
    return 0


def _found(ws: Workspace, suite: str, asked: Asked) -> Trust | None:
    records = load_reviews(review_folder(ws, suite))
    found = trust(ws, suite, records, independent=asked.blind)
    if asked.judge is None or found is None:
        return found
    named = [each for each in found.judges if asked.judge in (each.id, each.judge)]
    if not named:
        raise UnknownName("judge", asked.judge, [each.judge for each in found.judges])
    return trust(ws, suite, records, judge=named[0].id, independent=asked.blind)


def _show(found: Trust | None) -> None:
    """Print the section of the page as text: its sentences and tables."""
    out = console()
    for block in trust_blocks(found):
        match block:
            case page.Verdict() | page.Say():
                style = "bold" if isinstance(block, page.Verdict) else ""
                out.print(Text(harmless(block.text), style), soft_wrap=True)
            case page.Heading():
                out.print()
                hint = f" ({block.hint})" if block.hint else ""
                out.print(Text(harmless(f"{block.text}{hint}"), "bold"), soft_wrap=True)
            case page.Table():
                out.print(_table(block))


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


def _document(ws: Workspace, suite: str, found: Trust | None) -> dict[str, Any]:
    """Return the figures as one document. docs/trust.md explains every name."""
    head = {"schema": SCHEMA, "root": str(ws.root), "suite": suite}
    if found is None:
        return head | {"judge": None}
    value = plain(found)
    for each in (value["checked"], *value["criteria"]):
        if each is not None:
            del each["row"]
    for each, column in zip(value["rates"]["columns"], found.rates.columns, strict=True):
        each["sample"] = {"state": column.sample.state, "missing": column.sample.missing}
        each |= {"name": column_name(column), "sentence": corrected_sentence(column)}
    ids = {"judge": value["judge"] | {"id": found.judge.id}}
    ids |= {"judges": [each._asdict() | {"id": each.id} for each in found.judges]}
    document: dict[str, Any] = head | value | ids | {"sentence": sentence(found)}
    return document
