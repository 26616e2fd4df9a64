"""The commands on approvals: `evalcore approval list`, `approve`, `waive` and `withdraw`."""

from functools import partial
from typing import Annotated

import typer
from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import Folder, OnlySuite, Suite, app, command_of

group = typer.Typer(
    help="Decide whether a version may replace another.",
    no_args_is_help=True,
)
app.add_typer(group, name="approval")
approval_command = partial(command_of, group)

Version = Annotated[str, Argument(metavar="VERSION", help="The version to decide on.")]
Over = Annotated[str, Option("--over", metavar="VERSION", help="The version it replaces.")]
Benchmark = Annotated[
    str | None,
    Option(metavar="NAME", help="The benchmark, by name or id; not needed if there is only one."),
]
Reason = Annotated[str, Option(metavar="TEXT", help="The reason; stored with the decision.")]


@approval_command
def list_(path: Folder, suite: OnlySuite = None) -> Answer:
    """List the decisions on versions, newest first."""
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    return approving.listed(path, suite)


@approval_command
def approve(
    path: Folder,
    version: Version,
    over: Over,
    benchmark: Benchmark = None,
    reason: Reason = "",
    suite: Suite = None,
) -> Answer:
    """Approve a version if its benchmark runs show improvement.

    Otherwise it is refused: the reason is recorded, and the exit code is 1.
    """
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    return approving.approve(path, suite, version, over, benchmark, reason)


@approval_command
def waive(
    path: Folder,
    version: Version,
    over: Over,
    owner: Annotated[str, Option(metavar="NAME", help="Who is responsible for it.")],
    reason: Annotated[str, Option(metavar="TEXT", help="Why there is no evidence.")],
    until: Annotated[str, Option(metavar="DATE", help="The last day it holds, like 2027-01-31.")],
    benchmark: Benchmark = None,
    suite: Suite = None,
) -> Answer:
    """Let a version replace another without evidence for a while."""
    from evalcore.cli import approving  # noqa: PLC0415 - quick start
    from evalcore.memory.approving import Waiver  # noqa: PLC0415 - quick start

    waiver = Waiver(owner, reason, until)
    return approving.waive(path, suite, version, over, benchmark, waiver)


@approval_command
def withdraw(
    path: Folder,
    version: Version,
    reason: Annotated[str, Option(metavar="TEXT", help="The reason; stored with the decision.")],
    over: Annotated[
        str | None,
        Option(metavar="VERSION", help="The version it replaces, if it replaces several."),
    ] = None,
    suite: Suite = None,
) -> Answer:
    """Withdraw the approval or waiver of a version."""
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    return approving.withdraw(path, suite, version, over, reason)
