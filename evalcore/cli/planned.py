"""What `evalcore run` says of a plan before anything is started."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from evalcore.cli.json_text import json_text
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
    prompt_notes,
    targets,
    unexecuted_words,
)

_SHOWN: Final = 8


def dry_run(plan: Plan, expected: Estimate, *, as_json: bool) -> int:
    """Print what a plan will do, and start nothing."""
    if as_json:
        value = {
            "suite": plan.suite,
            "runs": [msgspec.to_builtins(run) for run in plan.runs],
            "again": plan.again,
            "not_again": list(plan.not_again),
            "writes": places(plan),
            "estimate": expected._asdict(),
            "in_progress": [each.id for each in _in_progress(plan)],
            "agent": _agent_document(plan),
            "prompts": {
                version: {"sha256": each.sha256, "source": each.source, "text": each.text}
                for version, each in plan.prompts.items()
            },
        }
        sys.stdout.write(json_text(value))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in plan_lines(plan, expected)))
    return 0


def _agent_document(plan: Plan) -> dict[str, Any] | None:
    """Return the model that executes, where one does: which, where, and what it may."""
    agent = plan.agent
    if agent is None:
        return None
    return {
        "model": agent.model.name,
        "base_url": agent.model.base_url,
        "max_steps": agent.steps,
        "commands": agent.commands,
        "judges_itself": plan.judges_itself,
        "notes": agent_notes(plan),
    }


def plan_lines(plan: Plan, expected: Estimate) -> list[str]:
    """Return what a plan will do, for somebody who is about to start it."""
    lines = [
        *(f"{in_progress_words(each)} {BESIDE}." for each in _in_progress(plan)),
        *(_executed(plan, expected) if plan.runs else ()),
        *prompt_notes(plan),
        *agent_notes(plan),
        *calls_words(plan),
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
    yield f"Executed by {_executor_words(plan)}; judged by {judge_words(plan)}."
    yield f"Expected: {_expected(expected)}." if plan.executes else unexecuted_words(plan)


def _executor_words(plan: Plan) -> str:
    template = plan.executor.template
    if plan.agent is not None and plan.executes:
        return agent_words(plan.agent)
    if template is None or not plan.executes:
        return f"nobody: stored outputs are {'judged again' if plan.again else 'graded'}"
    tried = "" if template.tried else ", a template that was not tested"
    open_, boxed = "as your user, with network access", "in the sandbox, without network access"
    how = boxed if plan.sandboxed else open_
    command = " ".join(template.command)
    return f"{plan.executor.name} ({command}{tried}), {how}, in a fresh copy of each case"


def _expected(expected: Estimate) -> str:
    found = []
    if expected.seconds is not None:
        found.append(f"{expected.seconds / 60:,.0f} min")
    if expected.tokens is not None:
        found.append(f"{expected.tokens:,.0f} tokens")
    if expected.cost_usd is not None:
        found.append(f"${expected.cost_usd:,.2f}")
    if not found:
        return "unknown: no earlier run was measured"
    return f"{', '.join(found)}, from the mean of {expected.known:,} earlier runs"
