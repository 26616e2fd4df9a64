"""Processes of runs are killed at random moments and resumed, until all is done.

What was executed is known from a log that only executors write, and what was journaled from copies
of the journal: both outside of what is under test.
"""

import hashlib
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from unittest import mock

from evalcore.disk.unfinished import is_abandoned
from evalcore.engine.journal import Begun, Executed, Judged, Written, events
from evalcore.engine.kept import kept
from evalcore.engine.plan import Executor, Limits, Template
from evalcore.engine.planning import Request, make_plan
from evalcore.engine.process import start
from evalcore.engine.store import RunFolder, new_run
from evalcore.lint import check
from evalcore.workspace.opened import open_workspace
from tests.reliability import jobs
from tests.reliability.outcome import FOREIGN, Line, foreign_changed, made_workspace
from tests.reliability.processes import started

CASES = 30
CONCURRENCY = 4
MOST_SECONDS = 0.7
"""Of work between the begin of a process and its end by a kill."""

PATIENCE = 60.0
OWN = ("EVALCORE_STATE_DIR", "EVALCORE_CACHE_DIR", "EVALCORE_CONFIG_DIR", "TMPDIR")
STEPS = (Executed, Judged, Written)

AGENT = """#!/bin/sh
echo "$1" >> {log}
sleep 0.0$(($$ % 8 + 1))
echo "done by $1" > out.txt
echo done
"""


