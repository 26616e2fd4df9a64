"""What the standard documents of one run come to, and whether they say the same themselves."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from evalcore.families.iterations.case import Case
from evalcore.families.iterations.runs import NO_CHECKS, RUBRIC_MAX, Checks, Place
from evalcore.families.iterations.standard import Check, Grading, Item, Structural, Summary
from evalcore.families.iterations.structural import NO_STRUCTURE, Structure
from evalcore.numbers import disagrees, weighted_mean


class Sums(NamedTuple):
    """Checks, structure, weighted mean and scores of the rubric of one run."""

    checks: Checks
    structure: Structure
    mean: float | None
    dimensions: dict[str, float]


def sums_of(place: Place, grading: Grading | None, rules: Structural | None) -> Sums | None:
    """Return what a run comes to; None when a document contradicts itself or the case."""
    checks = _checks(grading.expectations, grading.summary) if grading else NO_CHECKS
    structure = _structure(rules) if rules else NO_STRUCTURE
    if checks is None or structure is None:
        return None
    if grading is None or not grading.rubric_scores:
        return Sums(checks, structure, None, {})
    scores = {name: each.score for name, each in grading.rubric_scores.items()}
    mean = _rubric(place.case, scores)
    if mean is None or not _agrees(grading, mean):
        return None
    return Sums(checks, structure, mean, scores)


def _checks(items: Sequence[Item | Check], summary: Summary | None) -> Checks | None:
    """Return what verdicts come to; None when the sums beside them are others."""
    count, total = sum([item.passed for item in items]), len(items)
    if summary is not None:
        told = summary.passed, summary.total, summary.failed
        if told != (count, total, total - count) or _differs(summary.pass_rate, count / total):
            return None
    return Checks(count, total, 0)


@lru_cache(maxsize=4096)
def _differs(stored: float, computed: float) -> bool:
    return stored != computed and disagrees(stored, computed)


def _structure(rules: Structural) -> Structure | None:
    """Return what checks by rule come to; None when the document says something else."""
    gate = all(item.passed or not item.critical for item in rules.expectations)
    checks = _checks(rules.expectations, rules.summary)
    if checks is None or rules.gate_passed not in (None, gate):
        return None
    return Structure(checks, gate, blocked=False)


def _rubric(case: Case, scores: dict[str, float]) -> float | None:
    """Return the weighted mean of scores; None when there is none, or for foreign dimensions."""
    known = case.dimensions
    if known and not scores.keys() <= known.keys():
        return None
    weights = [known[name].weight if known else 1.0 for name in scores]
    return weighted_mean(list(zip(scores.values(), weights, strict=True)))


def _agrees(grading: Grading, mean: float) -> bool:
    told = grading.rubric_summary
    if told is None:
        return True
    pairs = (told.weighted_mean, mean), (told.normalized, mean / RUBRIC_MAX)
    return not any(stored is not None and disagrees(stored, found) for stored, found in pairs)
