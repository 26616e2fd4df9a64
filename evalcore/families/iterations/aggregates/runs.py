"""The runs of iterations, version by version, with the numbers that benchmarks are made of."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from evalcore.families.aggregating import of_reviews
from evalcore.families.base import PENDING
from evalcore.families.scoring import RUBRIC
from evalcore.layouts.iterations import container_of, version_folder
from evalcore.proposals.stats import Number, whole
from evalcore.tables.cells import cells, holds
from evalcore.tables.snapshot import Tables

_ABOUT: Final = (
    "run_id", "case_id", "version", "configuration", "run", "origin", "source", "pointer",
)  # fmt: skip
_NUMBERS: Final = ("fraction", "checks_passed", "checks_total", "duration_s", "tokens")


class Run(NamedTuple):
    """One run as tables have it; None is not measured.

    `rate` is `passed` of `total`: of the structural checks where there are any, else of the
    expectations. `counted` is the rate that counts in a benchmark: the same, or a rounding of it.
    """

    run_id: str
    case_id: str
    version: str
    configuration: str
    run: str
    origin: str
    source: str
    pointer: str
    passed: int | None
    total: int | None
    rate: float | None
    counted: Number | None
    seconds: float | None
    tokens: Number | None
    structural: bool
    normalized: float | None
    dimensions: dict[str, Number]

    @property
    def efficiency(self) -> float | None:
        """The mean of the rate of its structural checks and the rubric's normalized score."""
        if not self.structural or self.rate is None or self.normalized is None:
            return None
        return (self.rate + self.normalized) / 2


def runs_of(tables: Tables, suite: str, *, rubric: bool) -> dict[str, list[Run]]:
    """Return the runs of a suite by version, in the order of the table, but open ones.

    Judgments beside those of a run's judge do not count.
    """
    structural: Counter[str] = Counter()
    dimensions: dict[str, dict[str, Number]] = defaultdict(dict)
    if rubric:
        scored = holds(tables.columns["judgments"]["status"], "scored")
        scored &= ~of_reviews(tables, "judgments")
        names = ("run_id", "kind", "criterion", "score")
        for run_id, kind, criterion, score in cells(tables, "judgments", *names, where=scored):
            if kind == RUBRIC:
                dimensions[run_id][criterion] = whole(score) or 0
            elif kind == "structural":
                structural[run_id] += 1
    found: dict[str, list[Run]] = defaultdict(list)
    here = holds(tables.columns["runs"]["suite"], suite)
    for status in (PENDING, "not_run"):
        here &= ~holds(tables.columns["runs"]["status"], status)
    for row in cells(tables, "runs", *_ABOUT, *_NUMBERS, where=here):
        about = dict(zip(_ABOUT, row, strict=False))
        fraction, passed, total, seconds, tokens = row[len(_ABOUT) :]
        rate = passed / total if passed is not None and total else fraction
        scores = dimensions.get(about["run_id"], {})
        run = Run(
            **about,
            passed=passed,
            total=total,
            rate=rate,
            counted=rate,
            seconds=seconds,
            tokens=whole(tokens),
            structural=about["run_id"] in structural,
            normalized=fraction if scores else None,
            dimensions=scores,
        )
        found[run.version].append(run)
    return found


def folder_of(sources: Iterable[str], version: str) -> str | None:
    """Return the folder that holds the runs of a version, with a slash; None for several."""
    homes = set[str | None]()
    for source in sources:
        folder = source.rpartition("/")[0]
        home = container_of(folder)
        is_own = home is not None and home[1] == version
        homes.add(version_folder(*home, folder) if home is not None and is_own else None)
    found = homes.pop() if len(homes) == 1 else None
    return f"{found}/" if found else found
