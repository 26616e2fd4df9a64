"""Serve a dashboard that lets in as many browsers as come, and that can be made slow."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalcore.recent import remember
from evalcore.server import Dashboard, app_file, free_port
from evalcore.server.process import spawn
from tests.dashboard.live import ROOT, Served, own_state, write
from tests.reliability.served import COOKIE_ALONE, SHOW_ALL, SLOW


@contextmanager
def serving(
    workspace: Path,
    state: Path,
    *,
    slow: float = 0.0,
    app: Path | None = None,
    cookie_alone: bool = False,
    show_all: bool = False,
) -> Iterator[tuple[Served, Dashboard]]:
    """Serve a workspace; each run of the Judge page's script takes `slow` seconds longer.

    `let_in` of what is served gives another browser's cookie each time. `app` is another script
    to serve instead of the dashboard; with `cookie_alone` the key is not asked for, and with
    `show_all` nothing is hidden from a judge.
    """
    changes = {
        "TESTS_WORKSPACE": str(workspace),
        SLOW: str(slow),
        COOKIE_ALONE: "yes" if cookie_alone else "",
        SHOW_ALL: "yes" if show_all else "",
    }
    found = begun(workspace, state, changes, app)
    with answering(found) as served:
        yield served, found


def begun(
    workspace: Path, state: Path, changes: dict[str, str], app: Path | None = None
) -> Dashboard:
    """Start a server and return at once; `changes` are variables of its environment."""
    with own_state(state):
        name = remember(workspace)
        environment = os.environ | changes | {"EVALCORE_OPEN": name}
        command = ["-m", "tests.reliability.served", "run", str(app or app_file())]
        return spawn(command, free_port(0), name, environment=environment, folder=ROOT)


@contextmanager
def answering(dashboard: Dashboard) -> Iterator[Served]:
    """Wait until a server answers, and end it afterwards."""
    try:
        assert dashboard.wait_until_ready(), "the dashboard did not start"
        yield Served(dashboard.port, dashboard.workspace, dashboard.token)
    finally:
        dashboard.stop()


def letters(root: Path, runs: int, criteria: tuple[str, ...] = ("Names the customer",)) -> Path:
    """Write a suite of one case with so many runs, each graded by a model, and return its folder.

    What the model said has the word MACHINE in it.
    """
    evals = {
        "skill_name": "letters",
        "evals": [
            {
                "id": 1,
                "name": "letter",
                "prompt": "Write a letter.",
                "expected_output": "A letter.",
                "expectations": list(criteria),
            }
        ],
    }
    write(root / "letters/evals/evals.json", evals)
    case = root / "letters-workspace/iteration-1/eval-1"
    write(case / "eval_metadata.json", {"eval_id": 1, "eval_name": "letter"})
    given = [{"text": text, "passed": True, "evidence": "MACHINE"} for text in criteria]
    passed = {"passed": len(given), "failed": 0, "total": len(given), "pass_rate": 1.0}
    for run in range(1, runs + 1):
        place = case / f"with_skill/run-{run}"
        write(place / "grading.json", {"expectations": given, "summary": passed})
        # Other bytes for each run: else they would be copies of one.
        write(place / "outputs/letter.json", "Dear Mrs Iwasaki." + " " * run)
    return root
