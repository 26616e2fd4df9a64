"""The largest disagreements between judges, and one of them in full for adjudication."""

from collections.abc import Hashable
from typing import Final, NamedTuple

from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.run_criteria import run_row
from evalcore.judging.agreeing.adjudicating import Decision
from evalcore.judging.agreeing.disagreements import Disagreement, Disagreements
from evalcore.judging.agreeing.ratings import Rating
from evalcore.judging.model import Asked, Receipt
from evalcore.judging.storing.names import people
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table
from evalcore.views.gradings.grid import case_name
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

FIRST: Final = 8
"""How many rows show before the list is folded."""
NAMED: Final = 4
TITLE: Final = "Largest disagreements"
_WEIGHT: Final = "weight {}"


class Place(NamedTuple):
    """The display name of a run: its case, and version and configuration with the run's number."""

    case: str
    column: str


def place_of(ws: Workspace, run_id: str) -> Place:
    """Return the display name of a run.

    Raises:
        UnknownName: there is no such run.
    """
    run = run_row(ws, run_id)
    found = outcomes(ws, run.suite or "")
    at = found.positions.get(run.case_id or "")
    about: dict[Hashable, object] = {} if at is None else found.cases.iloc[at].to_dict()
    case = case_name(about) if about else run.case_id or ""
    column = wording.column_words(Column(run.version or "", run.configuration or "-"))
    return Place(case, f"{column} · run {run.run}")


def disagreement_blocks(
    ws: Workspace, suite: str, found: Disagreements, *, named: bool, compared: bool
) -> list[Block]:
    """Describe the largest disagreements, and count those not shown.

    `named` says that the reader has a name to judge under, `compared` that two people scored the
    same: else nobody can disagree, and nothing is said.
    """
    total = len(found.open) + found.more + found.hidden
    if not total and not compared and not found.settled:
        return []
    if not total:
        text = "None waits: wherever two judges scored the same, they gave the same score"
        text += f", or it is decided ({found.settled:,})." if found.settled else "."
        return [Heading(TITLE), Say(text, quiet=True)]
    hint = f"{total:,} to decide, {found.settled:,} decided"
    blocks: list[Block] = [Heading(TITLE, hint)]
    if found.open:
        head = [
            ("run", False),
            ("criterion", False),
            ("apart", True),
            ("scores", False),
            ("", False),
        ]
        rows = [Row(_cells(ws, suite, one)) for one in found.open]
        blocks.append(Table(TITLE, head, rows, fold=FIRST))
    if found.more:
        blocks.append(Say(f"{found.more:,} smaller ones follow.", quiet=True))
    return [*blocks, *_hidden(found, named=named)]


def _hidden(found: Disagreements, *, named: bool) -> list[Block]:
    if not found.hidden:
        return []
    runs = wording.count(found.hidden_runs, "run")
    more = f"{found.hidden:,} {'more' if found.open else 'of them'}"
    if not named:
        step = "Say who you are and judge them; they show once your own scores are stored."
    else:
        step = "They are shown once your own scores are stored, so that no opinion influences you."
    return [Say(f"{more} in {runs} that you have yet to judge whole. {step}", quiet=True)]


def _cells(ws: Workspace, suite: str, one: Disagreement) -> list[Cell]:
    place = place_of(ws, one.run_id)
    weight = one.asked.weight
    about = [] if weight is None else [_WEIGHT.format(wording.number(weight))]
    if one.over:
        about.append("scored again since it was decided")
    return [
        Cell(
            place.case,
            sub=place.column,
            clamp=True,
            id=f"{one.run_id} {one.asked.key}",
            link=link("gradings", suite=suite, run=one.run_id),
        ),
        Cell(one.asked.name, sub=" · ".join(about), clamp=True),
        Cell(_apart(one), sub=f"of {wording.count(len(one.ratings), 'judge')}", num=True),
        Cell(_scores(one)),
        Cell(
            "decide",
            keep=True,
            id=f"decide {one.run_id} {one.asked.key}",
            link=link("judge", view="agreement", settle=one.run_id, on=one.asked.key),
        ),
    ]


def _apart(one: Disagreement) -> str:
    if one.asked.pass_fail:
        return "passed and failed"
    return f"{wording.percent(one.spread)} of the scale"


def _scores(one: Disagreement) -> str:
    names = people(rating.judge for rating in one.ratings)
    scores = [
        f"{score_words(one.asked, rating.score)} {names[rating.judge]}"
        for rating in one.ratings[:NAMED]
    ]
    more = len(one.ratings) - NAMED
    return " · ".join([*scores, f"and {more:,} more"] if more > 0 else scores)


def score_words(criterion: Asked, score: float) -> str:
    """Return a score as a word for a pass/fail criterion, else as a number."""
    if criterion.pass_fail and score in (criterion.low, criterion.high):
        return wording.verdict(score == criterion.high)
    return wording.number(score)


def open_blocks(ws: Workspace, suite: str, one: Disagreement) -> list[Block]:
    """Describe one disagreement for adjudication: the criterion, each score and its reason."""
    place, criterion = place_of(ws, one.run_id), one.asked
    scale = f"{wording.number(criterion.low)} to {wording.number(criterion.high)}"
    words = "pass or fail" if criterion.pass_fail else scale
    head = [("judge", False), ("score", True), ("why", False)]
    names = people(rating.judge for rating in one.ratings)
    rows = [Row(_rating_cells(criterion, rating, names[rating.judge])) for rating in one.ratings]
    there = [
        Chip(
            text="open the run",
            link=link("gradings", suite=suite, run=one.run_id),
            title="The run with its output, in Gradings",
        ),
        Chip(
            text="back to the list",
            link=link("judge", view="agreement", settle=None, on=None),
            title="Decide nothing now",
        ),
    ]
    return [
        Heading(f"Decide: {criterion.name}", f"{place.case} · {place.column}"),
        *([Say(criterion.description)] if criterion.description else []),
        Say(f"{words}; judges: {_apart(one)}. Your score outranks all of theirs.", quiet=True),
        *(Say(f"{wording.number(at)}: {text}", quiet=True) for at, text in criterion.anchors),
        Table("What judges said", head, rows),
        Links("", there),
    ]


def _rating_cells(criterion: Asked, rating: Rating, name: str) -> list[Cell]:
    return [
        Cell(name, keep=True, id=rating.id),
        Cell(score_words(criterion, rating.score), num=True),
        Cell(rating.rationale or "no reason given", quiet=not rating.rationale),
    ]


def receipt_words(ws: Workspace, criterion: Asked, done: Decision, receipt: Receipt) -> str:
    """Say what was stored, and where."""
    place = place_of(ws, done.run_id)
    score = score_words(criterion, done.score)
    of = "" if criterion.pass_fail else f" of {wording.number(criterion.high)}"
    return (
        f"Stored: {score}{of} for “{criterion.name}” of {place.case}, {place.column}, because: "
        f"{done.rationale.strip()} Receipt {receipt.id}, sha256 {receipt.sha256[:12]}…, in "
        f"{receipt.path}."
    )
