"""A metric over versions or benchmark runs: one line for each configuration and benchmark."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.benchmarks.drops import runs_of_older_versions
from evalcore.benchmarks.members import members
from evalcore.counting.case_values import values_of_groups
from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED, Column, columns_of_runs, several_prompts
from evalcore.counting.people import Scores
from evalcore.counting.rates import SHARE
from evalcore.errors import UnknownName
from evalcore.statistics.intervals import mean_interval, t_interval
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.metrics import Metric, RunValues, headline_of, run_values
from evalcore.workspace.opened import Workspace

Over = Literal["versions", "benchmark-runs"]
Range = tuple[float, float]
_ENDS: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")


class Place(NamedTuple):
    """What a point stands for: a version and configuration, or one benchmark run of them."""

    version: str
    configuration: str
    benchmark_run: str = ""

    @property
    def column(self) -> Column:
        """The version and configuration."""
        return Column(self.version, self.configuration)

    @property
    def key(self) -> str:
        """The name of the point in words and addresses."""
        return self.benchmark_run or self.column.key


@dataclass(frozen=True, eq=False)
class Spot:
    """One point: the mean over the cases of a place; None if nothing was measured there.

    `values` has one value a case. `stored` is the value that a document of the benchmark run
    states, on the same scale; it stands for the point (`from_document`) only where no run has one.
    `is_older` says that a benchmark run before it was of a later version.
    """

    place: Place
    values: Numbers
    runs: int
    bounded: bool
    when: datetime | None = None
    stored: float | None = None
    is_older: bool = False

    @property
    def from_document(self) -> bool:
        """Whether only a document states the value."""
        return not len(self.values) and self.stored is not None

    @property
    def cases(self) -> int:
        """How many cases the value is the mean of."""
        return len(self.values)

    @cached_property
    def value(self) -> float | None:
        """The mean over the cases, else what the document states."""
        return float(self.values.mean()) if len(self.values) else self.stored

    @cached_property
    def interval(self) -> Range | None:
        """The 95 % interval over cases; None below two cases."""
        if self.bounded:
            return mean_interval(self.values)
        if len(self.values) < 2:
            return None
        low, high = t_interval(self.values)
        return max(low, 0.0), high


@dataclass(frozen=True, eq=False)
class Line:
    """The points of one configuration and benchmark, oldest first.

    `prompt` is the name before `@` where the versions of a suite belong to several prompts.
    """

    prompt: str
    configuration: str
    benchmark: str
    spots: tuple[Spot, ...]

    @property
    def name(self) -> str:
        """What distinguishes the line."""
        side = "" if self.configuration == "-" else self.configuration
        parts = [self.benchmark, self.prompt, side]
        return " · ".join(part for part in parts if part) or "no configuration"

    @property
    def known(self) -> tuple[Spot, ...]:
        """The points that have a value."""
        return tuple(spot for spot in self.spots if spot.value is not None)

    @property
    def followed(self) -> tuple[Spot, ...]:
        """The points with a value in the order of versions: without older ones that ran later."""
        return tuple(spot for spot in self.known if not spot.is_older)


@memoize_per_workspace
def lines(
    ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores = "recorded"
) -> tuple[Line, ...]:
    """Return the lines of a metric, those without any value left out.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    if suite not in coded(ws, "suites", "suite").words:
        raise UnknownName("suite", suite, coded(ws, "suites", "suite").column())
    names: dict[str, str] = {}
    older: frozenset[str] = frozenset()
    # Of each point its prompt and benchmark, where it is, when it was run, and what is stated.
    points: list[tuple[str, str, Place, datetime | None, float | None]] = []
    if over == "versions":
        found = columns_of_runs(ws, suite)
        run, group = found.here, found.column
        versions = [column.version for column in found.columns]
        several = several_prompts(name for name in versions if name != UNASSIGNED)
        for column in found.columns:
            prompt = column.version.rpartition("@")[0] if several else ""
            points.append((prompt, "", Place(*column), None, None))
    else:
        rows = benchmark_runs(ws, suite)
        run, group = _members_of(ws, suite, [row.benchmark_run or "" for row in rows])
        older = runs_of_older_versions(ws, suite)
        names = {row.benchmark or row.name or "": row.name or row.benchmark or "" for row in rows}
        for row in rows:
            place = Place(row.version or "", row.configuration or "-", row.benchmark_run or "")
            stored = _stored_value(ws, suite, row, metric)
            points.append(("", row.benchmark or row.name or "", place, row.ran_at, stored))
    values, runs = _grouped(ws, run_values(ws, suite, metric, scores), run, group, len(points))
    grouped: dict[tuple[str, str, str], list[Spot]] = {}
    for point, of_cases, n in zip(points, values, runs, strict=True):
        prompt, benchmark, place, when, stored = point
        if place.version != UNASSIGNED:
            bounded, is_older = metric.resource is None, place.benchmark_run in older
            spot = Spot(place, of_cases, n, bounded, when, stored, is_older)
            grouped.setdefault((prompt, place.configuration, benchmark), []).append(spot)
    times = Counter(names.values())
    result = []
    for (prompt, configuration, benchmark), spots in grouped.items():
        name = names[benchmark] if len(names) > 1 else ""
        if times[name] > 1:
            name = f"{name} ({benchmark})"
        result.append(Line(prompt, configuration, name, tuple(spots)))
    return tuple(line for line in result if line.known)


