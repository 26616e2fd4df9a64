"""Which weights would turn the order of two versions, in words."""

from typing import Final

from evalcore.comparing.sides import default_sides
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.weights import Weighing, weighing
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table, heads
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import difference, named
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

SHOWN: Final = 12
LEAST: Final = 0.01
"""A smaller share of its weight is called none."""


@memoize_per_workspace
def default_weighing(
    ws: Workspace, suite: str, version: str | None, configuration: str | None, scores: Scores
) -> Weighing | None:
    """Return the weighing of the pair that Overview compares; None without one or two criteria."""
    sides = default_sides(ws, suite, version, configuration)
    if sides is None:
        return None
    columns = criterion_cells(ws, suite, scores).columns
    if any(side.column not in columns for side in sides):
        return None
    before, after = (columns.index(side.column) for side in sides)
    return weighing(ws, suite, before, after, scores)


def weight_blocks(
    ws: Workspace, suite: str, found: Weighing | None, view: RubricView, scores: Scores
) -> list[Block]:
    """Describe which weights turn the order of two columns; empty without a weighing."""
    if found is None:
        return []
    criteria = criterion_cells(ws, suite, scores).criteria
    hint = "from the files" if found.given else "none are given, so each counts 1"
    blocks: list[Block] = [Heading("Weights", hint), Say(sentence(ws, suite, found, scores))]
    turning = [turn for turn in found.turns if turn.factor is not None]
    if found.fixed or found.equal or not turning:
        return blocks
    rows = []
    for turn in turning[:SHOWN]:
        criterion, cases = criteria[turn.criterion], wording.count(turn.cases, "case")
        to = view.to(criterion=criterion.key, at=None, runs=1)
        cells = [
            Cell(named(ws, suite, criterion), link=to, clamp=True),
            Cell(_weight(turn.weight, 1.0), num=True),
            Cell(_weight(turn.weight, turn.factor or 0.0), num=True),
            Cell(difference(turn.change, None), sub=cases, num=True),
        ]
        rows.append(Row(cells))
    head = heads("Criterion", "#Weight", "#Order changes at", "#Change")
    blocks.append(Table("Weights that change the order", head, rows))
    if len(turning) > SHOWN:
        more = f"and {len(turning) - SHOWN:,} more, which need a larger change."
        blocks.append(Say(more, quiet=True))
    return blocks


def sentence(ws: Workspace, suite: str, found: Weighing, scores: Scores) -> str:
    """Return whether weights turn the order of two columns."""
    a, b = (wording.column_words(column) for column in (found.before, found.after))
    means = f"{a} has {wording.percent(found.a, 1)} and {b} {wording.percent(found.b, 1)}"
    cases = wording.count(found.cases, "case")
    lead = f"By its weights {means} of the highest score, over {cases}."
    if found.equal:
        return f"{lead} Both are equal."
    ahead, behind = (b, a) if found.b > found.a else (a, b)
    if found.fixed:
        return (
            f"{lead} No weights change the order: {behind} is nowhere better than {ahead} in a "
            "criterion of a case."
        )
    first = found.turns[0]
    if first.factor is None:
        return f"{lead} No single weight changes the order, even a thousand times as large."
    name = named(ws, suite, criterion_cells(ws, suite, scores).criteria[first.criterion])
    if first.factor < LEAST:
        return f"{lead} The order changes without “{name}”."
    at = f"{_weight(first.weight, first.factor)} weight"
    if first.weight:
        now = _weight(first.weight, 1.0)
        at = f"weight {_weight(first.weight, first.factor)} instead of {now}"
    return f"{lead} The order changes with “{name}” at {at}."


def _weight(weight: float | None, factor: float) -> str:
    """Return a weight times a factor; where cases weigh it differently, the factor."""
    if factor < LEAST:
        return "none"
    if weight is None:
        return f"{wording.number(factor)} times as much"
    return wording.number(weight * factor)
