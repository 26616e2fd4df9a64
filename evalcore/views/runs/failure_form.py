"""What the form that asks a model why runs failed offers, and what a filled in one will do."""

from typing import NamedTuple

from evalcore.engine.failure_analysis.planning import plan_failures
from evalcore.engine.plan import Limits, Plan
from evalcore.engine.planning_models import usual_model
from evalcore.models.configuration import configuration
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Say
from evalcore.views.runs.failure_words import asked_words
from evalcore.views.runs.form import files_block
from evalcore.views.runs.state import FAILURES, View
from evalcore.views.runs.step_words import calls_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace


class ModelOffer(NamedTuple):
    """The models of the user, and the one that is asked where nobody chooses."""

    models: tuple[str, ...]
    model: str


def to_ask(*runs: str) -> Link:
    """Return the link to the form that asks about failed runs; without any about all open ones."""
    return link("runs", **View(new=True, form=FAILURES, failed=runs).parameters())


def model_offer(ws: Workspace, suite: str) -> ModelOffer:
    """Return the models that can be asked.

    Raises:
        CannotRun: the models of the user cannot be read.
    """
    known = configuration()
    model = usual_model(ws, suite, known)
    models = tuple(dict.fromkeys(name for name in (model, *known.models) if name))
    return ModelOffer(models, model)


def failure_plan(ws: Workspace, suite: str, view: View, model: str, limits: Limits) -> Plan:
    """Return the plan that a filled in form asks for; nothing is started.

    Raises:
        CannotRun: nothing of it can be done.
        UnknownName: a run that is asked about did not fail, or is not there.
    """
    return plan_failures(ws, suite, view.failed, model, limits)


def plan_blocks(ws: Workspace, plan: Plan) -> list[Block]:
    """Describe what a plan will do before it starts: the calls, and what is written."""
    assert plan.failures is not None, plan.id
    words = f"A model is asked {asked_words(plan.failures)}."
    return [Say(words, big=True), *map(Say, calls_words(plan)), *files_block(ws, plan)]


def start_words(plan: Plan) -> str:
    """Return what the button says: `Ask: 9 calls`."""
    assert plan.failures is not None, plan.id
    return f"Ask: {wording.count(len(plan.failures.runs), 'call')}"
