"""Hold methods against each other: fresh processes in turn, medians, ratios, targets."""

import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import process
from benchmarks.process import Sample

Samples = list[Sample]

SLOW_SECONDS = 12.0
SLOW_ROUNDS = 3
"""A comparison with a way this slow is measured so often only, and its line says so."""


class Way(NamedTuple):
    """One method with its arguments.

    `before` is called before each run; it returns the folder of the indexes for that run.
    """

    method: str
    asked: dict[str, Any]
    before: Callable[[], Path]
    python: str | None = None


class Result(NamedTuple):
    """One line of the table; `ratio` is the figure that target and ambition speak of."""

    row: str
    what: str
    workspace: str
    wall_s: float | None = None
    cpu_s: float | None = None
    unit: str = ""  # what the ratio is a multiple of
    ratio: float | None = None
    cpu_ratio: float | None = None
    target: float | None = None
    ambition: float | None = None
    rounds: int = 0
    detail: str = ""

    @property
    def verdict(self) -> str:
        """Say whether the target was met, or by how much it was missed."""
        if self.ratio is None or self.target is None:
            return "–"
        if self.ambition is not None and self.ratio <= self.ambition:
            return "ambition met"
        if self.ratio <= self.target:
            return "met"
        missed = self.ratio / self.target
        return f"short by {missed - 1:.0%}" if missed < 2 else f"{missed:.1f} × the target"


def interleaved(
    ways: Mapping[str, Way], rounds: int, say: Callable[[str], None]
) -> dict[str, Samples]:  # fmt: skip
    """Run each way once a round, every other round in reverse; the first round is thrown away.

    Where that first round shows a way above `SLOW_SECONDS`, at most `SLOW_ROUNDS` more follow.

    Raises:
        MethodFailed: one of them ended with an error.
    """
    found: dict[str, Samples] = {name: [] for name in ways}
    number = 0
    while number <= rounds:
        order = list(ways) if number % 2 else list(ways)[::-1]
        for name in order:
            say(f"{name}, round {number} of {rounds}" if number else f"{name}, warm-up")
            way = ways[name]
            cache = way.before()
            python = {"python": way.python} if way.python else {}
            sample = process.run(way.method, way.asked, cache=cache, **python)
            if number:
                found[name].append(sample)
            elif sample.wall > SLOW_SECONDS:
                rounds = min(rounds, SLOW_ROUNDS)
        number += 1
    return found


def median(samples: Samples, field: str) -> float:
    """Return the median of one field of the samples."""
    return float(statistics.median(getattr(sample, field) for sample in samples))


def against(result: Result, samples: Samples, reference: Samples) -> Result:
    """Return a result with its seconds and its ratios to a reference filled in."""
    wall, cpu = median(samples, "wall"), median(samples, "cpu")
    return result._replace(
        wall_s=wall,
        cpu_s=cpu,
        ratio=wall / median(reference, "wall"),
        cpu_ratio=cpu / max(median(reference, "cpu"), 1e-9),
        rounds=len(samples),
    )
