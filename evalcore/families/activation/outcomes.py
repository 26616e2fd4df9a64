"""Read what came of one query: how many of its runs activated the skill, and why."""

from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.activation.items import (
    RATES,
    REASONS,
    RUNS,
    TRIGGERED,
    TRIGGERS,
    has_outcome,
    named,
)

MOST: Final = 200
"""So many runs of one query are read at most."""
_NEAR: Final = 1e-6


class Run(NamedTuple):
    """One run of a query: whether it activated the skill, with its reason and place."""

    activated: bool
    rationale: str | None
    source: str
    pointer: str


def runs_of(item: Node, repeats: int | None) -> list[Run]:
    """Return the runs of an item, none after noting why; `repeats` are the runs of every query.

    Where only counts are given, the first runs are those that activated the skill.
    """
    if not has_outcome(item.value):
        return []
    each = _each(item)
    activated = _counted(item, repeats) if each is None else each
    if activated is None:
        return []
    if len(activated) > MOST:
        _note_many(item, len(activated))
        return []
    reasons = _reasons(item, activated, ordered=each is not None)
    found = zip(activated, reasons, strict=True)
    return [Run(flag, reason, item.path, item.at) for flag, reason in found]


def _each(item: Node) -> list[bool] | None:
    """Return the runs that an item lists one by one; None if it only counts them."""
    for name in (*TRIGGERED, *RUNS):
        value = item.get(name)
        if isinstance(value, list) and value and all(type(flag) is bool for flag in value):
            return value
    counted = any(item.has(name) for name in (*TRIGGERS, *RATES, *RUNS))
    for name in () if counted else TRIGGERED:
        if type(item.get(name)) is bool:
            return [item.get(name)]
    return None


def _counted(item: Node, repeats: int | None) -> list[bool] | None:
    """Return runs from their counts, or from a rate; None after noting why there are none."""
    runs_name, triggers_name = named(item.value, RUNS), named(item.value, TRIGGERS)
    runs = item.whole(runs_name) if runs_name is not None else repeats
    triggers = item.whole(triggers_name) if triggers_name is not None else _of_rate(item, runs)
    if runs is None or triggers is None:
        if _is_readable(item, runs_name, triggers_name):
            item.note(
                "warning",
                "runs-unknown",
                "The number of runs of this query, or how many of them activated the skill, is "
                "missing, so it has no score.",
                'Write both as "runs" and "triggers".',
            )
        return None
    if not 0 <= triggers <= runs:
        item.note(
            "warning",
            "impossible-count",
            f"{triggers:,} of {runs:,} runs is not possible; the query counts as not run.",
            'Write in "triggers" how many of the "runs" activated the skill.',
            triggers_name,
        )
        return None
    _check_rate(item, triggers, runs)
    if runs > MOST:
        _note_many(item, runs)
        return None
    if runs == 0:
        item.note("info", "no-runs", "This query was not asked in any run, so it has no score.")
    return [True] * triggers + [False] * (runs - triggers)


def _is_readable(item: Node, *names: str | None) -> bool:
    """Say whether counts are missing, not of another type: that is noted already."""
    return all(name is None or type(item.get(name)) in (int, float) for name in names)


def _of_rate(item: Node, runs: int | None) -> int | None:
    """Return how many runs a rate stands for, where it is that of a whole number of runs."""
    rate = next((item.number(name) for name in RATES if item.has(name)), None)
    if rate is None or runs is None or not 0 <= rate <= 1:
        return None
    whole = round(rate * runs)
    return whole if abs(rate * runs - whole) <= max(0.005 * runs, _NEAR) else None


def _check_rate(item: Node, triggers: int, runs: int) -> None:
    rate = next((item.number(name) for name in RATES if item.has(name)), None)
    # Two decimals are what tools that round leave of a rate.
    if rate is not None and runs and abs(rate - triggers / runs) > 0.005 + _NEAR:
        item.note(
            "warning",
            "derived-mismatch",
            f"The trigger rate is {rate:g}, but {triggers:,} of {runs:,} runs give "
            f"{triggers / runs:.3g}.",
            "Recompute the rate from the counts.",
            "trigger_rate",
        )


def _reasons(item: Node, activated: list[bool], *, ordered: bool) -> list[str | None]:
    """Return a reason a run; all of them with each run where nothing says whose they are."""
    name = named(item.value, REASONS)
    texts = [text for text, _ in item.texts(name)] if name is not None else []
    known = ordered or len(set(activated)) <= 1
    if known and len(texts) == len(activated):
        return list(texts)
    together = "\n".join(texts) or None
    return [together] * len(activated)


def _note_many(item: Node, runs: int) -> None:
    item.note(
        "error",
        "too-many-runs",
        f"{runs:,} runs of one query are too many to read; the limit is {MOST:,}.",
        "Split them into several files.",
    )
