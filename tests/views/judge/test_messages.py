"""What a judge's window may send: nothing in it is believed before it was looked at."""

from typing import Any

import pytest

from evalcore.judging.model import Answer, Asked, Basis, Task
from evalcore.views.judge.messages import answers_of, draft_of, is_of, task_as_shown, text_in
from evalcore.views.judge.task import short_key

ID = "01890a5d-ac96-774b-bcce-b302099a8057"
SHA = "a" * 64
CRITERION = Asked(
    "rubric:tone", "rubric", "tone", "tone", "", 1, 5, False, None, (), None, None, None, SHA, 5
)
TASK = Task(
    "r1",
    "s",
    "c",
    "c",
    None,
    None,
    (),
    (CRITERION,),
    Basis("b" * 64, None, {}),
    {"rubric:tone": "own"},
    {},
)
KEY = short_key("rubric:tone")


def answer(**given: Any) -> dict[str, Any]:
    """Return an answer as a window sends it."""
    return {
        "key": KEY,
        "score": 4,
        "rationale": "Because.",
        "evidence": ["x"],
        "level": "high",
        **given,
    }


def test_a_text_of_a_message_is_read_whole() -> None:
    """What is no text, or is not there, is an empty one; half a sign is written as a question."""
    sent = {"act": "go", "to": "r2", "seq": 1, "half": "a\ud800"}
    assert [text_in(sent, name) for name in ("to", "seq", "missing", "half")] == [
        "r2",
        "",
        "",
        "a?",
    ]


def test_an_act_says_under_which_name_it_was_done() -> None:
    """A window that judged as somebody else is known by it."""
    assert is_of({"act": "store", "judge": "ana-3f2a"}, "ana-3f2a")
    assert is_of({"act": "store"}, "ana-3f2a")
    assert not is_of({"act": "store", "judge": "ana-3f2a"}, "ben-77c0")


def test_complete_answers_are_taken_whole() -> None:
    """Score, reason, evidence and how sure."""
    assert answers_of(TASK, [answer()]) == (Answer("rubric:tone", 4.0, "Because.", ("x",), "high"),)


@pytest.mark.parametrize(
    "given",
    [
        {"score": None},
        {"score": True},
        {"score": "5"},
        {"score": float("nan")},
        {"score": float("inf")},
        {"key": 3},
    ],
)
def test_an_answer_that_is_not_complete_is_none(given: dict[str, Any]) -> None:
    """Nothing becomes a score that is none."""
    assert answers_of(TASK, [answer(**given)]) == ()


@pytest.mark.parametrize("reason", [" \n", None])
def test_an_answer_without_a_reason_is_one(reason: str | None) -> None:
    """Whether the suite requires one is decided where it is stored."""
    assert answers_of(TASK, [answer(rationale=reason)]) == (
        Answer("rubric:tone", 4.0, "", ("x",), "high"),
    )


def test_texts_arrive_whole_and_can_be_written() -> None:
    """None is cut, as it could be too long to be stored; half characters are replaced."""
    (found,) = answers_of(
        TASK, [answer(rationale="x" * 30_000 + "\ud800", evidence=["", 5, "y" * 9_000])]
    )
    assert found.rationale == "x" * 30_000 + "?"
    assert found.evidence == ("y" * 9_000,)
    assert answers_of(TASK, [answer(rationale="\ud800")])[0].rationale == "?"
    assert answers_of(TASK, [answer(level="certain")])[0].level is None


def test_a_task_is_taken_as_the_window_showed_it() -> None:
    """Its ids and hashes come along; what it does not say counts as never seen."""
    body = {"ids": {KEY: ID}, "basis": {"output": SHA, "prompt": "no hash", "criteria": {KEY: SHA}}}
    seen = task_as_shown(TASK, body)
    assert seen.ids == {"rubric:tone": ID}
    assert seen.basis == Basis(SHA, None, {"rubric:tone": SHA})
    assert task_as_shown(TASK, {"ids": {KEY: "../x"}}).ids == {"rubric:tone": "own"}


def test_a_draft_keeps_what_is_half_done() -> None:
    """Criteria that nothing was said of are left out."""
    draft = draft_of(
        {
            "run": "r1",
            "at": 5,
            "ids": {"k": ID},
            "note": "later",
            "answers": {"k": {"score": None, "rationale": "so f"}, "empty": {"score": None}},
        }
    )
    assert draft is not None
    assert list(draft["answers"]) == ["k"]
    assert draft["answers"]["k"]["rationale"] == "so f"
    assert (draft["ids"], draft["note"], draft["at"]) == ({"k": ID}, "later", 5)


@pytest.mark.parametrize("value", [None, {}, {"run": "r1"}, {"run": "r1", "answers": {"k": {}}}])
def test_nothing_typed_is_no_draft(value: object) -> None:
    """There is nothing to keep."""
    assert draft_of(value) is None
