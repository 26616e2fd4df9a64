"""Summary of a suite: versions, counts, weak criteria, benchmark runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded, values
from evalcore.counting.focus import Filter, focus_of, focused
from evalcore.counting.human_activity import people_of_column
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED, Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import NOTHING, Rate, suspicions
from evalcore.counting.score_source import rates_by
from evalcore.statistics.planning import Before
from evalcore.tables.planned import planned_runs
from evalcore.tables.rows import BenchmarkRunRow, VersionRow
from evalcore.views.overview.planned import planned
from evalcore.views.overview.runs import not_run
from evalcore.views.overview.suites import SuiteLine, newest_file, suite_lines
from evalcore.views.overview.weak_criteria import Weakest, weakest
from evalcore.workspace.opened import Workspace

BENCHMARK_RUNS: Final = 40
"""So many benchmark runs are listed; all of them are on Trends."""


class VersionLine(NamedTuple):
    """One version: its record, and the headline of each of its configurations."""

    version: str
    about: VersionRow | None
    columns: tuple[tuple[Column, Rate], ...]


@dataclass(frozen=True)
class Overview:
    """The overview of one suite; `counts` are of the column in focus.

    `ran` is the number of cases with a run in it, of `active` ones that could have one,
    `repeated` the number of those with several. `people` is (runs of the column that people judged,
    runs that could count, their names); None if only the recorded scores count. `plan` is
    what the cases will show once there is a second side to compare. `benchmark_runs` are the newest
    of `recorded_runs`.
    """

    line: SuiteLine
    before: Column | None
    ran: int
    active: int
    repeated: int
    versions: tuple[VersionLine, ...]
    counts: dict[Filter, int]
    weak: Weakest
    judge_model: str | None
    runs_per_case: int | None
    benchmark_runs: tuple[BenchmarkRunRow, ...]
    recorded_runs: int
    newest_file: datetime | None
    scores: Scores = "recorded"
    people: tuple[int, int, tuple[str, ...]] | None = None
    plan: Before | None = None


@memoize_per_workspace
def overview(
    ws: Workspace,
    suite: str,
    version: str | None = None,
    configuration: str | None = None,
    scores: Scores = "recorded",
) -> Overview:
    """Return the overview of a suite, with the chosen version and configuration in focus.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = rates_by(ws, scores)[suite]
    columns = tuple(known)
    focus, before = focus_of(columns, version, configuration)
    chosen = None if focus is None else columns[focus]
    line = next(line for line in suite_lines(ws, scores) if line.suite == suite)
    line = line._replace(
        focus=chosen,
        rate=known[chosen] if chosen else NOTHING,
        suspect=suspicions(ws, suite, chosen) if chosen else (),
    )
    about = ws.tables.suites[(ws.tables.suites["suite"] == suite).to_numpy()].iloc[0]
    at = focused(ws, suite, focus, before, scores)
    ran = int(at.has_run.sum())
    recorded, total = _recorded(ws, suite)
    return Overview(
        line=line,
        before=None if before is None else columns[before],
        ran=ran,
        active=ran + (len(not_run(ws, suite, chosen)) if chosen else 0),
        repeated=at.repeated,
        versions=_versions(ws, suite, known),
        counts={name: int(mask.sum()) for name, mask in at.masks.items()},
        weak=weakest(ws, suite, chosen, scores) if chosen else Weakest((), 0, 0),
        judge_model=_plain(about["judge_model"]),
        runs_per_case=planned_runs(ws.tables, suite, chosen.version if chosen else None),
        benchmark_runs=recorded,
        recorded_runs=total,
        newest_file=newest_file(ws, suite) if line.active is None else None,
        scores=scores,
        people=None if scores == "recorded" else people_of_column(ws, suite, chosen, scores),
        plan=planned(ws, suite, line, line.rate) if len(known) < 2 else None,
    )


def _plain(value: Any) -> Any:
    return None if pd.isna(value) else value.item() if isinstance(value, np.generic) else value


def _recorded(ws: Workspace, suite: str) -> tuple[tuple[BenchmarkRunRow, ...], int]:
    """Return the newest benchmark runs that documents record, and the number of all."""
    rows = where(ws, "benchmark_runs", suite=suite)
    rows = rows[coded(ws, "benchmark_runs", "source").codes[rows] >= 0]
    when = values(ws, "benchmark_runs", "ran_at")[rows]
    newest = rows[np.argsort(when, kind="stable")][::-1][:BENCHMARK_RUNS]  # without a date: last
    return tuple(typed(ws, "benchmark_runs", BenchmarkRunRow, newest)), len(rows)


def _versions(ws: Workspace, suite: str, columns: Mapping[Column, Rate]) -> tuple[VersionLine, ...]:
    """Return every version, newest first, including those without runs; the unassigned one last."""
    known = typed(ws, "versions", VersionRow, where(ws, "versions", suite=suite))
    about = {row.version or "": row for row in sorted(known, key=lambda row: row.position or 0)}
    names = [*dict.fromkeys([*about, *(column.version for column in columns)])][::-1]
    return tuple(
        VersionLine(
            name,
            about.get(name),
            tuple((c, rate) for c, rate in columns.items() if c.version == name),
        )
        for name in sorted(names, key=lambda name: name == UNASSIGNED)
    )
