"""Votes of models one by one: verdicts, quotes, what is shown of the output, and remarks."""

from typing import Any

import pytest

from evalcore.checks.produced import Text
from evalcore.engine.model_answers import Invalid, Replied
from evalcore.engine.model_judge import asking
from evalcore.engine.model_judge.asking import Asked, messages
from evalcore.engine.model_judge.judging import remarks
from evalcore.engine.model_judge.reading import Said, Scored
from evalcore.engine.model_judge.voting import Vote, is_quoted, verdicts
from evalcore.families.running import Case, Criterion, Execution
from evalcore.models.calls import Answer
from evalcore.models.configuration import Model

SMALL = Model("small", "fake-1", "fake", "http://127.0.0.1:9/v1")
LARGE = Model("large", "fake-2", "fake", "http://127.0.0.1:9/v1")
CASE = Case("1", None, "Write a note.")
CRITERION = Criterion("criterion", "tone", "It is friendly.", 1.0, 5.0)


def asked(texts: dict[str, Text] | None = None, **done: Any) -> Asked:
    given = {"a.txt": Text("Dear all, it rains.")} if texts is None else texts
    return Asked(CASE, (CRITERION,), Execution("completed", **done), given)


def vote(score: float | None, *evidence: str, model: Model = SMALL, named: str = "") -> Vote:
    one = Invalid("none") if score is None else Scored(score, "so", evidence, 0.5)
    answer, found = Answer("completed", model=named or None), Said((one,))
    return Vote(model, answer, found, Replied(answer, found, (answer,)))


def verdict(*votes: Vote) -> Any:
    (found,) = verdicts(asked(), votes, is_quoted(asked()))
    return found


@pytest.mark.parametrize(
    ("scores", "score"),
    [
        ((4,), 4),
        ((4, None), None),
        ((4, 2, None), 3),
        ((4, None, None), None),
        ((1, 2, 5), 2),
        ((2, 3, 4, None, None), 3),
        ((2, 3), 2),
        ((3, 4), 3),
        ((2, 5), 3),
        ((None, None), None),
    ],
)
def test_more_than_half_of_the_votes_must_be_scores(
    scores: tuple[float | None, ...], score: float | None
) -> None:
    """The median of those counts, and of two the whole score that is not above it."""
    assert verdict(*map(vote, scores)).score == score


def test_quotes_that_are_not_in_the_output_are_counted() -> None:
    """Case, spaces and marks are no difference."""
    said = verdict(vote(3, "dear ALL,", "“it   rains.”", "it snows")).rationale
    assert "[1 of 3 quotes of the judge is not in the output.]" in said
    said = verdict(vote(3, "it snows", "it hails", "rains")).rationale
    assert "[2 of 3 quotes of the judge are not in the output.]" in said
    assert "quote" not in verdict(vote(3, "rains")).rationale


def test_the_evidence_is_that_of_the_vote_nearest_to_the_verdict() -> None:
    """And so is the rationale."""
    assert verdict(vote(1, "rains"), vote(3, "Dear all"), vote(5)).evidence == ("Dear all",)


def test_a_file_that_is_not_shown_is_named_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It cannot be read, or there is no room for it; what is cut says so."""
    monkeypatch.setattr(asking, "MAX_OUTPUT", 5)
    texts = {"a": Text("12345678"), "b": Text("more"), "c": Text(None, "it is no text")}
    shown = messages(asked(texts), "==mark==")[1]["content"]
    assert "begin file a\n12345\n[cut here]\n==mark== end" in shown
    assert "[A file is not shown: there is no room for it]" in shown
    assert "[A file is not shown: it is no text]" in shown
    assert "more" not in shown


def test_what_fits_exactly_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the file nor the answer."""
    monkeypatch.setattr(asking, "MAX_OUTPUT", 4)
    monkeypatch.setattr(asking, "MAX_REPLY", 4)
    assert "cut here" not in messages(asked({"a": Text("1234")}, reply="5678"), "m")[1]["content"]
    assert "cut here" in messages(asked({}, reply="56789"), "m")[1]["content"]


def test_a_run_that_produced_nothing_says_so() -> None:
    """The model is not left to guess."""
    assert "[Nothing was produced.]" in messages(asked({}), "m")[1]["content"]


@pytest.mark.parametrize(
    ("executed_by", "warned"),
    [("fake-1", ["fake-1"]), ("fake-2", ["fake-2"]), ("small", ["fake-1"]),
     ("as-served", ["fake-1"]), ("other", []), (None, [])],
)  # fmt: skip
def test_a_judge_that_also_executed_the_case_is_named(
    executed_by: str | None, warned: list[str]
) -> None:
    """By the user's name, the server's, or what the server calls it (seed 002)."""
    votes = [vote(3, named="as-served"), vote(3, model=LARGE)]
    found = remarks((SMALL, LARGE), asked(model=executed_by), votes)
    assert [each.split()[2] for each in found] == warned
