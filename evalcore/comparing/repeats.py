"""Repeatability of one side: agreement of repeated runs, pass@k, and the noise floor."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from evalcore.comparing.model import Repeats, Side
from evalcore.counting.coded import Numbers
from evalcore.counting.outcomes import outcomes
from evalcore.numbers import consistency
from evalcore.statistics.intervals import SAME
from evalcore.statistics.repeats import agreeing, noise, pass_all_k, pass_at_k

MAX_K: Final = 10


def repeats(side: Side, runs: pd.DataFrame, cases: Sequence[str]) -> Repeats | None:
    """Return how well runs of the same case agree, over some cases; None if none has two runs.

    `runs` are those of the side (see `values.runs_of`).
    """
    places = outcomes(side.ws, side.suite).positions
    wanted = np.isin(runs["case"].to_numpy(), [places[case] for case in cases])
    every = runs[runs["counted"].to_numpy(bool)]["value"].tolist()
    runs = runs[wanted & runs["counted"].to_numpy(bool)].sort_values("case", kind="stable")
    case = runs["case"].to_numpy()
    several = runs[np.bincount(case, minlength=1)[case] > 1]
    if several.empty:
        return None
    of_cases = _by_case(several)
    passed, ran = _passes(several)
    most = min(int(ran.min()), MAX_K) if len(ran) else 0
    return Repeats(
        cases=len(of_cases),
        agreeing=agreeing(of_cases),
        pass_at=_by_k(pass_at_k, passed, ran, most),
        pass_all=_by_k(pass_all_k, passed, ran, most),
        noise=noise(of_cases),
        consistency=consistency(every),
    )


def _by_case(runs: pd.DataFrame) -> list[Numbers]:
    """Return the values of the runs of each case; the runs lie by case."""
    first = np.flatnonzero(np.diff(runs["case"].to_numpy())) + 1
    return np.split(runs["value"].to_numpy(), first)


def _by_k(of: object, passed: Numbers, ran: Numbers, most: int) -> tuple[tuple[int, float], ...]:
    found = ((k, of(passed, ran, k)) for k in range(1, most + 1)) if callable(of) else ()
    return tuple((k, float(value)) for k, value in found if value is not None)


def _passes(runs: pd.DataFrame) -> tuple[Numbers, Numbers]:
    """Return passed and total runs of each case; nothing if runs have no pass or fail."""
    value = runs["value"].to_numpy()
    if (np.minimum(np.abs(value), np.abs(value - 1)) > SAME).any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    by_case = runs.assign(passed=value > 0.5).groupby("case")["passed"].agg(["sum", "size"])
    return by_case["sum"].to_numpy(np.int64), by_case["size"].to_numpy(np.int64)
