"""The command that improves a skill, or only lets a model compare two of its versions."""

from functools import partial
from typing import Annotated

import typer

from evalcore.cli.app import WRONG, AsJson, Folder, Suite, command
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
from evalcore.cli.terminal import complain


@command
def improve(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    suite: Suite = None,
    model: Annotated[
        str | None,
        typer.Option(help="The model that compares, analyzes and, with --judge model, judges."),
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(help="What executes cases without output; `evalcore executors` lists them."),
    ] = None,
    judge: Annotated[Judge, typer.Option(help="What decides the criteria.")] = Judge.RULES,
    votes: Votes = 1,
    against: Annotated[
        str | None,
        typer.Option(metavar="V", help="The version to compare with; by default the previous one."),
    ] = None,
    version: Annotated[
        str | None, typer.Option(metavar="V", help="With --compare-only: the version.")
    ] = None,
    cases: Cases = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs per case.")] = 3,
    skill: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="The skill's folder, if it is not found automatically."),
    ] = None,
    concurrency: Concurrency = 4,
    retries: Retries = 2,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    no_apply: Annotated[
        bool, typer.Option("--no-apply", help="Do not make a next version from the suggestions.")
    ] = False,
    compare_only: Annotated[
        bool, typer.Option("--compare-only", help="Only compare --version with --against.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done; call nothing.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Run, grade and compare the newest version of a skill.

    The next version is made from the findings. The skill itself is never changed. Exits with 1 if
    something was not done.
    """
    from evalcore.cli import improving, running  # noqa: PLC0415 - quick start
    from evalcore.engine.plan import Limits  # noqa: PLC0415 - quick start
    from evalcore.engine.planning import Request  # noqa: PLC0415 - quick start

    if compare_only and (version is None or against is None):
        complain("Name two versions: --compare-only --version V --against V.")
        return WRONG
    limits = Limits(
        concurrency=concurrency,
        retries=retries,
        calls=max_calls,
        tokens=max_tokens,
        cost_usd=max_cost,
    )
    request = partial(
        Request,
        limits=limits,
        cases=tuple(cases or ("all",)),
        skill=skill,
        runs=runs,
        judge="rules" if compare_only else judge.value,
        models=() if model is None else (model,),
        votes=votes,
    )
    asked = running.Asked(path=path, suite=suite, executor=executor, request=request, dry=dry_run)
    if compare_only:
        return improving.compare(asked, (against or "", version or ""), as_json=as_json)
    return improving.improve(asked, against, apply=not no_apply, as_json=as_json)
