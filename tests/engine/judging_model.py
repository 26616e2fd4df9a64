"""A model that judges: a fake server whose answers follow from what it is asked."""

import json
from collections.abc import Iterator
from typing import Any

from tests.models.fake_openai import Body, FakeOpenAI

KEY = "sk-canary-engine-93"
PROMPT_AT, QUOTE = 1, "done"


def verdicts(body: Body, **given: Any) -> dict[str, Any]:
    """Return an answer that scores each criterion as high as it can be, unless `given` says."""
    form = body["messages"][0]["content"].rpartition("\n")[2]
    asked = json.loads(form)["criteria"]
    return {
        "criteria": {name: _verdict(each) | given for name, each in asked.items()},
        "claims": [{"claim": "All is there.", "verified": True, "evidence": QUOTE}],
        "feedback": "Say how long it may be.",
    }


def _verdict(asked: dict[str, Any]) -> dict[str, Any]:
    score = asked.get("score")
    result = {"passed": True} if score is None else {"score": int(score.split()[-1])}
    return {"rationale": "It says so.", "evidence": [QUOTE], **result, "confidence": 0.9}


def answering(fake: FakeOpenAI, *given: dict[str, Any]) -> None:
    """Let the server judge well, or answer by answer with these fields of each verdict."""
    left: Iterator[dict[str, Any]] = iter(given)
    fake.reply = lambda body: json.dumps(verdicts(body, **next(left, {})))
