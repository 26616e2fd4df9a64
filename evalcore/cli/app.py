"""The program `evalcore`: how each of its commands is registered, and how it ends."""

import functools
import inspect
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, ParamSpec, get_args

import typer
from typer import Argument, Option
from typer.models import OptionInfo

from evalcore.cli.answering import Answer, print_answer
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

Folder = Annotated[Path, Argument(metavar="PATH", help="The folder with your evaluations.")]
Suite = Annotated[str | None, Option(help="The suite; not needed if there is only one.")]
OnlySuite = Annotated[str | None, Option(help="Only this suite.")]
OnlyVersion = Annotated[str | None, Option(help="Only this version.")]
ScoreSource = Annotated[WhoseScores, Option(help="The score source.")]
Excel = Annotated[bool, Option("--excel", help="Mark CSV as UTF-8, so that Excel reads it.")]
OnRegression = Annotated[
    str | None,
    Option(
        metavar="COMMAND",
        help="Start your program, without a shell, where a benchmark fell: the message is its "
        "input.",
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print one JSON document and nothing else.")]

_AS_JSON: Final = inspect.Parameter(
    "as_json", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=False, annotation=AsJson
)


def command_of(
    group: typer.Typer, work: Callable[P, int | Answer], *, json_before: str = ""
) -> Callable[P, None]:
    """Register a command of a group, which answers or, if it has printed itself, returns its code.

    What answers has the option `--json`: the last one, or before the parameter that is named. It is
    told of it only if it has the parameter `as_json`. An option that is true or false has no
    opposite. Exceptions become sentences.
    """
    signature = inspect.signature(work)
    parameters = list(map(_without_opposite, signature.parameters.values()))
    names = [each.name for each in parameters]
    is_told = "as_json" in names
    if Answer in (signature.return_annotation, *get_args(signature.return_annotation)):
        at = names.index(json_before) if json_before else len(names)
        parameters[at:at] = [] if is_told else [_AS_JSON]

    @functools.wraps(work)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json") if is_told else kwargs.pop("as_json", False))
        raise typer.Exit(_outcome(lambda: work(*args, **kwargs), as_json=as_json))

    vars(guarded)["__signature__"] = signature.replace(parameters=parameters)  # read by typer
    group.command(_spelled(work.__name__))(guarded)
    return guarded


def _without_opposite(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter whose option is only `--name` if it is true or false, without `--no-`."""
    match get_args(parameter.annotation):
        case (kind, OptionInfo(default=given, help=said)) if kind is bool and given is ...:
            option = Annotated[bool, Option(f"--{_spelled(parameter.name)}", help=said)]
            return parameter.replace(annotation=option)
    return parameter


def _spelled(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


command = functools.partial(command_of, app)


def _outcome(work: Callable[[], int | Answer], *, as_json: bool) -> int:
    try:
        said = work()
        code = said if isinstance(said, int) else print_answer(said, as_json=as_json)
        sys.stdout.flush()
    except EvalcoreError as error:
        complain(error)
        return WRONG
    except BrokenPipeError:
        # Whoever read the output has enough; the interpreter must not try to flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        complain(system_fault(error))
        return WRONG
    except KeyboardInterrupt:
        complain("Stopped.")
        return INTERRUPTED
    return code


def system_fault(error: OSError) -> str:
    """Return a fault of the system as a sentence with the next step."""
    place = f"{error.filename}: " if error.filename else ""
    why = error.strerror or "it cannot be read or written"
    return f"{place}{why}. Check the path, its permissions and the space left on the disk."
