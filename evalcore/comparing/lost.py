"""The runs and criteria that a side lost, and what the verdict is if they count for or against."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.comparing.model import Lost, LostReason, LostRuns, Side
from evalcore.comparing.sample import Runs, of_cases, paired_runs, run_on_both
from evalcore.comparing.values import (
    COUNTED,
    EXCLUDED,
    GATE_STOPPED,
    NOT_FINISHED,
    NOT_GRADED,
    NOT_LOST,
    NOT_READ,
    NOT_SCORED,
    NOT_THERE,
)
from evalcore.counting.coded import Numbers
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import DIRECTIONS, Kind, Verdict, Word, words

RUNGS: Final = tuple(reversed(DIRECTIONS))
"""The words of a verdict in their order."""
_REASONS: Final[tuple[tuple[int, LostReason], ...]] = (
    (NOT_SCORED, "not scored"),
    (EXCLUDED, "excluded"),
    (NOT_FINISHED, "not finished"),
    (GATE_STOPPED, "gate failed"),
    (NOT_GRADED, "not graded"),
    (NOT_READ, "not read"),
    (NOT_THERE, "not there"),
)


class Bounds(NamedTuple):
    """The runs of both sides, lost ones too: counted against B and for A, or the other way."""

    against: PairedRuns
    favouring: PairedRuns


def lost_runs(
    runs: Runs, sides: tuple[Side, Side], cases: Sequence[str], verdict: Verdict | None
) -> tuple[LostRuns, Verdict | None]:
    """Return what each side lost of the cases that both ran, and the verdict that remains.

    Where the sides lost unequal shares, the lost runs are counted once against B and for A, once
    the other way round (Manski 1990, "Nonparametric Bounds on Treatment Effects"): better or worse
    remains only as far as both say so.
    """
    a, b = _possible(runs, sides, cases)
    found = LostRuns(tuple(_lost(a)), tuple(_lost(b)), unequal=_unequal(a, b))
    if verdict is None or not found.unequal:
        return found, verdict
    bounds = bounds_of(runs, sides, cases)
    low, high = (float(np.mean(one.differences)) for one in bounds)
    found = replace(found, low=low, high=high, without=verdict.word)
    return found, remaining([verdict], [bounds])[0]


def remaining(verdicts: Sequence[Verdict], bounds: Sequence[Bounds]) -> list[Verdict]:
    """Return verdicts that are shown together, each as far as both of its bounds say so too."""
    against, favouring = (words([one[at] for one in bounds]) for at in (0, 1))
    every = zip(verdicts, against, favouring, strict=True)
    return [held(verdict, others, "lost") for verdict, *others in every]


def held(found: Verdict, others: Sequence[Word], kind: Kind) -> Verdict:
    """Return a verdict as far as `others` say so too; if they say less, that is of this `kind`."""
    word = _common((found.word, *others))
    return found if word == found.word else replace(found, word=word, kind=kind)


def bounds_of(runs: Runs, sides: tuple[Side, Side], cases: Sequence[str]) -> Bounds:
    """Return the samples in which what was lost counts against B, and for it."""
    frames = _possible(runs, sides, cases)
    ran = run_on_both(frames, sides, cases)
    return Bounds(
        paired_runs(frames, sides, ran, ("high", "low"), runs.clusters),
        paired_runs(frames, sides, ran, ("low", "high"), runs.clusters),
    )


def possible_runs(runs: Runs, sides: tuple[Side, Side], cases: Sequence[str]) -> list[Numbers]:
    """Return how many runs each case has on each side that count, or would if not lost."""
    frames = _possible(runs, sides, cases)
    asked = paired_runs(frames, sides, cases, ("low", "high"))
    return [asked.runs_a, asked.runs_b]


def bounds_of_missing(asked: PairedRuns, possible: Sequence[Numbers]) -> Bounds:
    """Return the samples in which runs without a value count against B, and for it.

    `possible` is how many runs each case has on each side.
    """
    missing = [
        np.maximum(most - ran, 0)
        for most, ran in zip(possible, (asked.runs_a, asked.runs_b), strict=True)
    ]
    cases = [np.repeat(np.arange(asked.cases), n) for n in missing]

    def filled(of_a: float, of_b: float) -> PairedRuns:
        return PairedRuns(
            np.concatenate([asked.a, np.full(len(cases[0]), of_a)]),
            np.concatenate([asked.b, np.full(len(cases[1]), of_b)]),
            np.concatenate([asked.case_a, cases[0]]),
            np.concatenate([asked.case_b, cases[1]]),
            asked.cluster,
        )

    return Bounds(filled(1.0, 0.0), filled(0.0, 1.0))


def _possible(
    runs: Runs, sides: tuple[Side, Side], cases: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the runs of some cases that count, or would if they were not lost."""
    a, b = (of_cases(frame, side, cases) for frame, side in zip(runs[:2], sides, strict=True))
    return a[(a["lost"] != NOT_LOST).to_numpy()], b[(b["lost"] != NOT_LOST).to_numpy()]


def _common(found: Sequence[Word]) -> Word:
    """Return the strongest word that all of some words imply."""
    ranks = [RUNGS.index(word) - RUNGS.index("can't tell") for word in found]
    if min(ranks) > 0:
        return RUNGS[min(ranks) + 2]
    return RUNGS[max(ranks) + 2] if max(ranks) < 0 else "can't tell"


def _lost(runs: pd.DataFrame) -> Iterator[Lost]:
    lost = runs["lost"].to_numpy()
    for code, why in _REASONS:
        if n := int((lost == code).sum()):
            yield Lost("runs", why, n, len(runs))
    counted = runs[lost == COUNTED]
    if n := int(counted["timeout"].sum()):
        yield Lost("runs", "timed out", n, len(runs))
    if n := int(counted["unscored"].sum()):
        yield Lost("criteria", "not scored", n, int(counted["criteria"].sum()))


def _unequal(a: pd.DataFrame, b: pd.DataFrame) -> bool:
    """Return whether the sides lost unequal shares of their runs or of their criteria."""
    return any(
        lost_a * of_b != lost_b * of_a
        for (lost_a, of_a), (lost_b, of_b) in zip(_shares(a), _shares(b), strict=True)
    )


def _shares(runs: pd.DataFrame) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return how many runs are lost of how many, and how many criteria of those that count.

    A side without recorded criteria has lost none of them, which is no share of nothing.
    """
    counted = runs[runs["counted"].to_numpy(bool)]
    criteria = int(counted["unscored"].sum()), max(int(counted["criteria"].sum()), 1)
    return (len(runs) - len(counted), len(runs)), criteria
