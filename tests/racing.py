"""Processes that do the same at once: all have read the folder before one writes, or none."""

import importlib
import io
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.workspace.opened import open_workspace
from tests.cli.command import environment

PATIENCE = 120.0
OPENING = "evalcore.cli.opening"
"""The module in which commands open the folder."""


class Said(NamedTuple):
    """What one process answered."""

    code: int
    out: str
    err: str


class Racers:
    """Some processes that do the same commands, each of them at the same moment."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder, self._number, self._round = folder, number, 0

    def race(self, *arguments: str | Path, apart: bool = False) -> list[Said]:
        """Return what each process answered to a command.

        They begin and open the folder before any writes; `apart`, they begin, and each opens it
        as the one before has left it. In a command `{}` is the number of the process.
        """
        self._round += 1
        given = self._folder / "given"
        given.write_text(json.dumps([apart, *map(str, arguments)]))
        given.rename(self._folder / f"{self._round}-command")
        self._wait("ready")
        (self._folder / f"{self._round}-go").touch()
        return [Said(*json.loads(path.read_text())) for path in self._wait("done")]

    def _wait(self, what: str) -> list[Path]:
        end = time.monotonic() + PATIENCE
        while len(found := [*self._folder.glob(f"{self._round}-{what}-*")]) < self._number:
            assert time.monotonic() < end, f"a process is not {what}"
            time.sleep(0.01)
        return sorted(found)


@contextmanager
def racers(folder: Path, number: int = 4) -> Iterator[Racers]:
    """Start the processes, which keep all they keep below a new folder."""
    folder.mkdir()
    given = environment(folder, EVALCORE_STATE_DIR=str(folder / "state"))
    command = [sys.executable, "-P", "-m", "tests.racing", str(folder)]
    started = [subprocess.Popen([*command, str(each)], env=given) for each in range(number)]
    try:
        yield Racers(folder, number)
    finally:
        for each in started:
            each.kill()
            each.wait()


def _work(folder: Path, name: int) -> None:
    """Do one command after the other, as they come."""
    run = importlib.import_module("evalcore.__main__").run
    number, apart = 0, False

    def meet(word: str) -> Path:
        while not (path := folder / f"{number}-{word}").exists():
            time.sleep(0.001)
        return path

    def opened(path: Path) -> Any:
        ws = None if apart else open_workspace(path)
        (folder / f"{number}-ready-{name}").touch()
        meet("go")  # all have begun before one writes, or they would be one after the other
        if apart and name:
            meet(f"done-{name - 1}")
        return ws or open_workspace(path)

    vars(importlib.import_module(OPENING))["open_workspace"] = opened
    while True:
        number += 1
        apart, *arguments = json.loads(meet("command").read_text())
        sys.argv = ["evalcore", *(each.replace("{}", str(name)) for each in arguments)]
        out, err, code = io.StringIO(), io.StringIO(), 0
        with redirect_stdout(out), redirect_stderr(err):
            try:
                run()
            except SystemExit as end:
                code = int(end.code or 0)
        path = folder / f"answer-{name}"
        path.write_text(json.dumps(Said(code, out.getvalue(), err.getvalue())))
        path.rename(folder / f"{number}-done-{name}")


if __name__ == "__main__":
    _work(Path(sys.argv[1]), int(sys.argv[2]))
