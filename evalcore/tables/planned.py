"""How many runs of a case there should be: as documents plan it, or as the runs are numbered."""

from collections.abc import Collection
from typing import Final

from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

MOST: Final = 100
"""A higher number is taken for no number of runs: a date, an id, or a mistake."""


def planned_runs(tables: Tables, suite: str, version: str | None = None) -> int | None:
    """Return how many runs of each case a version's own documents plan, else those of its suite.

    None where none does. Without a version it is what the suite plans.
    """
    versions = cells(tables, "versions", "suite", "version", "runs_per_case")
    suites = cells(tables, "suites", "suite", "runs_per_case")
    own = (n for of, name, n in versions if of == suite and name == version)
    found = [*own, *(n for of, n in suites if of == suite)]
    return next((int(n) for n in found if n is not None and 0 < n <= MOST), None)


def expected_runs(planned: int | None, names: Collection[str], there: int) -> int:
    """Return how many runs of one case there should be, of which so many are `there`.

    It is the plan, or as many more as the numbers among the names of the runs leave out.
    """
    numbers = {int(name) for name in names if name.isdecimal() and len(name) < 4}
    gaps = max((n for n in numbers if n <= MOST), default=0) - len(numbers)
    return max(planned or 0, there + max(gaps, 0))
