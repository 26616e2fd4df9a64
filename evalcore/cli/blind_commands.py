"""The commands of blind studies: `evalcore blind create`, `status`, `close` and others."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evalcore.cli.app import AsJson, Folder, Suite, app, command_of

group = typer.Typer(
    help="Compare outputs without knowing which version made them.", no_args_is_help=True
)
app.add_typer(group, name="blind")
blind_command = partial(command_of, group)

StudyId = Annotated[
    str | None, typer.Option("--study", metavar="ID", help="Not needed if there is only one.")
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
def create(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    a: Annotated[str, typer.Argument(metavar="A", help="VERSION or VERSION@CONFIGURATION.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other side.")],
    suite: Suite = None,
    cases: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this case. Repeat for several.")
    ] = None,
    runs: Annotated[Drawn, typer.Option(help="One run of each case and side, or all.")] = Drawn.ONE,
    criteria: Annotated[
        Criteria, typer.Option(help="The criteria that both sides are scored on.")
    ] = Criteria.NONE,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A judge; by default anyone can join. Repeat for several."
        ),
    ] = None,
    judges_per_task: Annotated[
        int | None,
        typer.Option(min=1, max=20, help="How many judges compare each pair; by default all."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be compared; write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Create a blind study of two versions or configurations."""
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    asked = blind.Asked(
        a=a,
        b=b,
        suite=suite,
        cases=tuple(cases or ()),
        drawn=runs.value,
        criteria=criteria.value,
        judges=tuple(judge or ()),
        per_task=judges_per_task,
    )
    return blind.create(path, asked, dry_run=dry_run, as_json=as_json)


@blind_command
def status(
    path: Folder, study: StudyId = None, suite: Suite = None, as_json: AsJson = False
) -> int:
    """Show how far blind studies are, without verdicts."""
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.status(path, suite, study, as_json=as_json)


@blind_command
def reveal(
    path: Folder,
    judge: Annotated[str, typer.Option(metavar="NAME", help="The judge to reveal it to.")],
    study: StudyId = None,
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Show one judge which side was which.

    Only after they have compared everything; they cannot judge further.
    """
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.reveal(path, suite, study, judge, as_json=as_json)


@blind_command
def close(
    path: Folder,
    study: StudyId = None,
    suite: Suite = None,
    without_key: Annotated[
        bool, typer.Option("--without-key", help="Even if nobody can find out which was which.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Close a study and reveal which side was which.

    Its key is written next to the verdicts, so that anyone can check them.
    """
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.close(path, suite, study, without_key=without_key, as_json=as_json)


@blind_command
def rank(path: Folder, suite: Suite = None, as_json: AsJson = False) -> int:
    """Rank three or more versions by all closed studies of a suite."""
    from evalcore.cli import blind  # noqa: PLC0415 - quick start

    return blind.rank(path, suite, as_json=as_json)


@blind_command
def export(
    path: Folder,
    out: Annotated[Path, typer.Option(metavar="FILE.html", help="Where to write the packet.")],
    study: StudyId = None,
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Write a packet for one judge without evalcore.

    It is an HTML file that needs no network.
    """
    from evalcore.cli import packets  # noqa: PLC0415 - quick start

    return packets.export(path, suite, study, out, as_json=as_json)


@blind_command
def import_(
    path: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The verdicts that a packet saved.")],
    study: StudyId = None,
    suite: Suite = None,
    as_json: AsJson = False,
) -> int:
    """Store the verdicts of a packet after checking it."""
    from evalcore.cli import packets  # noqa: PLC0415 - quick start

    return packets.import_(path, suite, study, file, as_json=as_json)
