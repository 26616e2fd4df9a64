"""What one person's scores of a run come to, family by family."""

import pytest

from evalcore.families.registry import family as family_of
from evalcore.families.scoring import Criteria, Criterion, Total


def criteria(*made: Criterion) -> Criteria:
    """Criteria by kind and name."""
    return {(each.kind, each.name): each for each in made}


def asked(
    kind: str, name: str, high: float = 1, weight: float | None = None, required: bool | None = None
) -> Criterion:
    """A criterion on a scale up to `high`."""
    low = 1.0 if high > 1 else 0.0
    return Criterion(kind, name, None, required, weight, low, high, None, None, "evals.json")


FIVE = criteria(
    asked("expectation", "a", 5, required=True), asked("expectation", "b", 5, required=False)
)
WEIGHED = criteria(asked("rubric", "a", 1, 0.7), asked("rubric", "b", 1, 0.3))
RUBRIC = criteria(asked("rubric", "a", 5, 3), asked("rubric", "b", 5, 1), asked("expectation", "c"))
CHECKS = criteria(asked("assertion", "a"), asked("assertion", "b"))


@pytest.mark.parametrize(
    ("family", "of", "scores", "threshold", "found"),
    [
        ("improve", FIVE, (3, 1), None, Total(2.0, 5, True, 2, 2)),
        ("improve", FIVE, (2, 5), None, Total(3.5, 5, False, 2, 2)),
        ("records", WEIGHED, (1, 0.5), 0.85, Total(0.85, 1.0, True, 2, 2)),
        ("records", WEIGHED, (1, 0), 0.85, Total(0.7, 1.0, False, 2, 2)),
        ("records", WEIGHED, (1, 0), None, Total(0.7, 1.0, None, 2, 2)),
        ("rubric", RUBRIC, (5, 1, 0), None, Total(4.0, 5.0, None, 3, 3)),
        ("rubric", CHECKS, (1, 1), None, Total(2.0, 2.0, None, 2, 2)),
        ("descriptions", CHECKS, (1, 0), None, Total(1.0, 2.0, None, 2, 2)),
        ("iterations", CHECKS, (0, 0), None, Total(0.0, 2.0, None, 2, 2)),
    ],
)
def test_a_run_has_the_score_of_its_family(
    family: str, of: Criteria, scores: tuple[float, ...], threshold: float | None, found: Total
) -> None:
    """Means, weighted sums with a threshold, weighted means of a rubric, and counts of passes."""
    given = dict(zip(of, scores, strict=True))
    got = family_of(family).scoring.total(of, given, threshold)
    assert got.score == pytest.approx(found.score)
    assert got._replace(score=found.score) == found


@pytest.mark.parametrize(
    ("family", "of"), [("improve", FIVE), ("records", WEIGHED), ("rubric", RUBRIC)]
)
def test_a_run_that_is_not_judged_whole_has_no_score(family: str, of: Criteria) -> None:
    """How many of the criteria were judged is told, and nothing is made of them."""
    first = next(iter(of))
    found = family_of(family).scoring.total(of, {first: 1.0, ("expectation", "another"): 1.0}, 0.5)
    assert (found.score, found.passed, found.judged, found.expected) == (None, None, 1, len(of))


def test_a_criterion_passes_at_its_own_mark() -> None:
    """Three of five, one of one, and never on a rubric."""
    five, one, rubric = (
        asked("expectation", "a", 5),
        asked("assertion", "a"),
        asked("rubric", "a", 5),
    )

    def passes(family: str, criterion: Criterion, score: float) -> bool | None:
        return family_of(family).scoring.passes(criterion, score)

    assert [passes("improve", five, score) for score in (2, 3)] == [False, True]
    assert [passes("descriptions", one, score) for score in (0.5, 1)] == [False, True]
    assert passes("rubric", rubric, 5) is None
    assert passes("improve", five._replace(pass_at=4), 3) is False
