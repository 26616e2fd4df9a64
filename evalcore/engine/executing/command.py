"""The executor `command`: an agent's program, run in a fresh copy of the case."""

import math
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from evalcore.engine.executing.case_folder import CaseFolder, case_folder, produced_in
from evalcore.engine.executing.reading import (
    MAX_FILES,
    MAX_REPLY,
    Read,
    now,
    output_of,
    read_output,
    times_of,
)
from evalcore.engine.kept import Keep
from evalcore.engine.plan import Plan, Template
from evalcore.engine.workspace_executors import command_of_executor
from evalcore.errors import CannotAllow
from evalcore.families.running import Execution, RunStatus, TestRun
from evalcore.sandbox.bubblewrap import WORK, Limits, run_command
from evalcore.sandbox.child import Ended, run
from evalcore.sandbox.environment import clean_environment
from evalcore.sandbox.hiding import hidden
from evalcore.sandbox.trust import is_allowed
from evalcore.steps.model import NO_STEPS, Steps
from evalcore.steps.reading import is_json, read_steps

MAX_OUTPUT: Final = 4 * 1024 * 1024
MAX_SAID: Final = 300
PROMPT: Final = "{prompt}"
VERSION_PROMPT: Final = "{version_prompt}"
VERSION_PROMPT_FILE: Final = "{version_prompt_file}"
VERSION_FILE: Final = "version-prompt.md"
"""Where the text of a prompt version is laid."""

_LIMITED: Final = re.compile(
    r"rate.?limit|usage limit|too many requests|quota exceeded|resource_exhausted|overloaded"
    r"|\b429\b",
    re.IGNORECASE,
)


def execute(
    plan: Plan,
    test_run: TestRun,
    template: Template,
    stopped: Callable[[], bool],
    keep: Keep,
    runs: Path,
) -> Execution:
    """Run the template's command for one case, and keep the files that it made or changed.

    `runs` is the folder of all runs, which is hidden from it: it holds what is expected.
    """
    own = _own_files(plan) if plan.executor.origin == "workspace" else {}
    if isinstance(own, str):
        return Execution("not_run", own)
    version = plan.prompts.get(test_run.version)
    laid = {} if version is None else {VERSION_FILE: version.text.encode("utf-8", "replace")}
    with case_folder(plan, test_run, template.skills, {**laid, **own}) as folder:
        prompt = plan.case(test_run).prompt
        if version is not None and not takes_version_prompt(template):
            prompt = f"{version.text}\n\n{prompt}"
        seen_at = WORK if plan.sandboxed else folder.path
        named = {
            "{skill}": folder.skill or "",
            "{case}": str(seen_at),
            VERSION_PROMPT_FILE: "" if version is None else f"{seen_at}/{VERSION_FILE}",
            VERSION_PROMPT: "" if version is None else version.text,
            PROMPT: prompt,
        }
        command = [_filled(part, named) for part in template.command]
        given = b"" if any(PROMPT in part for part in template.command) else prompt.encode()
        started = now()
        ended = _ended(plan, template, command, folder, given, stopped, runs)
        text = ended.stdout.decode("utf-8", "replace")
        read = read_output(text, template.reading)
        told = _told(ended.stdout)
        if told.has_tools and template.reading.form == "text":
            read = _of_events(told, read)
        files = produced_in(folder, MAX_FILES)
        status, why = _status(ended, read)
        events = ended.stdout if told.has_tools else b""
        keep(folder.path, files, _transcript(read.reply, ended), events)
        return Execution(
            status=status,
            why=why,
            **times_of(started, ended.seconds)._asdict(),
            tokens=read.tokens,
            cost_usd=read.cost_usd,
            model=read.model,
            reply=read.reply[:MAX_REPLY],
            files=tuple(files),
            output=output_of(plan, test_run, read.reply),
            prompt_sha256=None if version is None else version.sha256,
        )


