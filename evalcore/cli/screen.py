"""What is drawn on the terminal: styled lines and tables of an answer, and progress."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from evalcore.cli.terminal import harmless

_PIPE_WIDTH: Final = 120

Step = Callable[[int, int], None]
"""Called with what is done and with how much there is."""

ToldStep = Callable[[int, int, str], None]
"""The same, and with words for what is being done just now."""


def styled(text: object, style: str = "") -> Text:
    """Return one line of which any part may come from a file; it is never wrapped."""
    return Text(harmless(text), style)


def wrapped(text: object, style: str = "") -> Group:
    """Return a line as `styled` does that is wrapped where the terminal ends."""
    return Group(styled(text, style))


def table(names: Iterable[str], *, numbers: Iterable[str] = (), header: str = "dim") -> Table:
    """Return a table for texts that fold, and for columns of `numbers` behind them that do not."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=header)
    for name in names:
        made.add_column(name, overflow="fold")
    for name in numbers:
        made.add_column(name, justify="right", no_wrap=True)
    return made


def draw(drawn: RenderableType) -> None:
    """Draw something on stdout, without markup.

    It has no colours in a pipe or with `NO_COLOR`, and a pipe gets lines of one width.
    """
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    out = Console(markup=False, emoji=False, highlight=False, width=width)
    out.print(drawn, soft_wrap=isinstance(drawn, Text))


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
