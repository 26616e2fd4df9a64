"""Whether stored numbers are those that the runs give, in one of the ways in which tools count."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.figures import Figures
from evalcore.families.iterations.runs import Facts
from evalcore.numbers import disagrees

PASS_RATE: Final = "pass_rate"
MEASURED: Final = ("time_seconds", "tokens")
NEAR: Final = 0.005 + 1e-9
"""Gradings round their rates to two decimals."""
NEAR_SHARE: Final = 0.01
"""Means of times and tokens were often made before these were rounded."""


class Runs(NamedTuple):
    """The runs that a stored mean is about, each with its value, None where it has none."""

    facts: Sequence[Facts]
    values: Sequence[float | None]

    @property
    def known(self) -> list[float]:
        """The values that there are."""
        return [value for value in self.values if value is not None]


def is_explained(stored: float, metric: str, runs: Runs) -> bool:
    """Say whether a stored mean is what some way of counting gives, apart from rounding."""
    return any(
        not differs(stored, low, metric) or not differs(stored, high, metric) or low < stored < high
        for low, high in _ways(metric, runs)
    )


def agrees(stated: Figures, run: Facts) -> bool:
    """Say whether nothing in the numbers that a document states of a run contradicts the run's."""
    pairs = ((stated.passed, run.passed), (stated.total, run.total))
    if any(None not in pair and pair[0] != pair[1] for pair in pairs):
        return False
    if stated.rate is None:
        return True
    return run.pass_rate is not None and abs(stated.rate - run.pass_rate) <= NEAR


def note_mismatch(
    node: Node, what: str, stated: str, found: str, hint: str = "Aggregate the benchmark again."
) -> None:
    """Note a stored number that its runs contradict; `found` says what they give."""
    message = f"{what} is {stated}, but {found}."
    node.note("warning", "derived-mismatch", message, hint)


def differs(stored: float, computed: float, metric: str) -> bool:
    """Say whether a stored number is not the computed one, apart from how tools round a metric."""
    gap = abs(stored - computed)
    if metric in MEASURED and gap <= NEAR_SHARE * abs(computed):
        return False
    return disagrees(stored, computed) and not (metric == PASS_RATE and gap <= NEAR)


def _ways(metric: str, runs: Runs) -> Iterator[tuple[float, float]]:
    """Yield the lowest and the highest mean that each way of counting can give.

    A rate may also be the share of all items, that of runs passed whole, or a mean with what is
    unscored; tokens and times may be those of all runs together.
    """
    known = runs.known
    if not known:
        return
    plain, as_zero = sum(known) / len(known), sum(known) / len(runs.values)
    yield plain, plain
    if metric in MEASURED:
        yield as_zero, as_zero
        yield sum(known), sum(known)
    elif metric == PASS_RATE:
        total = sum(fact.total or 0 for fact in runs.facts)
        if total:
            pooled = sum(fact.passed or 0 for fact in runs.facts) / total
            yield pooled, pooled
        low, high = zip(*map(_bounds, runs.facts, runs.values), strict=True)
        count = len(low)
        yield sum(low) / count, sum(high) / count
        yield sum(value == 1 for value in low) / count, sum(value == 1 for value in high) / count


def _bounds(run: Facts, value: float | None) -> tuple[float, float]:
    """Return the lowest and the highest rate of a run, as its unscored items may have counted."""
    if value is None:
        return 0.0, 1.0
    if not run.unscored or value != run.pass_rate or run.passed is None or run.total is None:
        return value, value
    items = run.total + run.unscored
    return run.passed / items, (run.passed + run.unscored) / items
