"""Run one child process to its end, and end everything that it started."""

import os
import secrets
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, NamedTuple

from evalcore.sandbox.orphans import adopting, end_orphans, marked
from evalcore.sandbox.pipes import MAX_FLOOD, Pipes

MAX_OUTPUT: Final = 1024 * 1024
GRACE_SECONDS: Final = 2.0
"""Between SIGTERM and SIGKILL."""

_TICK: Final = 0.05  # `stopped` and `exceeded` are asked this often, at first sooner
_KILL_SECONDS: Final = 5.0  # what a SIGKILL does not end is waiting for a broken disk

How = Literal["exited", "timeout", "stopped", "flooded", "exceeded", "not_started"]


class Ended(NamedTuple):
    """How a child ended: its code (negative: a signal; None: unknown), its output, and a sentence.

    `cut` says that it wrote more than was kept.
    """

    how: How
    code: int | None
    stdout: bytes
    stderr: bytes
    cut: bool
    seconds: float
    why: str


def run(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    seconds: float,
    max_output: int = MAX_OUTPUT,
    stopped: Callable[[], bool] = lambda: False,
    exceeded: Callable[[], str] = lambda: "",
    pass_fds: Sequence[int] = (),
) -> Ended:
    """Run a command, without a shell, until it ends, `seconds` passed, or `stopped` says so.

    `exceeded` is asked too, and may say in a sentence why the command is to be ended at once.

    Of each stream the first `max_output` bytes are kept; the rest is read and thrown away, and a
    child that writes more than 64 MiB is ended. When this returns, the processes that it started
    are gone, also those that left its session, unless they removed the mark from their environment
    (or this is not Linux, where only its process group is ended). It may be called from several
    threads at once.
    """
    try:
        program = _program(command, cwd, env)
    except OSError as error:
        return not_started(str(error.strerror))
    begun, token = time.monotonic(), secrets.token_hex(16)
    with adopting():
        try:
            process = subprocess.Popen(  # noqa: S603 - a list and no shell; the caller decides what
                list(command),
                executable=program,
                cwd=cwd,
                env=marked(env, token),
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=pass_fds,
            )
        except (OSError, ValueError) as error:
            return not_started(f"{command[0]!r} could not be started: {_said(error)}.")
        with Pipes(process, stdin, max_output) as pipes:
            try:
                how, said = _watched(pipes, begun + seconds, stopped, exceeded)
                if how not in ("exited", "exceeded"):
                    _ask_to_end(process, pipes)
            finally:
                _end(process, token)
            pipes.drain()
            taken = time.monotonic() - begun
            code = process.returncode
            why = said or _why(how, code, seconds)
            return Ended(how, code, *pipes.kept(), pipes.cut, taken, why)


def not_started(why: str) -> Ended:
    """Return the end of a child that was never started."""
    return Ended("not_started", None, b"", b"", False, 0.0, why)


def program_path(name: str, path: str) -> str | None:
    """Return the absolute path of a program on a PATH; its relative entries are not looked at.

    They would find programs in whatever folder is current, which may be a workspace.
    """
    places = (os.path.join(entry, name) for entry in path.split(os.pathsep) if entry[:1] == "/")  # noqa: PTH118 - text, tried as it stands
    return next((place for place in places if _can_run(place)), None)


def _program(command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> str:
    """Return the file to run; an OSError's `strerror` is the sentence why there is none."""
    name = command[0] if command else ""
    if not name or any("\0" in part for part in command):
        raise OSError(0, "The command is empty, or holds a NUL character.")
    if not cwd.is_dir():
        raise OSError(0, f"The folder {cwd} to run {name!r} in does not exist.")
    if "/" in name:
        place = cwd / name
        if not place.exists():
            raise OSError(0, f"There is no program {str(place)!r}.")
        if not _can_run(str(place)):
            raise OSError(0, f"{str(place)!r} is not a program that may be run.")
        return str(place.absolute())
    path = env.get("PATH", "")
    if found := program_path(name, path):
        return found
    raise OSError(0, f"{name!r} is not installed, or not on the PATH ({path or 'empty'}).")


def _can_run(place: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(place).st_mode) and os.access(place, os.X_OK)  # noqa: PTH116 - text, tried as it stands
    except OSError:
        return False


def _watched(
    pipes: Pipes, end: float, stopped: Callable[[], bool], exceeded: Callable[[], str]
) -> tuple[How, str]:
    """Read the child's output until it ended, or is to be ended; say how, and why if it was asked.

    The first questions come soon: a child may wait for an answer before it begins.
    """
    pause = 0.001
    look = time.monotonic() + pause
    while True:
        now = time.monotonic()
        if now >= end:
            return "timeout", ""
        if now >= look:
            if stopped():
                return "stopped", ""
            if said := exceeded():
                return "exceeded", said
            pause = min(2 * pause, _TICK)
            look = time.monotonic() + pause
        if pipes.wait(min(end, look) - now):
            return "exited", ""
        if pipes.read > MAX_FLOOD:
            return "flooded", ""


def _ask_to_end(process: "subprocess.Popen[bytes]", pipes: Pipes) -> None:
    """Send SIGTERM and read on, so that a child which says good-bye is not stuck doing so."""
    _signal(process, signal.SIGTERM)
    end = time.monotonic() + GRACE_SECONDS
    while (left := end - time.monotonic()) > 0 and not pipes.wait(left):
        pass


def _end(process: "subprocess.Popen[bytes]", token: str) -> None:
    # The group is killed before its leader is reaped: until then nobody else has its number.
    _signal(process, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_KILL_SECONDS)
    end_orphans(process.pid, token, _KILL_SECONDS)


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # gone, or a zombie (as macOS says it)
        os.killpg(process.pid, number)


def _why(how: How, code: int | None, seconds: float) -> str:
    if how == "timeout":
        return f"It did not end within {seconds:g} s and was ended."
    if how == "stopped":
        return "It was stopped."
    if how == "flooded":
        return f"It wrote more than {MAX_FLOOD // 1024**2} MiB and was ended."
    if code is None or code >= 0:
        return f"It ended with code {code}."
    return f"It was ended by signal {-code} ({signal.strsignal(-code)})."


def _said(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
