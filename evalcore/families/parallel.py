"""Read a very large suite in two processes, each one half of its runs."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan
from evalcore.problems import Problem
from evalcore.starting import start_python
from evalcore.tables import store
from evalcore.tables.builder import Rows

MANY: Final = 20_000
"""Below this many runs a second process takes longer to start than it saves."""

PROCESS: Final = "evalcore.families.second_process"

T = TypeVar("T")


class Job(NamedTuple):
    """What the second process reads: runs of a suite, with what its family tells of them.

    `plan` has the documents that are read beside the runs, `folders` all folders of the workspace.
    `folder` is where the tables go.
    """

    root: str
    plan: Plan
    folders: list[str]
    folder: str
    runs: Any
    about: Any


class Half(NamedTuple):
    """What the second process found: its tables, problems and what `Family.second_half` returned.

    `extras` are the files that it looked for although they were not listed.
    """

    tables: store.Directory
    problems: list[Problem]
    extras: list[str]
    found: Any


class Split(NamedTuple):
    """How the runs of a suite are read, and how the second half is put to the first.

    `read(runs)` reads runs in this process. `join(found)` takes what `Family.second_half` returned;
    False, with nothing done, where something in it depends on the first half.
    """

    read: Callable[[Sequence[Any]], None]
    join: Callable[[Any], bool]
    about: Any = None


def read_runs(
    plan: Plan,
    reader: Reader,
    rows: Rows,
    runs: Sequence[T],
    split: Split,
    count: int | None = None,
) -> None:
    """Read all runs of a suite in order, in two processes where there are very many.

    `count` is the number of gradings, where that is another one.
    """
    many = (len(runs) if count is None else count) >= MANY
    if not many or rows.spill is None or (os.cpu_count() or 1) < 2 or not sys.executable:
        split.read(runs)
        return
    middle = len(runs) // 2
    with tempfile.TemporaryDirectory(prefix="half-", dir=rows.spill) as folder:
        listing, rest = reader.listing, runs[middle:]
        folders = list(listing.folders)
        process = _started(Job(str(listing.root), plan, folders, folder, rest, split.about))
        split.read(runs[:middle])
        half = None if process is None else _answer(process)
        if half is None or not split.join(half.found):
            split.read(rest)
        else:
            _append(folder, half, reader, rows)


def stands_alone(reader: Reader, rows: Rows, across: Set[str]) -> bool:
    """Say whether what the second half read depends on nothing in the first.

    A case or criterion that nothing defines, or a problem in `across`, may stand there too.
    """
    if len(rows.tables["cases"]) or len(rows.tables["criteria"]):
        return False
    return not any(problem.code in across for problem in reader.problems)


def _started(job: Job) -> "subprocess.Popen[bytes] | None":
    # It needs none of what the environment may hold of keys.
    path = Path(job.folder) / "job.json"
    needed = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    try:
        path.write_bytes(msgspec.json.encode(job))
        return start_python(
            ["-m", PROCESS, str(path)],
            environment=needed,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _answer(process: "subprocess.Popen[bytes]") -> Half | None:
    """Wait for the second process; None when it could not read its half."""
    assert process.stdout is not None
    with process.stdout as pipe:
        answer = pipe.read()
    if process.wait() != 0:
        return None
    try:
        return msgspec.json.decode(answer, type=Half)
    except msgspec.MsgspecError:
        return None


def _append(folder: str, half: Half, reader: Reader, rows: Rows) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        tables = store.read(descriptor, half.tables)
    finally:
        os.close(descriptor)
    for name, columns in half.tables.items():
        if columns:
            rows.tables[name].append(tables[name])
    reader.problems.extend(half.problems)
    reader.extras.update(half.extras)
