"""Judges at their windows, all at once; and windows and servers that are cut off while they store.

Each is a session of the served Judge page over a websocket of its own, without a browser: the
server does all that it does for one.
"""

import hashlib
import json
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from websockets.exceptions import ConnectionClosed

from evalcore.server import Dashboard
from tests.dashboard.live import Served
from tests.reliability.client import Session
from tests.reliability.outcome import Line
from tests.reliability.served import STORE_LATER
from tests.reliability.serving import answering, begun, letters, serving

CRITERIA = ("Names the customer", "States the total")
AHEAD = 2
CUT_OFF = (ConnectionClosed, OSError, EOFError)


@dataclass(frozen=True)
class Shown:
    """One receipt that stood on a screen, and how long after the storing was asked for."""

    id: str
    sha256: str
    path: str
    seconds: float


def many_at_once(folder: Path, sessions: int = 10, each: int = 50) -> Line:
    """Let sessions, each of a judge of its own, store all runs of one suite at the same time.

    Lost is a receipt whose file is missing or has other bytes; duplicated a judgment more or less
    than one for each judge, run and criterion; foreign changed what of somebody else's was sent to
    a judge who had not stored yet.
    """
    root = letters(folder / "post", each)
    gate = threading.Barrier(sessions)
    with serving(root, folder / "state") as (served, _), ThreadPoolExecutor(sessions) as pool:
        windows = [_let_in(served, f"Judge {number}") for number in range(sessions)]
        done = list(pool.map(lambda window: _judge_all(window, each, gate), windows))
    shown = [receipt for receipts, _ in done for receipt in receipts]
    held = records(root)
    about = Counter(_about(record) for record in held.values())
    ms = sorted(receipt.seconds * 1000 for receipt in shown)
    cuts = quantiles(ms, n=100)
    return Line(
        f"{sessions} sessions store {sessions * each} judgments at once",
        sessions * each,
        len(shown),
        lost=sum(not stands(root, receipt) for receipt in shown),
        duplicated=abs(len(held) - sessions * each) + sum(n - 1 for n in about.values()),
        foreign=sum(leaks for _, leaks in done),
        remark=f"{len(held)} records; store to receipt p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} "
        f"ms, max {ms[-1]:.0f} ms",
    )


def _let_in(served: Served, name: str) -> Session:
    served.let_in()
    window = Session(served)
    window.open()
    window.be(name)
    return window


def _judge_all(window: Session, each: int, gate: threading.Barrier) -> tuple[list[Shown], int]:
    """Store run after run; return the receipts, and how often others' words came too soon."""
    me = window.data["judge"]["id"]
    receipts: list[Shown] = []
    with window:
        gate.wait(60)
        for number in range(each):
            start = time.monotonic()
            window.act("store", **window.filled(number % 2, f"WORDS OF {me}"))
            receipts += receipts_of(window.data, window.drawn_at - start)
    leaks = sum(b"MACHINE" in frame or b"WORDS OF" in frame for frame in window.frames)
    return receipts, leaks


def receipts_of(data: dict[str, Any], seconds: float = 0.0) -> list[Shown]:
    """Return the receipts that a panel shows for what it has just stored; none if it failed."""
    if not (data.get("answer") or {}).get("ok") or not data.get("receipt"):
        return []
    rows = data["receipt"]["rows"]
    return [Shown(row["id"], row["sha256"], row["path"], seconds) for row in rows]


def stands(root: Path, receipt: Shown) -> bool:
    """Say whether a file holds what a receipt promises; a panel shows the sha256's beginning."""
    path = root / receipt.path
    if not path.is_file() or path.stem != receipt.id:
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest().startswith(receipt.sha256)


def records(root: Path) -> dict[Path, dict[str, Any]]:
    """Return the judgments on the disk."""
    return {
        path: json.loads(path.read_text("utf-8"))
        for path in root.glob("**/reviews/eval-judgment/*.json")
    }


