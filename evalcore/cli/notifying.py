"""Tell a program of the user's own about a regression: the record of the message is its input."""

import shlex
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from evalcore.cli.answering import Answer, json_text
from evalcore.errors import CannotRun, EvalcoreError
from evalcore.folders import config_dir
from evalcore.memory.following import regression_message
from evalcore.sandbox.child import run
from evalcore.sandbox.environment import clean_environment
from evalcore.workspace.opened import Workspace

CONFIG: Final = "notify.toml"


class OnRegression(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program and its arguments; `env` names variables that it gets beside the harmless ones.

    It is never given to a shell, and runs as the user, for `seconds` at most.
    """

    command: tuple[str, ...]
    env: tuple[str, ...] = ()
    seconds: float = 60.0


class _Notify(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    regression: OnRegression | None = None


def on_regression(typed: str | None) -> OnRegression | None:
    """Return the command that was typed, else that of the user's configuration; None without.

    Raises:
        CannotRun: it cannot be read.
    """
    path = config_dir() / CONFIG
    try:
        if typed is not None:
            found: OnRegression | None = OnRegression(tuple(shlex.split(typed)))
        else:
            value = tomllib.loads(path.read_text("utf-8"))
            found = msgspec.convert(value, _Notify).regression
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:  # TOML, UTF-8, types and quotes are all ValueErrors
        place = path if typed is None else "--on-regression"
        raise CannotRun(f"{place} cannot be read: {error}. Correct it, then try again.") from error
    if found is not None and not found.command:
        raise CannotRun("--on-regression needs a program, and its arguments if it has any.")
    return found


def told(
    answer: Answer, command: OnRegression | None, ws: Workspace, suite: str, runs: Iterable[str]
) -> Answer:
    """Tell a command about benchmark runs that fell; return the answer with what became of it.

    That it failed is said, and changes no exit code.
    """
    if command is None:
        return answer
    said = tuple(_told(command, ws, suite, runs))
    return answer._replace(complaints=(*answer.complaints, *said))


def _told(command: OnRegression, ws: Workspace, suite: str, runs: Iterable[str]) -> Iterator[str]:
    name = shlex.join(command.command)
    for benchmark_run in runs:
        try:
            message = json_text(regression_message(ws, suite, benchmark_run))
        except EvalcoreError as error:
            yield f"The regression {benchmark_run} was not told to {name}: {error}"
            continue
        ended = run(
            command.command,
            cwd=Path.cwd(),
            env=clean_environment(command.env),
            stdin=message.encode(),
            seconds=command.seconds,
        )
        if ended.how == "exited" and ended.code == 0:
            yield f"The regression {benchmark_run} was told to {name}."
        else:
            last = ended.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            why = f"{ended.why} {last}".strip()
            yield f"The regression {benchmark_run} was not told to {name}: {why}"
