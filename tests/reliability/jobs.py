"""What the processes of the harness do; each has its own book, outside of the workspace."""

import itertools
import json
import os
import random
import tempfile
import time
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from evalcore.disk.replacing import digest, put
from evalcore.engine.process import work
from evalcore.errors import AlreadyStored, CannotWrite, EvalcoreError
from evalcore.judging.storing.store import new_id
from tests.reliability.faulty import DEATHS, fault_at
from tests.reliability.file_server import served
from tests.reliability.naive_runner import work_in_place
from tests.reliability.processes import Book, lines, pending
from tests.reliability.writers import WRITERS, record

THINKING = 0.001
"""How many seconds pass between reading a document and writing it."""


def write_on(way: str, root: Path, book_path: Path, first: int) -> None:
    """Store records until killed; what an earlier process left unanswered is stored again first."""
    book, begun = Book(book_path), pending(book_path)
    try:
        _write_on(way, root, book, begun, first + len(lines(book_path)))
    except (EvalcoreError, OSError) as error:  # nothing but the killing should end it
        book.note("failed", type(error).__name__)


def _write_on(way: str, root: Path, book: Book, begun: tuple[str, str] | None, first: int) -> None:
    store = WRITERS[way]
    if begun is not None:
        again = store(root, record(begun[1], int(begun[0])))
        book.note("ack", again.id, again.sha256)
    for number in itertools.count(first):
        name = new_id()
        book.note("begin", number, name)
        stored = store(root, record(name, number))
        book.note("ack", stored.id, stored.sha256)


def write_and_die(
    way: str, root: Path, book_path: Path, name: str, number: int, death: str, at: int
) -> None:
    """Store one record, and be killed at one of the system calls of it."""
    book, one = Book(book_path), record(name, number)
    with fault_at(at, DEATHS[death]):
        stored = WRITERS[way](root, one)
        book.note("ack", stored.id, stored.sha256)


def write_when_told(root: Path, book_path: Path, name: str, number: int, start: Path) -> None:
    """Store one record when a byte comes through a pipe; a tracer has come by then."""
    book, one = Book(book_path), record(name, number)
    with tempfile.TemporaryDirectory() as elsewhere:
        WRITERS["ours"](Path(elsewhere), record(new_id(), 0))  # all code is loaded
    told = os.open(start, os.O_RDWR)  # so that only the reading waits
    book.note("ready")
    os.read(told, 1)
    with suppress(CannotWrite, OSError):  # the noting may be what fails
        stored = WRITERS["ours"](root, one)
        book.note("ack", stored.id, stored.sha256)


def race(way: str, root: Path, book_path: Path, gate: Any, rounds: list[tuple[str, str]]) -> None:
    """Store the records of all rounds, each at the same moment as the other processes."""
    book, me = Book(book_path), os.getpid()
    for name, kind in rounds:
        number = {"same": name, "other": f"{name}-{me}", "own": f"{name}-{me}"}[kind]
        one = record(new_id() if kind == "own" else name, number)
        gate.wait(60)
        try:
            stored = WRITERS[way](root, one)
        except AlreadyStored:
            book.note("refused", name)
        except OSError as error:
            book.note("failed", name, type(error).__name__)
        else:
            book.note("ack", stored.id, stored.sha256, "new" if stored.new else "old")


def count_up(way: str, path: Path, book_path: Path, gate: Any, times: int, server: str) -> None:
    """Add to the number in a document that others write too."""
    book, add = Book(book_path), {"ours": _compare_and_set, "naive": _read_modify_write}[way]
    done = 0
    gate.wait(60)
    chance = random.Random(os.getpid())
    for _ in range(times * 100):  # a torn document would never be read again
        if done < times:
            with served(server, chance) if server else nullcontext():
                added = add(path)
            if added:
                done += 1
                book.note("ack", f"{os.getpid()}-{done}", "-")


def _compare_and_set(path: Path) -> bool:
    read = path.read_bytes()
    value = json.loads(read)
    time.sleep(THINKING)
    data = json.dumps(value | {"count": value["count"] + 1}).encode()
    try:
        put(path.parent, path.name, data, seen=digest(read))
    except CannotWrite:  # somebody else was quicker, or the disk says that nothing was written
        return False
    return True


def _read_modify_write(path: Path) -> bool:
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError:  # somebody else is writing it
        return False
    time.sleep(THINKING)
    path.write_text(json.dumps(value | {"count": value["count"] + 1}), "utf-8")
    return True


def fill(way: str, root: Path, book_path: Path, limit: int | None = None) -> None:
    """Store records until the disk is full; `limit` lets files be so large at most."""
    if limit is not None:
        import resource  # noqa: PLC0415 - only where there is no small disk
        import signal  # noqa: PLC0415

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    book = Book(book_path)
    for number in range(1, 500):
        one = record(new_id(), number, size=500 * number if limit else 6_000)
        try:
            stored = WRITERS[way](root, one)
        except (CannotWrite, OSError) as error:
            book.note("refused", one.id, str(error).replace("\n", " "))
            return
        book.note("ack", stored.id, stored.sha256)


def write_as_nobody(way: str, root: Path, book_path: Path) -> None:
    """Store one record as a user who may not write there."""
    book = Book(book_path)
    with tempfile.TemporaryDirectory() as elsewhere:
        WRITERS[way](Path(elsewhere), record(new_id(), 0))  # all code is loaded
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    one = record(new_id(), 1)
    try:
        stored = WRITERS[way](root, one)
    except (CannotWrite, OSError) as error:
        book.note("refused", one.id, str(error).replace("\n", " "))
    else:
        book.note("ack", stored.id, stored.sha256)


def disturb(folder: Path, outside: Path, done: Path, seed: int) -> None:
    """Put all kinds of things in the place of files, and then what was there, until told `done`."""
    kept = {path: path.read_bytes() for path in sorted(folder.glob("*.json"))}
    chance, until = random.Random(seed), time.monotonic() + 180
    while not done.exists() and time.monotonic() < until:
        path = chance.choice(list(kept))
        _swap(_cleared(path), kept[path], chance, outside)
        time.sleep(0.001)
        _cleared(path).write_bytes(kept[path])
        time.sleep(0.001)


def _swap(path: Path, data: bytes, chance: random.Random, outside: Path) -> None:
    """Put one thing or another where a file was; sometimes nothing."""
    contents = (data[: len(data) // 2], b"", b"\0" * len(data), b"[" * 5_000)
    match chance.choice(("content", "link", "pipe", "folder", "huge", "nothing")):
        case "content":
            path.write_bytes(chance.choice(contents))
        case "link":
            path.symlink_to(chance.choice((outside / "secret.json", path, Path("/dev/zero"))))
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 33)


def _cleared(path: Path) -> Path:
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    return path


def work_on_run(name: str, environment: dict[str, str], way: str) -> None:
    """Work on a run, as its process does."""
    os.environ.update(environment)
    tempfile.tempdir = None
    os.setsid()
    if way == "naive":
        work_in_place(name)
    else:
        work(name)
