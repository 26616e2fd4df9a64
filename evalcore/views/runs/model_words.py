"""What is said of a model that judges a run: what it will call, and what it left unscored."""

from collections.abc import Collection
from functools import reduce
from typing import NamedTuple

from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress
from evalcore.families.graded import Judging, Pairs
from evalcore.views.runs.failure_words import explained
from evalcore.views.runs.step_words import is_hidden
from evalcore.views.runs.words import NOTHING_SPENT
from evalcore.views.words import wording


def unexecuted_words(plan: Plan) -> str:
    """Return what a plan that executes nothing spends: nothing, or the calls of its models."""
    if not plan.models:
        return NOTHING_SPENT
    calls = wording.count(sum(map(plan.judge_calls, range(len(plan.runs)))), "call")
    servers = " and ".join(dict.fromkeys(each.base_url for each in plan.models))
    priced = all(None not in (each.input_usd, each.output_usd) for each in plan.models)
    who, price = (
        ("The model gets", "its price is not configured")
        if len(plan.models) == 1
        else ("The models get", "not all of their prices are configured")
    )
    unknown = "" if priced else f"; {price}, so only tokens are counted"
    return f"{who} the task, the criteria and what was produced, in {calls} to {servers}{unknown}."


def control_words(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return what the controls of a run showed: outputs that were judged once more."""
    judgings = _judgings(found, hidden)
    counted = [each.control for each in judgings if each.control is not None]
    if not counted:
        return []
    same = reduce(Pairs.plus, (each.same for each in counted))
    planted = reduce(Pairs.plus, (each.planted for each in counted))
    outputs = wording.count(len(counted), "output")
    again = f"Judged once more unchanged ({outputs}): {_differ(same)}."
    lured = f"With an instruction to the judge planted in them: {_differ(planted)}."
    if planted.raised * same.scores > same.raised * planted.scores:
        lured += " Instructions in an output may raise its scores."
    return [again, lured]


def _differ(pairs: Pairs) -> str:
    parts = [f"{pairs.raised:,} higher", f"{pairs.lowered:,} lower"]
    if pairs.unscored:
        parts.append(f"{pairs.unscored:,} left unscored")
    return f"of {wording.count(pairs.scores, 'score')} {', '.join(parts)}"


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
    said = [each for judging in _judgings(found, hidden) for each in judging.remarks]
    if not is_hidden(found.plan, hidden):
        said += [each for pair in found.pairs.values() for each in pair.remarks]
    said += [each for one in explained(found, hidden) for each in one.remarks]
    return list(dict.fromkeys(said))


def _judgings(found: Progress, hidden: Collection[str]) -> list[Judging]:
    """Return how models judged the test runs of a run; nothing of `hidden` ones."""
    return [
        one.graded.judging
        for run, one in zip(found.plan.runs, found.runs, strict=True)
        if one.graded is not None and one.graded.judging and run.run_id not in hidden
    ]
