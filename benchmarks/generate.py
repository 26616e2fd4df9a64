"""Write a workspace of one family: `python -m benchmarks.generate improve 10000 DIR`.

The same family, number of gradings and seed give the same bytes, however many processes write.
"""

import argparse
import hashlib
import json
import os
import random
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, Protocol

from benchmarks.writers import descriptions, improve, iterations, records, rubric
from benchmarks.writers.common import File, Made, Plan

CHUNK = 900
ESCAPING_WRITERS = 0.25


class Writer(Protocol):
    """What a family's module offers."""

    def opening(self, plan: Plan) -> Iterator[File]: ...
    def grading(self, plan: Plan, index: int) -> Made: ...
    def closing(self, plan: Plan, facts: Iterable[tuple[float, ...]]) -> Iterator[File]: ...


WRITERS: dict[str, Writer] = {
    "improve": improve,
    "records": records,
    "rubric": rubric,
    "descriptions": descriptions,
    "iterations": iterations,
}


class Written(NamedTuple):
    """What a generated workspace holds; `judgments` are scored ones, without conventions."""

    gradings: int
    judgments: int
    files: int
    bytes: int
    grading_bytes: int  # of the files that belong to one grading, all gradings together


class _Part(NamedTuple):
    written: Written
    facts: list[tuple[float, ...]]


def generate(family: str, gradings: int, folder: Path, *, seed: int = 1, jobs: int = 1) -> Written:
    """Write a workspace into `folder`, which must be empty or absent.

    Raises:
        FileExistsError: `folder` holds something already.
        ValueError: `gradings` is below 1.
    """
    if gradings < 1:
        raise ValueError("A workspace needs at least one grading.")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name a new folder.")
    plan, writer = Plan(gradings, seed), WRITERS[family]
    target = _Target(folder, plan)
    before = [target.write(file) for file in writer.opening(plan)]
    parts = list(_parts(family, plan, folder, jobs))
    facts = (fact for part in parts for fact in part.facts)
    after = [target.write(file) for file in writer.closing(plan, facts)]
    graded = [part.written for part in parts]
    grading_bytes = sum(part.bytes for part in graded)
    return Written(
        gradings=gradings,
        judgments=sum(part.judgments for part in graded),
        files=sum(part.files for part in graded) + len(before) + len(after),
        bytes=grading_bytes + sum(before) + sum(after),
        grading_bytes=grading_bytes,
    )


def _parts(family: str, plan: Plan, folder: Path, jobs: int) -> Iterator[_Part]:
    starts = range(0, plan.gradings, CHUNK)
    work = partial(_write_gradings, family, plan, folder)
    if jobs == 1 or len(starts) == 1:
        yield from map(work, starts)
        return
    with ProcessPoolExecutor(min(jobs, len(starts)), get_context("spawn")) as pool:
        yield from pool.map(work, starts)


def _write_gradings(family: str, plan: Plan, folder: Path, start: int) -> _Part:
    writer, target = WRITERS[family], _Target(folder, plan)
    facts: list[tuple[float, ...]] = []
    judgments = files = size = 0
    for index in range(start, min(start + CHUNK, plan.gradings)):
        made = writer.grading(plan, index)
        size += sum(map(target.write, made.files))
        files += len(made.files)
        judgments += made.judgments
        facts.append(made.fact)
    return _Part(Written(len(facts), judgments, files, size, size), facts)


class _Target:
    """A folder to write files into."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = str(folder)
        self.seed = plan.seed
        self._known: set[str] = set()

    def write(self, file: File) -> int:
        """Write one file, a quarter of the JSON with escapes, and return its size in bytes."""
        if isinstance(file.content, str):
            text = file.content
        else:
            escaping = random.Random(f"{self.seed}/{file.path}").random() < ESCAPING_WRITERS
            text = json.dumps(file.content, indent=2, ensure_ascii=escaping) + "\n"
        data = text.encode()
        parent, _, name = f"{self.folder}/{file.path}".rpartition("/")
        if parent not in self._known:
            Path(parent).mkdir(parents=True, exist_ok=True)
            self._known.add(parent)
        with open(f"{parent}/{name}", "wb") as out:  # noqa: PTH123 - a Path a file takes twice as long
            out.write(data)
        return len(data)


def digest() -> str:
    """Return a hash of the generator's code."""
    own = Path(__file__)
    beside = [own.with_name(name) for name in ("prose.py", "judged.py", "history.py")]
    sources = [own, *beside, *sorted((own.parent / "writers").glob("*.py"))]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()


def main(arguments: list[str] | None = None) -> int:
    """Write one workspace and print its contents."""
    parser = argparse.ArgumentParser("python -m benchmarks.generate", description=__doc__)
    parser.add_argument("family", choices=WRITERS)
    parser.add_argument("gradings", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(arguments)
    try:
        written = generate(
            asked.family, asked.gradings, asked.folder, seed=asked.seed, jobs=asked.jobs
        )
    except (FileExistsError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(written._asdict()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
