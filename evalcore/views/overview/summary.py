"""A suite in numbers: one line for each suite of a workspace, and the overview of one of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed, where
from evalcore.counting.choices import TOP, versions_of
from evalcore.counting.coded import Coded, Numbers, coded, distinct, positions, values
from evalcore.counting.focus import Filter, focus_of, focused
from evalcore.counting.human_activity import people_of_column
from evalcore.counting.joined import judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED, Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import EFFICIENCY, NOTHING, SHARE, Rate, suspicions
from evalcore.counting.score_source import rates_by
from evalcore.statistics import planning
from evalcore.tables.arrays import NO_INT
from evalcore.tables.planned import planned_runs
from evalcore.tables.rows import BenchmarkRunRow, VersionRow
from evalcore.views.overview.column import Weakest, not_run, weakest
from evalcore.workspace.index import extra_stat
from evalcore.workspace.opened import Workspace

MAX_STATS: Final = 2_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATED: Final = (
    ("runs", "started_at"),
    ("versions", "created_at"),
    ("feedback", "created_at"),
    ("comparisons", "compared_at"),
    ("benchmark_runs", "ran_at"),
)
BENCHMARK_RUNS: Final = 40
"""So many benchmark runs are listed; all of them are on Trends."""
PLANNED_RUNS: Final = 3
"""How many runs of each case are planned where none has run yet."""
PLANNED_RATE: Final = 0.5
"""The rate that is planned with where none is known: the one that needs most runs."""
NEAREST: Final = 0.05
"""A known rate is taken as no nearer to 0 or 1 than this."""


class SuiteLine(NamedTuple):
    """One suite of the workspace in numbers; `rate` is that of the column in focus.

    `suspect` says what makes it doubtful.
    """

    suite: str
    name: str
    family: str
    headline: str
    versions: int
    cases: int
    runs: int
    focus: Column | None
    rate: Rate
    active: datetime | None
    scores: Scores = "recorded"
    suspect: tuple[str, ...] = ()


@memoize_per_workspace
def suite_lines(ws: Workspace, scores: Scores = "recorded") -> tuple[SuiteLine, ...]:
    """Return every suite in numbers: those with the newest activity first, those never run last.

    The rates are by the chosen score source.
    """
    suites, active, cases = ws.tables.suites, last_activity(ws), _case_counts(ws)
    versions = _counts(ws, "versions")
    lines = []
    for row in (
        suites[["suite", "name", "family", "headline"]]
        .astype(str)
        .itertuples(index=False, name=None)
    ):
        columns = rates_by(ws, scores)[row[0]]
        place, _ = focus_of(tuple(columns), None, None)
        focus = None if place is None else tuple(columns)[place]
        lines.append(
            SuiteLine(
                suite=row[0],
                name=ws.name if row[1] == TOP else row[1],
                family=row[2],
                headline=row[3],
                versions=versions.get(row[0], 0),
                cases=cases.get(row[0], 0),
                runs=sum(rate.runs for rate in columns.values()),
                focus=focus,
                rate=columns[focus] if focus else NOTHING,
                active=active.get(row[0]),
                scores=scores,
                suspect=suspicions(ws, row[0], focus) if focus else (),
            )
        )
    never = datetime.min.replace(tzinfo=UTC)
    return tuple(
        sorted(lines, key=lambda line: (line.runs > 0, line.active or never), reverse=True)
    )


def _counts(ws: Workspace, table: str) -> dict[str, int]:
    suite = coded(ws, table, "suite")
    counts = np.bincount(suite.keys, minlength=suite.width).tolist()
    return dict(zip(suite.words, counts, strict=True))


def _case_counts(ws: Workspace) -> dict[str, int]:
    """Count the cases of each suite: those defined, and those that only runs mention."""
    suites, cases = _numbered_alike(ws, "suite"), _numbered_alike(ws, "case_id")
    width = cases.width
    pairs = [
        distinct(suite * width + case, suites.width * width)
        for suite, case in zip(suites.keys, cases.keys, strict=True)
    ]
    counts = np.bincount(np.unique(np.concatenate(pairs)) // width, minlength=suites.width)
    words = [*coded(ws, "runs", "suite").words, *coded(ws, "cases", "suite").words]
    return {word: n for word, n in zip(words, counts.tolist(), strict=True) if n}


class _Alike(NamedTuple):
    """A column of the runs and of the cases with common codes below `width`."""

    keys: tuple[Numbers, Numbers]
    width: int


def _numbered_alike(ws: Workspace, column: str) -> _Alike:
    runs, cases = coded(ws, "runs", column), coded(ws, "cases", column)
    place = positions(cases.strings, runs.strings)
    place = np.where(place < 0, runs.width + np.arange(len(place)), place)
    place = np.append(place, runs.width - 1)  # a missing word
    return _Alike((runs.keys, place[cases.codes]), runs.width + cases.width)


@memoize_per_workspace
def last_activity(ws: Workspace) -> dict[str, datetime]:
    """Return the newest time recorded in the documents of each suite."""
    found: dict[str, datetime] = {}
    for table, column in _DATED:
        suite = coded(ws, table, "suite")
        _newest(found, suite, suite.codes, values(ws, table, column))
    times, run = values(ws, "judgments", "judged_at"), judged_run(ws)
    rows = np.flatnonzero(times != NO_INT)
    rows = rows[run[rows] >= 0]
    suite = coded(ws, "runs", "suite")
    _newest(found, suite, suite.codes[run[rows]], times[rows])
    return found


def _newest(found: dict[str, datetime], suite: Coded, codes: Numbers, times: Numbers) -> None:
    newest = np.full(suite.width, NO_INT, np.int64)
    np.maximum.at(newest, codes, times)
    for at in np.flatnonzero(newest[:-1] != NO_INT).tolist():
        moment = _EPOCH + timedelta(microseconds=int(newest[at]))
        found[suite.words[at]] = max(moment, found.get(suite.words[at], moment))


def newest_file(ws: Workspace, suite: str) -> datetime | None:
    """Return when the newest of a suite's documents (of the first 2,000) was written to disk."""
    documents = ws.tables.documents
    paths = documents["path"][(documents["suite"] == suite).to_numpy()].head(MAX_STATS)
    newest = max((extra_stat(ws.root, str(path))[1] for path in paths), default=-1)
    return datetime.fromtimestamp(newest / 1e9, UTC) if newest > 0 else None


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
    plan: planning.Before | None = None


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
    judge, at = about["judge_model"], focused(ws, suite, focus, before, scores)
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
        judge_model=None if pd.isna(judge) else str(judge),
        runs_per_case=planned_runs(ws.tables, suite, chosen.version if chosen else None),
        benchmark_runs=recorded,
        recorded_runs=total,
        newest_file=newest_file(ws, suite) if line.active is None else None,
        scores=scores,
        people=None if scores == "recorded" else people_of_column(ws, suite, chosen, scores),
        plan=planned(ws, suite, line, line.rate) if len(known) < 2 else None,
    )


