"""A run of the engine beside a bare loop of the same calls: `subprocess.run` in as many threads."""
# ruff: noqa: PLC0415 - a method imports what it needs itself, so that no other pays for it

import json
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Json = Any
Work = Callable[[], Json]

SLEEPING = ("/bin/sh", "-c", "sleep 1; echo done")
QUICK = ("/bin/sh", "-c", "echo done")


def engine(asked: Json) -> Work:
    """Carry out a planned run in this process, as the process of a run does."""
    from evalcore.engine.process import work

    home = _home(asked)
    folder = _planned(home, asked)

    def run() -> Json:
        before = _own()
        how = work(folder.id)
        return _answer(home, before, lambda: (how, folder.progress().done))

    return run


def bare(asked: Json) -> Work:
    """Make the calls of a run, each in a new folder, in as many threads."""
    home = _home(asked)

    def call(number: int) -> bytes:
        place = Path(tempfile.mkdtemp(dir=home))
        command, prompt = _command(asked), f"Do {number}.".encode()
        done = subprocess.run(command, cwd=place, input=prompt, capture_output=True, check=True)
        shutil.rmtree(place)
        return done.stdout

    def run() -> Json:
        before = _own()
        with ThreadPoolExecutor(asked["concurrency"]) as pool:
            done = list(pool.map(call, range(asked["cases"])))
        return _answer(home, before, lambda: ("finished", done.count(b"done\n")))

    return run


def _answer(home: Path, before: float, done: Callable[[], tuple[str, int]]) -> Json:
    """Return CPU seconds of this process alone, and what was done, asked afterwards."""
    own = _own() - before

    def answer() -> Json:
        how, count = done()
        shutil.rmtree(home)
        return {"own": own, "how": how, "done": count}

    return answer


def _own() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _command(asked: Json) -> tuple[str, ...]:
    return QUICK if asked["quick"] else SLEEPING


def _home(asked: Json) -> Path:
    """Return a new folder beside the workspaces, and let the engine keep its own in it."""
    home = Path(tempfile.mkdtemp(prefix="run-", dir=asked["base"]))
    for name in ("STATE", "CACHE", "CONFIG"):
        os.environ[f"EVALCORE_{name}_DIR"] = str(home / name.lower())
    return home


def _planned(home: Path, asked: Json) -> Any:
    """Plan a run of a suite of so many cases, which rules decide."""
    from evalcore.engine.plan import Executor, Limits, Template
    from evalcore.engine.planning import Request, make_plan
    from evalcore.engine.store import new_run
    from evalcore.workspace.opened import open_workspace

    skill = home / "folder" / "writer"
    (skill / "evals").mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: writer\ndescription: Use when\n---\nWrite.\n")
    evals = [
        {"id": number, "prompt": f"Do {number}.", "expectations": ['contains "done"']}
        for number in range(1, asked["cases"] + 1)
    ]
    document = {"skill_name": "writer", "evals": evals}
    (skill / "evals/evals.json").write_text(json.dumps(document), "utf-8")
    template = Template(_command(asked), sees_workspace=not asked["hidden"])
    request = Request(
        Executor("agent", "command", template, "yours"),
        configurations=("with_skill",),
        limits=Limits(concurrency=asked["concurrency"], seconds=60.0, retries=0),
    )
    workspace = open_workspace(home / "folder", cache=False)
    (suite,) = workspace.tables.suites["suite"].tolist()
    return new_run(make_plan(workspace, suite, request))
