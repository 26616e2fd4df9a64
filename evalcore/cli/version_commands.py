"""The commands that begin to evaluate a skill, and that keep its versions."""

from pathlib import Path
from typing import Annotated

import typer

from evalcore.cli.app import AsJson, Folder, command


@command
def init(
    skill: Annotated[Path, typer.Argument(metavar="SKILL", help="The folder of the skill.")],
    workspace: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The workspace; else SKILL-workspace beside it."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Write test cases to begin with, and a workspace with the skill as its version 0.

    What is there already is left as it is.
    """
    from evalcore.cli.versions import init as work  # noqa: PLC0415 - quick start

    return work(skill, workspace, as_json=as_json)


@command
def snapshot(
    workspace: Folder,
    description: Annotated[
        str, typer.Option(metavar="TEXT", help="What this version is about.")
    ] = "",
    skill: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The skill, if it lies elsewhere.")
    ] = None,
    suite: Annotated[str | None, typer.Option(help="Which suite; needless with one.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also if the skill is as in the newest version.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Keep the skill as it is now as the next version of its workspace.

    The average of the version before is written into its own entry.
    """
    from evalcore.cli.versions import snapshot as work  # noqa: PLC0415 - quick start

    return work(workspace, description, skill, suite, force=force, as_json=as_json)
