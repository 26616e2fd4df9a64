"""The command that improves a skill, or only lets a model compare two of its versions."""

from functools import partial
from typing import Annotated

from typer import Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import AsJson, Folder, Suite, command
from evalcore.cli.run_commands import (
    Cases,
    Concurrency,
    Judge,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Retries,
    Votes,
)
from evalcore.errors import CannotRun


@command
def improve(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    suite: Suite = None,
    model: Annotated[
        str | None,
        Option(help="The model that compares, analyzes and, with --judge model, judges."),
    ] = None,
    executor: Annotated[
        str | None,
        Option(help="What executes cases without output; `evalcore executors` lists them."),
    ] = None,
    judge: Annotated[Judge, Option(help="What decides the criteria.")] = Judge.RULES,
    votes: Votes = 1,
    against: Annotated[
        str | None,
        Option(metavar="V", help="The version to compare with; by default the previous one."),
    ] = None,
    version: Annotated[
        str | None, Option(metavar="V", help="With --compare-only: the version.")
    ] = None,
    cases: Cases = None,
    runs: Annotated[int, Option(min=1, help="Runs per case.")] = 3,
    skill: Annotated[
        str | None,
        Option(metavar="DIR", help="The skill's folder, if it is not found automatically."),
    ] = None,
    concurrency: Concurrency = 4,
    retries: Retries = 2,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    no_apply: Annotated[
        bool, Option(help="Do not make a next version from the suggestions.")
    ] = False,
    compare_only: Annotated[bool, Option(help="Only compare --version with --against.")] = False,
    dry_run: Annotated[bool, Option(help="Show what would be done; call nothing.")] = False,
    as_json: AsJson = False,
) -> Answer:
    """Run, grade and compare the newest version of a skill.

    The next version is made from the findings. The skill itself is never changed. Exits with 1 if
    something was not done.
    """
    from evalcore.cli import running  # noqa: PLC0415 - quick start
    from evalcore.engine.improving import planning  # noqa: PLC0415 - quick start
    from evalcore.engine.plan import Executor, Limits  # noqa: PLC0415 - quick start
    from evalcore.engine.planning import Request  # noqa: PLC0415 - quick start
    from evalcore.engine.templates import STORED  # noqa: PLC0415 - quick start

    request = partial(
        Request,
        limits=Limits(
            concurrency, retries=retries, calls=max_calls, tokens=max_tokens, cost_usd=max_cost
        ),
        cases=tuple(cases or ("all",)),
        skill=skill,
        runs=runs,
        judge="rules" if compare_only else judge.value,
        models=() if model is None else (model,),
        votes=votes,
    )
    start = partial(running.run, path, suite, executor=executor, dry=dry_run, as_json=as_json)
    if not compare_only:
        return start(
            request,
            planned=partial(planning.plan_improvement, against=against, apply=not no_apply),
        )
    if version is None or against is None:
        raise CannotRun("Name two versions: --compare-only --version V --against V.")
    stored = request(Executor(STORED, "stored"))
    return start(
        lambda _: stored,
        planned=lambda ws, name, of: planning.plan_comparison(ws, name, against, version, of),
    )
