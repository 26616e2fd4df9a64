"""The commands on approvals: `evalcore approval list`, `approve`, `waive` and `withdraw`."""

from functools import partial
from typing import Annotated

import typer

from evalcore.cli.app import AsJson, Folder, app, command_of

group = typer.Typer(
    help="Decide whether a version may replace another, on the evidence of benchmark runs.",
    no_args_is_help=True,
)
app.add_typer(group, name="approval")
approval_command = partial(command_of, group)

Suite = Annotated[str | None, typer.Option(help="Which suite; needless with one.")]
Version = Annotated[str, typer.Argument(metavar="VERSION", help="The version to decide on.")]
Over = Annotated[str, typer.Option("--over", metavar="VERSION", help="What it replaces.")]
Benchmark = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="By which benchmark, by name or id; needless with one."),
]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why; kept with the decision.")]


@approval_command
def list_(path: Folder, suite: Suite = None, as_json: AsJson = False) -> int:
    """List the decisions on versions, the newest first, and which have lapsed."""
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    return approving.listed(path, suite, as_json=as_json)


@approval_command
def approve(
    path: Folder,
    version: Version,
    over: Over,
    benchmark: Benchmark = None,
    reason: Reason = "",
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Approve a version if its benchmark runs show improvement.

    Else it is refused, which is recorded with the reason, and the command ends with 1.
    """
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    asked = approving.Asked(path, suite, version, over, benchmark)
    return approving.approve(asked, reason, as_json=as_json)


@approval_command
def waive(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    version: Version,
    over: Over,
    owner: Annotated[str, typer.Option(metavar="NAME", help="Who answers for it.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why there is no such evidence.")],
    until: Annotated[str, typer.Option(metavar="DATE", help="When it ends, like 2027-01-31.")],
    benchmark: Benchmark = None,
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Let a version replace another without that evidence, until a date."""
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    asked = approving.Asked(path, suite, version, over, benchmark)
    return approving.waive(asked, owner=owner, reason=reason, until=until, as_json=as_json)


@approval_command
def withdraw(
    path: Folder,
    version: Version,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; kept with the decision.")],
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Take back the approval or the waiver of a version."""
    from evalcore.cli import approving  # noqa: PLC0415 - quick start

    return approving.withdraw(path, suite, version, reason, as_json=as_json)
