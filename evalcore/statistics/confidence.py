"""Whether a judge that is surer is right more often: calibration of its stated confidence."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.judge_error import Rate, share

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]

BINS: Final = 5
FOR_ECE: Final = 100
"""Below so many checked results the expected calibration error is mostly noise: it is above 0 for
a judge that is calibrated perfectly, and depends on the bins."""


class Bin(NamedTuple):
    """Results whose confidence is in a range, or is one word: how many of them are right."""

    low: float
    high: float
    n: int
    confidence: float
    right: Rate


class Calibration(NamedTuple):
    """Confidence as a number against being right: by bin, Brier score, expected error.

    `ece` is None below `FOR_ECE` results.
    """

    bins: tuple[Bin, ...]
    n: int
    brier: float
    ece: float | None


def calibration(confidence: Numbers, right: Numbers, case: Codes) -> Calibration:
    """Return the calibration of confidences from 0 to 1; `right` is 1 or 0. At least one."""
    found = bins(confidence, right, case)
    ece = expected_error(found) if len(right) >= FOR_ECE else None
    return Calibration(found, len(right), brier(confidence, right), ece)


def brier(confidence: Numbers, right: Numbers) -> float:
    """Return the mean squared distance of confidence from 1 (right) or 0 (Brier 1950)."""
    return float(np.square(confidence - right).mean())


def bins(confidence: Numbers, right: Numbers, case: Codes, number: int = BINS) -> tuple[Bin, ...]:
    """Return the bins of equal width that hold a result; the upper end belongs to a bin."""
    place = np.clip(np.ceil(confidence * number).astype(int) - 1, 0, number - 1)
    found = []
    for at in np.unique(place).tolist():
        mine = place == at
        found.append(
            Bin(
                at / number,
                (at + 1) / number,
                int(mine.sum()),
                float(confidence[mine].mean()),
                share(right[mine], case[mine]),
            )
        )
    return tuple(found)


def expected_error(of: tuple[Bin, ...]) -> float:
    """Return the expected calibration error (Guo et al. 2017, arXiv:1706.04599)."""
    total = sum(each.n for each in of)
    return sum(each.n / total * abs(each.right.value - each.confidence) for each in of)
