"""What the values of a metric over several runs add up to."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evalcore.numbers import mean, median, stddev
from evalcore.tables.rows import BenchmarkRow


class Statistics(NamedTuple):
    """The numbers of one metric, in the order of the columns of `benchmarks`."""

    mean: float | None = None
    median: float | None = None
    stddev: float | None = None
    min: float | None = None
    max: float | None = None
    n: int | None = None


def statistics(values: Iterable[float | None]) -> Statistics:
    """Return the statistics of the existing values."""
    known = [value for value in values if value is not None]
    if not known:
        return Statistics()
    spread = mean(known), median(known), stddev(known)
    return Statistics(*spread, min(known), max(known), len(known))


def computed_metric(
    suite: str, version: str | None, configuration: str, metric: str, values: Sequence[float]
) -> BenchmarkRow:
    """Return the statistics of the values of a metric, at least one, as evalcore computed them."""
    row = BenchmarkRow(suite, version, configuration, metric=metric, origin="computed")
    return row._replace(**statistics(values)._asdict())
