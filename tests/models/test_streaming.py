"""An answer in pieces: put together, told of as it comes, and bounded like any other."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from evalcore.models.calls import Answer, Call
from evalcore.models.client import MAX_STREAMED, complete
from evalcore.models.configuration import Model
from tests.models.conftest import CANARY
from tests.models.fake_openai import FakeOpenAI, fake_openai

ASK = [{"role": "user", "content": "Say fine."}]
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]

Made = Callable[[], Model]


class Heard:
    """What was told while an answer came."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, size: int) -> None:
        self.sizes.append(size)


def asked(model: Made, fake: FakeOpenAI, fault: str = "", **given: Any) -> Answer:
    """Ask for an answer in pieces; `fault` is what the server does."""
    fake.faults = [fault] if fault else fake.faults
    call = msgspec.structs.replace(Call(ASK, seconds=20.0, retries=0), **given)
    return complete(model(), call, heard=Heard())


def called(*arguments: str) -> dict[str, Any]:
    """Return a message that calls a tool with each of these arguments."""
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": "look", "arguments": each}}
        for at, each in enumerate(arguments)
    ]
    return {"tool_calls": calls, "finish": "tool_calls"}


def test_pieces_become_one_answer_with_tokens_model_and_price(
    model: Made, fake: FakeOpenAI
) -> None:
    fake.reply = lambda _: "a long answer — with ü"
    heard = Heard()
    found = complete(model(), Call(ASK), heard=heard)
    assert (found.status, found.text, found.model) == ("completed", fake.reply({}), "fake-1")
    assert (found.tokens_in, found.tokens_out, found.requests) == (100, 20, 1)
    assert found.cost_usd == pytest.approx((100 * 2.0 + 20 * 10.0) / 1e6)
    assert heard.sizes == sorted(heard.sizes)
    assert heard.sizes[-1] == len(found.text)
    assert fake.asked[0].body["stream_options"] == {"include_usage": True}


def test_arguments_of_several_tool_calls_that_come_in_pieces_are_put_together(
    model: Made, fake: FakeOpenAI
) -> None:
    texts = ('{"path": "a/b.txt"}', "{}", '{"broken')
    fake.reply = lambda _: called(*texts)
    found = asked(model, fake, tools=TOOLS)
    assert tuple(each.arguments for each in found.tool_calls) == texts
    assert [(each.id, each.name) for each in found.tool_calls] == [
        ("c0", "look"),
        ("c1", "look"),
        ("c2", "look"),
    ]


def test_a_server_that_answers_whole_though_asked_for_pieces_is_understood(
    model: Made, fake: FakeOpenAI
) -> None:
    fake.streams = False
    fake.reply = lambda _: called("{}")
    found = asked(model, fake, tools=TOOLS)
    assert (found.status, found.tokens, found.requests) == ("completed", 120, 1)
    assert found.tool_calls[0].arguments == "{}"


def test_without_usage_tokens_are_not_known(model: Made, fake: FakeOpenAI) -> None:
    found = asked(model, fake, "no_usage fine")
    assert (found.text, found.tokens, found.cost_usd) == ("fine", None, None)


@pytest.mark.parametrize(
    ("fault", "status", "why", "text"),
    [
        ("cut half an answer", "error", "broke off", "half an answer"),
        ("midway 500", "error", "overloaded", ""),
        ("midway rate_limit_exceeded", "rate_limited", "overloaded", ""),
        ("truncated", "error", "could not be asked", ""),
        ("reset", "error", "could not be asked", ""),
        ("html", "error", "no chat completion", ""),
        ("raw {}", "error", "no chat completion", ""),
        ("raw [1]", "error", "no chat completion", ""),
        ("refuse", "refused", "refused to answer", "I will not do that."),
        ("finish content_filter", "refused", "content filter", "half an ans"),
        ("finish length", "length_cut", "limit of length", "half an ans"),
        ("status 400", "error", "(400)", ""),
        ("redirect 302", "error", "not followed", ""),
        ("junk", "completed", "", "fine"),
    ],
)
def test_each_fault_has_its_status_and_what_came_until_then(
    model: Made, fake: FakeOpenAI, fault: str, status: str, why: str, text: str
) -> None:
    found = asked(model, fake, fault)
    assert (found.status, found.text) == (status, text)
    assert why in found.why
    assert len(fake.asked) == 1


