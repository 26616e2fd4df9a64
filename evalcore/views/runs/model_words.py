"""What is said of a model that judges a run: what it will call, and what it left unscored."""

from collections.abc import Collection
from typing import NamedTuple

from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress
from evalcore.views.runs.words import NOTHING_SPENT
from evalcore.views.words import wording


def unexecuted_words(plan: Plan) -> str:
    """Return what a plan that executes nothing spends: nothing, or the calls of its model."""
    if plan.model is None:
        return NOTHING_SPENT
    calls = wording.count(len(plan.runs) * plan.votes, "call")
    priced = plan.model.input_usd is not None and plan.model.output_usd is not None
    price = "" if priced else "; its price is not configured, so only tokens are counted"
    return (
        f"The model gets the task, the criteria and what was produced, in {calls} to "
        f"{plan.model.base_url}{price}."
    )


class Unscored(NamedTuple):
    """A criterion that nothing decided, why, and what the model answered."""

    run_id: str
    case: str
    run: str
    criterion: str
    status: str
    why: str
    answer: str


def unscored_of(found: Progress, hidden: Collection[str] = ()) -> list[Unscored]:
    """Return the criteria that nothing decided, in the order of the plan; none of `hidden` runs."""
    return [
        Unscored(
            run.run_id,
            found.plan.case(run).name or run.case,
            run.run[:13],
            verdict.name,
            verdict.status or "open",
            verdict.rationale,
            "\n\n".join(one.graded.judging.answers if one.graded.judging else ()),
        )
        for run, one in zip(found.plan.runs, found.runs, strict=True)
        if one.graded is not None and run.run_id not in hidden
        for verdict in one.graded.judged
        if verdict.passed is None
    ]


def remarks(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return what readers of a model's scores should know, each sentence once."""
    said = (
        each
        for run, one in zip(found.plan.runs, found.runs, strict=True)
        if one.graded is not None and one.graded.judging and run.run_id not in hidden
        for each in one.graded.judging.remarks
    )
    return list(dict.fromkeys(said))