def _members_of(ws: Workspace, suite: str, benchmark_runs: list[str]) -> tuple[Numbers, Numbers]:
    """Return the test runs of some benchmark runs of a suite, and of which of these each is."""
    names, found = coded(ws, "benchmark_runs", "benchmark_run"), members(ws)
    place = np.full(names.width, -1, np.int64)
    place[names.places(benchmark_runs)] = np.arange(len(benchmark_runs))
    place[-1] = -1  # the code of a missing name
    of_suite = coded(ws, "benchmark_runs", "suite").among({suite})[found.row]
    group = np.where(of_suite, place[names.codes[found.row]], -1)
    return found.run[group >= 0], group[group >= 0]


def _grouped(
    ws: Workspace, known: RunValues, run: Numbers, group: Numbers, groups: int
) -> tuple[list[Numbers], list[int]]:
    """Return the values of the cases of each group of runs, and the number of runs behind them.

    A run may be in several groups.
    """
    order = np.argsort(known.run, kind="stable")
    first, last = (np.searchsorted(known.run[order], run, side) for side in _ENDS)
    times = last - first
    group = np.repeat(group, times)
    at = order[np.arange(times.sum()) + np.repeat(first - np.cumsum(times) + times, times)]
    case = coded(ws, "runs", "case_id").keys_of(known.run[at])
    values = values_of_groups(known.value[at], group, case, groups)
    return values, np.bincount(group, minlength=groups).tolist()


@memoize_per_workspace
def benchmark_runs(ws: Workspace, suite: str) -> tuple[BenchmarkRunRow, ...]:
    """Return the benchmark runs of a suite, oldest first.

    Those of unknown versions are missing. They are in the order of their dates where all have one,
    else of their versions; equal ones in that of their ids.
    """
    order = {column: at for at, column in enumerate(columns_of_runs(ws, suite).columns)}
    rows = where(ws, "benchmark_runs", suite=suite).tolist()
    found = [
        row
        for row in typed(ws, "benchmark_runs", BenchmarkRunRow, rows)
        if row.version != UNASSIGNED
    ]
    dated = all(row.ran_at is not None for row in found)

    def position(row: BenchmarkRunRow) -> tuple[float, float, str]:
        moment = row.ran_at.timestamp() if row.ran_at is not None else 0.0
        place = order.get(Column(row.version or "", row.configuration or "-"), len(order))
        return (0.0 if dated else place, moment, row.benchmark_run or "")

    return tuple(sorted(found, key=position))


def _stored_value(ws: Workspace, suite: str, row: BenchmarkRunRow, metric: Metric) -> float | None:
    """Return what the document of a benchmark run states for a metric, from 0 to 1; else None.

    Where the headline is a rate of runs, the document's overall score is the mean score.
    """
    if metric.kind not in {"headline", "score"}:
        return None
    headline = headline_of(ws, suite)
    if metric.kind == "score":
        rated = row.overall_score if headline == SHARE else None
    else:
        rated = row.pass_rate if headline in {SHARE, "pass rate"} else row.overall_score
    return rated if rated is not None and 0 <= rated <= 1 else None
