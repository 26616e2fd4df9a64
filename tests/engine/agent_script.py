"""A model that executes cases by a script: the server's answers, one for each step."""

import json
from collections.abc import Callable
from typing import Any

from evalcore.engine.plan import Executor
from tests.models.fake_openai import Body, FakeOpenAI

KEY = "sk-canary-agent-58"
OPENAI = Executor("openai", "model")

Step = str | Body | Callable[[Body], str | Body]


def use(*calls: tuple[str, Any], text: str = "") -> Body:
    """Return an answer that uses tools; arguments that are a text stand as they are."""
    asked = [
        {
            "id": f"call-{at}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given),
            },
        }
        for at, (name, given) in enumerate(calls)
    ]
    return {"text": text, "tool_calls": asked, "finish": "tool_calls"}


def playing(fake: FakeOpenAI, *steps: Step) -> None:
    """Let the server answer step by step, each case from the first; the last step is repeated."""

    def reply(body: Body) -> str | Body:
        done = sum(each["role"] == "assistant" for each in body["messages"])
        step = steps[min(done, len(steps) - 1)]
        found = step(body) if callable(step) else step
        return found if isinstance(found, str) else dict(found)

    fake.reply = reply


def told(fake: FakeOpenAI) -> list[str]:
    """Return what the tools answered, in the order of the newest request."""
    return [each["content"] for each in fake.asked[-1].body["messages"] if each["role"] == "tool"]
