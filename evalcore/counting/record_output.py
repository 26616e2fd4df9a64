"""Pointers to a run's record and to the output inside it."""

from typing import Final

from evalcore.tables.rows import RunRow

_HELD: Final = "/fields/actualOutput"


def record_pointer(run: RunRow) -> str:
    """Return the pointer of a run's own record in its document."""
    return (run.pointer or "").removesuffix(_HELD)


def output_pointer(run: RunRow) -> str | None:
    """Return the pointer of the output inside a run's record; None if it has output files."""
    held = run.origin == "record" and run.outputs in (None, run.source)
    return record_pointer(run) + _HELD if held else None
