"""Whether stored numbers are those that the runs give, in one of the ways in which tools count."""

from collections.abc import Sequence
from typing import Final

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


def is_explained(
    stored: float, metric: str, runs: Sequence[Facts], values: Sequence[float | None]
) -> bool:
    """Say whether a stored mean is what some way of counting gives, apart from rounding.

    `values` are those of the runs, None where one has none. A rate may be their mean, the share of
    all items, that of runs passed whole, or a mean with what is unscored; tokens and times may be
    those of all runs together.
    """
    known = [value for value in values if value is not None]
    if not known:
        return False
    plain = sum(known) / len(known)
    if not differs(stored, plain, metric):  # nearly every mean
        return True
    ways: list[tuple[float, float]] = []
    """The lowest and the highest mean that each way of counting can give."""
    if metric in MEASURED:
        ways += [(sum(known) / len(values),) * 2, (sum(known),) * 2]
    elif metric == PASS_RATE:
        total = sum(run.total or 0 for run in runs)
        if total:
            ways.append((sum(run.passed or 0 for run in runs) / total,) * 2)
        bounds = []
        for run, value in zip(runs, values, strict=True):
            if value is None:
                bounds.append((0.0, 1.0))
            elif run.unscored and value == run.pass_rate and None not in (run.passed, run.total):
                passed, items = run.passed or 0, (run.total or 0) + run.unscored
                bounds.append((passed / items, (passed + run.unscored) / items))
            else:
                bounds.append((value, value))
        low, high = zip(*bounds, strict=True)
        ways.append((sum(low) / len(low), sum(high) / len(low)))
        ways.append((low.count(1) / len(low), high.count(1) / len(low)))
    return any(
        not differs(stored, low, metric) or not differs(stored, high, metric) or low < stored < high
        for low, high in ways
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
