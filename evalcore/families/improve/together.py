"""What the scores of many gradings come to, all at once; the rules are those of `results`."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from evalcore.families.improve.definitions import PASS_AT
from evalcore.families.improve.gradings import TENTH
from evalcore.families.improve.standard import Standard
from evalcore.tables.columns import Array

_VERDICTS: Final = {1: "pass"}


class Outcomes(NamedTuple):
    """One value a grading: `passed` is 1, 0 or -1 where it is not known, missing means are NaN."""

    mean: Array
    required: Array
    passed: Array
    judged: Array
    met: Array


def outcomes(scores: Array, counts: Sequence[int], needed: Array, decided: Array) -> Outcomes:
    """Return what whole scores come to.

    `scores` and `needed` (does a criterion decide?) have one value a criterion, `counts` (how many
    criteria, at least one) and `decided` (is it known which are needed?) one a grading.
    """
    judged = np.array(counts, np.int64)
    starts = np.cumsum(judged) - judged
    passing = scores >= PASS_AT
    wide = scores.astype(np.int64)
    of_needed = np.add.reduceat(needed.astype(np.int64), starts)
    failed = np.add.reduceat((needed & ~passing).astype(np.int64), starts)
    total = np.add.reduceat(wide * needed, starts)
    known = decided & (of_needed > 0)
    required = np.where(known, total / np.maximum(of_needed, 1), np.nan)
    passed = np.where(failed > 0, 0, np.where(decided, 1, -1)).astype(np.int8)
    met = np.add.reduceat(passing.astype(np.int64), starts)
    return Outcomes(np.add.reduceat(wide, starts) / judged, required, passed, judged, met)


def agree(found: Sequence[Standard], came_to: Outcomes) -> bool:
    """Say whether the derived values of all gradings are the recomputed ones."""
    stored = [each.overall_score for each in found]
    required = [each.required_score for each in found]
    if any(type(value) is int for value in (*stored, *required)):
        return False
    verdicts = zip(found, came_to.passed.tolist(), strict=True)
    return (
        all(each.overall in (_VERDICTS.get(passed, "fail"), None) for each, passed in verdicts)
        and _close(stored, came_to.mean)
        and _close(required, came_to.required)
    )


def _close(stored: Sequence[float | None], computed: Array) -> bool:
    """Say whether stored numbers, as far as there are any, are the computed ones to one decimal."""
    values = np.array(stored, np.float64)
    fine = (np.abs(values - computed) <= TENTH) & (np.round(values, 1) == values)
    return bool((np.isnan(values) | fine).all())
