"""The part of a benchmark that sums up: each configuration, and the skill against its baseline."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from evalcore.families.iterations.aggregates.runs import Run
from evalcore.families.iterations.amounts import amount, rate_difference
from evalcore.families.iterations.stored import NEW, OLD
from evalcore.numbers import consistency
from evalcore.proposals.stats import Number, shortened, statistics

DELTAS: Final = {"pass_rate": "+.2f", "time_seconds": "+.1f", "tokens": "+.0f"}
_NEAR: Final = {"pass_rate": 0.0051, "time_seconds": 0.051, "tokens": 0.51}


class Counted(NamedTuple):
    """A run with the pass rate that counts for it; None is not scored."""

    run: Run
    rate: Number | None


def sides(runs: Sequence[Counted]) -> dict[str, list[Counted]]:
    """Return the runs of each configuration: the skill's, other ones by name, then baselines."""
    found: dict[str, list[Counted]] = defaultdict(list)
    for each in runs:
        found[each.run.configuration].append(each)
    return {name: found[name] for name in sorted(found, key=_place)}


def _place(name: str) -> tuple[int, int, str]:
    if name in NEW:
        return 0, NEW.index(name), name
    return (2, OLD.index(name), name) if name in OLD else (1, 0, name)


def summary(runs: Sequence[Counted], *, rubric: bool) -> dict[str, Any]:
    """Return the statistics of each configuration."""
    return {name: _of_side(own, rubric=rubric) for name, own in sides(runs).items()}


def _of_side(runs: list[Counted], *, rubric: bool) -> dict[str, Any]:
    values: dict[str, list[Number]] = {
        "pass_rate": [each.rate for each in runs if each.rate is not None],
    }
    if rubric:
        values["rubric_normalized"] = _all(runs, "normalized")
        values["overall_efficiency"] = _all(runs, "efficiency")
    values["time_seconds"] = _all(runs, "seconds")
    values["tokens"] = _all(runs, "tokens")
    found: dict[str, Any] = {name: statistics(own, len(runs)) for name, own in values.items()}
    found = {name: own for name, own in found.items() if own is not None}
    if rubric:
        found |= _of_rubric(runs, values["overall_efficiency"])
    return found


def _all(runs: list[Counted], field: str) -> list[Number]:
    return [value for each in runs if (value := getattr(each.run, field)) is not None]


def _of_rubric(runs: list[Counted], efficiency: list[Number]) -> dict[str, Any]:
    """Return what the rubric adds: how even the runs were, and each of its dimensions."""
    found: dict[str, Any] = {}
    if efficiency:
        steady = consistency([float(value) for value in efficiency])
        found["consistency"] = None if steady is None else shortened(steady)
    names = dict.fromkeys(name for each in runs for name in each.run.dimensions)
    dimensions = {
        name: statistics(
            [each.run.dimensions[name] for each in runs if name in each.run.dimensions], len(runs)
        )
        for name in names
    }
    return found | ({"rubric_dimensions": dimensions} if dimensions else {})


def delta(summed: dict[str, Any], old: Any) -> dict[str, str] | None:
    """Return the skill minus its baseline as signed texts; None where one of them is not there.

    A text that says the same in another form stays as it is in `old`, the stored differences.
    """
    new, base = (next((name for name in names if name in summed), None) for names in (NEW, OLD))
    if new is None or base is None:
        return None
    found: dict[str, Any] = {}
    for metric, form in DELTAS.items():
        one, two = (summed[name].get(metric) for name in (new, base))
        if one is None or two is None:
            continue
        value = one["mean"] - two["mean"]
        stored = old.get(metric) if isinstance(old, dict) else None
        stated = rate_difference(stored) if metric == "pass_rate" else amount(stored)
        same = stated is not None and abs(stated.value - value) <= _NEAR[metric]
        found[metric] = stored if same else format(value, form)
    return found or None
