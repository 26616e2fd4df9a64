"""What is said of a model that judges a run: what it will call, and what it left unscored."""

from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress
from evalcore.views.words import wording


def calls_words(plan: Plan) -> str:
    """Return how often the model of a plan will be called, and that prompts leave the machine."""
    assert plan.model is not None
    calls = wording.count(len(plan.runs) * plan.votes, "call")
    priced = plan.model.input_usd is not None and plan.model.output_usd is not None
    price = "" if priced else "; its price is not configured, so only tokens are counted"
    return (
        f"The model gets the task, the criteria and what was produced, in {calls} to "
        f"{plan.model.base_url}{price}."
    )


def unscored_of(found: Progress) -> list[dict[str, str]]:
    """Return the criteria that nothing decided, with the reason and what the model answered."""
    return [
        {
            "run_id": run.run_id,
            "criterion": verdict.name,
            "status": verdict.status or "open",
            "why": verdict.rationale,
            "answer": _answer(one.graded.judging.answers if one.graded.judging else ()),
        }
        for run, one in zip(found.plan.runs, found.runs, strict=True)
        if one.graded is not None
        for verdict in one.graded.judged
        if verdict.passed is None
    ]


def _answer(answers: tuple[str, ...]) -> str:
    return "\n\n".join(answers)


def remarks(found: Progress) -> list[str]:
    """Return what readers of a model's scores should know, each sentence once."""
    return list(dict.fromkeys(each for one in found.judgings for each in one.remarks))
