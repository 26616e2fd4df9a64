"""What a batch of runs was drawn from: all runs of a version and configuration, by their ids."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from evalcore.ids import within


def by_column(runs: Iterable[str]) -> dict[str, list[str]]:
    """Return the ids of runs by the `version/configuration` that is part of each id."""
    found: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        found[column_of(run)].append(run)
    return found


def column_of(run: str) -> str:
    """Return the `version/configuration` that is part of a run's id."""
    return within(run).partition("@")[2].partition("#")[0]


def runs_sha256(runs: Iterable[str]) -> str:
    """Return the sha256 of the ids of runs without their suite, sorted, one a line."""
    lines = "".join(f"{each}\n" for each in sorted(map(within, runs)))
    return hashlib.sha256(lines.encode()).hexdigest()
