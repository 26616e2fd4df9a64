"""What came of one query: its runs, as an item lists, counts or rates them."""

from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.activation.documents import RESULT
from evalcore.families.activation.queries import (
    ERROR,
    RATE,
    RUNS,
    TRIGGERED,
    TRIGGERS,
    decision,
    has_outcome,
    named,
)

MOST: Final = 200
"""So many runs of one query are read at most."""
PASSES: Final = RESULT.by_name["pass"].names
_ERRORED: Final = RESULT.by_name["errored"].names
_REASONS: Final = RESULT.by_name["reasons"].names
_NEAR: Final = 1e-6


class Run(NamedTuple):
    """One run of a query: whether it activated the skill, with its reason and place.

    One without `activated` crashed, or stands for all runs of a query whose `rate` is stated.
    """

    activated: bool | None
    rationale: str | None
    source: str
    pointer: str
    rate: float | None = None
    passed: bool | None = None

    @property
    def crashed(self) -> bool:
        """Whether it ended with an error, before it could be seen what it activates."""
        return self.activated is None and self.rate is None


def runs_of(item: Node, repeats: int | None) -> list[Run]:
    """Return the runs of an item, none after noting why; `repeats` are the runs of every query.

    Where only counts are given, the first runs are those that activated the skill, and the last
    ones those that crashed.
    """
    if not has_outcome(item.value):
        return []
    # An item may list its runs one by one, or be one itself; others only count them.
    lists = (item.value.get(name) for name in (*TRIGGERED, *RUNS))
    flags = (_flags(each) for each in lists if isinstance(each, list) and each)
    listed = next((each for each in flags if each is not None), None)
    is_counted = item.has(*TRIGGERS, *RUNS)
    if listed is None and not is_counted and not item.has(RATE):
        listed = _flags([item.value])
    if listed is None and not is_counted and repeats is None and item.has(RATE):
        rate = item.number(RATE)
        if rate is None:
            return []
        said = (
            "A trigger rate is stated, but not of how many runs: it is shown as stated, and stands "
            "outside every rate and comparison."
        )
        hint = 'Write "runs_per_query" beside the list, or "runs" and "triggers" into each query.'
        item.note("info", "runs-unknown", said, hint)
        name = named(item.value, PASSES)
        passed = item.flag(name) if name is not None else None
        return [Run(None, None, item.path, item.at, rate, passed)]
    is_ordered = listed is not None
    if listed is None:
        counts = _counted(item, repeats)
        if counts is None:
            return []
        triggers, crashed, runs = counts
        is_ordered = triggers in (0, runs) and not crashed
    else:
        runs = len(listed)
    if runs > MOST:
        said = f"{runs:,} runs of one query are too many to read; the limit is {MOST:,}."
        item.note("error", "too-many-runs", said, "Split them into several files.")
        return []
    if runs == 0:
        item.note("info", "no-runs", "This query was not asked in any run, so it has no score.")
    if listed is None:
        listed = [True] * triggers + [False] * (runs - triggers - crashed) + [None] * crashed
    name = named(item.value, _REASONS)
    texts = [text for text, _ in item.texts(name)] if name is not None else []
    reasons: list[str | None] = [*texts]
    if not is_ordered or len(texts) != runs:
        # Nothing says whose reasons they are, so each run has them all.
        reasons = ["\n".join(texts) or None] * runs
    return [
        Run(flag, reason, item.path, item.at) for flag, reason in zip(listed, reasons, strict=True)
    ]


def _flags(runs: list[Any]) -> list[bool | None] | None:
    """Return for each run what it activated, None if it crashed; None where one says neither."""
    flags: list[bool | None] = []
    for run in runs:
        fields = run if isinstance(run, dict) else {}
        crashed = bool(fields.get(ERROR)) or any(fields.get(name) is True for name in _ERRORED)
        told = run if isinstance(run, bool) else decision(fields)
        if told is None and not crashed:
            return None
        flags.append(None if crashed else told)
    return flags


def _counted(item: Node, repeats: int | None) -> tuple[int, int, int] | None:
    """Return how many runs activated the skill, crashed, and are there; None if not known."""
    runs_name, triggers_name = named(item.value, RUNS), named(item.value, TRIGGERS)
    runs = item.whole(runs_name) if runs_name is not None else repeats
    crashed_name = named(item.value, _ERRORED)
    crashed = (item.whole(crashed_name) or 0) if crashed_name is not None else 0
    if triggers_name is not None:
        triggers = item.whole(triggers_name)
    else:
        rate, triggers = item.number(RATE), None
        if rate is not None and runs is not None and 0 <= rate <= 1:
            share = rate * (runs - crashed)
            # That of a whole number of runs, as tools round it.
            near = abs(share - round(share)) <= max(0.005 * (runs - crashed), _NEAR)
            triggers = round(share) if near else None
    if runs is None or triggers is None:
        # One of another type is noted already.
        written = (item.get(name) for name in (runs_name, triggers_name) if name is not None)
        if all(type(value) in (int, float) for value in written):
            said = (
                "The number of runs of this query, or how many of them activated the skill, is "
                "missing, so it has no score."
            )
            item.note("warning", "runs-unknown", said, 'Write both as "runs" and "triggers".')
        return None
    if min(triggers, crashed) < 0 or triggers + crashed > runs:
        and_crashed = f" and {crashed:,} crashed ones" if crashed else ""
        of_all = f"{triggers:,}{and_crashed} of {runs:,} runs"
        said = f"{of_all} is not possible; the query counts as not run."
        hint = 'Write in "triggers" how many of the "runs" activated the skill.'
        item.note("warning", "impossible-count", said, hint, triggers_name)
        return None
    rate = item.number(RATE)
    # Two decimals are what tools that round leave of a rate; some count crashed runs in it.
    shares = [triggers / of for of in (runs - crashed, runs) if of]
    if rate is not None and shares and all(abs(rate - of) > 0.005 + _NEAR for of in shares):
        found = f"{triggers:,} of {runs - crashed:,} runs give {shares[0]:.3g}"
        said = f"The trigger rate is {rate:g}, but {found}."
        item.note("warning", "derived-mismatch", said, "Recompute the rate from the counts.", RATE)
    return triggers, crashed, runs
