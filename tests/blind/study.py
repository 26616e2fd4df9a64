"""A blind study of two iterations of the demo's invoice extractor, and what judges do in it."""

from random import Random

from evalcore.blind.creating import Design, create_study
from evalcore.blind.criteria import SETS
from evalcore.blind.judging import Answer, Opened, give_verdict, open_task, tasks
from evalcore.blind.proposing import Proposal, propose, side_named
from evalcore.families.reviews.review import Drawn, Winner
from evalcore.judging.answering.independent import Judges
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.store import new_id
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, INVOICES

A, B = "iteration-2@with_skill", "iteration-3@with_skill"
THREE: tuple[Winner, ...] = ("left", "right", "tie")


def proposed(
    ws: Workspace, drawn: Drawn = "one", *cases: str, sides: tuple[str, str] = (A, B)
) -> Proposal:
    """Return what a study of the two iterations compares, or of other sides."""
    a, b = (side_named(ws, INVOICES, name) for name in sides)
    return propose(a, b, chance=Random(1), cases=cases, drawn=drawn)


def created(
    ws: Workspace,
    *judges: Judge,
    criteria: str = "none",
    per_task: int | None = None,
    drawn: Drawn = "one",
    sides: tuple[str, str] = (A, B),
) -> Study:
    """Create a study; without judges whoever joins may judge."""
    named = Judges(tuple(judge.id for judge in judges))
    design = Design(SETS[criteria], named, per_task, drawn)
    receipt = create_study(ws, INVOICES, proposed(ws, drawn, sides=sides), design, BEN)
    return now(ws, receipt.id)


def now(ws: Workspace, study: str) -> Study:
    """Return a study as its records tell it now."""
    return next(each for each in studies(ws, INVOICES) if each.id == study)


def opened(ws: Workspace, study: Study, judge: Judge = ANA, place: int = 0) -> Opened:
    """Return one of the tasks that a judge has to do or has done."""
    return open_task(ws, study, judge, [*tasks(study, judge)][place])


def said(
    ws: Workspace,
    study: Study,
    winner: Winner,
    judge: Judge = ANA,
    *,
    place: int = 0,
    submission: str | None = None,
    knows: bool = False,
) -> Receipt:
    """Give a verdict on a task."""
    answer = Answer(winner, {}, "It is closer to what was asked.", knows)
    task = opened(ws, study, judge, place)
    return give_verdict(ws, study, task, answer, judge, submission or new_id())
