"""TEMPORARY."""

from dataclasses import dataclass

from evalcore.statistics.paired_runs import PairedRuns


@dataclass(frozen=True)
class NotWorse:
    shown: bool
    on: str | None
    low: float | None
    margin: float


def not_worse(runs: PairedRuns, margin: float) -> NotWorse:
    return NotWorse(False, None, None, margin)