@dataclass
class Seen:
    """What the driver knows of one run: steps, documents, and executions of journaled cases."""

    folder: RunFolder
    root: Path
    log: Path
    problems: set[str]
    steps: set[tuple[str, int, int]] = field(default_factory=set)
    documents: dict[str, str] = field(default_factory=dict)
    frozen: dict[int, int] = field(default_factory=dict)
    lost: int = 0
    torn: int = 0
    changed: int = 0
    repeated: int = 0
    unjournaled: int = 0

    def executions(self) -> Counter[int]:
        """Return how often each test run was executed, by its place in the plan."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return Counter(int(line) - 1 for line in lines)

    def look_at_steps(self) -> None:
        """Compare the journal, and what was executed, with what was there before."""
        before, executed = self.steps, self.executions()
        self.steps = _steps(self.folder)
        self.lost += len(before - self.steps)
        done = {index for kind, index, _ in self.steps if kind == "Executed"}
        self.repeated += sum(
            max(0, executed[index] - count) for index, count in self.frozen.items()
        )
        self.frozen = {index: executed[index] for index in done}

    def note_unjournaled(self, before: Counter[int]) -> None:
        """Count executions since the last kill that came to nothing."""
        held = {index for index in range(CASES) if kept(self.folder, index) is not None}
        done = {index for kind, index, _ in _steps(self.folder) if kind == "Executed"} | held
        begun = self.executions() - before
        self.unjournaled = max(
            self.unjournaled, sum(count for index, count in begun.items() if index not in done)
        )

    def look_at_documents(self) -> None:
        """Compare the documents with what was there before."""
        found = {}
        for path in _documents(self.root):
            data, name = path.read_bytes(), str(path.relative_to(self.root))
            self.torn += path.suffix == ".json" and _is_torn(data)
            found[name] = hashlib.sha256(data).hexdigest()
        self.changed += sum(found.get(name) != sha for name, sha in self.documents.items())
        self.documents = found
        self.torn += len(_problems(self.root) - self.problems)


def killed(folder: Path, kills: int, seed: int, way: str = "ours", fresh: int = 1) -> Line:
    """Kill the processes of runs, one after the other, and resume each until it has finished.

    Each `fresh`th one is started as people start it; the others, which takes a second less, come
    from a process that has imported everything.
    """
    chance, starts = random.Random(seed), cycle([True] + [False] * (fresh - 1))
    total = Line(f"runners killed ({way})", 0, 0, seed=seed)
    attempts = executions = runs = most = 0
    while total.number < kills:
        home = folder / f"{way}-{runs}"
        with _own_folders(home):
            seen = _run(home)
            number = _kill_until_done(seen, kills - total.number, chance, way, starts)
            found = seen.folder.progress()
            line, lines = _line(seen, home, number), seen.executions()
        # Each execution is an attempt; one may have been noted and killed before its first line.
        uncounted = sum(
            max(0, count - found.runs[index].attempts) for index, count in lines.items()
        )
        too_many = max(0, found.calls - lines.total() - CONCURRENCY * number)
        total += replace(line, lost=line.lost + uncounted, duplicated=line.duplicated + too_many)
        attempts, executions = attempts + found.calls, executions + lines.total()
        runs, most = runs + 1, max(most, seen.unjournaled)
    remark = f"{runs} runs of {CASES} cases, {executions} executions, {attempts} attempts counted"
    return replace(total, remark=f"{remark}, at most {most} executions without a result a kill")


def _kill_until_done(
    seen: Seen, kills: int, chance: random.Random, way: str, starts: Iterator[bool]
) -> int:
    """Kill and resume a run until it has finished; return how many kills that took."""
    number = 0
    while True:
        before = seen.executions()
        pid = _begun(seen.folder, way, fresh=next(starts))
        if number == kills:
            _wait(seen.folder)
        else:
            _wait(seen.folder, chance.uniform(0, MOST_SECONDS))
        is_killed = seen.folder.is_worked_on()
        seen.look_at_steps()  # what is journaled now must be there afterwards
        if is_killed:
            os.kill(pid, signal.SIGKILL)
            _wait(seen.folder)
            number += 1
            seen.note_unjournaled(before)
        seen.look_at_steps()
        seen.look_at_documents()
        if not is_killed:
            return number


def _begun(folder: RunFolder, way: str, *, fresh: bool) -> int:
    """Start a process and wait until it works; return its id."""
    known = sum(isinstance(each, Begun) for each in events(folder.path))
    pid = None
    if fresh and way == "ours":
        start(folder)
    else:
        pid = started(jobs.work_on_run, folder.id, _environment(), way).pid
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        begun = [each.pid for each in events(folder.path) if isinstance(each, Begun)]
        if pid in begun or (pid is None and len(begun) > known):
            return pid or begun[-1]
        time.sleep(0.005)
    raise AssertionError((folder.path / "log.txt").read_text())


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in OWN}


def _wait(folder: RunFolder, seconds: float = PATIENCE) -> None:
    """Wait until nobody works on a run, or the time has passed."""
    end = time.monotonic() + seconds
    while folder.is_worked_on() and time.monotonic() < end:
        time.sleep(0.005)


def _line(seen: Seen, home: Path, number: int) -> Line:
    found = seen.folder.progress()
    undone = len(found.runs) - found.done
    left = [path.name for path in (seen.root / "reviews/.tmp").iterdir()]
    own = [name for name in left if f"reviews/.tmp/{name}" not in FOREIGN]
    unknown = sum(not is_abandoned(name) for name in own)
    unswept = list((home / "tmpdir").glob("evalcore-*")) + list(seen.folder.path.glob("done/.*"))
    return Line(
        "",
        number,
        len(seen.steps),
        lost=seen.lost + undone,
        torn=seen.torn,
        duplicated=seen.repeated + max(0, seen.unjournaled - CONCURRENCY),
        foreign=seen.changed + foreign_changed(seen.root) + unknown + len(unswept),
        left=len(own),
    )


def _steps(folder: RunFolder) -> set[tuple[str, int, int]]:
    """Return the steps in a journal: kind, place in the plan, and how often before."""
    often: Counter[tuple[str, int]] = Counter()
    found = set()
    for event in events(folder.path):
        if isinstance(event, STEPS):
            key = (type(event).__name__, event.run)
            found.add((*key, often[key]))
            often[key] += 1
    return found


def _documents(root: Path) -> Iterator[Path]:
    """Yield the files of a workspace; aggregates are replaced by who writes them again."""
    for path in root.rglob("*"):
        if path.is_file() and ".tmp" not in path.parts and path.stem != "benchmark":
            yield path


def _is_torn(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return True
    return False


def _problems(root: Path) -> set[str]:
    """Return the kinds of errors and warnings of a folder."""
    found = check(open_workspace(root, cache=False))
    return {str(each.code) for each in found if each.severity in ("error", "warning")}


def _run(home: Path) -> Seen:
    """Make a folder with a suite, and plan a run of it."""
    root, log, agent = made_workspace(home / "workspace"), home / "log", home / "agent.sh"
    agent.write_text(AGENT.format(log=log), "utf-8")
    agent.chmod(0o755)
    skill = root / "writer"
    (skill / "evals").mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: writer\ndescription: Use when\n---\nWrite.\n")
    evals = [
        {"id": number, "prompt": str(number), "expectations": ['contains "done"']}
        for number in range(1, CASES + 1)
    ]
    document = {"skill_name": "writer", "evals": evals}
    (skill / "evals/evals.json").write_text(json.dumps(document), "utf-8")
    executor = Executor("agent", "command", Template((str(agent), "{prompt}")), "yours")
    limits = Limits(concurrency=CONCURRENCY, seconds=30.0, retries=0)
    workspace = open_workspace(root, cache=False)
    (suite,) = (each for each in workspace.tables.suites["suite"].tolist() if "writer" in each)
    request = Request(executor, limits=limits, configurations=("with_skill",))
    return Seen(new_run(make_plan(workspace, suite, request)), root, log, _problems(root))


@contextmanager
def _own_folders(home: Path) -> Iterator[None]:
    places = {name: str(home / name.lower()) for name in OWN}
    (home / "tmpdir").mkdir(parents=True)
    with mock.patch.dict(os.environ, places):
        yield
