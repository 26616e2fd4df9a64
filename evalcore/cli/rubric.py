"""`evalcore rubric`: the criteria of a suite, their spread, and how they changed over versions."""

import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.table import Table
from rich.text import Text

from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.screen import console, progress
from evalcore.cli.terminal import harmless
from evalcore.cli.trending import suite_of
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.spread import Spread, spreads
from evalcore.views.rubric.criteria import focus_column, top_blocks
from evalcore.views.rubric.heat import ranked
from evalcore.views.rubric.words import difference, named, of_top, score
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

SCHEMA: Final = 1
"""Increased when a name of the document changes its meaning or is removed, not for new ones."""
SHOWN: Final = 30
"""How many criteria are listed; `--json` has all."""


class Asked(NamedTuple):
    """The request as typed."""

    path: Path
    suite: str | None = None
    version: str | None = None
    configuration: str | None = None
    scores: Scores = "recorded"


def describe(asked: Asked, *, as_json: bool) -> int:
    """Print the criteria of a suite, weakest first.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite.
    """
    with progress("Reading"):
        ws = open_for_judge(asked.path)
    suite = suite_of(ws, asked.path, asked.suite)
    if as_json:
        sys.stdout.write(as_document(ws, suite, asked.scores))
    else:
        _show(ws, suite, asked)
    return 0


def _show(ws: Workspace, suite: str, asked: Asked) -> None:
    out = console()
    at = focus_column(ws, suite, asked.version, asked.configuration, asked.scores)
    found = spreads(ws, suite, at[0], asked.scores) if at is not None else ()
    if at is None or not found:
        out.print(Text("No criterion has a score yet. The first graded run gives it one."))
        return
    (top,) = top_blocks(found, at[1], asked.scores)
    for text, style in ((top.text, "bold"), (top.rest, "")):
        if text:
            out.print(Text(harmless(text), style), soft_wrap=True)
    out.print()
    out.print(_table(ws, suite, found, asked))
    if len(found) > SHOWN:
        out.print(f"and {len(found) - SHOWN:,} more (all with --json)")


def _table(ws: Workspace, suite: str, found: tuple[Spread, ...], asked: Asked) -> Table:
    changes = ranked(ws, suite, asked.configuration, "weakest", asked.scores).changes
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("criterion", overflow="fold")
    for name in ("mean", "likely", "change", "spread", "from – to", "judgments", "cases"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found[:SHOWN]:
        likely = (
            "" if one.low is None else f"{score(one.low, one.top)} – {score(one.high, one.top)}"
        )
        moved = changes.get(one.key)
        change = "" if moved is None else difference(moved.difference * (one.top or 1), one.top)
        spread = "" if one.stddev is None else wording.fixed(one.stddev)
        ends = f"{score(one.lowest, one.top)} – {score(one.highest, one.top)}"
        cells = [harmless(named(one.criterion)), f"{score(one.mean, one.top)}{of_top(one.top)}"]
        cells += [likely, change, spread, ends, f"{one.judged:,}", f"{one.cases:,}"]
        table.add_row(*map(Text, cells))
    return table


def as_document(ws: Workspace, suite: str, scores: Scores) -> str:
    """Return the criteria of a suite as one JSON document. docs/rubric.md explains every name."""
    cells = criterion_cells(ws, suite, scores)
    of_column = [
        {one.key: one for one in spreads(ws, suite, at, scores)} for at in range(len(cells.columns))
    ]
    changes = ranked(ws, suite, None, "weakest", scores).changes
    criteria = [
        {
            "kind": criterion.kind,
            "criterion": criterion.name,
            "key": criterion.key,
            "min_score": cells.least[at],
            "max_score": cells.top[at],
            "change": changes[at].difference * _top(cells.top[at]) if at in changes else None,
            "change_cases": changes[at].cases if at in changes else 0,
            "columns": [
                _column(found[at], cells.columns[place].version, cells.columns[place].configuration)
                for place, found in enumerate(of_column)
                if at in found
            ],
        }
        for at, criterion in enumerate(cells.criteria)
    ]
    family = outcomes(ws, suite).family
    head = {"schema": SCHEMA, "root": str(ws.root), "suite": suite, "family": family}
    return json_text(head | {"scores": scores, "criteria": criteria})


def _top(top: float) -> float:
    return 1.0 if top != top else float(top)  # noqa: PLR0124 - NaN differs from itself


def _column(one: Spread, version: str, configuration: str) -> dict[str, Any]:
    return {
        "version": version,
        "configuration": configuration,
        "mean": one.mean,
        "low": one.low,
        "high": one.high,
        "stddev": one.stddev,
        "stddev_within_cases": one.within,
        "min": one.lowest,
        "max": one.highest,
        "cases": one.cases,
        "judgments": one.judged,
        "varies": one.varies,
        "scores": [{"score": score, "n": n} for score, n in one.scores],
        "scores_are_steps": one.stepped,
    }
