"""What changed in the criteria between versions, and the effect on the scores, in words."""

from collections import Counter
from typing import Final

from evalcore.comparing.model import CriterionDifference, OtherCriterion
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import Criterion, CriterionCells, criterion_cells
from evalcore.rubrics.changes import CriteriaChange, Rescaled, criteria_changes
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Entry, Fold, Folds, Heading, Say
from evalcore.views.gradings.reasons import line
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import difference, named
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

STEPS: Final = 8
LISTED: Final = 12
MAX_NAME: Final = 200
WHY: Final[dict[CriterionDifference, str]] = {
    "only in A": "dropped",
    "only in B": "new",
    "other number": "different number",
    "other sense": "different meaning",
    "other quantity": "different quantity",
    "other definition": "different definition",
}


def change_blocks(
    ws: Workspace, suite: str, configuration: str | None, view: RubricView, scores: Scores
) -> list[Block]:
    """Describe the steps between versions at which criteria changed; empty without any."""
    found = criteria_changes(ws, suite, configuration, scores)
    if not found:
        return []
    cells = criterion_cells(ws, suite, scores)
    items = [_fold(cells, step, view) for step in found[:STEPS]]
    title = Heading("What changed in the criteria", "and the effect on the scores")
    blocks: list[Block] = [title, Folds("What changed in the criteria", items)]
    if len(found) > STEPS:
        older = wording.count(len(found) - STEPS, "older step")
        blocks.append(
            Say(f"{older} changed criteria: `evalcore rubric --json` lists all.", quiet=True)
        )
    return blocks


def _fold(cells: CriterionCells, step: CriteriaChange, view: RubricView) -> Fold:
    other = _distinct(step.other)
    entries = [_scale(cells, one, view) for one in step.rescaled]
    entries += [_entry(cells, one, n, view) for one, n in other.items()]
    side = "" if step.later.configuration == "-" else f", {step.later.configuration}"
    n = len(entries)
    what = "criterion differs" if n == 1 else "criteria differ"
    return Fold(
        n=n,
        what=f"{what} between {step.earlier.version} and {step.later.version}{side}",
        about=effect_words(step),
        entries=entries[:LISTED],
        more=max(n - LISTED, 0),
    )


def effect_words(step: CriteriaChange) -> str:
    """Return what other criteria did to the mean share of the highest score."""
    whole = f"{wording.percent(step.before)} to {wording.percent(step.after)}"
    cases = wording.count(step.cases, "case")
    if step.before_shared is None or step.after_shared is None or step.effect is None:
        return f"{whole} over {cases} in both; some have no criterion in common"
    shared = f"{wording.percent(step.before_shared)} to {wording.percent(step.after_shared)}"
    did = difference(step.effect, None)
    return (
        f"{whole} over {cases} in both; {shared} by the criteria that both have, so the changed "
        f"criteria account for {did}"
    )


def _distinct(other: tuple[OtherCriterion, ...]) -> dict[OtherCriterion, int]:
    """Return the criteria that differ, each with in how many cases it does."""
    first = {(one.kind, one.a, one.b, one.why): one for one in reversed(other)}
    counted = Counter((one.kind, one.a, one.b, one.why) for one in other)
    return {first[key]: n for key, n in counted.items()}


def _entry(cells: CriterionCells, one: OtherCriterion, n: int, view: RubricView) -> Entry:
    name = one.b if one.b is not None else one.a
    text = line(name or "no text", MAX_NAME)
    was = f" (was: {line(one.a, MAX_NAME)})" if one.a is not None and one.b is not None else ""
    where = f"case {one.case_id}" if n == 1 else wording.count(n, "case")
    key = Criterion(one.kind, name or "").key
    known = cells.place(key) is not None
    to = view.to(criterion=key if known else None, at=None, runs=1)
    return Entry(text, f"{WHY[one.why]}, {where}{was}", to)


def _scale(cells: CriterionCells, one: Rescaled, view: RubricView) -> Entry:
    criterion = cells.criteria[one.criterion]
    ends = [
        f"{wording.number(low)} to {wording.number(high)}" for low, high in (one.before, one.after)
    ]
    words = f"different scale: {ends[0]} before, {ends[1]} now"
    return Entry(named(criterion), words, view.to(criterion=criterion.key, at=None, runs=1))
