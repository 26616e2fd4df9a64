"""Words for a run that asks a model why runs failed: what it will do, and what came of it."""

from collections.abc import Collection, Iterator

from evalcore.engine.found import FailureFound
from evalcore.engine.plan import FAILURE, FailureSteps, failure_step
from evalcore.engine.progress import Progress
from evalcore.ids import parse_run_id
from evalcore.views.words import wording


def asked_words(steps: FailureSteps) -> str:
    """Return what is asked of a model: `why 9 runs failed`."""
    return f"why {wording.count(len(steps.runs), 'run')} failed"


def asking_words(steps: FailureSteps) -> str:
    """Return who is asked what, for the head of a run."""
    return f"The model {steps.model.model} at {steps.model.base_url} is asked {asked_words(steps)}"


def call_words(steps: FailureSteps) -> list[str]:
    """Return how many calls are made, where they go, what is sent, and what is left out."""
    model = steps.model
    calls = wording.count(len(steps.runs), "call")
    what = (
        f"{calls} to {model.base_url}: of each failed run the model gets the task, what should "
        "come out, the criteria with the scores and reasons of those that failed, the output, and "
        "the transcript or the tools that were called."
    )
    stored = (
        "What it says is stored as a record of its own and never replaces a person's word; each "
        "lesson is kept for the agent."
    )
    said = [what, stored, *steps.left_out]
    if model.input_usd is None or model.output_usd is None:
        said.append("The price of the model is not configured, so only tokens are counted.")
    return said


def came_words(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return how many failures were explained; of `hidden` runs nothing."""
    told = explained(found, hidden)
    if not told:
        return []
    valid = sum(each.is_valid for each in told)
    none = len(told) - valid
    left = f"; {none:,} stayed as they were" if none else ""
    return [f"{wording.count(valid, 'failure')} explained{left}."]


def unexplained(found: Progress, hidden: Collection[str] = ()) -> Iterator[str]:
    """Yield why a failure stayed as it was, of each without a valid answer."""
    for each in explained(found, hidden):
        if not each.is_valid:
            yield f"{case_words(each.run)} is unchanged: {each.why}"


def explained(found: Progress, hidden: Collection[str] = ()) -> list[FailureFound]:
    """Return what a model said of each failure, in the order of the plan; not of `hidden` runs."""
    steps = found.plan.failures
    runs = () if steps is None else steps.runs
    return [found.explained[run] for run in runs if run in found.explained and run not in hidden]


def case_words(run_id: str) -> str:
    """Return the case, version and number of a run in words."""
    key = parse_run_id(run_id)
    if key is None:
        return run_id
    return f"{key.case_id} · {key.version} · run {key.run[:13]}"


def step_words(step: str) -> str:
    """Return the name of a step in words: that of a failure is its run."""
    is_failure = step.startswith(FAILURE)
    return case_words(step.removeprefix(FAILURE)) if is_failure else step.capitalize()


def failed_steps(found: Progress, hidden: Collection[str] = ()) -> Iterator[str]:
    """Yield why a step could not be done; not of `hidden` runs."""
    steps = found.plan.failures
    for run in () if steps is None else steps.runs:
        why = found.failed.get(failure_step(run))
        if why is not None and run not in hidden:
            yield f"{case_words(run)} was skipped: {why}"
