"""One call of a model: its answer, and a status with a sentence for whatever goes wrong."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import psutil  # type: ignore[import-untyped]
import pytest

from evalcore.models.calls import Answer, Call
from evalcore.models.client import complete
from evalcore.models.configuration import Model, model_of
from tests.models.conftest import CANARY
from tests.models.fake_openai import FakeOpenAI, fake_openai

ASK = [{"role": "user", "content": "Say fine."}]
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

Made = Callable[[], Model]


def call(**given: Any) -> Call:
    return msgspec.structs.replace(Call(ASK, seconds=20.0, retries=1), **given)


def asked(model: Made, fake: FakeOpenAI, fault: str, **given: Any) -> Answer:
    fake.faults = [fault]
    return complete(model(), call(retries=0, **given))


def test_an_answer_has_its_text_tokens_model_and_price(model: Made, fake: FakeOpenAI) -> None:
    found = complete(model(), call())
    assert (found.status, found.text, found.model) == ("completed", "fine", "fake-1")
    assert found.requests == 1
    assert (found.tokens, found.tokens_in, found.tokens_out) == (120, 100, 20)
    assert found.cost_usd == pytest.approx((100 * 2.0 + 20 * 10.0) / 1e6)
    assert fake.asked[0].headers["authorization"] == f"Bearer {CANARY}"
    assert fake.asked[0].body == {"model": "fake-1", "messages": ASK}


def test_a_schema_is_asked_for_strictly(model: Made, fake: FakeOpenAI) -> None:
    found = complete(model(), call(schema=SCHEMA))
    assert found.form == "schema"
    asked_for = fake.asked[0].body["response_format"]
    assert asked_for["type"] == "json_schema"
    assert asked_for["json_schema"]["strict"] is True
    assert asked_for["json_schema"]["schema"] == SCHEMA


def test_a_server_that_takes_no_schema_is_asked_without_it(model: Made, fake: FakeOpenAI) -> None:
    fake.takes_schema = False
    found = complete(model(), call(schema=SCHEMA))
    assert (found.status, found.form, found.requests) == ("completed", "text", 2)
    assert "response_format" not in fake.asked[1].body


@pytest.mark.parametrize(
    ("faults", "retries", "requests", "status"),
    [
        (["status 429 0.01"], 1, 2, "completed"),
        (["status 500", "status 500"], 2, 3, "completed"),
        (["status 429 0.01"] * 9, 2, 3, "rate_limited"),
        (["status 429 86400"], 2, 1, "rate_limited"),
        (["status 429 Wed, 21 Oct 2099 07:28:00 GMT"], 2, 1, "rate_limited"),
        (["status 500"] * 9, 1, 2, "error"),
        (["status 400"], 2, 1, "error"),
    ],
)
def test_an_error_is_tried_again_so_often_and_not_for_longer_than_makes_sense(
    model: Made, fake: FakeOpenAI, faults: list[str], retries: int, requests: int, status: str
) -> None:
    fake.faults = faults
    found = complete(model(), call(retries=retries))
    assert (found.status, found.requests) == (status, requests)
    assert len(fake.asked) == requests
    assert found.why or status == "completed"


@pytest.mark.parametrize("fault", ["hang", "drip", "endless"])
def test_a_call_has_one_deadline_for_all_of_it(model: Made, fake: FakeOpenAI, fault: str) -> None:
    found = asked(model, fake, fault, seconds=0.6)
    assert found.status == "timeout"
    assert "within 0.6 seconds" in found.why


def test_a_call_ends_when_it_is_stopped(model: Made, fake: FakeOpenAI) -> None:
    fake.faults = ["hang"]
    found = complete(model(), call(), lambda: bool(fake.asked))
    assert (found.status, len(fake.asked)) == ("cancelled", 1)


@pytest.mark.parametrize(
    ("fault", "status", "why"),
    [
        ("reset", "error", "could not be asked"),
        ("truncated", "error", "could not be asked"),
        ("html", "error", "no chat completion"),
        ("raw {}", "error", "no chat completion"),
        ('raw {"choices": []}', "error", "no chat completion"),
        ('raw {"choices": [{"message": null}]}', "error", "no chat completion"),
        ('raw {"choices": "many"}', "error", "no chat completion"),
        ("raw [1, 2]", "error", "no chat completion"),
        ("raw {nothing", "error", "could not be asked"),
        ("compressed", "error", "too large"),
        ("say  ", "error", "empty"),
        ("refuse", "refused", "refused to answer"),
        ("finish content_filter", "refused", "content filter"),
        ("finish length", "length_cut", "limit of length"),
        ("status 404", "error", "knows no model 'fake-1'"),
        ("echo 401", "error", "refused the key (401)"),
        ("echo 403", "error", "refused the key (403)"),
    ],
)
def test_each_fault_has_its_status_and_a_sentence(
    model: Made, fake: FakeOpenAI, fault: str, status: str, why: str
) -> None:
    found = asked(model, fake, fault)
    assert (found.status, len(fake.asked)) == (status, 1)
    assert why in found.why


def test_what_a_model_said_before_it_was_cut_is_kept(model: Made, fake: FakeOpenAI) -> None:
    assert asked(model, fake, "finish length").text == "half an ans"
    assert asked(model, fake, "refuse").text == "I will not do that."


def test_an_answer_of_any_size_takes_little_memory(model: Made, fake: FakeOpenAI) -> None:
    complete(model(), call())  # what is imported is not the answer's
    before = psutil.Process().memory_info().rss
    found = asked(model, fake, f"large {60 * 1024 * 1024}")
    assert found.status == "error"
    assert "too large" in found.why
    assert psutil.Process().memory_info().rss - before < 100 * 1024 * 1024


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else(
    model: Made, fake: FakeOpenAI, code: int
) -> None:
    with fake_openai() as elsewhere:
        fake.redirect_to = f"{elsewhere.url}/chat/completions"
        found = asked(model, fake, f"redirect {code}")
        assert found.status == "error"
        assert "not followed" in found.why
        assert elsewhere.asked == []


@pytest.mark.parametrize("fault", ["echo 401", "echo 400", "echo 429", "echo 404", "key"])
def test_a_key_that_a_server_sends_back_is_in_nothing_that_is_kept(
    model: Made, fake: FakeOpenAI, fault: str
) -> None:
    found = asked(model, fake, fault)
    assert len(fake.asked) == 1
    assert CANARY in fake.asked[0].headers["authorization"]
    assert CANARY not in repr(found)


def test_a_key_that_a_long_error_is_cut_within_is_not_left_in_half(
    model: Made, fake: FakeOpenAI
) -> None:
    found = asked(model, fake, "keyed 404")
    assert "[key]" in found.why
    assert CANARY[:12] not in repr(found)


@pytest.mark.parametrize("key", ["sk-canary\nx", "sk-canary x", "sk-canäry", "sk-\x07canary"])
def test_a_key_that_cannot_be_one_is_refused_and_not_told(
    model: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """The client's own error would have it in its text."""
    monkeypatch.setenv("FAKE_KEY", key)
    found = complete(model(), call())
    assert (found.status, fake.asked) == ("error", [])
    assert "characters that no key has" in found.why
    assert "can" not in found.why.replace("cannot", "")


