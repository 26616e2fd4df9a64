"""Words of the Runs page: states of runs, statuses of test runs, and how far a run is."""

from datetime import datetime
from typing import Final

from evalcore.engine.executing.command import takes_version_prompt
from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress, State
from evalcore.engine.store import RunFolder
from evalcore.families.running import named
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
JUDGE_WORDS: Final = {
    "rules": "rules",
    "human": "people",
    "none": "nobody",
    "model": "a model",
}


def judge_words(plan: Plan) -> str:
    """Return what judges a run in words: `rules`, or `the model gpt-x at https://…`."""
    if not plan.models:
        return JUDGE_WORDS[plan.judge]
    votes = f", {plan.votes} votes each" if plan.votes > 1 else ""
    named = " and ".join(f"{each.model} at {each.base_url}" for each in plan.models)
    return f"the model{'s' * (len(plan.models) > 1)} {named}{votes}"


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


def executor_words(plan: Plan) -> str:
    """Return what executes a run: the name of a program, or which model where."""
    if plan.agent is None:
        return plan.executor.name
    return f"the model {plan.agent.model.model} at {plan.agent.model.base_url}"


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


def targets(plan: Plan) -> str:
    """Return what was run: `iteration-4 with_skill, iteration-4 without_skill`."""
    return ", ".join(dict.fromkeys(named(run.version, run.configuration) for run in plan.runs))


def moment_words(text: str) -> str:
    """Return a time of a plan or a journal as pages show it."""
    try:
        return wording.moment(datetime.fromisoformat(text))
    except ValueError:
        return text


def clock_words(text: str) -> str:
    """Return the time of day of an event, in UTC."""
    return text[11:19]


def used_words(found: Progress) -> str:
    """Return what a run used so far: calls, and tokens and money where they are known."""
    parts = [wording.count(found.calls, "call")]
    if found.tokens:
        parts.append(f"{wording.tokens(found.tokens)} tokens")
    if found.cost_usd:
        parts.append(wording.cost(found.cost_usd))
    return " · ".join(parts)
