"""The other runs of the same case: repeats beside it, and other versions and configurations."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalcore.counting.cells import typed, where
from evalcore.layouts.order import natural
from evalcore.tables.rows import RunRow, VersionRow
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another run of the same case, with its position among its repeats (`2 of 3`)."""

    run: RunRow
    position: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The runs of the same case in one other version and configuration."""

    version: str
    configuration: str
    runs: tuple[RunRow, ...]


def runs_of_case(ws: Workspace, run: RunRow) -> list[RunRow]:
    """Return every run of a run's case, repeats in their natural order."""
    found = where(ws, "runs", suite=run.suite, case_id=run.case_id)
    return sorted(typed(ws, "runs", RunRow, found), key=lambda row: natural(row.run or ""))


def repeats(every: Iterable[RunRow], run: RunRow) -> tuple[Sibling, ...]:
    """Return the runs of the same version and configuration, each with its position among them."""
    side = (run.version, run.configuration)
    same = [row for row in every if (row.version, row.configuration) == side]
    return tuple(
        Sibling(row, wording.position_of(number, len(same)), chosen=row.run_id == run.run_id)
        for number, row in enumerate(same, 1)
    )


def elsewhere(ws: Workspace, every: Iterable[RunRow], run: RunRow) -> tuple[Elsewhere, ...]:
    """Return the other versions and configurations of the case, in the order of the versions."""
    rows = typed(ws, "versions", VersionRow, where(ws, "versions", suite=run.suite))
    order = {row.version: row.position or 0 for row in rows}
    sides: dict[tuple[str, str], list[RunRow]] = {}
    for row in every:
        if (row.version, row.configuration) != (run.version, run.configuration):
            sides.setdefault((row.version or "", row.configuration or ""), []).append(row)
    names = sorted(sides, key=lambda side: (order.get(side[0], len(order)), *map(natural, side)))
    return tuple(Elsewhere(*side, tuple(sides[side])) for side in names)