def _about(record: dict[str, Any]) -> tuple[str, ...]:
    fields = record["fields"]
    return (fields["judgedBy"], fields["testRunId"], fields["criterionId"])


def lines_cut(folder: Path, number: int, seed: int) -> Line:
    """Cut the connection at a random moment while a judge stores, and store the same once more."""
    root, chance = letters(folder / "post", number, CRITERIA), random.Random(seed)
    shown: list[Shown] = []
    answered = 0
    with serving(root, folder / "state") as (served, _):
        served.let_in()
        for _ in range(number):
            with Session(served) as first:
                run, body = _begun(first)
                answered += bool(_until(first, run, body, chance.uniform(0, 0.08), first.cut))
            with Session(served) as again:
                again.open()
                shown += receipts_of(again.act("store", **body, run=run))
    return _counted(root, f"{number} connections cut while storing", number, shown, seed, answered)


def servers_killed(folder: Path, number: int, seed: int, *, naive: bool = False) -> Line:
    """Kill the server at a random moment while a judge stores, and store it again at the next.

    The next servers are started in advance: they take longest. A naive one acknowledges first and
    writes afterwards.
    """
    changes = {STORE_LATER: "yes" if naive else ""}
    kind = f"{number} {'naive ' if naive else ''}servers killed while storing"
    root, chance = letters(folder / "post", number, CRITERIA), random.Random(seed)
    shown: list[Shown] = []
    answered, pending = 0, None
    with ExitStack() as running:
        waiting: deque[Dashboard] = deque()
        for turn in range(number + 1):
            while len(waiting) < min(AHEAD, number + 1 - turn):
                waiting.append(begun(root, folder / "state", changes))
                running.callback(waiting[-1].stop)
            dashboard = waiting.popleft()
            with answering(dashboard) as served, _judging(served) as window:
                if pending is not None:
                    shown += receipts_of(window.act("store", **pending[1], run=pending[0]))
                if turn == number:
                    break
                window.act("go", to=None)  # to the next that waits, from one that was stored
                pending = run, body = _body(window)
                before = _until(window, run, body, chance.uniform(0, 0.15), dashboard.process.kill)
                answered += bool(before)
                shown += before
    return _counted(root, kind, number, shown, seed, answered)


@contextmanager
def _judging(served: Served) -> Iterator[Session]:
    """Open the page in a browser that was let in, and say who judges."""
    served.let_in()
    with Session(served) as window:
        window.open()
        if window.data["judge"] is None:  # another server lets in anew, and asks who it is
            window.be("Ana")
        yield window


def _begun(window: Session) -> tuple[str, dict[str, Any]]:
    window.open()
    if window.data["judge"] is None:
        window.be("Ana")
    return _body(window)


def _body(window: Session) -> tuple[str, dict[str, Any]]:
    run = str(window.data["task"]["run"])
    return run, window.filled(1, f"So it is with {run}.")


def _until(
    window: Session, run: str, body: dict[str, Any], seconds: float, fault: Callable[[], None]
) -> list[Shown]:
    """Store, let the fault come so many seconds later, and return the receipts that came before."""
    timer = threading.Timer(seconds, fault)
    timer.start()
    with suppress(*CUT_OFF):
        return receipts_of(window.act("store", **body, run=run))
    timer.join()
    return []


def _counted(
    root: Path, kind: str, number: int, shown: Iterable[Shown], seed: int, answered: int
) -> Line:
    receipts, held = list(shown), records(root)
    about = Counter(_about(record) for record in held.values())
    acknowledged = {receipt.id for receipt in receipts}
    wanted = number * len(CRITERIA)
    return Line(
        kind,
        number,
        len(acknowledged),
        seed=seed,
        lost=sum(not stands(root, receipt) for receipt in receipts) + wanted - len(acknowledged),
        duplicated=abs(len(held) - wanted) + sum(n - 1 for n in about.values()),
        remark=f"{len(held)} records; {answered} receipts came before the fault, the others with "
        "the second try",
    )
