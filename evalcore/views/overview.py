"""Where a suite stands and where to look: versions, counts, weak criteria, and the other suites."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Coded, Numbers, coded, distinct, positions, values
from evalcore.counting.focus import UNASSIGNED, Filter, focus_of, focused
from evalcore.counting.joined import counting, judged_run, judgments_of
from evalcore.counting.kept import kept
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.rates import NOTHING, Rate, rates
from evalcore.tables.columns import NO_INT
from evalcore.tables.rows import BenchmarkRunRow, VersionRow
from evalcore.views import wording
from evalcore.workspace.index import extra_stat
from evalcore.workspace.opened import Workspace

WEAK: Final = 6
MAX_STATS: Final = 2_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATED: Final = (
    ("runs", "started_at"),
    ("versions", "created_at"),
    ("feedback", "created_at"),
    ("comparisons", "compared_at"),
    ("benchmark_runs", "ran_at"),
)


class Weak(NamedTuple):
    """A criterion that fails in the column in focus: in how many of the cases it was judged in."""

    criterion: str
    failed: int
    cases: int


class SuiteLine(NamedTuple):
    """One suite of the workspace in numbers; `rate` is that of the column in focus."""

    suite: str
    name: str
    family: str
    headline: str
    versions: int
    cases: int
    runs: int
    problems: int
    focus: Column | None
    rate: Rate
    active: datetime | None


class VersionLine(NamedTuple):
    """One version: what is known about it, and the headline of each of its configurations."""

    version: str
    about: VersionRow | None
    columns: tuple[tuple[Column, Rate], ...]


@dataclass(frozen=True)
class Overview:
    """Everything the landing page says about one suite."""

    line: SuiteLine
    before: Column | None
    versions: tuple[VersionLine, ...]
    counts: dict[Filter, int]
    weak: tuple[Weak, ...]
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
        _versions(ws, suite),
        _counted(ws, suite, version, configuration),
        _weak(ws, suite, found.columns.index(chosen)) if chosen else (),
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


def _weak(ws: Workspace, suite: str, focus: int) -> tuple[Weak, ...]:
    """Return the criteria that fail in most of the cases of a column."""
    runs, criterion = outcomes(ws, suite).runs, coded(ws, "judgments", "criterion")
    case = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    case[runs.index] = runs["case"]
    rows = judgments_of(ws, runs.index[runs["column"] == focus])
    passed = values(ws, "judgments", "passed")[rows]
    answered = counting(ws)[rows] & (passed >= 0)
    rows, failed = rows[answered], passed[answered] == 0
    here = case[judged_run(ws)[rows]] * criterion.width + criterion.keys_of(rows)
    space = (int(case.max(initial=0)) + 1) * criterion.width
    size, failing = (
        np.bincount(distinct(pairs, space) % criterion.width, minlength=criterion.width)
        for pairs in (here, here[failed])
    )
    by_name = sorted(np.flatnonzero(failing), key=criterion.words.__getitem__)
    worst = sorted(by_name, key=lambda at: (-failing[at], -failing[at] / size[at]))
    return tuple(Weak(criterion.words[at], int(failing[at]), int(size[at])) for at in worst[:WEAK])


@kept
def suite_lines(ws: Workspace) -> tuple[SuiteLine, ...]:
    """Return every suite in numbers: those with the newest activity first, those never run last."""
    suites, active, cases = ws.tables.suites, last_activity(ws), _case_counts(ws)
    versions, problems = _counts(ws, "versions"), _counts(ws, "problems")
    lines = []
    for row in (
        suites[["suite", "name", "family", "headline"]]
        .astype(str)
        .itertuples(index=False, name=None)
    ):
        columns = rates(ws)[row[0]]
        place, _ = focus_of(tuple(columns), None, None)
        focus = None if place is None else tuple(columns)[place]
        lines.append(
            SuiteLine(
                row[0],
                row[1],
                row[2],
                row[3],
                versions.get(row[0], 0),
                cases.get(row[0], 0),
                sum(rate.runs for rate in columns.values()),
                problems.get(row[0], 0),
                focus,
                columns[focus] if focus else NOTHING,
                active.get(row[0]),
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
    """Count the cases of each suite: those defined, and those that only runs know."""
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
    """The words of a column of the runs and of the cases as numbers below `width`."""

    keys: tuple[Numbers, Numbers]
    width: int


def _numbered_alike(ws: Workspace, column: str) -> _Alike:
    runs, cases = coded(ws, "runs", column), coded(ws, "cases", column)
    place = positions(cases.strings, runs.strings)
    place = np.where(place < 0, runs.width + np.arange(len(place)), place)
    place = np.append(place, runs.width - 1)  # a missing word
    return _Alike((runs.keys, place[cases.codes]), runs.width + cases.width)


@kept
def last_activity(ws: Workspace) -> dict[str, datetime]:
    """Return the newest time that the documents of each suite record."""
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


def activity(found: Overview) -> str:
    """Say as a phrase when something last happened; what the disk says is named as that."""
    if found.line.active is not None:
        return f"last activity {wording.moment(found.line.active)}"
    if found.newest_file is not None:
        return f"last activity not recorded; newest file {wording.moment(found.newest_file)}"
    return "last activity not recorded"
