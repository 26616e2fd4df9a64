"""Words of the Runs page: what a plan does and by whom, states of runs, and how far a run is."""

from datetime import datetime
from typing import Final

from evalcore.engine.activity import Activity
from evalcore.engine.executing.command import takes_version_prompt
from evalcore.engine.plan import Agent, FailureSteps, Plan
from evalcore.engine.progress import Progress, State
from evalcore.engine.store import RunFolder
from evalcore.errors import CannotRun
from evalcore.families.running import named
from evalcore.models.configuration import Model, key_of
from evalcore.views.words import wording

STATE_WORDS: Final[dict[State, str]] = {
    "planned": "not started",
    "running": "running",
    "finished": "finished",
    "cancelled": "stopped by you",
    "interrupted": "interrupted: its process ended",
    "budget_stopped": "stopped at a limit",
}
FAULTY: Final = "finished with errors"
"""What is said of a run that went through and did not get everything done."""

STATUS_WORDS: Final = {
    "completed": "completed",
    **wording.ENDED,
    "budget_stopped": "stopped at a limit",
    "not_run": "not run",
    "pending": "not started",
    "running": "running",
    "waiting": "waiting for people",
}
ORDER: Final = tuple(STATUS_WORDS)
BESIDE: Final = "New test runs get numbers of their own"
NOTHING_SPENT: Final = "Nothing is executed: no calls, no cost."
AGAIN_KEEPS: Final = "as separate records; the gradings stay unchanged"
JUDGE_WORDS: Final = {"rules": "rules", "human": "people", "none": "nobody", "model": "a model"}
LEFT_OUT: Final = 3
NOT_PRICED: Final = "The price of the model is not configured, so only tokens are counted."


def judge_words(plan: Plan) -> str:
    """Return what judges a run in words: `rules`, or `the model gpt-x at https://…`."""
    if not plan.models:
        return JUDGE_WORDS[plan.judge]
    votes = f", {plan.votes} votes each" if plan.votes > 1 else ""
    return f"the model{'s' * (len(plan.models) > 1)} {' and '.join(map(_at, plan.models))}{votes}"


def agent_words(agent: Agent) -> str:
    """Return which model executes, and how."""
    tools = "tools and sandboxed commands" if agent.commands else "tools"
    return (
        f"the model {_at(agent.model)}, by {tools} that see a fresh "
        f"copy of each case only, in at most {wording.count(agent.steps, 'step')} each"
    )


def targets(plan: Plan) -> str:
    """Return what was run: `iteration-4 with_skill, iteration-4 without_skill`."""
    return ", ".join(dict.fromkeys(named(run.version, run.configuration) for run in plan.runs))


def asked_words(steps: FailureSteps) -> str:
    """Return what is asked of a model: `why 9 runs failed`."""
    return f"why {wording.count(len(steps.runs), 'run')} failed"


def plan_words(plan: Plan) -> tuple[str, str]:
    """Return what a run is about and what does its work, for the list of runs."""
    if (asked := plan.failures) is not None:
        return asked_words(asked), f"asked of {asked.model.model}"
    if (steps := plan.steps) is not None:
        by = "improved" if steps.analyze else f"compared by {steps.model.model}"
        return f"{steps.version_b} against {steps.version_a}", by
    return targets(plan), "judged again" if plan.again else plan.executor.name


def does_words(plan: Plan) -> list[str]:
    """Return what a run does and by whom, for its head: test runs, comparisons, and questions."""
    said = []
    if plan.runs:
        program = plan.executor.name
        executes = program if plan.agent is None else f"the model {_at(plan.agent.model)}"
        by = "judged again by" if plan.again else f"executed by {executes}, judged by"
        said.append(f"{targets(plan)}, {by} {judge_words(plan)}")
    if (steps := plan.steps) is not None:
        by = f"compared by the model {_at(steps.model)}"
        said.append(f"{steps.version_b} against {steps.version_a}, {by}")
    if (asked := plan.failures) is not None:
        said.append(f"The model {_at(asked.model)} is asked {asked_words(asked)}")
    return said


def _at(model: Model) -> str:
    return f"{model.model} at {model.base_url}"


def prompt_notes(plan: Plan) -> list[str]:
    """Return which text of each prompt version is sent, and how; nothing if none is."""
    if not plan.prompts:
        return []
    if plan.agent is not None:
        how = "as the system message"
    elif plan.executor.template is not None and takes_version_prompt(plan.executor.template):
        how = "where the command names it"
    else:
        how = "before the task"
    return [
        f"{version}: its prompt, {wording.count(len(each.text), 'character')} from {each.source} "
        f"(sha256 {each.sha256[:12]}…), is sent {how}."
        for version, each in plan.prompts.items()
    ]


def agent_notes(plan: Plan) -> list[str]:
    """Return what to know before a model executes: what goes where, and what that costs."""
    agent = plan.agent
    if agent is None:
        return []
    most = wording.count(len(plan.runs) * agent.steps, "call")
    where = f"{agent.model.base_url}, in at most {most}"
    priced = agent.model.input_usd is not None and agent.model.output_usd is not None
    unpriced = "" if priced else "; its price is not configured, so only tokens are counted"
    cost = f"each costs what that server charges{unpriced}"
    notes = [f"Prompts, files of the cases and the skill go to {where}; {cost}."]
    if agent.no_commands:
        notes.append(f"It cannot run commands. {agent.no_commands}")
    if plan.judges_itself:
        notes.append(
            f"{agent.model.model} also judges what it executed and may favour its own work. "
            "Choose another model as judge."
        )
    for model in (agent.model, *plan.models):
        try:
            key_of(model)
        except CannotRun as fault:  # it cannot be called as things are now
            notes.append(str(fault))
    return list(dict.fromkeys(notes))


