"""What can still be done with a run that has ended: go on, try again, or run the same once more."""

from evalcore.engine.plan import Plan
from evalcore.engine.progress import RETRIED, Progress, State
from evalcore.views.verdict.prepare import SEPARATOR, to_new


def can_go_on(found: Progress, state: State) -> bool:
    """Say whether something of a run is left that was stopped or broken off."""
    return state in ("cancelled", "interrupted", "budget_stopped", "planned") and found.done < len(
        found.runs
    )


def can_retry(found: Progress) -> bool:
    """Say whether a test run failed in a way that another try may mend."""
    return any(
        one.failed or (one.execution is not None and one.execution.status in RETRIED)
        for one in found.runs
    )


def again(plan: Plan) -> dict[str, str | None]:
    """Return the address parameters of a new run with the settings of an earlier one.

    A version that the run itself made is left open: the next one is made then. What is judged
    again is there, and judged again in the same versions.
    """
    counts: dict[tuple[str, str, str], int] = {}
    for run in plan.runs:
        key = (run.case, run.version, run.configuration)
        counts[key] = counts.get(key, 0) + 1
    filled: dict[str, str | None] = {
        "configurations": SEPARATOR.join(dict.fromkeys(run.configuration for run in plan.runs)),
        "cases": SEPARATOR.join(plan.cases),
        "n": str(max(counts.values(), default=1)),
        "executor": plan.executor.name,
        "judge": plan.judge,
    }
    if plan.again:
        versions = dict.fromkeys(run.version for run in plan.runs)
        filled |= {"again": "1", "versions": SEPARATOR.join(versions), "n": None}
    return to_new(**filled).query
