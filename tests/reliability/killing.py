"""Writers are killed: at random moments, and at every call to the system that a write makes."""

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.judging.storing.sweeping import OLD_SECONDS, sweep
from tests.reliability import jobs
from tests.reliability.faulty import DEATHS
from tests.reliability.outcome import Line, left_over, made_workspace, verified
from tests.reliability.processes import acknowledged, lines, started
from tests.reliability.writers import WRITERS, record

WRITERS_AT_ONCE = 4
BATCH = 100


def at_random(folder: Path, kills: int, seed: int, way: str = "ours") -> Line:
    """Kill writers, several at once, at random moments; each begins where the last one ended."""
    total = Line(f"kill -9 at random moments ({way})", 0, 0, seed=seed)
    for batch, begun in enumerate(range(0, kills, BATCH)):
        number = min(BATCH, kills - begun)
        total += _batch(folder / f"{way}-{batch}", number, seed + batch, way)
    return total


def _batch(folder: Path, kills: int, seed: int, way: str) -> Line:
    root = made_workspace(folder / "workspace")
    books = [folder / f"book-{slot}" for slot in range(WRITERS_AT_ONCE)]
    shares = [len(range(slot, kills, WRITERS_AT_ONCE)) for slot in range(WRITERS_AT_ONCE)]
    plan = [
        (way, root, book, slot, share, seed + slot)
        for slot, (book, share) in enumerate(zip(books, shares, strict=True))
    ]
    with ThreadPoolExecutor(WRITERS_AT_ONCE) as pool:
        list(pool.map(lambda given: _kill_often(*given), plan))
    failed = sum(words[0] == "failed" for book in books for words in lines(book))
    line = verified(root, acknowledged(*books), kind="", number=kills, seed=seed)
    return line + Line("", 0, 0, lost=failed)


def _kill_often(way: str, root: Path, book: Path, slot: int, kills: int, seed: int) -> None:
    """Start writers and kill them, one after the other."""
    chance = random.Random(seed)
    for _ in range(kills):
        before = len(lines(book))
        process = started(jobs.write_on, way, root, book, slot * 1_000_000 + 1)
        while len(lines(book)) == before and process.is_alive():
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        process.join()


def swept(folder: Path) -> tuple[int, int]:
    """Sweep all workspaces below a folder ten minutes later; return how many went and stayed."""
    gone = stay = 0
    for tmp in folder.glob("*/workspace/reviews/.tmp"):
        old = time.time() - OLD_SECONDS - 60
        for path in tmp.iterdir():
            os.utime(path, (old, old))
        root = tmp.parent.parent
        gone += sweep(ReviewFolder(root, "reviews"))
        stay += left_over(root)
    return gone, stay


def at_every_call(folder: Path, death: str, way: str = "ours", kind: str = "") -> Line:
    """Kill a writer at the first call of a write, at the second, and so on until it gets through.

    After each death the same submission is stored again, which must succeed and make no second one.
    """
    assert death in DEATHS
    total = Line(f"kill -9 {death} each call ({way})", 0, 0)
    at = 0
    while True:
        at += 1
        case = folder / f"{way}-{death}-{at}"
        root, book, name = made_workspace(case / "workspace"), case / "book", new_id()
        process = started(jobs.write_and_die, way, root, book, name, at, death, at)
        process.join(60)
        total += _looked_at_twice(root, book, name, at, way)
        if process.exitcode == 0:
            return total


def _looked_at_twice(root: Path, book: Path, name: str, number: int, way: str) -> Line:
    """Count what is there after a death, and then after the same was stored again."""
    first = verified(root, acknowledged(book), kind="", number=1)
    again = WRITERS[way](root, record(name, number))
    second = verified(root, {again.id: again.sha256}, kind="", number=0)
    return first + Line("", 0, 0, second.lost, 0, second.duplicated, second.foreign)
