"""The program `evalcore`: how each of its commands is registered, and how it ends."""

import functools
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, ParamSpec

import typer

from evalcore.cli.terminal import complain
from evalcore.errors import EvalcoreError

NO: Final = 1
WRONG: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141

P = ParamSpec("P")


class WhoseScores(StrEnum):
    """The score source."""

    RECORDED = "recorded"
    HUMAN = "human"
    HUMAN_FIRST = "human-first"


app = typer.Typer(
    add_completion=False,
    help="Browse evaluations that are kept as JSON files in a folder: every grade with its "
    "evidence. Start with `evalcore demo`, then `evalcore open FOLDER`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Argument(metavar="PATH", help="The folder with your evaluations.")]
Suite = Annotated[str | None, typer.Option(help="The suite; not needed if there is only one.")]
Excel = Annotated[bool, typer.Option("--excel", help="Mark CSV as UTF-8, so that Excel reads it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def command(work: Callable[P, int]) -> Callable[P, None]:
    """Register a command: its return value is the exit code, its exceptions become sentences."""
    return command_of(app, work)


def command_of(group: typer.Typer, work: Callable[P, int]) -> Callable[P, None]:
    """Register a command of a group, as `command` does."""

    @functools.wraps(work)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(_outcome(lambda: work(*args, **kwargs)))

    group.command(work.__name__.rstrip("_").replace("_", "-"))(guarded)
    return guarded


def _outcome(work: Callable[[], int]) -> int:
    try:
        code = work()
        sys.stdout.flush()
    except EvalcoreError as error:
        complain(error)
        return WRONG
    except BrokenPipeError:
        # Whoever read the output has enough; the interpreter must not try to flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        why = error.strerror or "it cannot be read or written"
        complain(f"{place}{why}. Check the path, its permissions and the space left on the disk.")
        return WRONG
    except KeyboardInterrupt:
        complain("Stopped.")
        return INTERRUPTED
    return code
