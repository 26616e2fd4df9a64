"""`evalcore rubric`: the criteria of a suite, their spread, and how they changed over versions."""

import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.table import Table
from rich.text import Text

from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
from evalcore.cli.trending import suite_of
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import CriterionCells, criterion_cells
from evalcore.rubrics.changes import CriteriaChange, criteria_changes
from evalcore.rubrics.quality import findings
from evalcore.rubrics.spread import Spread, spreads
from evalcore.rubrics.suggestions import open_suggestions, run_ids, suggestions
from evalcore.rubrics.weights import Weighing
from evalcore.views.blocks.page import Folds
from evalcore.views.rubric.criteria import focus_column, top_blocks
from evalcore.views.rubric.heat import ranked
from evalcore.views.rubric.quality import quality_blocks
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.suggested import meant
from evalcore.views.rubric.weighed import default_weighing, sentence
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
        out.print(Text("No criterion has a score yet. Grade a run to see scores here."))
        return
    (top,) = top_blocks(found, at[1], asked.scores)
    for text, style in ((top.text, "bold"), (top.rest, "")):
        if text:
            out.print(Text(harmless(text), style), soft_wrap=True)
    out.print()
    out.print(_table(ws, suite, found, asked))
    if len(found) > SHOWN:
        out.print(f"and {len(found) - SHOWN:,} more (all with --json)")
    _show_quality(ws, suite, asked)


def _show_quality(ws: Workspace, suite: str, asked: Asked) -> None:
    """Print how many criteria have which fault, what graders suggest, and what weights do."""
    out = console()
    lines = [
        f"{item.n:,} {item.what}"
        for block in quality_blocks(ws, suite, RubricView(), asked.scores)
        if isinstance(block, Folds)
        for item in block.items
    ]
    found = suggestions(ws, suite)
    if found:
        every, waiting = wording.count(len(found), "suggestion"), open_suggestions(ws, suite)
        lines.append(f"{every} by graders, {waiting:,} open")
    weighed = default_weighing(ws, suite, asked.version, asked.configuration, asked.scores)
    if weighed is not None:
        lines.append(sentence(ws, suite, weighed, asked.scores))
    if lines:
        out.print()
    for line in lines:
        out.print(Text(harmless(line)), soft_wrap=True)


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
    faults = findings(ws, suite, scores)
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
            "faults": [
                {"fault": one.fault, "found": one.found, "of": one.n, "words": one.words or None}
                | {"with": one.sides and one.sides[0], "without": one.sides and one.sides[1]}
                for one in faults
                if one.criterion == at
            ],
        }
        for at, criterion in enumerate(cells.criteria)
    ]
    family = outcomes(ws, suite).family
    head = {"schema": SCHEMA, "root": str(ws.root), "suite": suite, "family": family}
    about = meant(ws, suite)
    more = {
        "suggestions": [
            {
                "kind": one.kind,
                "criterion": (about[one.key].key if one.key in about else None),
                "named": one.target,
                "texts": list(one.texts),
                "times": one.n,
                "versions": list(one.versions),
                "runs": run_ids(ws, one.runs),
                "state": one.state,
                "recorded_action": one.action,
                "decisions": [each._asdict() for each in one.decisions],
            }
            for one in suggestions(ws, suite)
        ],
        "weights": _weights(cells, default_weighing(ws, suite, None, None, scores)),
        "changes": [_step(cells, one) for one in criteria_changes(ws, suite, None, scores)],
    }
    return json_text(head | {"scores": scores, "criteria": criteria} | more)


def _weights(cells: CriterionCells, found: Weighing | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "before": found.before._asdict(),
        "after": found.after._asdict(),
        "before_mean": found.a,
        "after_mean": found.b,
        "cases": found.cases,
        "stated": found.given,
        "no_weights_turn_it": found.fixed,
        "criteria": [
            {
                "key": cells.criteria[turn.criterion].key,
                "weight": turn.weight,
                "change": turn.change,
                "cases": turn.cases,
                "turns_at_factor": turn.factor,
            }
            for turn in found.turns
        ],
    }


def _step(cells: CriterionCells, one: CriteriaChange) -> dict[str, Any]:
    return {
        "before": one.earlier._asdict(),
        "after": one.later._asdict(),
        "cases": one.cases,
        "differing_cases": one.differing,
        "mean_before": one.before,
        "mean_after": one.after,
        "shared_mean_before": one.before_shared,
        "shared_mean_after": one.after_shared,
        "effect": one.effect,
        "criteria": [
            {"case": each.case_id, "kind": each.kind, "before": each.a, "after": each.b}
            | {"why": each.why}
            for each in one.other
        ],
        "scales": [
            {"key": cells.criteria[each.criterion].key}
            | {"before": list(each.before), "after": list(each.after)}
            for each in one.rescaled
        ],
    }


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
