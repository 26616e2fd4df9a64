"""Terminal output of the commands: a console for the answer, and progress on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console

_PIPE_WIDTH: Final = 120

Step = Callable[[int, int], None]
"""Called with what is done and with how much there is."""

ToldStep = Callable[[int, int, str], None]
"""The same, and with words for what is being done just now."""


def console() -> Console:
    """Return a console for stdout that interprets no markup.

    It has no colours in a pipe or with `NO_COLOR`, and a pipe gets lines of one width.
    """
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(markup=False, emoji=False, highlight=False, width=width)


@contextmanager
def progress(label: str) -> Iterator[Step]:
    """Show the progress of a long task on a terminal; elsewhere nothing is written."""
    with told_progress(label) as step:
        yield lambda done, whole: step(done, whole, "")


@contextmanager
def told_progress(label: str) -> Iterator[ToldStep]:
    """Show the progress of a long task with what is being done just now."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich.progress import (  # noqa: PLC0415 - a pipe need not wait for it
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
    )

    words = TextColumn("{task.description}", markup=False)
    bar = Progress(
        words, BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True
    )
    with bar:
        task = bar.add_task(label, total=None)

        def step(done: int, whole: int, now: str) -> None:
            words = f"{label}: {now}" if now else label
            bar.update(task, completed=done, total=whole, description=words)

        yield step


def _silent(done: int, whole: int, now: str) -> None:
    del done, whole, now
