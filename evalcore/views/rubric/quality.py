"""Faults of criteria, each as a count that opens to the criteria that have it."""

from itertools import groupby
from typing import Final

from evalcore.counting.outcomes import SECOND_SIDES, Column
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.quality import JUDGED, Fault, Finding, findings
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Entry, Fold, Folds, Heading, Say
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.words import named
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

LISTED: Final = 12
MARKS: Final[dict[Fault, str]] = {"inverted": "fail", "never passes": "fail", "unstable": "flaky"}
NOTHING: Final = (
    f"No faults found. Checked for: always the same score (from {JUDGED} judgments on), runs of a "
    "case that differ, no difference between with and without the skill, people who disagree with "
    "the recorded scores, vague wordings."
)


def quality_blocks(ws: Workspace, suite: str, view: RubricView, scores: Scores) -> list[Block]:
    """Describe the faults of a suite's criteria over all versions."""
    cells = criterion_cells(ws, suite, scores)
    found = findings(ws, suite, scores)
    title = Heading("Quality of the criteria", "over all versions and configurations")
    if not found:
        return [title, Say(NOTHING, quiet=True)]
    items = []
    for fault, of in groupby(found, key=lambda one: one.fault):
        group, entries = list(of), []
        for one in group[:LISTED]:
            criterion = cells.criteria[one.criterion]
            there = view.to(criterion=criterion.key, at=None, runs=1)
            entries.append(Entry(named(ws, suite, criterion), sentence(one, cells.columns), there))
        what = _what(fault, len(group) == 1, cells.columns)
        items.append(
            Fold(
                n=len(group),
                what=f"{wording.noun(len(group), 'criterion')} {what}",
                entries=entries,
                more=len(group) - len(entries),
                mark=MARKS.get(fault),
            )
        )
    return [title, Folds("Quality of the criteria", items)]


def criterion_faults(ws: Workspace, suite: str, criterion: int, scores: Scores) -> list[Block]:
    """Describe the faults of one criterion (position)."""
    columns = criterion_cells(ws, suite, scores).columns
    found = [one for one in findings(ws, suite, scores) if one.criterion == criterion]
    return [
        Say(f"This criterion {_what(one.fault, True, columns)} ({sentence(one, columns)}).")
        for one in found
    ]


def baseline(columns: tuple[Column, ...]) -> str:
    """Return the name of the configuration that a skill is measured against."""
    names = {column.configuration for column in columns}
    return next((name for name in SECOND_SIDES if name in names), "its baseline")


def _what(fault: Fault, one: bool, columns: tuple[Column, ...]) -> str:
    s, do, are, they = ("s", "does", "is", "it") if one else ("", "do", "are", "them")
    other = baseline(columns)
    return {
        "no contrast": f"{do} not distinguish the skill from {other}",
        "inverted": f"score{s} higher for {other} than with the skill",
        "never passes": f"never pass{'es' if one else ''}",
        "never fails": f"never fail{s}",
        "same score": f"always get{s} the same score",
        "unstable": f"{are} unstable: runs of the same case differ",
        "people disagree": f"{are} scored differently by people than recorded",
        "vague": f"{are} vague: judges may read {they} differently",
    }[fault]


def sentence(one: Finding, columns: tuple[Column, ...]) -> str:
    """Return what shows a fault, with its numbers."""
    match one.fault:
        case "never fails":
            return f"the highest score in all of {wording.count(one.n, 'judgment')}"
        case "never passes":
            return f"the lowest score in all of {wording.count(one.n, 'judgment')}"
        case "same score":
            return f"{one.words} in all of {wording.count(one.n, 'judgment')}"
        case "unstable":
            return f"in {one.found:,} of {one.n:,} cases with several runs"
        case "people disagree":
            return f"in {one.found:,} of {one.n:,} runs that a person judged too"
        case "vague":
            return f"“{one.words}”"
    with_, without = (wording.percent(share) for share in one.sides or (None, None))
    means = f"{with_} with the skill, {without} for {baseline(columns)}"
    cases = f"over {one.n:,} cases in both, counted per version"
    return f"{means} {cases}"
