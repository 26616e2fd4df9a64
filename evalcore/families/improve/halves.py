"""Read a very large number of gradings in two processes, each one half of the files."""

import contextlib
import os
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.families.base import Plan
from evalcore.families.improve.definitions import Definitions
from evalcore.families.improve.gradings import ACROSS, Gradings
from evalcore.problems import Problem
from evalcore.tables import store
from evalcore.tables.builder import Rows

MANY: Final = 20_000
"""Below this many gradings a second process takes longer to start than it saves."""

FILLED: Final = ("judgments", "runs", "run_scores", "claims", "notes", "feedback", "documents")


class Part(NamedTuple):
    """What the other process came to, and where it left its tables."""

    folder: str
    directory: store.Directory
    problems: list[Problem]
    versions: dict[str, tuple[int | None, str]]
    scores: dict[str, dict[str, list[float]]]
    claimed: list[str]


def read_all_gradings(gradings: Gradings, paths: list[str]) -> None:
    """Read all gradings of a suite, in two processes where there are very many."""
    spill = gradings.rows.spill
    if len(paths) < MANY or spill is None or (os.cpu_count() or 1) < 2 or not sys.executable:
        gradings.read_all(paths)
        return
    middle = len(paths) // 2
    with tempfile.TemporaryDirectory(prefix="half-", dir=spill) as folder:
        other = _Other(gradings, paths[middle:], folder)
        gradings.read_all(paths[:middle])
        part = other.part()
        if part is None or not _join(gradings, part):
            gradings.read_all(paths[middle:])


class _Other:
    """The other process, at work."""

    def __init__(self, gradings: Gradings, paths: list[str], folder: str) -> None:
        listing = gradings.reader.listing
        prefix = f"{gradings.plan.root}/" if gradings.plan.root else ""
        job = {
            "root": str(listing.root),
            "plan": gradings.plan[:4],
            "paths": paths,
            "folder": folder,
            "evals": gradings.plan.of("evals"),
            "folders": [each for each in listing.folders if each.startswith(prefix)],
        }
        self._process = _started()
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self._process.stdin as pipe:
                pipe.write(msgspec.json.encode(job))

    def part(self) -> Part | None:
        """Wait for the other half; None when it could not be read there."""
        if self._process is None or self._process.stdout is None:
            return None
        with self._process.stdout as pipe:
            said = pipe.read()
        if self._process.wait() != 0:
            return None
        try:
            return msgspec.json.decode(said, type=Part)
        except msgspec.MsgspecError:
            return None


def _started() -> "subprocess.Popen[bytes] | None":
    # It needs none of what the environment may hold of keys.
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ.get("PATH", "")}
    try:
        return subprocess.Popen(  # noqa: S603 - this package itself
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
    except OSError:
        return None


def _join(gradings: Gradings, part: Part) -> bool:
    """Take in the other half; False, with nothing done, when a run is in both."""
    if not gradings.seen.keys().isdisjoint(part.claimed):
        return False
    folder = os.open(part.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        tables = store.read(folder, part.directory)
    finally:
        os.close(folder)
    for name in FILLED:
        gradings.rows.tables[name].append(tables[name])
    gradings.seen.update(dict.fromkeys(part.claimed, ""))
    gradings.reader.problems.extend(part.problems)
    for label, (number, path) in part.versions.items():
        gradings.recall_version(label, number, path)
    for label, cases in part.scores.items():
        for case_id, scores in cases.items():
            gradings.recall_scores(label, case_id, scores)
    return True


def work(job: dict[str, Any]) -> Part | None:
    """Read one half of the gradings; None when something in it hangs on the other half."""
    root, folder = Path(job["root"]), Path(job["folder"])
    nothing = array("q")
    reader = Reader(Listing(root, [], nothing, nothing, frozenset(job["folders"]), []))
    suite, family, home, skill_path = job["plan"]
    plan = Plan(suite, family, home, skill_path, ())
    definitions = Definitions(plan, Rows())
    for path in job["evals"]:
        definitions.read(path, reader)
    reader.problems.clear()
    rows = definitions.rows = Rows(folder)
    gradings = Gradings(plan, reader, rows, definitions)
    gradings.read_all(job["paths"])
    gradings.finish()
    if len(rows.tables["cases"]) or len(rows.tables["criteria"]):
        return None
    if any(problem.code in ACROSS for problem in reader.problems):
        return None
    scores = {label: dict(cases) for label, cases in gradings.scores.items()}
    claimed = list(gradings.seen)
    return Part(
        str(folder), store.write(folder, rows), reader.problems, gradings.versions, scores, claimed
    )


def main() -> int:
    """Read what standard input asks for, and say on standard output what it came to."""
    part = work(msgspec.json.decode(sys.stdin.buffer.read()))
    if part is None:
        return 1
    sys.stdout.buffer.write(msgspec.json.encode(part))
    return 0


if __name__ == "__main__":
    sys.exit(main())
