"""The command that lists failures, records them by the rules, and asks a model why they failed."""

from typing import Annotated

from typer import Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import AsJson, Folder, OnlySuite, ScoreSource, WhoseScores, command
from evalcore.cli.run_commands import (
    Concurrency,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Retries,
)
from evalcore.errors import CannotRun


@command
def failures(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    suite: OnlySuite = None,
    scores: ScoreSource = WhoseScores.RECORDED,
    only_open: Annotated[bool, Option("--open", help="Only unresolved failures.")] = False,
    record: Annotated[
        bool, Option("--record", help="Write a record, by the rules, for each failure without one.")
    ] = False,
    analyze: Annotated[
        bool, Option(help="Ask a model why runs failed, and store what it says.")
    ] = False,
    model: Annotated[
        str | None, Option(help="The model to ask; `evalcore models` lists yours.")
    ] = None,
    run: Annotated[
        list[str] | None, Option(metavar="RUN", help="A failed run. Repeat for several.")
    ] = None,
    all_open: Annotated[
        bool, Option("--all-open", help="All failures that no person or model has explained yet.")
    ] = False,
    concurrency: Concurrency = 4,
    retries: Retries = 2,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    dry_run: Annotated[bool, Option(help="Show what would be asked; call nothing.")] = False,
    as_json: AsJson = False,
) -> Answer:
    """List what failed and why, as people, a model or rules say.

    Runs that do not count are listed separately. Exits with 0 whatever failed; with --analyze, with
    1 if something was not explained.
    """
    if record and analyze:
        raise CannotRun("Choose either --record or --analyze.")
    if analyze and bool(run) == all_open:
        raise CannotRun("Choose what to ask about: --run RUN, or --all-open.")
    if not analyze:
        from evalcore.cli import failures as work  # noqa: PLC0415 - quick start

        if record:
            return work.record(path, suite)
        return work.answer(path, suite, scores.value, only_open=only_open)
    from evalcore.cli import running  # noqa: PLC0415 - quick start
    from evalcore.engine.failure_analysis import planning  # noqa: PLC0415 - quick start
    from evalcore.engine.plan import Limits  # noqa: PLC0415 - quick start
    from evalcore.engine.planning import Request  # noqa: PLC0415 - quick start
    from evalcore.engine.templates import STORED  # noqa: PLC0415 - quick start

    # Runs that the judge of this machine has yet to judge are left out.
    limits = Limits(
        concurrency, retries=retries, calls=max_calls, tokens=max_tokens, cost_usd=max_cost
    )
    runs = tuple(run or ())
    return running.run(
        path,
        suite,
        Request,
        executor=STORED,
        dry=dry_run,
        as_json=as_json,
        planned=lambda ws, name, _: planning.plan_failures(ws, name, runs, model or "", limits),
    )
