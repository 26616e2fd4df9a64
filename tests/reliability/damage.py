"""Files of an index are damaged between two openings: a bit, a page, the end, all of it."""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from evalcore import Workspace, open_workspace
from evalcore.tables import spool
from evalcore.tables.cells import values
from evalcore.workspace import index
from tests.reliability.outcome import Line
from tests.reliability.processes import Book, lines, started
from tests.workspace.trees import SEEDS, settle

PAGE = 4096
SPOOLED = 256
"""Columns of strings larger than this are files of their own, so that some are, in little data."""

LONGEST = 0.2
"""Seconds within which a process that has begun an index is killed."""


class Case(NamedTuple):
    """One damage: its number, its kind, and where chance takes it."""

    number: int
    kind: str
    seed: int


class Place(NamedTuple):
    """A workspace, the cache with an index of it, and a copy of that whole index."""

    root: Path
    cache: Path
    made: Path
    kept: Path


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Turn over one bit."""
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def zeroed(data: bytes, chance: random.Random) -> bytes:
    """Make a page zeros; the last one may be short."""
    start = chance.randrange(0, len(data), PAGE)
    page = data[start : start + PAGE]
    return data[:start] + b"\0" * len(page) + data[start + PAGE :]


def cut(data: bytes, chance: random.Random) -> bytes:
    """Leave out the end, sometimes all."""
    return data[: chance.choice((0, chance.randrange(len(data))))]


DAMAGE: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "one bit": flipped,
    "a page of zeros": zeroed,
    "the end cut off": cut,
}


def of_an_index(folder: Path, kind: str, number: int, seed: int, way: str = "ours") -> Line:
    """Damage an index again and again, and read the tables each time."""
    cases = [Case(at, kind, seed + at) for at in range(number)]
    answers = _read(folder / "book", _made(folder), cases, way)
    return _line(f"{kind} of an index ({way})", answers, seed)


def in_the_making(folder: Path, number: int, seed: int) -> Line:
    """Kill processes that make an index, and read what they left."""
    place, chance = _made(folder), random.Random(seed)
    answers: list[str] = []
    for at in range(number):
        shutil.rmtree(place.cache)
        maker = started(open_once, place.root, place.cache)
        while maker.is_alive() and not any(place.made.parent.glob("new-*")):
            time.sleep(0.001)
        time.sleep(chance.uniform(0, LONGEST))
        maker.kill()
        maker.join()
        answers += _read(folder / f"book-{at}", place, [Case(at, "", seed)], "ours")
    return _line("kill -9 while an index is made (ours)", answers, seed)


def checks(folder: Path, number: int, seed: int) -> Line:
    """Run `evalcore check` on a damaged index: it must say what it says without one."""
    place, kinds = _made(folder), list(DAMAGE)
    expected = _check(place.root, Path("/dev/null/none"))
    answers = []
    for at in range(number):
        _damage(place, Case(at, kinds[at % len(kinds)], seed + at))
        found = _check(place.root, place.cache)
        crashed = found.returncode < 0 or "Traceback" in found.stderr
        same = (found.returncode, found.stdout) == (expected.returncode, expected.stdout)
        answers.append("failed" if crashed else "right" if same else "wrong")
    return _line("evalcore check on a damaged index (ours)", answers, seed)


def _check(root: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "evalcore", "check", str(root)],
        env={**os.environ, "EVALCORE_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )


def _line(kind: str, answers: list[str], seed: int) -> Line:
    """Count right readings as acknowledged, wrong ones as lost, crashes and exceptions as torn."""
    right, wrong, failed = map(answers.count, ("right", "wrong", "failed"))
    return Line(kind, len(answers), right, lost=wrong, torn=failed, seed=seed)


def _made(folder: Path) -> Place:
    """Make a workspace of all families with old files, and an index of it."""
    root, cache, kept = folder / "workspace", folder / "cache", folder / "kept"
    shutil.copytree(SEEDS, root)
    settle(root)
    started(open_once, root, cache).join(60)
    made = next((cache / "index").iterdir())
    shutil.copytree(made, kept)
    return Place(root, cache, made, kept)


def _damage(place: Place, case: Case) -> None:
    """Put the whole index back, then damage one file; every other time the larger ones."""
    shutil.rmtree(place.made, ignore_errors=True)
    shutil.copytree(place.kept, place.made)
    files = sorted(path for path in place.made.iterdir() if path.stat().st_size)
    sizes = [path.stat().st_size for path in files] if case.number % 2 else None
    chance = random.Random(case.seed)
    while True:
        path = chance.choices(files, sizes)[0]
        data = path.read_bytes()
        damaged = DAMAGE[case.kind](data, chance)
        if damaged != data:  # a page may have been zeros before
            path.write_bytes(damaged)
            return


def _read(book: Path, place: Place, cases: list[Case], way: str) -> list[str]:
    """Return the answer to each case; a process that dies failed at the one it had begun."""
    answers: dict[str, str] = {}
    while left := [case for case in cases if str(case.number) not in answers]:
        reader = started(read_damaged, place, book, left, way)
        reader.join(600)
        reader.kill()
        before = len(answers)
        answers = {words[1]: words[2] for words in lines(book)}
        assert len(answers) > before, "a process could not begin"
    return list(answers.values())


def open_once(root: Path, cache: Path) -> None:
    """Open the workspace, which makes an index."""
    os.environ["EVALCORE_CACHE_DIR"] = str(cache)
    spool.SMALL = SPOOLED
    open_workspace(root)


def read_damaged(place: Place, book_path: Path, cases: list[Case], way: str) -> None:
    """Read the tables after each damage, and note whether they are those of the files."""
    os.environ["EVALCORE_CACHE_DIR"] = str(place.cache)
    spool.SMALL = SPOOLED
    if way == "naive":
        _believe()
    expected, book = _whole(open_workspace(place.root, cache=False)), Book(book_path)
    for case in cases:
        if case.kind:
            _damage(place, case)
        book.note("read", case.number, "failed")  # unless it comes to an answer
        with suppress(Exception):  # whatever it is, nobody should see it
            right = _whole(open_workspace(place.root)) == expected
            book.note("read", case.number, "right" if right else "wrong")


def _believe() -> None:
    """Read an index as it is, whatever its digests say."""
    vars(index)["digests"] = lambda _, names: names
    vars(index)["checked"] = lambda data: data.partition(b"\n")[2]


def _whole(ws: Workspace) -> dict[str, Any]:
    """Return every column of every table with its texts, and what was not recognised."""
    tables = {
        name: {column: values(found) for column, found in table.items()}
        for name, table in ws.tables.columns.items()
    }
    return {**tables, "unrecognised": ws.unrecognised}
