"""The scales on which a model scores criteria, and the votes that count on each."""

import pytest

from evalcore.checks.produced import Text
from evalcore.engine.model_answers import Replied
from evalcore.engine.model_judge.asking import Asked, scale_of, schema_of
from evalcore.engine.model_judge.reading import Kept, nothing
from evalcore.engine.model_judge.voting import Vote, kept
from evalcore.families.running import Case, Criterion, Execution
from evalcore.models.calls import Answer
from evalcore.models.configuration import Model

MODEL = Model("small", "fake-1", "fake", "http://127.0.0.1:9/v1")


def criterion(kind: str, low: float | None, high: float | None) -> Criterion:
    return Criterion(kind, "name", "text", low, high)


@pytest.mark.parametrize(
    ("low", "high", "whole"),
    [
        (1.0, 5.0, True),
        (0.0, 2.0, True),
        (0.0, 1.0, False),
        (0.5, 5.0, False),
        (0.0, 2.5, False),
        (0.5, 1.5, False),
    ],
)
def test_scores_are_whole_where_both_ends_are_and_there_is_room_between(
    low: float, high: float, whole: bool
) -> None:
    """From 0 to 1 a share is meant."""
    assert scale_of(criterion("criterion", low, high)).is_whole is whole


@pytest.mark.parametrize(
    ("kind", "high", "passes"),
    [("expectation", None, True), ("assertion", 1.0, True), ("assertion", 2.0, False),
     ("criterion", 1.0, False)],
)  # fmt: skip
def test_expectations_and_assertions_pass_or_fail_unless_they_have_a_scale(
    kind: str, high: float | None, passes: bool
) -> None:
    """Everything else has scores."""
    assert scale_of(criterion(kind, None, high)).is_pass_fail is passes


@pytest.mark.parametrize(("high", "listed"), [(100.0, True), (101.0, False)])
def test_a_short_scale_is_asked_as_a_list_of_its_scores(high: float, listed: bool) -> None:
    """A server then gives no other; a long one only has its bounds checked by us."""
    found = schema_of([criterion("criterion", 0.0, high)])
    score = found["properties"]["criteria"]["properties"]["c1"]["properties"]["score"]
    assert ("enum" in score) is listed


@pytest.mark.parametrize(
    ("said", "passed"),
    [
        ((True,), True),
        ((True, False), None),
        ((True, True, False), True),
        ((False, False, True), False),
        ((True, None), None),
        ((True, True, None), True),
        ((None,), None),
    ],
)
def test_a_convention_needs_a_majority_of_all_votes(
    said: tuple[bool | None, ...], passed: bool | None
) -> None:
    """An answer without it counts against."""
    asked = Asked(Case("1", None, ""), (), Execution("completed"), {"a": Text("")}, ("kept",))
    answer = Answer("completed")
    answers = [
        nothing("", ())._replace(conventions={} if one is None else {"kept": Kept(one, "so")})
        for one in said
    ]
    votes = [Vote(MODEL, answer, each, Replied(answer, each, (answer,))) for each in answers]
    found = kept(asked, votes)
    assert [each.passed for each in found] == ([] if passed is None else [passed])
    assert all(each.share == float(each.passed is True) for each in found)
