"""The commands of blind studies: `evalcore blind create`, `status`, `close` and others."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import Folder, OnlySuite, Suite, app, command_of

group = typer.Typer(
    help="Compare outputs without knowing which version made them.", no_args_is_help=True
)
app.add_typer(group, name="blind")
blind_command = partial(command_of, group)

StudyId = Annotated[
    str | None, Option("--study", metavar="ID", help="Not needed if there is only one.")
]


class Criteria(StrEnum):
    """The sets of criteria."""

    SKILL = "skill"
    DESCRIPTION = "description"
    SUITE = "suite"
    NONE = "none"


class Drawn(StrEnum):
    """How many runs of each case and side are compared."""

    ONE = "one"
    ALL = "all"


@blind_command
def create(
    path: Folder,
    a: Annotated[str, Argument(metavar="A", help="VERSION or VERSION@CONFIGURATION.")],
    b: Annotated[str, Argument(metavar="B", help="The other side.")],
    suite: Suite = None,
    cases: Annotated[
        list[str] | None, Option(metavar="ID", help="Only this case. Repeat for several.")
    ] = None,
    runs: Annotated[Drawn, Option(help="One run of each case and side, or all.")] = Drawn.ONE,
    criteria: Annotated[
        Criteria, Option(help="The criteria that both sides are scored on.")
    ] = Criteria.NONE,
    judge: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="A judge; by default anyone can join. Repeat for several."),
    ] = None,
    judges_per_task: Annotated[
        int | None, Option(min=1, max=20, help="How many judges compare each pair; by default all.")
    ] = None,
    dry_run: Annotated[bool, Option(help="Show what would be compared; write nothing.")] = False,
) -> Answer:
    """Create a blind study of two versions or configurations."""
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.create(
        path,
        a,
        b,
        suite,
        cases=tuple(cases or ()),
        drawn=runs.value,
        criteria=criteria.value,
        judges=tuple(judge or ()),
        per_task=judges_per_task,
        dry_run=dry_run,
    )


@blind_command
def status(path: Folder, study: StudyId = None, suite: OnlySuite = None) -> Answer:
    """Show how far blind studies are, without verdicts."""
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.status(path, suite, study)


@blind_command
def reveal(
    path: Folder,
    judge: Annotated[str, Option(metavar="NAME", help="The judge to reveal it to.")],
    study: StudyId = None,
    suite: Suite = None,
) -> Answer:
    """Show one judge which side was which.

    Only after they have compared everything; they cannot judge further.
    """
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.reveal(path, suite, study, judge)


@blind_command
def close(
    path: Folder,
    study: StudyId = None,
    suite: Suite = None,
    without_key: Annotated[
        bool, Option(help="Even if nobody can find out which was which.")
    ] = False,
) -> Answer:
    """Close a study and reveal which side was which.

    Its key is written next to the verdicts, so that anyone can check them.
    """
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.close(path, suite, study, without_key=without_key)


@blind_command
def rank(path: Folder, suite: Suite = None) -> Answer:
    """Rank three or more versions by all closed studies of a suite."""
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.rank(path, suite)


@blind_command
def export(
    path: Folder,
    out: Annotated[Path, Option(metavar="FILE.html", help="Where to write the packet.")],
    study: StudyId = None,
    suite: Suite = None,
) -> Answer:
    """Write a packet for one judge without evalcore.

    It is an HTML file that needs no network.
    """
    from evalcore.cli import packets  # noqa: PLC0415 - quick start

    return packets.export(path, suite, study, out)


@blind_command
def import_(
    path: Folder,
    file: Annotated[Path, Argument(metavar="FILE", help="The verdicts that a packet saved.")],
    study: StudyId = None,
    suite: Suite = None,
) -> Answer:
    """Store the verdicts of a packet after checking it."""
    from evalcore.cli import packets  # noqa: PLC0415 - quick start

    return packets.import_(path, suite, study, file)
