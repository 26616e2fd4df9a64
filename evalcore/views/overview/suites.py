"""One line for each suite of a workspace: its sizes, newest rate and last activity."""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.choices import TOP
from evalcore.counting.coded import Coded, Numbers, coded, distinct, positions, values
from evalcore.counting.focus import focus_of
from evalcore.counting.joined import judged_run
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import NOTHING, Rate, suspicions
from evalcore.counting.score_source import rates_by
from evalcore.tables.arrays import NO_INT
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
