"""What the form that improves a skill offers, and what a filled in one will do."""

from typing import NamedTuple

from evalcore.counting.choices import version_names
from evalcore.engine.estimate import Estimate
from evalcore.engine.improving.planning import (
    can_compare,
    can_improve,
    plan_comparison,
    plan_improvement,
)
from evalcore.engine.plan import Executor, JudgeKind, Limits, Plan
from evalcore.engine.planning import Request, executors_of
from evalcore.engine.planning_models import usual_model
from evalcore.engine.templates import STORED
from evalcore.models.configuration import configuration
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Say
from evalcore.views.runs.form import executed_blocks, files_block, in_progress_blocks
from evalcore.views.runs.state import FORMS, View
from evalcore.views.runs.step_words import calls_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

ALL_STEPS, COMPARE, _ = FORMS


class ImproveOffer(NamedTuple):
    """What can be chosen: versions to compare with, executors and models."""

    versions: tuple[str, ...]
    executors: dict[str, Executor]
    models: tuple[str, ...]
    model: str


class Chosen(NamedTuple):
    """The form as somebody filled it in; `versions` are two where they are only compared."""

    model: str
    versions: tuple[str, ...] = ()
    executor: str = STORED
    judge: JudgeKind = "rules"
    against: str | None = None
    apply: bool = True
    limits: Limits = Limits()


def to_improve(ws: Workspace, suite: str) -> Link | None:
    """Return the link to the form that improves the skill of a suite; None if it cannot be."""
    return _to(ALL_STEPS) if can_improve(ws, suite) else None


def to_compare(ws: Workspace, suite: str, a: str, b: str) -> Link | None:
    """Return the link to the form in which a model compares two versions; None if none can."""
    return _to(COMPARE, (a, b)) if can_compare(ws, suite) else None


def _to(form: str, versions: tuple[str, ...] = ()) -> Link:
    view = View(new=True, form=form, versions=versions)
    return link("runs", **view.parameters())


def improve_offer(ws: Workspace, suite: str) -> ImproveOffer:
    """Return what can be chosen for a suite.

    Raises:
        CannotRun: the models or executors of the user cannot be read.
    """
    known = configuration()
    model = usual_model(ws, suite, known)
    models = tuple(dict.fromkeys(name for name in (model, *known.models) if name))
    return ImproveOffer(version_names(ws, suite), executors_of(ws, suite), models, model)


def improve_plan(ws: Workspace, suite: str, found: ImproveOffer, chosen: Chosen) -> Plan:
    """Return the plan that a filled in form asks for; nothing is started.

    Raises:
        CannotRun: nothing of it can be done.
        UnknownName: something that is asked for is not there.
    """
    request = Request(
        executor=found.executors[chosen.executor],
        judge=chosen.judge,
        models=(chosen.model,) if chosen.model else (),
        limits=chosen.limits,
    )
    if chosen.versions:
        a, b = chosen.versions
        return plan_comparison(ws, suite, a, b, request)
    return plan_improvement(ws, suite, request, against=chosen.against, apply=chosen.apply)


def improve_blocks(ws: Workspace, plan: Plan, expected: Estimate) -> list[Block]:
    """Describe what a plan will do before it starts: what runs, the calls, and what is written."""
    steps = plan.steps
    assert steps is not None, plan.id
    cases = wording.count(len(steps.cases), "case")
    blocks: list[Block] = [
        *in_progress_blocks(plan),
        Say(f"{steps.version_b} against {steps.version_a} in {cases}.", big=True),
    ]
    if plan.runs:
        blocks += executed_blocks(plan, expected)
    return [*blocks, *map(Say, calls_words(plan)), *files_block(ws, plan)]


def improve_words(plan: Plan) -> str:
    """Return what the button says: `Improve: 12 runs and 25 calls`."""
    steps = plan.steps
    assert steps is not None, plan.id
    calls = wording.count(2 * len(steps.cases) + steps.analyze, "call")
    runs = f"{wording.count(len(plan.runs), 'run')} and " if plan.runs else ""
    return f"{'Improve' if steps.analyze else 'Compare'}: {runs}{calls}"
