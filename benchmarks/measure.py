"""Compare methods: fresh processes in turn, ratios round by round, targets."""

import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks import process
from benchmarks.process import Sample

Samples = list[Sample]


class Way(NamedTuple):
    """One method with its arguments.

    `before` is called before each run; it returns the folder of the indexes for that run.
    """

    method: str
    asked: dict[str, Any]
    before: Callable[[], Path]
    python: str | None = None


SHORTEST: Final = 1.0
"""So many seconds a method may take, however late it is."""


class Clock(NamedTuple):
    """The end of measuring (a monotonic time), and the limit of one comparison (seconds)."""

    end: float
    share: float

    def left(self) -> float:
        """Return the seconds until the end; below 0 after it."""
        return self.end - time.monotonic()


class Result(NamedTuple):
    """One line of the table; `ratio` is the figure that target and ambition refer to."""

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
        """Return whether the target was met, or by how much it was missed.

        A busy machine stretches wall time, so meeting the target in CPU time counts as met.
        """
        said, by_cpu = self._held(self.ratio), self._held(self.cpu_ratio)
        missed = said.startswith("missed")
        return f"{said}; by CPU {by_cpu}" if missed and "met" in by_cpu else said

    def _held(self, ratio: float | None) -> str:
        if ratio is None or self.target is None:
            return "–"
        if self.ambition is not None and ratio <= self.ambition:
            return "ambition met"
        if ratio <= self.target:
            return "met"
        missed = ratio / self.target
        return f"missed by {missed - 1:.0%}" if missed < 2 else f"missed, × {missed:.1f}"


def interleaved(
    ways: Mapping[str, Way], rounds: int, clock: Clock, say: Callable[[str], None]
) -> dict[str, Samples]:
    """Run each way once per round, every other round in reverse, until the time is used up.

    There is always one round; the samples of one round have the same position in every list.

    Raises:
        MethodFailed: one of them ended with an error.
        OutOfTime: measuring ends before the first round does.
    """
    found: dict[str, Samples] = {name: [] for name in ways}
    began = time.monotonic()
    for number in range(1, rounds + 1):
        for name in list(ways) if number % 2 else list(ways)[::-1]:
            say(f"{name}, round {number} of {rounds}")
            found[name].append(_run(ways[name], clock))
        took = (time.monotonic() - began) / number
        if time.monotonic() - began + took > clock.share or took > clock.left():
            break
    return found


def _run(way: Way, clock: Clock) -> Sample:
    python = {"python": way.python} if way.python else {}
    limit = max(clock.left(), SHORTEST)
    return process.run(way.method, way.asked, cache=way.before(), limit=limit, **python)


def median(samples: Samples, field: str) -> float:
    """Return the median of one field of the samples."""
    return float(statistics.median(getattr(sample, field) for sample in samples))


def ratio(samples: Samples, reference: Samples, field: str) -> float:
    """Return the median of the ratios of each round."""
    pairs = zip(samples, reference, strict=True)
    return float(
        statistics.median(getattr(a, field) / max(getattr(b, field), 1e-9) for a, b in pairs)
    )


def against(result: Result, samples: Samples, reference: Samples) -> Result:
    """Return a result with its seconds and its ratios to a reference filled in."""
    return result._replace(
        wall_s=median(samples, "wall"),
        cpu_s=median(samples, "cpu"),
        ratio=ratio(samples, reference, "wall"),
        cpu_ratio=ratio(samples, reference, "cpu"),
        rounds=len(samples),
    )