def unexecuted_words(plan: Plan) -> str:
    """Return what a plan that executes nothing spends: nothing, or the calls of its models."""
    if not plan.models:
        return NOTHING_SPENT
    calls = wording.count(sum(map(plan.judge_calls, range(len(plan.runs)))), "call")
    servers = " and ".join(dict.fromkeys(each.base_url for each in plan.models))
    priced = all(None not in (each.input_usd, each.output_usd) for each in plan.models)
    who, price = (
        ("The model gets", "its price is not configured")
        if len(plan.models) == 1
        else ("The models get", "not all of their prices are configured")
    )
    unknown = "" if priced else f"; {price}, so only tokens are counted"
    return f"{who} the task, the criteria and what was produced, in {calls} to {servers}{unknown}."


def calls_words(plan: Plan) -> list[str]:
    """Return how many calls the steps of a plan make, where they go, and what is sent there."""
    if (asked := plan.failures) is not None:
        calls = wording.count(len(asked.runs), "call")
        priced = None not in (asked.model.input_usd, asked.model.output_usd)
        sent = (
            f"{calls} to {asked.model.base_url}: of each failed run the model gets the task, what "
            "should come out, the criteria with the scores and reasons of those that failed, the "
            "output, and the transcript or the tools that were called."
        )
        stored = (
            "What it says is stored as a record of its own and never replaces a person's word; "
            "each lesson is kept for the agent."
        )
        return [sent, stored, *asked.left_out, *([] if priced else [NOT_PRICED])]
    steps = plan.steps
    if steps is None:
        return []
    cases, url = wording.count(len(steps.cases), "case"), steps.model.base_url
    calls = wording.count(2 * len(steps.cases), "call")
    said = []
    if steps.snapshot is not None:
        said.append(f"First the skill in {steps.skill} is kept as {steps.version_b}.")
    said.append(
        f"{steps.version_b} is compared with {steps.version_a} in {cases}: {calls} to {url}, as "
        "each pair is asked in both orders. The model gets the task, the criteria and both "
        "outputs, without versions, paths or scores; one run of each side is drawn."
    )
    said += steps.left_out[:LEFT_OUT]
    more = len(steps.left_out) - LEFT_OUT
    if more > 0:
        said.append(f"{more:,} more cases are not compared.")
    if steps.analyze:
        said.append(
            f"Then 1 call to {url} asks why the winner won and what to change. It gets both "
            "skills, the comparisons and the grades."
        )
    if steps.apply:
        said.append(
            f"Unambiguous changes are applied to a copy of {steps.version_b}, which becomes the "
            "next version. Your own skill folder is not changed."
        )
    if steps.model.input_usd is None or steps.model.output_usd is None:
        said.append(NOT_PRICED)
    return said


def state_words(state: State, found: Progress) -> tuple[str, str | None]:
    """Return what a run is doing in words with their mark; one with faults did not just finish."""
    if state == "finished" and found.done < found.total:
        return FAULTY, "fail"
    marks: dict[State, str] = {"finished": "pass", "interrupted": "fail"}
    return STATE_WORDS[state], marks.get(state)


def done_words(found: Progress) -> str:
    """Return how many test runs are done: `12 of 24`."""
    return f"{found.done:,} of {found.total:,}"


def in_progress_words(folder: RunFolder) -> str:
    """Return which run of the same suite is in progress, and how far it is."""
    return (
        f"Run {folder.id[:13]} of this suite is in progress: {done_words(folder.progress())} done."
    )


def moved_words(found: Progress) -> list[str]:
    """Return how many test runs were stored under other numbers than planned; nothing if none."""
    if not found.moved:
        return []
    many = wording.count(len(found.moved), "test run")
    has = "has" if len(found.moved) == 1 else "have"
    return [f"{many} {has} another number than planned: another run owns the planned place."]


def limit_words(plan: Plan) -> list[str]:
    """Return by how much the limits of a plan can be passed; nothing where it has none."""
    limits = plan.limits
    if limits.calls is None and limits.tokens is None and limits.cost_usd is None:
        return []
    at_once = wording.count(min(limits.concurrency, max(len(plan.runs), 1)), "case")
    use = "uses" if at_once == "1 case" else "use"
    before = "Limits are looked at before each case begins, and what is in work goes on"
    return [f"{before}: they can be passed by what {at_once} {use}."]


def moment_words(text: str) -> str:
    """Return a time of a plan or a journal as pages show it."""
    try:
        return wording.moment(datetime.fromisoformat(text))
    except ValueError:
        return text


def used_words(found: Progress) -> str:
    """Return what a run used so far: calls, and tokens and money where they are known."""
    parts = [wording.count(found.calls, "call")]
    if found.tokens:
        parts.append(f"{wording.tokens(found.tokens)} tokens")
    if found.cost_usd:
        parts.append(wording.cost(found.cost_usd))
    return " · ".join(parts)


def activity_words(activity: Activity) -> str:
    """Return what a test run in work is doing: `step 4 of 30: read_file notes.md`."""
    doing = activity.tool or "waiting for the model"
    if not activity.tool and activity.heard:
        doing = f"the model answers, {wording.count(activity.heard, 'character')}"
    used = "" if activity.tokens is None else f" · {wording.tokens(activity.tokens)} tokens so far"
    return f"step {activity.step:,} of {activity.steps:,}: {doing}{used}"