def test_a_stream_that_broke_off_is_asked_for_again_as_often_as_other_faults(
    model: Made, fake: FakeOpenAI
) -> None:
    fake.faults = ["cut half", "status 500", "cut half", "cut half"]
    found = asked(model, fake, retries=2)
    assert (found.status, found.requests, len(fake.asked)) == ("error", 3, 3)
    fake.faults = ["cut half"]
    assert asked(model, fake, retries=1).text == "fine"


def test_a_server_that_takes_no_field_for_pieces_is_asked_without(
    model: Made, fake: FakeOpenAI
) -> None:
    found = asked(model, fake, "no_stream")
    assert (found.text, found.streams, found.requests) == ("fine", False, 2)
    assert "stream" not in fake.asked[1].body


def test_an_endpoint_that_is_said_to_have_no_pieces_is_never_asked_for_them(
    model: Made, fake: FakeOpenAI
) -> None:
    whole = msgspec.structs.replace(model(), stream=False)
    assert complete(whole, Call(ASK), heard=Heard()).text == "fine"
    assert "stream" not in fake.asked[0].body


@pytest.mark.parametrize("fault", ["hang", "drip", "endless"])
def test_pieces_have_one_deadline_for_all_of_them(
    model: Made, fake: FakeOpenAI, fault: str
) -> None:
    found = asked(model, fake, fault, seconds=0.6)
    assert found.status == "timeout"


def test_an_answer_that_is_whole_counts_though_its_stream_never_ends(
    model: Made, fake: FakeOpenAI
) -> None:
    found = asked(model, fake, "endings all of it", seconds=0.6)
    assert (found.status, found.text) == ("completed", "all of it")


def test_waiting_for_a_limited_server_is_no_slow_answer(model: Made, fake: FakeOpenAI) -> None:
    fake.faults = ["status 429 30"]
    found = asked(model, fake, seconds=0.6, retries=2)
    assert (found.status, found.requests) == ("rate_limited", 1)


def test_pieces_beyond_the_limit_are_not_read(model: Made, fake: FakeOpenAI) -> None:
    found = asked(model, fake, f"flood {MAX_STREAMED + 1_000_000}")
    assert found.status == "error"
    assert "too large" in found.why


def test_pieces_end_when_the_call_is_stopped_and_what_came_is_kept(
    model: Made, fake: FakeOpenAI
) -> None:
    fake.faults = ["endings "]
    heard = Heard()
    call = Call(ASK, seconds=20.0, retries=0)
    found = complete(model(), call, lambda: bool(heard.sizes), heard)
    assert found.status == "cancelled"


def test_the_key_is_cut_out_of_pieces_and_goes_to_no_other_host(
    model: Made, fake: FakeOpenAI
) -> None:
    found = asked(model, fake, "key")
    assert CANARY not in repr(found)
    assert "[key]" in found.text
    with fake_openai() as other:
        fake.redirect_to = f"{other.url}/chat/completions"
        asked(model, fake, "redirect 307")
        assert other.asked == []


@pytest.mark.parametrize(
    "said", ["context_length_exceeded", "the request exceeds the available context size"]
)
def test_a_conversation_that_is_too_long_for_the_model_is_cut(
    model: Made, fake: FakeOpenAI, said: str
) -> None:
    found = asked(model, fake, f"long {said}", retries=2)
    assert (found.status, found.requests) == ("length_cut", 1)
    assert said in found.why


def test_who_has_tools_may_end_without_a_word(model: Made, fake: FakeOpenAI) -> None:
    assert asked(model, fake, "say ", tools=TOOLS).status == "completed"
    assert asked(model, fake, "say ").status == "error"


def test_halves_of_characters_are_replaced(model: Made, fake: FakeOpenAI) -> None:
    fake.reply = lambda _: "a\ud800b"
    found = asked(model, fake)
    assert found.text == "a?b"
    assert msgspec.json.encode(found)
