"""Answers in forms of their own are taken; what cannot be read is asked for once more."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.engine.model_answers import REPAIR
from evalcore.engine.store import RunFolder
from evalcore.views.runs.outcome_words import remarks, unscored_of
from tests.engine.judging_model import configured, grading, judged, verdicts
from tests.models.fake_openai import Body, FakeOpenAI

NONSENSE = "I would say that it is rather good."


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """A server that judges, and a configuration that names it."""
    monkeypatch.setenv("JUDGE_KEY", "sk-1")
    with configured(tmp_path) as server:
        yield server


def used(text: str | Body, name: str = "answer") -> Body:
    """Return an answer that calls a tool with these arguments."""
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": text}}
    return {"text": None, "tool_calls": [call], "finish": "tool_calls"}


FORMS: dict[str, Any] = {
    "thinking before it": lambda text: f"<think>\nIs {{it}} </b> good?\n</think>\n\n{text}",
    "two blocks, in other words": lambda text: f"<reasoning>a</reasoning>\n<THINK>b</think>{text}",
    "thinking in brackets": lambda text: f"[THINK]so[/THINK]```json\n{text}\n```",
    "the end of its thinking only": lambda text: f"First I look at it.</think>\n{text}",
    "the arguments of a tool call": used,
    "the arguments as an object": lambda text: used(json.loads(text)),
    "a list of parts": lambda text: {"text": [
        {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": text[:9]},
        {"type": "output_text", "text": text[9:]}]},
    "a list of texts": lambda text: {"text": [text[:9], text[9:]]},
    "an object": lambda text: {"text": json.loads(text)},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_in_another_form_is_taken(tmp_path: Path, fake: FakeOpenAI, form: str) -> None:
    """It is the answer that was asked for, so nobody is asked again."""
    fake.reply = lambda body: FORMS[form](json.dumps(verdicts(body)))
    folder = judged(tmp_path / "folder")
    assert grading(folder)["summary"]["passed"] == 2
    assert (len(fake.asked), remarks(folder.progress())) == (1, [])


def test_what_quotes_the_end_of_thinking_is_not_cut(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Only what stands before an answer is taken off."""
    fake.reply = lambda body: json.dumps(verdicts(body, rationale="It ends with </think> {x}."))
    value = grading(judged(tmp_path / "folder"))
    assert value["expectations"][0]["evidence"].startswith("It ends with </think> {x}.")


def twice(fake: FakeOpenAI, first: str | Body, second: str | Body | None = None) -> None:
    """Let the server answer so, and then so, or well."""

    def reply(body: Body) -> str | Body:
        found = first if len(body["messages"]) == 2 else second
        found = json.dumps(verdicts(body)) if found is None else found
        return found if isinstance(found, str) else dict(found)

    fake.reply = reply


def calls(folder: RunFolder) -> int:
    """Return how many calls the judging of the only run took."""
    (one,) = folder.progress().runs
    assert one.graded is not None and one.graded.judging is not None
    assert one.graded.judging.tokens == 120 * one.graded.judging.calls
    return one.graded.judging.calls


def test_an_answer_that_cannot_be_read_is_asked_for_once_more(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """With what was wrong; the second answer counts, and so does its price, and the run says it."""
    twice(fake, NONSENSE)
    folder = judged(tmp_path / "folder")
    assert grading(folder)["summary"]["passed"] == 2
    *before, said, repair = fake.asked[1].body["messages"]
    assert before == fake.asked[0].body["messages"]
    assert said == {"role": "assistant", "content": NONSENSE}
    why = "The answer of the judge is no valid JSON."
    assert repair == {"role": "user", "content": REPAIR.format(why=why)}
    assert calls(folder) == len(fake.asked) == 2
    told = f"fake-1 was asked a second time, as its answer could not be read: {why}"
    assert remarks(folder.progress()) == [told]
    assert grading(folder)["evalcore"]["judging"]["asked_twice"] == 1


@pytest.mark.parametrize(
    ("first", "second", "status", "why"),
    [
        (NONSENSE, '{"criteria": 3}', "invalid", "The answer of the judge has no criteria."),
        (NONSENSE, NONSENSE, "invalid", "The answer of the judge is no valid JSON."),
        ("<think>It is", "<think>It is", "invalid", "The answer of the judge is no valid JSON."),
        (NONSENSE, {"text": "", "refusal": "No."}, "invalid", "is no valid JSON."),
        (NONSENSE, {"text": "{", "finish": "length"}, "invalid", "is no valid JSON."),
        (used("{}", "read"), used("{}", "read"), "invalid",
         "It asked for the tool 'read' instead of answering, and it has none."),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_twice_scores_nothing(
    tmp_path: Path, fake: FakeOpenAI, first: str | Body, second: str | Body, status: str, why: str
) -> None:
    """The reason is that of the last answer that came whole; nobody is asked a third time."""
    twice(fake, first, second)
    folder = judged(tmp_path / "folder")
    found = unscored_of(folder.progress())
    assert {(each.status, each.why.endswith(why)) for each in found} == {(status, True)}
    assert calls(folder) == len(fake.asked) == 2


@pytest.mark.parametrize("fault", ["refuse", "finish length", "finish content_filter"])
def test_who_refuses_or_is_cut_is_not_asked_again(
    tmp_path: Path, fake: FakeOpenAI, fault: str
) -> None:
    """That is an answer, not a form of one."""
    fake.faults = [fault]
    assert calls(judged(tmp_path / "folder")) == 1


def test_a_score_that_counts_is_not_asked_for_again(tmp_path: Path, fake: FakeOpenAI) -> None:
    """The model could change it; what it left out stays unscored."""

    def reply(body: Body) -> str:
        value = verdicts(body)
        del value["criteria"]["c2"]
        return json.dumps(value)

    fake.reply = reply
    folder = judged(tmp_path / "folder")
    assert (calls(folder), len(unscored_of(folder.progress()))) == (1, 1)
