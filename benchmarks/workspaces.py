"""The generated workspaces that are measured, made once for each state of the generator."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks import generate
from benchmarks.generate import Written
from benchmarks.process import ROOT

SETTLED_SECONDS = 3.0
"""Files younger than this are not trusted by an index, as nobody's workspace is."""


class Made(NamedTuple):
    """A workspace on disk."""

    name: str
    root: Path
    written: Written


class Store:
    """Makes workspaces in `EVALCORE_BENCH_DIR`, or in a folder among the temporary ones."""

    def __init__(self, say: Callable[[str], None]) -> None:
        named = os.environ.get("EVALCORE_BENCH_DIR")
        default = Path(tempfile.gettempdir()) / f"evalcore-bench-{os.getuid()}"
        self.base = Path(named).absolute() if named else default
        self.base.mkdir(parents=True, exist_ok=True)
        self._say = say
        self._digest = generate.digest()

    def get(self, family: str, gradings: int) -> Made:
        """Return a workspace, writing it where it is not there complete."""
        return self._made(f"{family}-{gradings}", ["generate", family, str(gradings)])

    def judged(self, records: int, judges: int, kind: str) -> Made:
        """Return a workspace with records of people, of one of the kinds of `benchmarks.judged`."""
        name = f"judged-{records}-by-{judges}-{kind}"
        return self._made(name, ["judged", str(records), str(judges), kind])

    def generated_history(self, records: int) -> Made:
        """Return a workspace with so many records of what is remembered."""
        return self._made(f"history-{records}", ["history", str(records)])

    def _made(self, name: str, command: list[str]) -> Made:
        root, stamp = self.base / name, self.base / f"{name}.stamp.json"
        written = self._stamped(stamp) if root.is_dir() else None
        return Made(name, root, written or self._write(command, root, stamp))

    def folder(self, name: str) -> Path:
        """Return an empty folder for caches and the like."""
        path = self.base / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    @contextmanager
    def kept(self, made: Made, path: Path) -> Iterator[None]:
        """Put a file of a workspace back when the block ends, or else when one begins again."""
        copy = self.base / f"{made.name}.kept"
        if copy.exists():  # the last block was cut off
            path.write_bytes(copy.read_bytes())
        copy.write_bytes(path.read_bytes())
        try:
            yield
        finally:
            path.write_bytes(copy.read_bytes())
            copy.unlink()

    def clear(self, pattern: str) -> None:
        """Remove folders by their name."""
        for path in self.base.glob(pattern):
            shutil.rmtree(path, ignore_errors=True)

    def _stamped(self, stamp: Path) -> Written | None:
        try:
            found = json.loads(stamp.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return Written(**found["written"]) if found["digest"] == self._digest else None

    def _write(self, arguments: list[str], root: Path, stamp: Path) -> Written:
        """Write a workspace in a process of its own; its memory stays out of this one."""
        self._say(f"writing {root.name}")
        shutil.rmtree(root, ignore_errors=True)
        stamp.unlink(missing_ok=True)
        module, *rest = arguments
        command = [sys.executable, "-m", f"benchmarks.{module}", *rest, str(root)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        written = json.loads(done.stdout)
        stamp.write_text(json.dumps({"digest": self._digest, "written": written}), "utf-8")
        time.sleep(SETTLED_SECONDS)
        return Written(**written)
