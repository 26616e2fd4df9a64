"""What changed in the criteria between versions, and the effect on the scores, in words."""

from collections import Counter
from typing import Final

from evalcore.comparing.model import CriterionDifference
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import Criterion, CriterionCells, criterion_cells
from evalcore.rubrics.changes import CriteriaChange, criteria_changes
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Entry, Fold, Folds, Heading, Say
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
    "other qualifier": "different qualifier",
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
    items = [_fold(ws, suite, cells, step, view) for step in found[:STEPS]]
    title = Heading("What changed in the criteria", "and the effect on the scores")
    blocks: list[Block] = [title, Folds("What changed in the criteria", items)]
    if len(found) > STEPS:
        older = wording.count(len(found) - STEPS, "older step")
        more = f"{older} changed criteria: `evalcore rubric --json` lists all."
        blocks.append(Say(more, quiet=True))
    return blocks


def _fold(
    ws: Workspace, suite: str, cells: CriterionCells, step: CriteriaChange, view: RubricView
) -> Fold:
    entries = []
    for one in step.rescaled:
        criterion = cells.criteria[one.criterion]
        before, now = (
            f"{wording.number(low)} to {wording.number(high)}"
            for low, high in (one.before, one.after)
        )
        there = view.to(criterion=criterion.key, at=None, runs=1)
        words = f"different scale: {before} before, {now} now"
        entries.append(Entry(named(ws, suite, criterion), words, there))
    # Each criterion that differs once, with in how many cases it does, and the first of these.
    first = {(one.kind, one.a, one.b, one.why): one for one in reversed(step.other)}
    counted = Counter((one.kind, one.a, one.b, one.why) for one in step.other)
    for key, n in counted.items():
        kind, a, b, why = key
        name = b if b is not None else a
        was = f" (was: {wording.line(a, MAX_NAME)})" if a is not None and b is not None else ""
        where = f"case {first[key].case_id}" if n == 1 else wording.count(n, "case")
        known = Criterion(kind, name or "").key
        known_here = known if cells.place(known) is not None else None
        there = view.to(criterion=known_here, at=None, runs=1)
        entries.append(
            Entry(wording.line(name or "no text", MAX_NAME), f"{WHY[why]}, {where}{was}", there)
        )
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
