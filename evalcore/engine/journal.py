"""The journal of a run: one line for each finished step, appended and never changed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from evalcore.disk.handles import flush, write_all
from evalcore.engine.found import AnalysisFound, FailureFound, PairVerdict
from evalcore.families.graded import Graded
from evalcore.families.running import Execution, TestRun

JOURNAL: Final = "journal.jsonl"


class Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event"):
    """Something that happened, at a time."""

    at: str


class Begun(Event, frozen=True, tag="begun"):
    """A process works on the run from now on."""

    pid: int
    host: str = ""
    where: str = "threads"


class Started(Event, frozen=True, tag="started"):
    """A try of a test run was handed out; from here on it may cost something."""

    run: int
    attempt: int


class Executed(Event, frozen=True, tag="executed"):
    """A test run was executed; `attempts` are all tries until now, lost ones too."""

    run: int
    execution: Execution
    attempts: int = 1


class Moved(Event, frozen=True, tag="moved"):
    """Test runs, by their index, got other numbers: another run owns the places they had."""

    runs: dict[int, TestRun]


class Judged(Event, frozen=True, tag="judged"):
    """The criteria of a test run were decided, or some of them."""

    run: int
    graded: Graded


class Written(Event, frozen=True, tag="written"):
    """The documents of a test run are in the workspace; `output` is the digest of its output.

    Without its grading it is only stated where people are asked to judge it.
    """

    run: int
    paths: tuple[str, ...]
    graded: bool
    output: str | None = None


class Failed(Event, frozen=True, tag="failed"):
    """Documents could not be written; the step is tried again when the run is resumed."""

    run: int
    why: str


class Aggregated(Event, frozen=True, tag="aggregated"):
    """The aggregate documents were written, as far as they could be."""

    paths: tuple[str, ...]
    messages: tuple[str, ...] = ()


class Benchmarked(Event, frozen=True, tag="benchmarked"):
    """The benchmark run of a version and configuration was written, and what follows from it.

    `regression` says how far the pass rate fell, where it did by more than 10 points.
    """

    column: str
    benchmark_run: str
    paths: tuple[str, ...]
    regression: str = ""


class Compared(Event, frozen=True, tag="compared"):
    """A model compared the outputs of a case in both orders, and what came of it is known."""

    pair: PairVerdict


class Analyzed(Event, frozen=True, tag="analyzed"):
    """A model was asked why the winner won, and what it said is known."""

    found: AnalysisFound


class Explained(Event, frozen=True, tag="explained"):
    """A model was asked why a run failed, and what it said is known."""

    found: FailureFound


class StepDone(Event, frozen=True, tag="step_done"):
    """A step beside the test runs is done, and its documents are in the workspace.

    `version` is the one that it made, `said` what to know of it.
    """

    step: str
    paths: tuple[str, ...] = ()
    version: str = ""
    said: tuple[str, ...] = ()


class StepFailed(Event, frozen=True, tag="step_failed"):
    """A step could not be done; it is tried again when the run is resumed."""

    step: str
    why: str


class Ended(Event, frozen=True, tag="ended"):
    """The process has ended its work; `why` says what stopped it before the end."""

    how: str
    why: str = ""


AnyEvent = (
    Begun
    | Started
    | Executed
    | Moved
    | Judged
    | Written
    | Failed
    | Aggregated
    | Benchmarked
    | Compared
    | Analyzed
    | Explained
    | StepDone
    | StepFailed
    | Ended
)

_decoder: Final = msgspec.json.Decoder(AnyEvent)
_encoder: Final = msgspec.json.Encoder()


class Journal:
    """An open journal; one process writes it at a time, which holds the run's lock."""

    def __init__(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._file = os.open(folder / JOURNAL, flags, 0o600)
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            # The last line was cut off by a kill: what follows must stand on its own.
            write_all(self._file, b"\n")

    def add(self, event: AnyEvent, *, durable: bool = True) -> None:
        """Append an event; when this returns it is flushed to disk, where `durable`."""
        write_all(self._file, _encoder.encode(event) + b"\n")
        if durable:
            flush(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def events(folder: Path) -> Iterator[AnyEvent]:
    """Yield the events of a run in order; a line that was cut off by a kill is no event."""
    try:
        data = (folder / JOURNAL).read_bytes()
    except FileNotFoundError:
        return
    yield from _decoded(data)


def events_from(folder: Path, offset: int) -> tuple[list[AnyEvent], int]:
    """Return the events after an offset of the journal, and the offset of what follows them.

    A line that is not finished yet is left for the next time.
    """
    try:
        with (folder / JOURNAL).open("rb") as file:
            file.seek(offset)
            data = file.read()
    except FileNotFoundError:
        return [], offset
    whole = data[: data.rfind(b"\n") + 1]
    return list(_decoded(whole)), offset + len(whole)


def _decoded(data: bytes) -> Iterator[AnyEvent]:
    for line in data.split(b"\n"):
        if line:
            try:
                yield _decoder.decode(line)
            except (msgspec.DecodeError, msgspec.ValidationError):
                continue
