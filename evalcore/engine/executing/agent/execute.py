"""Let a model execute a case in a fresh copy of it, and keep what it made."""

import time
from typing import Final

from evalcore.engine.activity import Tell
from evalcore.engine.executing.agent.conversation import Bounds, Conversation, converse
from evalcore.engine.executing.agent.files import CaseFiles
from evalcore.engine.executing.agent.prompt import opening
from evalcore.engine.executing.agent.tools import Tools
from evalcore.engine.executing.agent.transcript import transcript
from evalcore.engine.executing.case_folder import CaseFolder, case_folder, produced_in
from evalcore.engine.executing.reading import MAX_FILES, MAX_REPLY, now, output_of, times_of
from evalcore.engine.kept import Keep
from evalcore.engine.plan import Agent, Plan
from evalcore.errors import CannotRun
from evalcore.families.running import Execution, TestRun
from evalcore.models.calls import Stopped
from evalcore.models.configuration import key_of
from evalcore.sandbox.bubblewrap import missing

SKILLS: Final = "skill"
"""The folder below which the skill is laid."""


def execute_by_model(
    plan: Plan, run: TestRun, agent: Agent, stopped: Stopped, keep: Keep, tell: Tell
) -> Execution:
    """Let the plan's model carry out a case, and keep the files that it made or changed."""
    if why := _refusal(agent):
        return Execution("not_run", why)
    version = plan.prompts.get(run.version)
    with case_folder(plan, run, SKILLS) as folder:
        started, began = now(), time.monotonic()
        seconds = plan.limits.seconds
        bounds = Bounds(began + seconds, seconds, plan.limits.retries, stopped, tell)
        found = _carried_out(plan, run, agent, folder, bounds)
        took = time.monotonic() - began
        files = produced_in(folder, MAX_FILES)
        keep(folder.path, files, transcript(found))
        return Execution(
            status=found.status,
            why=found.why,
            **times_of(started, took)._asdict(),
            tokens=found.tokens,
            cost_usd=found.cost_usd,
            model=found.model or agent.model.model,
            reply=found.reply[:MAX_REPLY],
            files=tuple(files),
            output=output_of(plan, run, found.reply),
            calls=found.calls,
            prompt_sha256=None if version is None else version.sha256,
        )


def _refusal(agent: Agent) -> str | None:
    """Return why nothing can be begun here: no key, or no sandbox for the commands that it may run.

    Without commands a case would be another one than planned.
    """
    try:
        key_of(agent.model)
    except CannotRun as error:
        return str(error)
    return missing() if agent.commands else None


def _carried_out(
    plan: Plan, run: TestRun, agent: Agent, folder: CaseFolder, bounds: Bounds
) -> Conversation:
    tools = Tools(
        folder.path, folder.skill, commands=agent.commands, end=bounds.end, stopped=bounds.stopped
    )
    files = CaseFiles(folder.path, folder.skill)
    version = plan.prompts.get(run.version)
    before = None if version is None else version.text
    first = opening(plan.case(run).prompt, files, folder.skill, agent.steps, before)
    return converse(agent, first, tools, bounds)
