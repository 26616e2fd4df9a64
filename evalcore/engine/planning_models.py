"""The models of a plan: the one that executes the cases, and those that judge."""

from collections.abc import Sequence
from typing import Final

from evalcore.engine.plan import Agent, Executor
from evalcore.errors import CannotRun
from evalcore.models.configuration import Configuration, Model, configuration, model_of
from evalcore.sandbox.bubblewrap import missing
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

MAX_STEPS: Final = 500


def judging_models(ws: Workspace, suite: str, names: Sequence[str]) -> tuple[Model, ...]:
    """Return the models that judge: those that are named, else the suite's, else the usual.

    Raises:
        CannotRun: none is named, or one is named twice.
    """
    known = configuration()
    found = tuple(model_of(each, known) for each in names or (usual_model(ws, suite, known),))
    for each in found:
        if found.count(each) > 1:
            raise CannotRun(
                f"The model {each.name!r} is named twice. Let it vote several times with --votes."
            )
    return found


def usual_model(ws: Workspace, suite: str, known: Configuration) -> str:
    """Return the model that judges a suite where nobody names one: its own, else the user's."""
    stated = dict(cells(ws.tables, "suites", "suite", "judge_model")).get(suite)
    return stated if isinstance(stated, str) and stated else known.judge


def executing_agent(executor: Executor, name: str, steps: int, *, commands: bool) -> Agent | None:
    """Return the model that executes the cases, where the executor is one.

    Raises:
        CannotRun: none is named, or one is though no model executes.
    """
    if executor.kind != "model":
        if name or commands:
            raise CannotRun(
                f"The executor {executor.name!r} is not a model: a model executes the cases with "
                "--executor openai. Use --judge-model for the model that judges."
            )
        return None
    known = configuration()
    if not (name or known.executor).strip():
        raise CannotRun(
            "No model to execute the cases was given. Name one with --model, or as executor in "
            "the file that `evalcore models` prints."
        )
    reason = missing() if commands else None
    model = model_of(name or known.executor, known)
    return Agent(model, steps, commands and reason is None, reason or "")
