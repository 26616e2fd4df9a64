"""What `evalcore run` says of a plan before anything is started."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore.cli.answering import fields
from evalcore.cli.terminal import harmless
from evalcore.engine.estimate import Estimate
from evalcore.engine.plan import Plan
from evalcore.engine.store import RunFolder, in_progress
from evalcore.engine.written import places
from evalcore.views.runs.words import (
    AGAIN_KEEPS,
    BESIDE,
    agent_notes,
    agent_words,
    calls_words,
    in_progress_words,
    judge_words,
    limit_words,
    prompt_notes,
    targets,
    unexecuted_words,
)

_SHOWN: Final = 8


def plan_document(plan: Plan, expected: Estimate) -> dict[str, Any]:
    """Return what a plan will do; the agent is the model that executes, where one does."""
    agent = plan.agent
    return {
        "suite": plan.suite,
        "runs": msgspec.to_builtins(plan.runs),
        "again": plan.again,
        "not_again": plan.not_again,
        "writes": places(plan),
        "estimate": expected._asdict(),
        "in_progress": [each.id for each in _in_progress(plan)],
        "agent": None
        if agent is None
        else {
            "model": agent.model.name,
            "base_url": agent.model.base_url,
            "max_steps": agent.steps,
            "commands": agent.commands,
            "judges_itself": plan.judges_itself,
            "notes": agent_notes(plan),
        },
        "prompts": {
            version: fields(each, "sha256", "source", "text")
            for version, each in plan.prompts.items()
        },
    }


def plan_lines(plan: Plan, expected: Estimate) -> list[str]:
    """Return what a plan will do, for somebody who is about to start it."""
    lines = [
        *(f"{in_progress_words(each)} {BESIDE}." for each in _in_progress(plan)),
        *(_executed(plan, expected) if plan.runs else ()),
        *prompt_notes(plan),
        *agent_notes(plan),
        *calls_words(plan),
        *limit_words(plan),
        *plan.left_out.values(),
        *plan.not_again,
        f"Written, {AGAIN_KEEPS}:" if plan.again else "Written:",
    ]
    written = places(plan)
    lines += [f"  {path}" for path in written[:_SHOWN]]
    if len(written) > _SHOWN:
        lines.append(f"  and {len(written) - _SHOWN:,} more (all with --dry-run --json)")
    return [harmless(line) for line in lines]


def _in_progress(plan: Plan) -> list[RunFolder]:
    return in_progress(Path(plan.workspace), plan.suite)


def _executed(plan: Plan, expected: Estimate) -> Iterator[str]:
    """Yield what is executed and judged, and what that takes."""
    yield f"{len(plan.runs):,} test runs of {len(plan.cases):,} cases: {targets(plan)}"
    template = plan.executor.template
    if plan.agent is not None and plan.executes:
        by = agent_words(plan.agent)
    elif template is None or not plan.executes:
        by = f"nobody: stored outputs are {'judged again' if plan.again else 'graded'}"
    else:
        tried = "" if template.tried else ", a template that was not tested"
        how = (
            "in the sandbox, without network access"
            if plan.sandboxed
            else "as your user, with network access"
        )
        command = f"{' '.join(template.command)}{tried}"
        by = f"{plan.executor.name} ({command}), {how}, in a fresh copy of each case"
    yield f"Executed by {by}; judged by {judge_words(plan)}."
    if not plan.executes:
        yield unexecuted_words(plan)
        return
    found = []
    if expected.seconds is not None:
        found.append(f"{expected.seconds / 60:,.0f} min")
    if expected.tokens is not None:
        found.append(f"{expected.tokens:,.0f} tokens")
    if expected.cost_usd is not None:
        found.append(f"${expected.cost_usd:,.2f}")
    known = f"{', '.join(found)}, from the mean of {expected.known:,} earlier runs"
    yield f"Expected: {known if found else 'unknown: no earlier run was measured'}."
