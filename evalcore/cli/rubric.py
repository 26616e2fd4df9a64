"""`evalcore rubric`: the criteria of a suite, their spread, and how they changed over versions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType

from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_suite
from evalcore.cli.screen import styled, table
from evalcore.counting.outcomes import Column, outcomes
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


def describe(
    path: Path, suite: str | None, version: str | None, configuration: str | None, scores: Scores
) -> Answer:
    """List the criteria of a suite, weakest first.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite.
    """
    ws, name = open_suite(path, suite)
    return Answer(
        lambda: as_document(ws, name, scores), _lines(ws, name, version, configuration, scores)
    )


def _lines(
    ws: Workspace, suite: str, version: str | None, configuration: str | None, scores: Scores
) -> Iterator[RenderableType]:
    """Yield the criteria, how many have which fault, what graders suggest, and what weights do."""
    at = focus_column(ws, suite, version, configuration, scores)
    found = spreads(ws, suite, at[0], scores) if at is not None else ()
    if at is None or not found:
        yield "No criterion has a score yet. Grade a run to see scores here."
        return
    (top,) = top_blocks(ws, suite, found, at[1], scores)
    for text, style in ((top.text, "bold"), (top.rest, "")):
        if text:
            yield styled(text, style)
    yield ""
    changes = ranked(ws, suite, configuration, "weakest", scores).changes
    made = table(
        ["criterion"],
        numbers=("mean", "likely", "change", "spread", "from – to", "judgments", "cases"),
    )
    for one in found[:SHOWN]:
        likely = (
            "" if one.low is None else f"{score(one.low, one.top)} – {score(one.high, one.top)}"
        )
        moved = changes.get(one.key)
        change = "" if moved is None else difference(moved.difference * (one.top or 1), one.top)
        spread = "" if one.stddev is None else wording.fixed(one.stddev)
        ends = f"{score(one.lowest, one.top)} – {score(one.highest, one.top)}"
        cells = [
            named(ws, suite, one.criterion),
            f"{score(one.mean, one.top)}{of_top(one.top)}",
            likely,
        ]
        cells += [change, spread, ends, f"{one.judged:,}", f"{one.cases:,}"]
        made.add_row(*map(styled, cells))
    yield made
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN:,} more (all with --json)"
    lines = [
        f"{item.n:,} {item.what}"
        for block in quality_blocks(ws, suite, RubricView(), scores)
        if isinstance(block, Folds)
        for item in block.items
    ]
    suggested = suggestions(ws, suite)
    if suggested:
        every, waiting = wording.count(len(suggested), "suggestion"), open_suggestions(ws, suite)
        lines.append(f"{every} by graders, {waiting:,} open")
    weighed = default_weighing(ws, suite, version, configuration, scores)
    if weighed is not None:
        lines.append(sentence(ws, suite, weighed, scores))
    yield from ["", *lines] if lines else ()


def as_document(ws: Workspace, suite: str, scores: Scores) -> dict[str, Any]:
    """Return the criteria of a suite as a document. docs/rubric.md explains every name."""
    cells = criterion_cells(ws, suite, scores)
    of_column = [
        {one.key: one for one in spreads(ws, suite, at, scores)} for at in range(len(cells.columns))
    ]
    changes = ranked(ws, suite, None, "weakest", scores).changes
    faults = findings(ws, suite, scores)
    about = meant(ws, suite)
    weighed = default_weighing(ws, suite, None, None, scores)
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
                _column(found[at], cells.columns[place])
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
    return {
        "schema": SCHEMA,
        "root": ws.root,
        "suite": suite,
        "family": outcomes(ws, suite).family,
        "scores": scores,
        "criteria": criteria,
        "suggestions": [
            {
                "kind": one.kind,
                "criterion": about[one.key].key if one.key in about else None,
                "named": one.target,
                "texts": one.texts,
                "times": one.n,
                "versions": one.versions,
                "runs": run_ids(ws, one.runs),
                "state": one.state,
                "recorded_action": one.action,
                "decisions": [each._asdict() for each in one.decisions],
            }
            for one in suggestions(ws, suite)
        ],
        "weights": None if weighed is None else _weights(cells, weighed),
        "changes": [_step(cells, one) for one in criteria_changes(ws, suite, None, scores)],
    }


def _weights(cells: CriterionCells, found: Weighing) -> dict[str, Any]:
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
                **fields(turn, "weight", "change", "cases"),
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


def _column(one: Spread, column: Column) -> dict[str, Any]:
    return {
        "version": column.version,
        "configuration": column.configuration,
        **fields(one, "mean", "low", "high", "stddev"),
        "stddev_within_cases": one.within,
        "min": one.lowest,
        "max": one.highest,
        "cases": one.cases,
        "judgments": one.judged,
        "varies": one.varies,
        "scores": [{"score": score, "n": n} for score, n in one.scores],
        "scores_are_steps": one.stepped,
    }
