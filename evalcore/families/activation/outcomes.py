"""Read what came of one query: how many of its runs activated the skill, and why."""

from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.activation.documents import RESULT
from evalcore.families.activation.queries import (
    RATE,
    RUNS,
    TRIGGERED,
    TRIGGERS,
    has_outcome,
    named,
)

MOST: Final = 200
"""So many runs of one query are read at most."""
_REASONS: Final = RESULT.by_name["reasons"].names
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
    listed = _listed(item)
    counts = _counted(item, repeats) if listed is None else (sum(listed), len(listed))
    if counts is None:
        return []
    triggers, runs = counts
    if runs > MOST:
        item.note(
            "error",
            "too-many-runs",
            f"{runs:,} runs of one query are too many to read; the limit is {MOST:,}.",
            "Split them into several files.",
        )
        return []
    if runs == 0:
        item.note("info", "no-runs", "This query was not asked in any run, so it has no score.")
    name = named(item.value, _REASONS)
    texts = [text for text, _ in item.texts(name)] if name is not None else []
    reasons: list[str | None] = [*texts]
    ordered = listed is not None or triggers in (0, runs)
    if not ordered or len(texts) != runs:
        # Nothing says whose reasons they are, so each run has them all.
        reasons = ["\n".join(texts) or None] * runs
    activated = listed or [True] * triggers + [False] * (runs - triggers)
    found = zip(activated, reasons, strict=True)
    return [Run(flag, reason, item.path, item.at) for flag, reason in found]


def _listed(item: Node) -> list[bool] | None:
    """Return the runs that an item lists one by one; None if it only counts them."""
    for name in (*TRIGGERED, *RUNS):
        value = item.get(name)
        if isinstance(value, list) and value and all(type(flag) is bool for flag in value):
            return value
    if item.has(*TRIGGERS, RATE, *RUNS):
        return None
    flag = next((item.get(name) for name in TRIGGERED if type(item.get(name)) is bool), None)
    return None if flag is None else [flag]


def _counted(item: Node, repeats: int | None) -> tuple[int, int] | None:
    """Return how many of how many runs activated the skill; None after noting why it is unknown."""
    runs_name, triggers_name = named(item.value, RUNS), named(item.value, TRIGGERS)
    runs = item.whole(runs_name) if runs_name is not None else repeats
    if triggers_name is not None:
        triggers = item.whole(triggers_name)
    else:
        triggers = _of_rate(item.number(RATE), runs)
    if runs is None or triggers is None:
        # One of another type is noted already.
        written = (item.get(name) for name in (runs_name, triggers_name) if name is not None)
        if all(type(value) in (int, float) for value in written):
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
    rate = item.number(RATE)
    # Two decimals are what tools that round leave of a rate.
    if rate is not None and runs and abs(rate - triggers / runs) > 0.005 + _NEAR:
        item.note(
            "warning",
            "derived-mismatch",
            f"The trigger rate is {rate:g}, but {triggers:,} of {runs:,} runs give "
            f"{triggers / runs:.3g}.",
            "Recompute the rate from the counts.",
            RATE,
        )
    return triggers, runs


def _of_rate(rate: float | None, runs: int | None) -> int | None:
    """Return how many runs a rate stands for, where it is that of a whole number of runs."""
    if rate is None or runs is None or not 0 <= rate <= 1:
        return None
    whole = round(rate * runs)
    return whole if abs(rate * runs - whole) <= max(0.005 * runs, _NEAR) else None
