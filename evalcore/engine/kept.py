"""What a test run produced, kept beside the run's journal until it is in the workspace."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec

from evalcore.disk.files import Files
from evalcore.disk.handles import flush
from evalcore.disk.handles import folder as opened
from evalcore.disk.unfinished import is_abandoned, unfinished_name
from evalcore.engine.store import RunFolder
from evalcore.families.running import Execution
from evalcore.steps.model import Steps
from evalcore.steps.reading import read_steps

FILES: Final = "files"
TRANSCRIPT: Final = "transcript.md"
EVENTS: Final = "transcript.jsonl"
RESULT: Final = "result.json"
TRIES: Final = "tries"

MAX_FILE: Final = 64 * 1024 * 1024

_HIDDEN: Final = ".keeping-"


class Keep(Protocol):
    """Keeps files of a folder, named relative to it, what the executor said, and its events."""

    def __call__(
        self, folder: Path, names: list[str], transcript: str, events: bytes = b""
    ) -> None:
        """Keep them."""


class Kept(NamedTuple):
    """A finished execution: its folder, and how it went with the whole reply."""

    folder: Path
    execution: Execution

    @property
    def transcript(self) -> str | None:
        """What the executor printed; None without any."""
        with suppress(OSError):
            return (self.folder / TRANSCRIPT).read_text("utf-8", "replace")
        return None

    @property
    def events(self) -> bytes:
        """What the executor printed, where that is a stream of events; else nothing."""
        with suppress(OSError):
            return (self.folder / EVENTS).read_bytes()
        return b""

    def steps(self, *, by_model: bool) -> Steps:
        """Return what the executor did: by its events, or as evalcore wrote it down of a model.

        What else a command prints may be a model's words in any form, and is not taken for steps.
        """
        if by_model and self.transcript is not None:
            return read_steps(self.transcript.encode("utf-8", "replace"), TRANSCRIPT)
        return read_steps(self.events, EVENTS)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the produced files: path below the outputs, and content."""
        reader = Files(self.folder / FILES)
        for name in self.execution.files:
            yield name, reader.read(name, MAX_FILE)


class Keeper:
    """Keeps one execution: first its files, then the result; it appears whole or not at all."""

    def __init__(self, run: RunFolder, index: int) -> None:
        self._target = run.done(index)
        self._target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._made = self._target.with_name(f"{_HIDDEN}{unfinished_name()}")

    def files(self, folder: Path, names: list[str], transcript: str, events: bytes = b"") -> None:
        """Copy files, named relative to a folder, what the executor said, and its events."""
        reader = Files(folder)
        for name in names:
            _written(self._made / FILES / name, reader.read(name, MAX_FILE))
        _written(self._made / TRANSCRIPT, transcript.encode("utf-8", "replace"))
        if events:
            _written(self._made / EVENTS, events)

    def result(self, execution: Execution) -> bool:
        """Keep the result and make everything visible; False if another try was there first."""
        _written(self._made / RESULT, msgspec.json.encode(execution))
        for parent, _, _ in os.walk(self._made):
            _flush(Path(parent))
        try:
            self._made.rename(self._target)
        except OSError:
            if not (self._target / RESULT).exists():
                raise
            return False
        finally:
            self.drop()
        _flush(self._target.parent)
        return True

    def drop(self) -> None:
        """Remove what is not visible yet."""
        shutil.rmtree(self._made, ignore_errors=True)


def kept(run: RunFolder, index: int) -> Kept | None:
    """Return what a test run produced; None if nothing is kept."""
    folder = run.done(index)
    try:
        data = (folder / RESULT).read_bytes()
    except FileNotFoundError:
        return None
    return Kept(folder, msgspec.json.decode(data, type=Execution))


def sweep_kept(run: RunFolder) -> None:
    """Remove what killed processes of this machine were keeping when they died."""
    with suppress(FileNotFoundError):
        for path in run.done(0).parent.iterdir():
            if path.name.startswith(_HIDDEN) and is_abandoned(path.name.removeprefix(_HIDDEN)):
                shutil.rmtree(path, ignore_errors=True)


def note_try(run: RunFolder, index: int) -> None:
    """Note that a try of a test run begins, before it can cost anything."""
    folder = run.path / TRIES
    folder.mkdir(exist_ok=True, mode=0o700)
    number = tries_of(run, index)
    while True:
        number += 1
        with suppress(FileExistsError):  # begun by another worker meanwhile
            (folder / f"{index}-{number}").touch(mode=0o600, exist_ok=False)
            return


def tries_of(run: RunFolder, index: int) -> int:
    """Return how often one test run was tried, lost tries too; their notes are numbered from 1."""
    number = 0
    while (run.path / TRIES / f"{index}-{number + 1}").exists():
        number += 1
    return number


def tries(run: RunFolder) -> dict[int, int]:
    """Return how often each test run was tried, lost tries too."""
    found: dict[int, int] = {}
    with suppress(FileNotFoundError):
        for path in (run.path / TRIES).iterdir():
            index = int(path.name.partition("-")[0])
            found[index] = found.get(index, 0) + 1
    return found


def _written(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        flush(file.fileno())


def _flush(path: Path) -> None:
    with opened(path) as handle:
        flush(handle)
