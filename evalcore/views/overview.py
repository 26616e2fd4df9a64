"""Where a suite stands and where to look: versions, counts, weak criteria, benchmark runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed, where
from evalcore.counting.focus import UNASSIGNED, Filter, focus_of, focused
from evalcore.counting.kept import kept
from evalcore.counting.outcomes import Column, Outcomes, outcomes
from evalcore.counting.rates import NOTHING, Rate, rates
from evalcore.tables.rows import BenchmarkRunRow, VersionRow
from evalcore.views import wording
from evalcore.views.overview_suites import SuiteLine, newest_file, suite_lines
from evalcore.views.overview_weak import Weakest, weakest
from evalcore.workspace.opened import Workspace


class VersionLine(NamedTuple):
    """One version: what is known about it, and the headline of each of its configurations."""

    version: str
    about: VersionRow | None
    columns: tuple[tuple[Column, Rate], ...]


@dataclass(frozen=True)
class Overview:
    """What the landing page says about one suite; `counts` are of the column in focus.

    `ran` is how many cases have a run in it, `repeated` how many of these have several.
    """

    line: SuiteLine
    before: Column | None
    ran: int
    repeated: int
    versions: tuple[VersionLine, ...]
    counts: dict[Filter, int]
    weak: Weakest
    judge_model: str | None
    runs_per_case: int | None
    benchmark_runs: tuple[BenchmarkRunRow, ...]
    newest_file: datetime | None


@kept
def overview(
    ws: Workspace, suite: str, version: str | None = None, configuration: str | None = None
) -> Overview:
    """Return the overview of a suite, with the chosen version and configuration in focus.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    columns = tuple(rates(ws)[suite])
    focus, before = focus_of(columns, version, configuration)
    chosen = None if focus is None else columns[focus]
    line = next(line for line in suite_lines(ws) if line.suite == suite)
    line = line._replace(focus=chosen, rate=rates(ws)[suite][chosen] if chosen else NOTHING)
    about = ws.tables.suites[(ws.tables.suites["suite"] == suite).to_numpy()].iloc[0]
    benchmark_runs = typed(
        ws, "benchmark_runs", BenchmarkRunRow, where(ws, "benchmark_runs", suite=suite)
    )
    return Overview(
        line,
        None if before is None else columns[before],
        *_ran(found, chosen),
        _versions(ws, suite),
        _counted(ws, suite, version, configuration),
        weakest(ws, suite, chosen) if chosen else Weakest((), 0, 0),
        _plain(about["judge_model"]),
        _plain(about["runs_per_case"]),
        _told(benchmark_runs),
        newest_file(ws, suite) if line.active is None else None,
    )


def _counted(
    ws: Workspace, suite: str, version: str | None, configuration: str | None
) -> dict[Filter, int]:
    """Return how many cases each filter of the grid keeps: the very numbers that stand there."""
    at = focused(ws, suite, *focus_of(outcomes(ws, suite).columns, version, configuration))
    return {name: int(mask.sum()) for name, mask in at.masks.items()}


def _ran(found: Outcomes, column: Column | None) -> tuple[int, int]:
    """Return how many cases have a run in a column, and how many have several."""
    place = None if column is None else found.columns.index(column)
    runs = found.cells.of(place)["n"].to_numpy()
    return len(runs), int((runs > 1).sum())


def _plain(value: Any) -> Any:
    return None if pd.isna(value) else value.item() if isinstance(value, np.generic) else value


def _told(rows: Iterable[BenchmarkRunRow]) -> tuple[BenchmarkRunRow, ...]:
    """Keep the benchmark runs that documents tell of, newest first."""
    told = [row for row in rows if row.source is not None]
    return tuple(
        sorted(told, key=lambda row: row.ran_at or datetime.min.replace(tzinfo=UTC), reverse=True)
    )


def _versions(ws: Workspace, suite: str) -> tuple[VersionLine, ...]:
    """Return every version, newest first, also those that nothing has run; the unknown one last."""
    known = typed(ws, "versions", VersionRow, where(ws, "versions", suite=suite))
    about = {row.version or "": row for row in sorted(known, key=lambda row: row.position or 0)}
    columns = rates(ws)[suite]
    names = [*dict.fromkeys([*about, *(column.version for column in columns)])][::-1]
    return tuple(
        VersionLine(
            name,
            about.get(name),
            tuple((c, rate) for c, rate in columns.items() if c.version == name),
        )
        for name in sorted(names, key=lambda name: name == UNASSIGNED)
    )


def activity(found: Overview) -> str:
    """Say as a phrase when something last happened; what the disk says is named as that."""
    if found.line.active is not None:
        return f"last activity {wording.moment(found.line.active)}"
    if found.newest_file is not None:
        return f"last activity not recorded; newest file {wording.moment(found.newest_file)}"
    return "last activity not recorded"