def test_a_server_on_this_machine_is_asked_without_a_proxy(
    model: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key and what was produced would go through it."""
    with fake_openai() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        assert complete(model(), call()).status == "completed"
        assert (len(fake.asked), proxy.asked) == (1, [])


def test_the_client_logs_nothing_whatever_its_variable_says(
    model: Made, fake: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    """Its log has headers of the server's answer, in which the key may be."""
    with caplog.at_level("DEBUG"):
        asked(model, fake, "keyed 200")
    assert len(fake.asked) == 1
    assert not [each for each in caplog.records if each.name.startswith(("openai", "http"))]
    assert CANARY not in caplog.text


def test_an_endpoint_gets_nothing_of_the_account_at_the_usual_one(
    model: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", f"secret-{name}")
    assert complete(model(), call()).status == "completed"
    assert "secret-" not in repr(fake.asked[0].headers)


def test_a_server_that_is_not_there_is_an_error(model: Made, fake: FakeOpenAI) -> None:
    made = model()
    with fake_openai() as gone:
        url = gone.url
    found = complete(msgspec.structs.replace(made, base_url=url), call(retries=0))
    assert found.status == "error"
    assert "no longer" in found.why  # the endpoint of that name leads elsewhere: no key for it
    assert fake.asked == []


def test_tools_that_a_model_asks_for_are_returned(model: Made, fake: FakeOpenAI) -> None:
    function = {"name": "read", "arguments": '{"path": "a.txt"}'}
    fake.message = {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    found = complete(model(), call(tools=[{"type": "function", "function": {"name": "read"}}]))
    assert [(each.id, each.name, each.arguments) for each in found.tool_calls] == [
        ("c1", "read", '{"path": "a.txt"}')
    ]


def test_a_server_without_a_key_gets_none(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
    assert complete(model_of("fake-1"), call()).status == "completed"
    assert "authorization" not in fake.asked[0].headers


def test_it_can_be_asked_from_a_thread_that_has_a_loop(model: Made, fake: FakeOpenAI) -> None:
    async def inside() -> Answer:
        return complete(model(), call())

    # In a thread of the test's own: browser tests leave a loop in that of pytest.
    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(lambda: asyncio.run(inside())).result()
    assert found.status == "completed"
