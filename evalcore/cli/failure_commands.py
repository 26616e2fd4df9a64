"""The command that lists failures, records them by the rules, and asks a model why they failed."""

from typing import Annotated

import typer

from evalcore.cli.app import WRONG, AsJson, Folder, WhoseScores, command
from evalcore.cli.run_commands import (
    Concurrency,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Retries,
)
from evalcore.cli.terminal import complain

ONE_OF = "Choose either --record or --analyze."
CHOOSE = "Choose what to ask about: --run RUN, or --all-open."


@command
def failures(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    suite: Annotated[str | None, typer.Option(help="Only this suite.")] = None,
    scores: Annotated[WhoseScores, typer.Option(help="The score source.")] = WhoseScores.RECORDED,
    only_open: Annotated[bool, typer.Option("--open", help="Only unresolved failures.")] = False,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Write a record, by the rules, for each failure without one."
        ),
    ] = False,
    analyze: Annotated[
        bool, typer.Option("--analyze", help="Ask a model why runs failed, and store what it says.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(help="The model to ask; `evalcore models` lists yours.")
    ] = None,
    run: Annotated[
        list[str] | None, typer.Option(metavar="RUN", help="A failed run. Repeat for several.")
    ] = None,
    all_open: Annotated[
        bool,
        typer.Option("--all-open", help="All failures that no person or model has explained yet."),
    ] = False,
    concurrency: Concurrency = 4,
    retries: Retries = 2,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be asked; call nothing.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """List what failed and why, as people, a model or rules say.

    Runs that do not count are listed separately. Exits with 0 whatever failed; with --analyze, with
    1 if something was not explained.
    """
    from evalcore.cli import failures as work  # noqa: PLC0415 - quick start

    if record and analyze:
        complain(ONE_OF)
        return WRONG
    if record:
        return work.record(path, suite, as_json=as_json)
    if not analyze:
        return work.answer(path, suite, scores.value, only_open=only_open, as_json=as_json)
    if bool(run) == all_open:
        complain(CHOOSE)
        return WRONG
    from evalcore.cli.explaining import Asked, explain  # noqa: PLC0415 - quick start
    from evalcore.engine.plan import Limits  # noqa: PLC0415 - quick start

    limits = Limits(
        concurrency=concurrency,
        retries=retries,
        calls=max_calls,
        tokens=max_tokens,
        cost_usd=max_cost,
    )
    asked = Asked(path, suite, tuple(run or ()), model or "", limits)
    return explain(asked, dry=dry_run, as_json=as_json)
