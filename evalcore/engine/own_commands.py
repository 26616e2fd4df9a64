"""Commands that people type to try them as executors; one that worked is kept as their own."""

import json
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from evalcore.disk.creating import why
from evalcore.disk.replacing import digest, put
from evalcore.engine.plan import Executor, Template
from evalcore.engine.store import RunFolder
from evalcore.engine.templates import config_path, executors, why_missing
from evalcore.errors import CannotRun, CannotWrite, ChangedMeanwhile

FORM: Final = (
    "Type the command of your program, such as: my-agent --quiet. The task comes on standard "
    "input, or where {prompt} stands; what it leaves in its folder is the output."
)
_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST: Final = 40


def typed_executor(text: str, known: Mapping[str, Executor]) -> Executor:
    """Return the executor of a typed command: one of those that are known, else a new one.

    Raises:
        CannotRun: there is no such program, or no command.
    """
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise CannotRun(f"The command ends inside a quotation ({error}). Close it.") from error
    if not command:
        raise CannotRun(FORM)
    same = (each for each in known.values() if each.template and each.template.command == command)
    if (there := next(same, None)) is not None:
        return there
    # Of `python agent.py` the script is what it is known by.
    script = next((each for each in command[1:2] if Path(each).suffix), command[0])
    stem = _NAME.sub("-", Path(script).stem).strip("-")[:_LONGEST] or "command"
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(known) + 2))
    name = next(each for each in names if each not in known)
    found = Executor(name, "command", Template(command=command), "typed")
    if missing := why_missing(found):
        raise CannotRun(f"{missing} Give the program's whole path, or choose another one.")
    return found


def keep_what_worked(run: RunFolder) -> None:
    """Add the command that was typed for a run to the user's own, if it completed a case of it.

    Raises:
        CannotRun, CannotWrite: as `keep`.
    """
    executor = run.plan.executor
    if executor.origin == "typed" and any(
        one.execution is not None and one.execution.status == "completed"
        for one in run.progress().runs
    ):
        keep(executor)


def keep(executor: Executor) -> str:
    """Add a typed command to the user's own executors, unless it is one; return its name.

    Nothing that the file says is changed, and who writes it at the same time is waited for.

    Raises:
        CannotRun, CannotWrite: the file cannot be read, or not be written.
    """
    assert executor.template is not None
    path, command = config_path(), executor.template.command
    while True:
        there = typed_executor(shlex.join(command), executors())
        if there.origin == "yours":
            return there.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            before = path.read_bytes()
        except FileNotFoundError:
            before = None
        except OSError as error:
            raise CannotWrite(path, why(error)) from error
        gap = b"\n" if before and not before.endswith(b"\n") else b""
        entry = f"[{there.name}]\ncommand = {json.dumps(command, ensure_ascii=False)}\n"
        data = (before or b"") + gap + entry.encode()
        try:
            tomllib.loads(data.decode())
            put(path.parent, path.name, data, seen=None if before is None else digest(before))
        except ValueError as error:  # a sign that TOML cannot have, or half a character
            raise CannotWrite(path, "the command has signs that TOML cannot hold") from error
        except ChangedMeanwhile:
            continue
        return there.name
