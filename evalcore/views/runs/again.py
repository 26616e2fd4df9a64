"""What can be done with runs that ended: go on, try again, the same once more, judge outputs."""

from collections import Counter
from typing import Final

from evalcore.comparing.sides import default_sides
from evalcore.counting.cells import family_of, typed, where
from evalcore.engine.cases import BENCHMARK
from evalcore.engine.graded_runs import why_not_again
from evalcore.engine.plan import Plan
from evalcore.engine.progress import RETRIED, Progress, State
from evalcore.engine.templates import STORED
from evalcore.families.running import KnownRun
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import link
from evalcore.views.blocks.page import Chip
from evalcore.views.runs.detail import WAITING, status_of
from evalcore.views.verdict.prepare import to_new
from evalcore.views.words.wording import column_words
from evalcore.workspace.opened import Workspace

_BY_MODEL: Final[dict[str, str | None]] = {"executor": STORED, "judge": "model", "n": None}


def can_go_on(found: Progress, state: State) -> bool:
    """Say whether something of a run is left that was stopped or broken off."""
    stopped = state in ("cancelled", "interrupted", "budget_stopped", "planned")
    return stopped and found.done < found.total


def can_retry(found: Progress) -> bool:
    """Say whether a test run failed in a way that another try may mend."""
    return bool(found.failed) or any(
        one.failed or (one.execution is not None and one.execution.status in RETRIED)
        for one in found.runs
    )


def again(plan: Plan) -> dict[str, str | None]:
    """Return the address parameters of a new run with the settings of an earlier one.

    A version that the run itself made is left open: the next one is made then. What is judged
    again is there, and judged again in the same versions.
    """
    counts = Counter((run.case, run.version, run.configuration) for run in plan.runs)
    cases: object = plan.cases
    if plan.benchmark is not None:
        cases = f"{BENCHMARK}{plan.benchmark.id}"
    filled: dict[str, object] = {
        "configurations": dict.fromkeys(run.configuration for run in plan.runs),
        "cases": cases,
        "n": max(counts.values(), default=1),
        "executor": plan.executor.name,
        "judge": plan.judge,
        "judge_models": [each.name for each in plan.models],
    }
    if (agent := plan.agent) is not None:
        filled |= {"model": agent.model.name, "steps": agent.steps, "commands": agent.commands}
    if plan.again:
        versions = dict.fromkeys(run.version for run in plan.runs)
        filled |= {"again": True, "versions": versions, "n": None}
    return to_new(**filled).query


def outputs_by_model(plan: Plan, found: Progress) -> dict[str, str | None]:
    """Return the address parameters of a new run in which a model judges the outputs of this one.

    Those without a grading get one; where all that is written has one, they are judged again.
    """
    return to_new(
        **_BY_MODEL,
        versions=dict.fromkeys(run.version for run in plan.runs),
        configurations=dict.fromkeys(run.configuration for run in plan.runs),
        cases=plan.cases,
        again=plan.again or all(one.has_grading for one in found.runs if one.is_written),
    ).query


def next_links(ws: Workspace, plan: Plan, found: Progress, state: State) -> list[Chip]:
    """Return what a run that ended leads to: what waits for people, and what it can be compared to.

    A version that it made is compared as soon as the snapshot has its scores.
    """
    if state in ("running", "planned") or not plan.runs:
        return []
    columns = dict.fromkeys((run.version, run.configuration) for run in plan.runs)
    version, configuration = next(reversed(columns))
    only = {"v": version, "c": configuration} if len(columns) == 1 else {"v": None, "c": None}
    items = []
    if waits := sum(status_of(one, state) == WAITING for one in found.runs):
        there = link("judge", suite=plan.suite, **only, reason="requested")
        words = "Judge this one" if waits == 1 else f"Judge these {waits:,}"
        items.append(Chip(text=words, link=there))
    sides = default_sides(ws, plan.suite, version, configuration)
    if sides is not None:
        a, b = (side.column for side in sides)
        other = a if b.version == version else b
        there = link("compare", suite=plan.suite, v=None, c=None, a=a.key, b=b.key)
        items.append(Chip(text=f"Compare with {column_words(other)}", link=there))
    return items


def run_by_model(ws: Workspace, run_id: str) -> dict[str, str | None] | None:
    """Return the address parameters of a new run in which a model judges a run's case once more.

    None where its output cannot be judged, as the plan of such a run decides it: it is not here,
    did not come about, is of a grading that cannot be read, or its family has no new runs.
    """
    run = next(iter(typed(ws, "runs", RunRow, where(ws, "runs", run_id=run_id)[:1])), None)
    if run is None or run.outputs is None:
        return None
    running = family_of(ws, run.suite).running()
    if running is None:
        return None
    known = KnownRun(*(getattr(run, name) for name in KnownRun._fields))
    waits = running.waits(known)
    if not waits and why_not_again(running, known) is not None:
        return None
    return to_new(
        **_BY_MODEL,
        suite=run.suite,
        versions=run.version,
        configurations=run.configuration,
        cases=run.case_id,
        again=not waits,
    ).query
