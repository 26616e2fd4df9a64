"""Serve a dashboard that lets in as many browsers as come, and that can be made slow.

The dashboard itself is not changed: this module starts it in a process of its own, where the door
keeps its token and the Judge page works for a while before it draws.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalcore.recent import remember
from evalcore.server import Dashboard, app_file, free_port
from evalcore.server.process import spawn
from tests.dashboard.live import ROOT, Served, own_state, write

SLOW = "TESTS_SLOW_SECONDS"
COOKIE_ALONE = "TESTS_COOKIE_ALONE"
STORE_LATER = "TESTS_STORE_LATER"
LATER_SECONDS = 60.0
"""Longer than a server goes on once it is told to end, however busy the machine is."""

SHOW_ALL = "TESTS_SHOW_ALL"
WORK_INSIDE = "TESTS_WORK_INSIDE"


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
        command = ["-m", "tests.reliability.serving", "run", str(app or app_file())]
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
        write(place / "outputs/letter.json", "Dear Mrs Iwasaki.")
    return root


def _keep_open() -> None:
    """Let the door take its token again and again: one server, many browsers."""
    from pages.parts.access.gate import Gate  # noqa: PLC0415 - only the process that serves needs it

    exchange = Gate.exchange

    def again(self: Any, token: str) -> Any:
        admission = exchange(self, token)
        if admission is not None:
            self.accept(token)
        return admission

    setattr(Gate, "exchange", again)  # noqa: B010 - a method is replaced on purpose


def _ask_for_no_key() -> None:
    """Let the door be as it was before there was a key."""
    from pages.parts.access.gate import Gate  # noqa: PLC0415

    setattr(Gate, "opens", lambda self, cookie, _: self.admitted([cookie]))  # noqa: B010


def _store_later() -> None:
    """Let judgments be acknowledged first and written afterwards, as with a careless cache."""
    from evalcore.judging.answering import writing  # noqa: PLC0415

    store: Callable[..., Any] = vars(writing)["store"]

    def hasty(folder: Any, record: Any) -> Any:
        receipt = store(folder, record)
        path = folder.root / receipt.path
        path.rename(away := path.with_suffix(".later"))
        later = threading.Timer(LATER_SECONDS, away.rename, (path,))
        later.daemon = True  # it is lost with the server
        later.start()
        return receipt

    setattr(writing, "store", hasty)  # noqa: B010


def _slow_down(seconds: float) -> None:
    """Let the desk work for a while before it takes up what the judge did."""
    from pages.parts.judge import form  # noqa: PLC0415

    look: Callable[..., Any] = vars(form)["reader_workspace"]

    def slowly(name: str) -> Any:
        time.sleep(seconds)
        return look(name)

    setattr(form, "reader_workspace", slowly)  # noqa: B010 - a function is replaced on purpose


def _show_all() -> None:
    """Hide no run from anybody."""
    from pages.parts import state  # noqa: PLC0415

    def whole(ws: Any, _: Any) -> Any:
        return ws.unmasked

    setattr(state, "workspace_for", whole)  # noqa: B010 - a function is replaced on purpose


def _work_inside() -> None:
    """Let the server work on runs itself, in a thread, as if it never ended."""
    from evalcore.engine.process import work  # noqa: PLC0415
    from pages.parts.runs import new_run  # noqa: PLC0415

    def inside(folder: Any) -> None:
        threading.Thread(target=work, args=(folder.id,)).start()

    setattr(new_run, "start", inside)  # noqa: B010 - a function is replaced on purpose


def main() -> None:
    """Change what was asked for, then be Streamlit."""
    _keep_open()
    if os.environ.get(COOKIE_ALONE):
        _ask_for_no_key()
    if os.environ.get(STORE_LATER):
        _store_later()
    if seconds := float(os.environ.get(SLOW, "0")):
        _slow_down(seconds)
    if os.environ.get(SHOW_ALL):
        _show_all()
    if os.environ.get(WORK_INSIDE):
        _work_inside()
    from streamlit.web.cli import main as streamlit  # noqa: PLC0415

    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
