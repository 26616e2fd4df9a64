"""The runs of iterations, version by version, with the numbers that benchmarks are made of."""

from collections import Counter, defaultdict
from typing import Any, Final, NamedTuple

from evalcore.families.aggregating import of_reviews
from evalcore.families.base import PENDING
from evalcore.families.scoring import RUBRIC
from evalcore.proposals.stats import Number, whole
from evalcore.tables.cells import cells, holds
from evalcore.tables.snapshot import Tables

_RUN: Final = (
    "run_id", "case_id", "version", "configuration", "run", "origin", "fraction", "checks_passed",
    "checks_total", "duration_s", "tokens", "source", "pointer",
)  # fmt: skip


class Judged(NamedTuple):
    """What the judgments of a rubric run add up to; `structural` is how many were checked."""

    structural: int
    dimensions: dict[str, Number]


_NOTHING: Final = Judged(0, {})


class Run(NamedTuple):
    """One run as tables have it; None is not measured.

    `rate` is `passed` of `total`: of the structural checks where there are any, else of the
    expectations; `efficiency` its mean with the rubric's `normalized`.
    """

    run_id: str
    case_id: str
    version: str
    configuration: str
    run: str
    origin: str
    passed: int | None
    total: int | None
    rate: float | None
    structural: bool
    normalized: float | None
    efficiency: float | None
    dimensions: dict[str, Number]
    seconds: float | None
    tokens: Number | None
    source: str
    pointer: str


def runs_of(tables: Tables, suite: str, *, rubric: bool) -> dict[str, list[Run]]:
    """Return the runs of a suite by version, in the order of the table, but open ones."""
    judged = _judged(tables, suite) if rubric else {}
    found: dict[str, list[Run]] = defaultdict(list)
    here = holds(tables.columns["runs"]["suite"], suite)
    for status in (PENDING, "not_run"):
        here &= ~holds(tables.columns["runs"]["status"], status)
    for row in cells(tables, "runs", *_RUN, where=here):
        run = _run(dict(zip(_RUN, row, strict=True)), judged)
        found[run.version].append(run)
    return found


def _run(row: dict[str, Any], judged: dict[str, Judged]) -> Run:
    fraction = row.pop("fraction")
    passed, total = row.pop("checks_passed"), row.pop("checks_total")
    rate = passed / total if passed is not None and total else fraction
    own = judged.get(row["run_id"], _NOTHING)
    normalized = fraction if own.dimensions else None
    both = own.structural and rate is not None and normalized is not None
    efficiency = (rate + normalized) / 2 if both else None
    seconds, tokens = row.pop("duration_s"), whole(row.pop("tokens"))
    return Run(
        **row,
        passed=passed,
        total=total,
        rate=rate,
        structural=own.structural > 0,
        normalized=normalized,
        efficiency=efficiency,
        dimensions=own.dimensions,
        seconds=seconds,
        tokens=tokens,
    )


def _judged(tables: Tables, suite: str) -> dict[str, Judged]:
    """Return what the scored judgments of each run add up to, without those beside its judge's."""
    status = holds(tables.columns["judgments"]["status"], "scored") & ~of_reviews(
        tables, "judgments"
    )
    mine = {run for run, own in cells(tables, "runs", "run_id", "suite") if own == suite}
    structural: Counter[str] = Counter()
    dimensions: dict[str, dict[str, Number]] = defaultdict(dict)
    names = ("run_id", "kind", "criterion", "score")
    for run, kind, criterion, score in cells(tables, "judgments", *names, where=status):
        if kind == RUBRIC:
            dimensions[run][criterion] = whole(score) or 0
        elif kind == "structural":
            structural[run] += 1
    return {run: Judged(structural[run], dimensions.get(run, {})) for run in mine}
