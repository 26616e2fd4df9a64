"""Statistics of the scores of one benchmark entry, stored against computed."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from evalcore.disk.values import Node
from evalcore.numbers import disagrees, mean, median, stddev


class Statistics(NamedTuple):
    """The numbers of one metric, in the order of the columns of `benchmarks`."""

    mean: float | None
    median: float | None
    stddev: float | None
    min: float | None
    max: float | None
    n: int | None


def statistics(values: Iterable[float | None]) -> Statistics:
    """Return the statistics of the existing values."""
    present = [value for value in values if value is not None]
    if not present:
        return Statistics(None, None, None, None, None, None)
    return Statistics(
        mean(present),
        median(present),
        stddev(present),
        min(present),
        max(present),
        len(present),
    )


def compare(node: Node, stored: Statistics, own: Statistics, where: str) -> None:
    """Report stored scores that differ from those of `where`."""
    pairs = zip(("mean", "median", "std_dev", "min", "max"), stored[:5], own[:5], strict=True)
    for key, given, found in pairs:
        if given is None or own.n is None:
            continue
        if found is None:
            # The spread of a single value: the seeds' tools write 0.
            if given:
                _note(node, key, given, "cannot be computed from one test case")
        elif disagrees(given, found):
            if key == "std_dev" and not disagrees(given, found * math.sqrt((own.n - 1) / own.n)):
                node.note(
                    "info",
                    "population-deviation",
                    f"std_dev is {given:g}: that is for a population; for a sample it is "
                    f"{found:.4g}.",
                    "Divide by n - 1.",
                    key,
                )
            else:
                _note(node, key, given, f"from {where} it is {found:.4g}")


def _note(node: Node, key: str, stated: float, but: str) -> None:
    node.note(
        "warning",
        "derived-mismatch",
        f"{key} is {stated:g}, but {but}.",
        "Aggregate the benchmark again.",
        key,
    )