def _recorded(ws: Workspace, suite: str) -> tuple[tuple[BenchmarkRunRow, ...], int]:
    """Return the newest benchmark runs that documents record, and the number of all."""
    rows = where(ws, "benchmark_runs", suite=suite)
    rows = rows[coded(ws, "benchmark_runs", "source").codes[rows] >= 0]
    when = values(ws, "benchmark_runs", "ran_at")[rows]
    newest = rows[np.argsort(when, kind="stable")][::-1][:BENCHMARK_RUNS]  # without a date: last
    return tuple(typed(ws, "benchmark_runs", BenchmarkRunRow, newest)), len(rows)


def _versions(ws: Workspace, suite: str, columns: Mapping[Column, Rate]) -> tuple[VersionLine, ...]:
    """Return every version, newest first, including those without runs; the unassigned one last."""
    known = sorted(versions_of(ws, suite), key=lambda row: row.position or 0)
    about = {row.version or "": row for row in known}
    names = [*dict.fromkeys([*about, *(column.version for column in columns)])][::-1]
    return tuple(
        VersionLine(
            name,
            about.get(name),
            tuple((c, rate) for c, rate in columns.items() if c.version == name),
        )
        for name in sorted(names, key=lambda name: name == UNASSIGNED)
    )


def planned(ws: Workspace, suite: str, line: SuiteLine, rate: Rate) -> planning.Before | None:
    """Return what the cases of a suite will show if a second side runs as often as the first.

    None without cases, or where the headline is no share of runs or checks.
    """
    cases = rate.cases or line.cases
    if not cases or line.headline == EFFICIENCY:
        return None
    runs = max(round(rate.counted / rate.cases), 1) if rate.cases else PLANNED_RUNS
    known = PLANNED_RATE if rate.value is None else min(max(rate.value, NEAREST), 1 - NEAREST)
    checks = 1 if line.headline == SHARE else _checks(ws, suite, line.focus)
    return planning.before(cases, runs, known, checks)


def _checks(ws: Workspace, suite: str, column: Column | None) -> int:
    """Return how many checks a run of a column has, in the middle of all; 1 if unknown."""
    if column is None:
        return 1
    here = coded(ws, "runs", "suite").among({suite})
    here &= coded(ws, "runs", "version").among({column.version})
    here &= coded(ws, "runs", "configuration").among({column.configuration})
    checks = values(ws, "runs", "checks_total")[here]
    checks = checks[checks > 0]
    return int(np.median(checks)) if len(checks) else 1
