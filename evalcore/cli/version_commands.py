"""The commands that begin to evaluate a skill, and that keep its versions."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import Folder, Suite, command


@command
def init(
    skill: Annotated[Path, Argument(metavar="SKILL", help="The folder of the skill.")],
    workspace: Annotated[
        Path | None,
        Option(metavar="PATH", help="The workspace; by default SKILL-workspace next to the skill."),
    ] = None,
) -> Answer:
    """Write first test cases and a workspace for a skill.

    The skill becomes version 0. Existing files are left unchanged.
    """
    from evalcore.cli.versions import init as work  # noqa: PLC0415 - quick start

    return work(skill, workspace)


@command
def snapshot(
    workspace: Folder,
    description: Annotated[str, Option(metavar="TEXT", help="A description of this version.")] = "",
    skill: Annotated[
        Path | None, Option(metavar="PATH", help="The skill's folder, if it is elsewhere.")
    ] = None,
    suite: Suite = None,
    force: Annotated[
        bool, Option("--force", help="Even if the skill is the same as in the newest version.")
    ] = False,
) -> Answer:
    """Keep the skill as it is now as its next version.

    The average of the previous version is written into its entry.
    """
    from evalcore.cli.versions import snapshot as work  # noqa: PLC0415 - quick start

    return work(workspace, description, skill, suite, force=force)
