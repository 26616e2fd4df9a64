"""Servers are killed after somebody clicked on Start: what was begun goes on.

Each is a real dashboard; the click comes over a websocket, without a browser. Each copy of the demo
executes and judges by the program and the rules that come with it.
Every other server is killed as soon as the journal says that the run is being worked on, however
long a busy machine takes until then; the others at random moments.
"""

import random
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from evalcore.cli.checking import check_folder
from evalcore.demo import packaged
from evalcore.engine.journal import Begun, events
from evalcore.engine.store import RunFolder, all_runs
from evalcore.server import Dashboard
from tests.dashboard.live import own_state
from tests.reliability.client import Session
from tests.reliability.outcome import Line
from tests.reliability.served import WORK_INSIDE
from tests.reliability.serving import answering, begun
from tests.reliability.sessions import AHEAD, CUT_OFF

SUITE = "release-notes"
MOST_SECONDS = 2.5
"""Between the click and a kill at random: before the run begins, during it, or after its end."""

PATIENCE = 60.0


def killed(folder: Path, number: int, seed: int, *, naive: bool = False) -> Line:
    """Kill servers after a click on Start, and look at each run from the next server.

    Lost is a run that was on screen, or begun, and did not finish, or that the next server does not
    show; torn a problem in the folder that was not there before, and stays when no run is worked
    on. A naive server works on the run itself.
    """
    root, state, chance = folder / "demo", folder / "state", random.Random(seed)
    shutil.copytree(packaged(), root)
    before, changes = _problems(root), {WORK_INSIDE: "yes" if naive else ""}
    shown, lost, cut_off = list[str](), 0, 0
    with ExitStack() as running:
        waiting: deque[Dashboard] = deque()
        for turn in range(number + 1):
            while len(waiting) < min(AHEAD, number + 1 - turn):
                waiting.append(begun(root, state, changes))
                running.callback(waiting[-1].stop)
            dashboard = waiting.popleft()
            with answering(dashboard) as served:
                served.let_in()
                if shown:
                    lost += not _shows_its_end(Session(served, "runs", suite=SUITE, id=shown[-1]))
                if turn == number:
                    break
                seconds = chance.uniform(0, MOST_SECONDS) if turn % 2 else None
                window = Session(served, "runs", suite=SUITE, new="1")
                with own_state(state):
                    known = {each.id for each in all_runs(root)}
                    name = _click(window, partial(_kill, dashboard, root, known, seconds))
            with own_state(state):
                made = next(all_runs(root), None)
                if made is not None and made.id not in shown:
                    cut_off += made.is_worked_on()
                    _wait(made)
                    if name or made.state() != "planned":
                        shown.append(made.id)
                        lost += made.state() != "finished"
                lost += bool(name) and (made is None or made.id != name)
    torn = _problems(root) - before
    if torn:
        # A run whose process began only after its server was killed may be writing until now.
        with own_state(state):
            for each in all_runs(root):
                _wait(each)
        torn = _problems(root) - before
    kind = f"{number} {'naive ' if naive else ''}servers killed after a run was started"
    return Line(
        kind,
        number,
        len(shown),
        lost=lost,
        torn=len(torn),
        seed=seed,
        remark=f"{cut_off} runs were being worked on when their server was killed",
    )


def _click(window: Session, kill: Callable[[], None]) -> str:
    """Start a run, kill the server meanwhile, and return the run's id if it came on screen."""
    killer = threading.Thread(target=kill)
    with window:
        window.open()
        killer.start()
        with suppress(*CUT_OFF):
            window.click("Start ")
            while True:  # until the line is cut
                window.listen()
        killer.join()
        return window.parameter("id")


def _kill(dashboard: Dashboard, root: Path, known: set[str], seconds: float | None) -> None:
    """Kill a server so many seconds later; with None, when the run that it starts is worked on."""
    if seconds is None:
        _wait_until_worked_on(root, known)
    else:
        time.sleep(seconds)
    dashboard.process.kill()


def _wait_until_worked_on(root: Path, known: set[str]) -> None:
    """Wait for the journal of a new run to begin; a server that starts none is killed all the same.

    Not for its lock: the server takes it and gives it to the run's process.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        made = next(all_runs(root), None)
        begun = made is not None and made.id not in known and events(made.path)
        if begun and any(isinstance(each, Begun) for each in begun):
            return
        time.sleep(0.005)


def _shows_its_end(window: Session) -> bool:
    with window:
        window.open()
        return any(f"{SUITE}: finished".encode() in frame for frame in window.frames)


def _wait(folder: RunFolder) -> None:
    end = time.monotonic() + PATIENCE
    while folder.is_worked_on() and time.monotonic() < end:
        time.sleep(0.02)


def _problems(root: Path) -> set[tuple[str, str, str]]:
    found = check_folder(root).problems
    return {(each.path, each.pointer, each.code) for each in found if each.severity != "info"}
