"""What the values of a metric over several runs add up to."""

from collections.abc import Sequence

from evalcore.numbers import mean, median, stddev
from evalcore.tables.rows import BenchmarkRow


def computed_metric(
    suite: str, version: str | None, configuration: str, metric: str, values: Sequence[float]
) -> BenchmarkRow:
    """Return the statistics of the values of a metric, at least one, as evalcore computed them."""
    return BenchmarkRow(
        suite=suite,
        version=version,
        configuration=configuration,
        metric=metric,
        mean=mean(values),
        median=median(values),
        stddev=stddev(values),
        min=min(values),
        max=max(values),
        n=len(values),
        origin="computed",
    )
