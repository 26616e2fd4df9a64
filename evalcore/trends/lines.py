"""A metric over versions or benchmark runs: one line for each configuration and benchmark."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from evalcore.counting.case_values import values_of_groups
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.focus import UNASSIGNED
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, columns_of_runs
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
    """

    place: Place
    values: Numbers
    runs: int
    bounded: bool
    when: datetime | None = None
    stored: float | None = None

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


def several_prompts(versions: Iterable[str]) -> bool:
    """Return whether versions, named `prompt@number`, belong to several prompts."""
    prompts = {version.rpartition("@")[0] for version in versions}
    return len(prompts) > 1 and "" not in prompts


def _of_versions(ws: Workspace, suite: str, metric: Metric, scores: Scores) -> Iterator[Line]:
    found = columns_of_runs(ws, suite)
    column = np.full(len(coded(ws, "runs", "suite").codes), -1, np.int64)
    column[found.here] = found.column
    values, runs = _grouped(ws, suite, metric, scores, column, len(found.columns))
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
    group = coded(ws, "runs", "benchmark_run")
    place = np.full(group.width, -1, np.int64)
    codes = group.places(row.benchmark_run or "" for row in rows)
    place[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
    place[-1] = -1
    mine = coded(ws, "runs", "suite").among({suite})
    of_run = np.where(mine, place[group.codes], -1)
    values, runs = _grouped(ws, suite, metric, scores, of_run, len(rows))
    grouped: dict[tuple[str, str], list[Spot]] = {}
    for row, of_cases, n in zip(rows, values, runs, strict=True):
        spot = _spot(ws, suite, row, metric, of_cases, n)
        key = row.name or row.benchmark or "", row.configuration or "-"
        grouped.setdefault(key, []).append(spot)
    names = {name for name, _ in grouped}
    for (name, configuration), spots in grouped.items():
        yield Line("", configuration, name if len(names) > 1 else "", tuple(spots))


def _spot(
    ws: Workspace, suite: str, row: BenchmarkRunRow, metric: Metric, values: Numbers, runs: int
) -> Spot:
    place = Place(row.version or "", row.configuration or "-", row.benchmark_run or "")
    stored = stored_value(ws, suite, row, metric)
    return Spot(place, values, runs, metric.resource is None, row.ran_at, stored)


def _grouped(
    ws: Workspace, suite: str, metric: Metric, scores: Scores, group: Numbers, groups: int
) -> tuple[list[Numbers], list[int]]:
    """Return the values of the cases of each group of runs, and the number of runs behind them."""
    found = run_values(ws, suite, metric, scores)
    of_run = group[found.run]
    inside = of_run >= 0
    case = coded(ws, "runs", "case_id").keys_of(found.run[inside])
    of_run = of_run[inside]
    values = values_of_groups(found.value[inside], of_run, case, groups)
    return values, np.bincount(of_run, minlength=groups).tolist()
