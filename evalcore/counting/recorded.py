"""Where a run that is kept as a record holds what it produced."""

from typing import Final

from evalcore.tables.rows import RunRow

_HELD: Final = "/fields/actualOutput"


def record_at(run: RunRow) -> str:
    """Return where a run's own record begins in its document; its pointer may name the output."""
    return (run.pointer or "").removesuffix(_HELD)


def held_output(run: RunRow) -> str | None:
    """Return the pointer of the output that a run's record holds; None where it left files."""
    held = run.origin == "record" and run.outputs in (None, run.source)
    return record_at(run) + _HELD if held else None