def takes_version_prompt(template: Template) -> bool:
    """Return whether a command says itself where it takes the text of a prompt version."""
    names = (VERSION_PROMPT, VERSION_PROMPT_FILE)
    return any(name in part for part in template.command for name in names)


def _own_files(plan: Plan) -> dict[str, bytes] | str:
    """Return the files of a workspace's executor by their places; a sentence if it may not run."""
    base = Path(plan.workspace) / (plan.skill_path or plan.root)
    try:
        command = command_of_executor(plan.workspace, base, plan.executor)
    except CannotAllow as error:
        return str(error)
    if not is_allowed(command):
        return f"The executor {plan.executor.name} is not allowed. `evalcore allow` shows it."
    return {os.path.relpath(path, base): data for path, data in command.files.items()}


def _ended(
    plan: Plan,
    template: Template,
    command: list[str],
    folder: CaseFolder,
    prompt: bytes,
    stopped: Callable[[], bool],
    runs: Path,
) -> Ended:
    """Run the command: the workspace's own in the sandbox, the user's as the user."""
    seconds = plan.limits.seconds
    if plan.sandboxed:
        limits = Limits(seconds=seconds, output_bytes=MAX_OUTPUT, cpu_seconds=math.ceil(seconds))
        return run_command(
            command, folder_rw=folder.path, limits=limits, stdin=prompt, stopped=stopped
        )
    environment = clean_environment(template.env)
    if not template.sees_workspace:
        hide = (Path(plan.workspace), runs)
        command = hidden(command, hide, folder.path, environment["PATH"]) or command
    return run(
        command,
        cwd=folder.path,
        env=environment,
        stdin=prompt,
        seconds=seconds,
        max_output=MAX_OUTPUT,
        stopped=stopped,
    )


def _filled(part: str, named: Mapping[str, str]) -> str:
    if part in named:
        return named[part]
    # Each placeholder once, the prompt last: a prompt that holds one is not filled again.
    for name, value in named.items():
        if name in part:
            before, _, after = part.partition(name)
            return f"{before}{value}{after}"
    return part


def _status(ended: Ended, read: Read) -> tuple[RunStatus, str]:
    """Return how an execution ended, and why where it did not complete.

    A limit of the executor's time, output, memory or disk is a failure of the version, and is not
    tried again. That a model's server refuses more calls is only known from what the executor says.
    """
    match ended.how:
        case "timeout":
            return "timeout", ended.why
        case "flooded" | "exceeded":
            return "length_cut", ended.why
        case "stopped":
            return "cancelled", "The run was cancelled."
        case "not_started":
            return "not_run", ended.why
        case "exited" if ended.code == 0 and not read.failed:
            return "completed", ""
    *_, last = ("", *ended.stderr.decode("utf-8", "replace").strip().splitlines())
    said = f" It said: {last[:MAX_SAID]}" if last else ""
    reasons = (last[:MAX_SAID], read.reply[-MAX_SAID:] if read.failed else "")
    limited = any(map(_LIMITED.search, reasons))
    return "rate_limited" if limited else "error", f"{ended.why}{said}"


def _told(printed: bytes) -> Steps:
    """Return the steps that a command printed as JSON; a model's words may have any other form."""
    return read_steps(printed) if is_json(printed) else NO_STEPS


def _of_events(told: Steps, read: Read) -> Read:
    """Return the answer in events that no template says how to read: what was said last."""
    said = [step.text for step in told.steps if step.kind == "assistant" and step.text]
    took = told.totals
    return Read(
        said[-1] if said else read.reply,
        None if took.tokens is None else round(took.tokens),
        took.cost_usd,
        told.stated.model,
    )


def _transcript(reply: str, ended: Ended) -> str:
    errors = ended.stderr.decode("utf-8", "replace").strip()
    cut = "\n\n[The output was longer and is cut here.]" if ended.cut else ""
    return f"{reply}{cut}\n" + (f"\n--- standard error ---\n{errors}\n" if errors else "")
