"""What is said of a model that executes cases: where it is, what it may, and what it does."""

from evalcore.engine.activity import Activity
from evalcore.engine.plan import Agent, Plan
from evalcore.errors import CannotRun
from evalcore.models.configuration import Model, key_of
from evalcore.views.words import wording


def _unpriced(model: Model) -> str:
    priced = model.input_usd is not None and model.output_usd is not None
    return "" if priced else "; its price is not configured, so only tokens are counted"


def agent_words(agent: Agent) -> str:
    """Return which model executes, and how."""
    tools = "tools and sandboxed commands" if agent.commands else "tools"
    return (
        f"the model {agent.model.model} at {agent.model.base_url}, by {tools} that see a fresh "
        f"copy of each case only, in at most {wording.count(agent.steps, 'step')} each"
    )


def agent_notes(plan: Plan) -> list[str]:
    """Return what to know before a model executes: what goes where, and what that costs."""
    agent = plan.agent
    if agent is None:
        return []
    most = wording.count(len(plan.runs) * agent.steps, "call")
    where = f"{agent.model.base_url}, in at most {most}"
    cost = f"each costs what that server charges{_unpriced(agent.model)}"
    notes = [f"Prompts, files of the cases and the skill go to {where}; {cost}."]
    if agent.no_commands:
        notes.append(f"It cannot run commands. {agent.no_commands}")
    if plan.judges_itself:
        notes.append(
            f"{agent.model.model} also judges what it executed and may favour its own work. "
            "Choose another model as judge."
        )
    faults = [_fault(each) for each in (agent.model, *plan.models)]
    return [*notes, *dict.fromkeys(filter(None, faults))]


def _fault(model: Model) -> str | None:
    """Return why a model cannot be called as things are now."""
    try:
        key_of(model)
    except CannotRun as error:
        return str(error)
    return None


def activity_words(activity: Activity) -> str:
    """Return what a test run in work is doing: `step 4 of 30: read_file notes.md`."""
    doing = activity.tool or "waiting for the model"
    if not activity.tool and activity.heard:
        doing = f"the model answers, {wording.count(activity.heard, 'character')}"
    used = "" if activity.tokens is None else f" · {wording.tokens(activity.tokens)} tokens so far"
    return f"step {activity.step:,} of {activity.steps:,}: {doing}{used}"
