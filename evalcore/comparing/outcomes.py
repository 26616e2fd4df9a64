"""Other outcomes of runs than their score: whether they passed the gate, or ended in time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

import pandas as pd

from evalcore.comparing.model import Comparison, Gates, Side, Slice
from evalcore.comparing.sample import Runs, of_cases, paired_runs, run_on_both
from evalcore.comparing.slices import slice_of
from evalcore.comparing.values import COUNTED, GATE_STOPPED, NOT_SCORED
from evalcore.statistics.verdict import verdict

Stopped = Literal["gate", "timeout"]
GATE: Final = "runs that pass the gate"
IN_TIME: Final = "runs that end in time"
_NAMES: Final[dict[Stopped, str]] = {"gate": GATE, "timeout": IN_TIME}


def other_outcomes(runs: Runs, sides: tuple[Side, Side], cases: Sequence[str]) -> tuple[Slice, ...]:
    """Return the verdict on the gate and on time-outs over the cases that both sides ran.

    One that stopped no run on either side is left out. Runs that did not finish, or that a person
    excluded, do not count.
    """
    ended = tuple(_ended(frame, side, cases) for frame, side in zip(runs[:2], sides, strict=True))
    ran = run_on_both((ended[0], ended[1]), sides, cases)
    return tuple(
        _outcome(which, runs._replace(a=ended[0], b=ended[1]), sides, ran)
        for which in _NAMES
        if ran and any(frame[which].any() for frame in ended)
    )


def gates(runs: Runs, sides: tuple[Side, Side], cases: Sequence[str]) -> Gates | None:
    """Return how many runs of the cases that both sides ran the gate stopped; None without any."""
    ended = [_ended(frame, side, cases) for frame, side in zip(runs[:2], sides, strict=True)]
    stopped = [int(frame["gate"].sum()) for frame in ended]
    return Gates(stopped[0], len(ended[0]), stopped[1], len(ended[1])) if any(stopped) else None


def _ended(runs: pd.DataFrame, side: Side, cases: Sequence[str]) -> pd.DataFrame:
    runs = of_cases(runs, side, cases)
    return runs[runs["lost"].isin([COUNTED, NOT_SCORED, GATE_STOPPED]).to_numpy()]


def _outcome(which: Stopped, ended: Runs, sides: tuple[Side, Side], cases: Sequence[str]) -> Slice:
    a, b = (frame.assign(value=1.0 - frame[which].to_numpy(float)) for frame in ended[:2])
    asked = paired_runs((a, b), sides, cases, clusters=ended.clusters)
    return slice_of("outcome", _NAMES[which], asked, verdict(asked))


def stopped_whole(found: Comparison) -> Comparison:
    """Return a comparison without scores by its gate, if that stopped one side as a whole.

    That side is worse on these cases at least, however few they are: nothing of it can be scored.
    """
    gate = next((one for one in found.outcomes if one.name == GATE), None)
    rates = None if gate is None else (gate.a.value, gate.b.value)
    if (
        gate is None
        or gate.verdict is None
        or rates is None
        or 0.0 not in rates
        or rates[0] == rates[1]
    ):
        return found
    word = gate.verdict.word
    if word == "can't tell":
        word = "worse on these cases" if rates[1] == 0 else "better on these cases"
    return replace(
        found,
        headline=GATE,
        verdict=replace(gate.verdict, word=word),
        estimate_a=gate.a,
        estimate_b=gate.b,
    )
