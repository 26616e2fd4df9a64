"""Words for what a run does beside its test runs: comparisons, the analysis, the next version."""

from collections.abc import Collection
from typing import Final

from evalcore.engine.improving.summing_up import verdict_words
from evalcore.engine.journal import Analyzed, Compared, Explained, StepDone, StepFailed
from evalcore.engine.plan import ANALYSIS, NEXT, SNAPSHOT, Plan, Steps
from evalcore.engine.progress import Progress
from evalcore.ids import parse_run_id
from evalcore.views.runs import failure_words
from evalcore.views.runs.words import targets
from evalcore.views.words import wording

LEFT_OUT: Final = 3
HIDDEN: Final = "The winner is hidden until you have judged your open runs of this suite."


def steps_words(steps: Steps) -> str:
    """Return what a model compares and who it is: `v3 against v2, compared by the model …`."""
    model = f"the model {steps.model.model} at {steps.model.base_url}"
    return f"{steps.version_b} against {steps.version_a}, compared by {model}"


def plan_words(plan: Plan) -> str:
    """Return what a run is about, for the list of runs."""
    if plan.failures is not None:
        return failure_words.asked_words(plan.failures)
    if plan.steps is None:
        return targets(plan)
    return f"{plan.steps.version_b} against {plan.steps.version_a}"


def doer_words(plan: Plan) -> str:
    """Return what does the work of a run, for the list of runs."""
    if plan.failures is not None:
        return f"asked of {plan.failures.model.model}"
    if plan.steps is None:
        return "judged again" if plan.again else plan.executor.name
    return "improved" if plan.steps.analyze else f"compared by {plan.steps.model.model}"


def calls_words(plan: Plan) -> list[str]:
    """Return how many calls the steps of a plan make, where they go, and what is sent there."""
    if plan.failures is not None:
        return failure_words.call_words(plan.failures)
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
        said.append("The price of the model is not configured, so only tokens are counted.")
    return said


def missing_of(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return what has no valid answer, and what could not be done, each with its reason."""
    if found.plan.failures is not None:
        return [
            *failure_words.unexplained(found, hidden),
            *failure_words.failed_steps(found, hidden),
        ]
    if is_hidden(found.plan, hidden):
        return []
    pairs = [
        f"{each.case} has no verdict: {each.why}"
        for each in found.pairs.values()
        if each.winner is None
    ]
    if found.analysis is not None and found.analysis.why:
        pairs.append(f"There is no analysis: {found.analysis.why}")
    return [*pairs, *(f"{name.capitalize()}: {why}" for name, why in found.failed.items())]


def is_hidden(plan: Plan, hidden: Collection[str]) -> bool:
    """Return whether a judge has yet to judge runs of the suite: who won would tell of them."""
    keys = map(parse_run_id, hidden)
    return any(key is not None and key.suite == plan.suite for key in keys)


def outcome_words(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return who won, which version was kept and made, and which suggestions were left out."""
    steps, said = found.plan.steps, list[str]()
    if found.plan.failures is not None:
        return failure_words.came_words(found, hidden)
    if steps is None:
        return said
    if SNAPSHOT in found.steps:
        said.append(f"The skill as it was is kept as {steps.version_b}.")
    if is_hidden(found.plan, hidden):
        return [*said, HIDDEN]
    if found.pairs:
        said.append(verdict_words(steps, found.pairs.values()))
    last = found.steps.get(NEXT) or found.steps.get(ANALYSIS)
    return [*said, *(last.said if last is not None else ())]


def step_told(event: Compared | Analyzed | Explained | StepDone | StepFailed) -> str:
    """Return what happened in a step, without who won."""
    match event:
        case Explained():
            done = "answered" if event.found.is_valid else f"no answer. {event.found.why}"
            case = failure_words.case_words(event.found.run)
            return f"{case}: {done}".removesuffix(".") + "."
        case Compared():
            done = "compared" if event.pair.winner else f"no verdict. {event.pair.why}"
            return f"{event.pair.case}: {done}".removesuffix(".") + "."
        case Analyzed():
            why = event.found.why
            return f"Analysis: {why}" if why else "Analysis: answered."
        case StepDone():
            made = f" {event.version} made." if event.version else ""
            files = wording.count(len(event.paths), "file")
            return f"{failure_words.step_words(event.step)}: done, {files} written.{made}"
        case StepFailed():
            return f"{failure_words.step_words(event.step)}: not done. {event.why}"
