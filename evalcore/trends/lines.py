"""A metric over versions or benchmark runs: one line for each configuration and benchmark."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.benchmarks.drops import runs_of_older_versions
from evalcore.benchmarks.members import members
from evalcore.counting.case_values import values_of_groups
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED, Column, columns_of_runs, several_prompts
from evalcore.counting.people import Scores
from evalcore.errors import UnknownName
from evalcore.statistics.intervals import mean_interval, t_interval
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.benchmark_runs import benchmark_runs, stored_value
from evalcore.trends.metrics import Metric
from evalcore.trends.values import run_values
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


class Inside(NamedTuple):
    """Runs (positions), each with the number of a group that it is in; a run may be in several."""

    run: Numbers
    group: Numbers
    groups: int


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
    spots = _of_versions if over == "versions" else _of_benchmark_runs
    found = spots(ws, suite, metric, scores)
    return tuple(line for line in found if line.known)


def _of_versions(ws: Workspace, suite: str, metric: Metric, scores: Scores) -> Iterator[Line]:
    found = columns_of_runs(ws, suite)
    inside = Inside(found.here, found.column, len(found.columns))
    values, runs = _grouped(ws, suite, metric, scores, inside)
    places = [Place(*column) for column in found.columns]
    several = several_prompts(place.version for place in places if place.version != UNASSIGNED)
    grouped: dict[tuple[str, str], list[Spot]] = {}
    for place, of_cases, n in zip(places, values, runs, strict=True):
        if place.version != UNASSIGNED:
            prompt = place.version.rpartition("@")[0] if several else ""
            spot = Spot(place, of_cases, n, metric.resource is None)
            grouped.setdefault((prompt, place.configuration), []).append(spot)
    for (prompt, configuration), spots in grouped.items():
        yield Line(prompt, configuration, "", tuple(spots))


def _of_benchmark_runs(ws: Workspace, suite: str, metric: Metric, scores: Scores) -> Iterator[Line]:
    rows = benchmark_runs(ws, suite)
    inside = _members_of(ws, suite, [row.benchmark_run or "" for row in rows])
    values, runs = _grouped(ws, suite, metric, scores, inside)
    names = _benchmark_names(rows)
    grouped: dict[tuple[str, str], list[Spot]] = {}
    for row, of_cases, n in zip(rows, values, runs, strict=True):
        spot = _spot(ws, suite, row, metric, of_cases, n)
        key = row.benchmark or row.name or "", row.configuration or "-"
        grouped.setdefault(key, []).append(spot)
    for (benchmark, configuration), spots in grouped.items():
        name = names[benchmark] if len(names) > 1 else ""
        yield Line("", configuration, name, tuple(spots))


def _benchmark_names(rows: Iterable[BenchmarkRunRow]) -> dict[str, str]:
    """Return the names of benchmarks by id; those that several have, with the id."""
    names = {row.benchmark or row.name or "": row.name or row.benchmark or "" for row in rows}
    times = Counter(names.values())
    return {key: name if times[name] == 1 else f"{name} ({key})" for key, name in names.items()}


def _members_of(ws: Workspace, suite: str, benchmark_runs: Sequence[str]) -> Inside:
    """Return the test runs of some benchmark runs of a suite."""
    names, found = coded(ws, "benchmark_runs", "benchmark_run"), members(ws)
    place = np.full(names.width, -1, np.int64)
    place[names.places(benchmark_runs)] = np.arange(len(benchmark_runs))
    place[-1] = -1  # the code of a missing name
    of_suite = coded(ws, "benchmark_runs", "suite").among({suite})[found.row]
    group = np.where(of_suite, place[names.codes[found.row]], -1)
    return Inside(found.run[group >= 0], group[group >= 0], len(benchmark_runs))


def _spot(
    ws: Workspace, suite: str, row: BenchmarkRunRow, metric: Metric, values: Numbers, runs: int
) -> Spot:
    place = Place(row.version or "", row.configuration or "-", row.benchmark_run or "")
    stored = stored_value(ws, suite, row, metric)
    is_older = place.benchmark_run in runs_of_older_versions(ws, suite)
    return Spot(place, values, runs, metric.resource is None, row.ran_at, stored, is_older)


def _grouped(
    ws: Workspace, suite: str, metric: Metric, scores: Scores, inside: Inside
) -> tuple[list[Numbers], list[int]]:
    """Return the values of the cases of each group of runs, and the number of runs behind them."""
    found = run_values(ws, suite, metric, scores)
    order = np.argsort(found.run, kind="stable")
    first, last = (np.searchsorted(found.run[order], inside.run, side) for side in _ENDS)
    times = last - first
    group = np.repeat(inside.group, times)
    at = order[np.arange(times.sum()) + np.repeat(first - np.cumsum(times) + times, times)]
    case = coded(ws, "runs", "case_id").keys_of(found.run[at])
    values = values_of_groups(found.value[at], group, case, inside.groups)
    return values, np.bincount(group, minlength=inside.groups).tolist()
