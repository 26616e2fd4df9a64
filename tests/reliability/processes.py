"""Processes that start quickly, and the book of what was acknowledged, kept outside."""

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import ModuleType

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["tests.reliability.reading", "tests.reliability.jobs", "tests.versions.at_once"]
)

_starting = threading.Lock()


def started(job: Callable[..., object], *given: object) -> ForkServerProcess:
    """Start a process that does a job; it takes a few milliseconds.

    It would import the main module of this process first, pytest's or whatever it is, which takes
    far longer than the job: for the moment of the start there is an empty one.
    """
    process = CONTEXT.Process(target=job, args=given, daemon=True)
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
        finally:
            sys.modules["__main__"] = main
    return process


class Book:
    """What one writer began and what was acknowledged to it; a line is there or it is not."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._write = os.write

    def note(self, *words: object) -> None:
        """Add a line."""
        self._write(self._file, (" ".join(map(str, words)) + "\n").encode())


def lines(path: Path) -> list[list[str]]:
    """Return the whole lines of a book, as words."""
    if not path.exists():
        return []
    whole = path.read_text("utf-8").rpartition("\n")[0]
    return [line.split() for line in whole.splitlines()]


def acknowledged(*books: Path) -> dict[str, str]:
    """Return id and sha256 of everything that was acknowledged."""
    return {words[1]: words[2] for book in books for words in lines(book) if words[0] == "ack"}


def pending(book: Path) -> tuple[str, str] | None:
    """Return number and id of the last submission that was begun and not acknowledged."""
    for words in reversed(lines(book)):
        if words[0] == "ack":
            return None
        if words[0] == "begin":
            return words[1], words[2]
    return None
