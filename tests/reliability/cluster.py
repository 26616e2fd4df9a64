"""Test runs on a dask cluster whose workers are killed: each is stored once, and nothing is left.

A case is executed at least once and stored once. The naive writer overwrites what is there, which
must be found out when the same cases are executed again.
"""

import os
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from evalcore.engine import writing
from evalcore.engine.claims import Claims
from evalcore.engine.journal import JOURNAL, Executed, Judged, Started, Written, events
from evalcore.engine.kept import tries
from evalcore.engine.plan import Executor, Plan, Template
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder
from evalcore.families.running import TestRun
from tests.engine.clusters import Cluster, with_word
from tests.engine.conftest import fake, planned, write
from tests.reliability.outcome import Line

KINDS = ("STATE", "CACHE", "CONFIG")
WORKERS = 3
THREADS = 2
AGAIN = 6
"""So many cases are executed again in the end, as after a journal that lost its last lines."""


def killed(
    folder: Path,
    cases: int,
    every: float,
    seed: int,
    way: str = "ours",
    cluster: Cluster | None = None,
) -> Line:
    """Kill a worker `every` so many seconds until all cases are done, then do the last ones again.

    Lost is a case that is not stored, a try that was not counted, or a child process that is left;
    duplicated a case that was stored twice; foreign a stored document that changed.
    """
    chance, kills = random.Random(seed), 0
    with own_folders(folder), _given(folder, cluster) as workers:
        run, root, word = suite_of(folder, cases)
        with ThreadPoolExecutor(1) as pool:
            going = pool.submit(work, run.id, cluster=workers.address)
            next_kill = time.monotonic() + every
            while not going.done():
                if time.monotonic() > next_kill and tries(run) and workers.kill_a_worker(chance):
                    kills, next_kill = kills + 1, time.monotonic() + every
                time.sleep(0.05)
            assert going.result() == "finished"
        before = documents(root)
        line = counted(run, root, word)
        _forgotten(run, range(cases - AGAIN, cases))
        with _writer(way):
            work(run.id, cluster=workers.address)
        after = documents(root)
    changed = sum(after.get(path) != data for path, data in before.items())
    return replace(
        line, kind=f"cluster, workers killed ({way})", number=kills, foreign=changed, seed=seed
    )


def suite_of(root: Path, cases: int, prompt: str = "wait=0.5") -> tuple[RunFolder, Path, str]:
    """Plan a run whose cases leave another text each time; return it, its folder and its word."""
    word = f"evalcore-{os.urandom(8).hex()}"
    workspace = root / f"workspace-{word[-6:]}"
    skill = workspace / "writer"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: writer\ndescription: Use when\n---\nWrite.\n")
    evals = [
        {
            "id": number,
            "prompt": f"unique=a.txt {prompt}",
            "expected_output": "",
            "expectations": ['contains "done"'],
        }
        for number in range(1, cases + 1)
    ]
    write(skill / "evals" / "evals.json", {"skill_name": "writer", "evals": evals})
    limits = {"concurrency": WORKERS * THREADS, "retries": 2}
    return planned(workspace, marked(word), limits=limits), workspace, word


def marked(word: str) -> Executor:
    """Return the fake executor with a word by which its processes are found."""
    executor = fake()
    assert executor.template is not None
    command = (*executor.template.command, word)
    return Executor("fake", "command", Template(command=command), "yours")


def counted(run: RunFolder, root: Path, word: str) -> Line:
    """Count what a finished run left behind."""
    plan, found, seen = run.plan, run.progress().runs, tries(run)
    gradings = [root / each.place / "grading.json" for each in plan.runs]
    stored = sum(path.is_file() for path in gradings)
    written = [event.run for event in events(run.path) if isinstance(event, Written)]
    uncounted = sum(one.attempts < max(seen.get(index, 0), 1) for index, one in enumerate(found))
    left, documents_there = left_of(word), len(list(root.rglob("grading.json")))
    return Line(
        "cluster",
        0,
        stored,
        lost=len(plan.runs) - stored + uncounted + left,
        torn=sum(path.is_file() and not path.read_bytes().endswith(b"}\n") for path in gradings),
        duplicated=len(written) - len(set(written)) + documents_there - stored,
        left=left,
        remark=f"{sum(one.attempts for one in found)} attempts, {sum(seen.values())} tries noted",
    )


def left_of(word: str, seconds: float = 5.0) -> int:
    """Return how many processes with a word are left a few seconds later."""
    end = time.monotonic() + seconds
    while (left := with_word(word)) and time.monotonic() < end:
        time.sleep(0.1)
    return len(left)


def documents(root: Path) -> dict[str, bytes]:
    """Return what is stored of the cases; aggregates are made again each time."""
    found = (path for path in root.rglob("*") if path.is_file() and "eval-" in str(path))
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


@contextmanager
def own_folders(folder: Path) -> Iterator[None]:
    """Keep what evalcore remembers in a folder of the test."""
    names = {f"EVALCORE_{kind}_DIR": str(folder / kind.lower()) for kind in KINDS}
    with patch.dict(os.environ, names):
        yield


@contextmanager
def _given(folder: Path, cluster: Cluster | None) -> Iterator[Cluster]:
    if cluster is not None:
        yield cluster
        return
    with Cluster(folder / "cluster") as made:
        yield made.add(WORKERS)


def _forgotten(run: RunFolder, indexes: range) -> None:
    """Remove what the journal says about some test runs."""
    own = (Executed, Judged, Started, Written)
    lines = (run.path / JOURNAL).read_text().splitlines(keepends=True)
    kept = [
        line
        for line, event in zip(lines, events(run.path), strict=True)
        if not (isinstance(event, own) and event.run in indexes)
    ]
    (run.path / JOURNAL).write_text("".join(kept))


@contextmanager
def _writer(way: str) -> Iterator[None]:
    """Write as evalcore does, or naively: where it was planned, over what is there."""
    if way == "ours":
        yield
        return
    with patch.object(writing, "_create", _overwrite), unclaimed():
        yield


@contextmanager
def unclaimed() -> Iterator[None]:
    """Let test runs be stored where they were planned, whoever is there: a control."""
    with patch.object(Claims, "own", _owned):
        yield


def _owned(_: Claims, planned: TestRun, run: TestRun, *, is_new: bool) -> TestRun:
    """Return a test run where it was planned, whoever is there."""
    del planned, is_new
    return run


def _overwrite(plan: Plan, files: Sequence[tuple[str, bytes]]) -> None:
    for path, data in files:
        target = Path(plan.workspace) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
