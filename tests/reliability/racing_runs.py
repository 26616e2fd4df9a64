"""Runs of one suite are started at the same moment: no two of them may share a place.

Each execution leaves a word of its own in a file that is named by it, as agents name files, and in
a log outside. So it is known which executions there were, and what came together in one place.
"""

import os
import re
import signal
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.engine.plan import Executor, Limits, Template
from evalcore.engine.planning import Request, make_plan
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, all_runs, new_run
from evalcore.families.running import CLAIM
from evalcore.workspace.opened import open_workspace
from tests.engine.people import FAMILIES
from tests.reliability.cluster import own_folders, unclaimed
from tests.reliability.outcome import Line
from tests.reliability.processes import CONTEXT, started

AGENT = """#!/bin/sh
word=$(cat /proc/sys/kernel/random/uuid)
echo "$1 $word" >> {log}
sleep 0.0$(($$ % 8 + 1))
echo "done $1 $word" > answer-$word.txt
echo "done $1 $word"
"""
RUNS, CONCURRENCY = 3, 2
PATIENCE = 120.0
WORD = re.compile(rb"done (\w+) ([0-9a-f-]{36})")
VERSIONS = {
    "iterations": "iteration-1",
    "rubric": "iteration-1",
    "improve": "v0",
    "descriptions": "d1",
    "records": "reply@1",
}
WAYS: tuple[dict[str, Any], ...] = ({}, {"named": True, "late": True}, {"kill": True})
"""At once, the second in the middle of the first, and the first killed and resumed."""


class Asked(NamedTuple):
    """What a process runs: as whom, where, and for which version."""

    agent: str
    tag: str
    root: Path
    version: str
    way: str
    state: Path
    cluster: str | None


def raced(folder: Path, family: str, rounds: int, way: str = "ours", **given: Any) -> Line:
    """Let two processes run one suite at the same moment, again and again.

    `named` names the version, `cluster` is the address of one, `late` starts the second run when
    the first has stored something, `kill` kills the first one then and resumes it in the end. An
    execution whose word is nowhere is lost, a place with words of two runs is torn; a claim that is
    left is a temporary file that is left.
    """
    kind = " ".join(["two runs at once,", family, *(name for name, on in given.items() if on)])
    total = Line(f"{kind} ({way})", 0, 0)
    for number in range(rounds):
        total += _round(folder / f"{way}-{family}-{len(given)}-{number}", family, way, **given)
    return total


def _round(
    home: Path,
    family: str,
    way: str,
    *,
    named: bool = False,
    late: bool = False,
    kill: bool = False,
    cluster: str | None = None,
) -> Line:
    root, log, agent = home / "workspace", home / "log", home / "agent.sh"
    root.mkdir(parents=True)
    FAMILIES[family](root)
    log.touch()
    agent.write_text(AGENT.format(log=log), "utf-8")
    agent.chmod(0o755)
    version = VERSIONS[family] if named else ""
    gate: Any = CONTEXT.Barrier(1 if late or kill else 2)
    one = Asked(str(agent), "one", root, version, way, home, cluster)
    first = started(_run, one, gate)
    if late or kill:
        _until(lambda: any(_words(root)))
    if kill:
        os.kill(first.pid or 0, signal.SIGKILL)
    second = started(_run, one._replace(tag="two"), gate)
    for process in (first, second):
        process.join(PATIENCE)
    if kill:
        with own_folders(home):
            _resume(root, way)
    return _line(root, log, in_work=CONCURRENCY if kill else 0)


def _run(asked: Asked, gate: Any) -> None:
    """Plan a run and work on it, as the command and its process do."""
    tempfile.tempdir = None
    os.setsid()
    with own_folders(asked.state):
        executor = Executor("agent", "command", Template((asked.agent, asked.tag)), "yours")
        request = Request(
            executor,
            versions=(asked.version,) if asked.version else (),
            runs=RUNS,
            limits=Limits(concurrency=CONCURRENCY, seconds=60.0, retries=0),
        )
        workspace = open_workspace(asked.root, cache=False)
        plan = make_plan(workspace, str(workspace.tables.suites["suite"].iloc[0]), request)
        gate.wait(PATIENCE)
        _work(new_run(plan), asked.way, asked.cluster)


def _work(folder: RunFolder, way: str, cluster: str | None = None) -> None:
    with unclaimed() if way == "naive" else nullcontext():
        work(folder.id, cluster=cluster)


def _resume(root: Path, way: str) -> None:
    for folder in all_runs(root):
        if folder.state() != "finished":
            _work(folder, way)


def _until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.005)


def _words(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield place, run and word of each execution that left something in the workspace."""
    for folder, _, files in os.walk(root):
        for file in files:
            path = Path(folder, file)
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue  # what is written for another name has taken its place by now
            name = str(path.relative_to(root))
            shared = re.match(r".*/run-\d+(?=/)|.*/runs/[\d-]+(?=/)", name)
            for tag, word in WORD.findall(data):
                yield shared[0] if shared else name, tag.decode(), word.decode()


def _line(root: Path, log: Path, in_work: int) -> Line:
    """Count what is there; at a kill, as many as were in work may have come to nothing."""
    places, stored = defaultdict[str, set[str]](set), set[str]()
    for place, tag, word in _words(root):
        places[place].add(tag)
        stored.add(word)
    executed = {line.split()[1] for line in log.read_text("utf-8").splitlines()}
    return Line(
        kind="",
        number=len(executed),
        acknowledged=len(stored),
        lost=max(0, len(executed - stored) - in_work),
        torn=sum(len(tags) > 1 for tags in places.values()),
        left=sum(1 for path in root.rglob(f".*{CLAIM}") if os.path.lexists(path)),
    )
