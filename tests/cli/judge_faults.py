"""Everything that a model's server may do to a judge, and what must become of it.

One row for each fault: how often the server is asked, and how the test run stands afterwards.
"""

import json
from typing import Any, NamedTuple

from tests.models.fake_openai import completion

RETRIES = 2
TRIES = 1 + RETRIES
SECONDS = 5.0
"""Of a call that never ends."""

LARGE = 50 * 1024 * 1024
HUGE = 10**400


class Fault(NamedTuple):
    """What a server does, one word for each request, and what follows.

    `status` is "scored", a status of unscored criteria, or one of a test run that was not judged;
    `said` stands in the sentence beside it, `answer` in what is kept of the model's answer.
    """

    name: str
    faults: tuple[str, ...]
    requests: int
    status: str
    said: str = ""
    answer: str = ""


def answer(text: str | None = None, **given: Any) -> str:
    """Return the text of a good answer on one criterion, with these fields in its verdict."""
    verdict = {"rationale": "It says so.", "evidence": [], "passed": True, "confidence": 0.9}
    value = {"criteria": {"c1": verdict | given}, "claims": [], "feedback": ""}
    return text or json.dumps(value)


def raw(text: str | None, **message: Any) -> str:
    """Return the fault that sends a completion whose message has other fields too."""
    return f"raw {json.dumps(completion(text, **message))}"


def usage(**counts: int) -> str:
    """Return the fault that sends a good answer with other counts of tokens."""
    value = completion(answer())
    return f"raw {json.dumps(value | {'usage': value['usage'] | counts})}"


_TWICE = answer().replace('"claims"', '"criteria": {}, "claims"')
_TOOL = {"id": "t", "type": "function", "function": {"name": "rm", "arguments": "{}"}}
_DEEP = "[" * 100_000
_DATE = "Wed, 21 Oct 2099 07:28:00 GMT"

F12 = (
    Fault("429, then fine", ("status 429 1",), 2, "scored"),
    Fault("500 twice, then fine", ("status 500",) * 2, 3, "scored"),
    Fault("429 for ever", ("status 429 0.01",) * 9, TRIES, "rate_limited", "(429)"),
    Fault("500 for ever", ("status 500",) * 9, TRIES, "error", "(500)"),
    Fault("429 until 2099", (f"status 429 {_DATE}",), 1, "rate_limited", "2099"),
    Fault("429 for a day", ("status 429 86400",), 1, "rate_limited", "wait: 86400"),
    Fault("429 for no number", ("status 429 nan",) * 9, TRIES, "rate_limited", "wait: nan"),
    Fault("400", ("status 400",) * 2, 2, "error", "(400)"),  # the second time without a schema
    Fault("404", ("status 404",), 1, "error", "knows no model"),
)
F13 = (
    Fault("reset", ("reset",) * 9, TRIES, "error", "could not be asked"),
    Fault("truncated", ("truncated",) * 9, TRIES, "error", "could not be asked"),
    Fault("flood of events", ("pour",), 1, "error", "too large"),
    Fault("50 MB", (f"large {LARGE}",), 1, "error", "too large"),
    Fault("compressed", ("compressed",), 1, "error", "too large"),
    Fault("HTML", ("html",), 1, "error", "no chat completion"),
    *(
        Fault(f"redirect {code}", (f"redirect {code}",), 1, "error", "not followed")
        for code in (301, 302, 303, 307, 308)
    ),
    Fault("no JSON", ("raw {nothing",), 1, "error", "could not be asked"),
    Fault("nested", (f"raw {_DEEP}",), 1, "error", "could not be asked"),
    Fault("no choices", ('raw {"choices": []}',), 1, "error", "no chat completion"),
    Fault("null message", ('raw {"choices": [{"message": null}]}',), 1, "error", "no chat"),
    Fault("a list", ("raw [1, 2]",), 1, "error", "no chat completion"),
    Fault("empty", ("say ",), 1, "error", "empty"),
    Fault("null content", (raw(None),), 1, "error", "empty"),
)
F14 = (
    Fault("refusal", ("refuse",), 1, "refused", "refused to answer", "I will not"),
    Fault("content filter", ("finish content_filter",), 1, "refused", "filter", "half an ans"),
    Fault("length cut", ("finish length",), 1, "length_cut", "limit of length", "half an ans"),
    Fault("other form", ('say {"score": 5}',), 1, "invalid", "no criteria", '{"score": 5}'),
    Fault("a name twice", (f"say {_TWICE}",), 1, "invalid", "twice", '"criteria": {}'),
    Fault("NaN", (f"say {answer(confidence=float('nan'))}",), 1, "invalid", "NaN", "NaN"),
    Fault("infinite", (f"say {answer(confidence=float('inf'))}",), 1, "invalid", "Inf", "Inf"),
    Fault("huge integer", (f"say {answer(confidence=HUGE)}",), 1, "invalid", "confidence", "000"),
    Fault("longer integer", (f"say {'9' * 5000}",), 1, "invalid", "no valid JSON", "999"),
    Fault("1e400", (f"say {answer().replace('0.9', '1e400')}",), 1, "invalid", "inf", "1e400"),
    Fault("nested answer", (f"say {_DEEP}",), 1, "invalid", "no valid JSON", "[[["),
    Fault("prose", ("say All of it is good.",), 1, "invalid", "no valid JSON", "All of it"),
    Fault("fenced", (f"say ```json\n{answer()}\n```",), 1, "scored"),
    Fault("fence in prose", (f"say Well:\n```\n{answer()}\n```",), 1, "invalid", "JSON", "Well"),
    Fault("tool calls", (raw(None, tool_calls=[_TOOL]),), 1, "invalid", "tool", "rm"),
    Fault("tool calls too", (raw(answer(), tool_calls=[_TOOL]),), 1, "scored"),
    Fault("lone surrogate", (raw("half a smile \ud83d"),), 1, "invalid", "JSON", "half a smile"),
    Fault("surrogate inside", (f"say {answer(rationale='so' + chr(0xD83D))}",), 1, "scored"),
    Fault("NUL", (f"say {answer(rationale='so' + chr(0))}",), 1, "scored"),
    Fault("NUL alone", (f"say {chr(0)}",), 1, "invalid", "no valid JSON", "\0"),
    Fault("escape codes", ("say \x1b]0;title\x07 \u202e",), 1, "invalid", "no valid JSON"),
    Fault("huge counts", (usage(prompt_tokens=HUGE, completion_tokens=2**63),), 1, "scored"),
    Fault("counts below 0", (usage(prompt_tokens=-5),), 1, "scored"),
)
F15 = (
    Fault("401 with key", ("echo 401",), 1, "error", "refused the key (401)"),
    Fault("403 with key", ("echo 403",), 1, "error", "refused the key (403)"),
    Fault("400 with key", ("keyed 400",) * 2, 2, "error", "(400)"),
    Fault("404 with key", ("keyed 404",), 1, "error", "(404)"),
    Fault("429 with key", ("keyed 429",) * 9, TRIES, "rate_limited", "(429)"),
    Fault("200 with key", ("key",), 1, "invalid", "no valid JSON", "your key is [key]"),
    Fault("key as rationale", (f"key {answer(rationale='KEY')}",), 1, "scored"),
    Fault("key escaped", (f"key {answer(rationale='KEY').replace('KEY', chr(92) + 'KEY')}",), 1,
          "scored"),
    Fault("key as model", ("keyed 200",), 1, "scored"),
)  # fmt: skip
ENDLESS = (
    Fault("hang", ("hang",), 1, "error", "within 5 seconds"),
    Fault("drip", ("drip",), 1, "error", "within 5 seconds"),
    Fault("endless events", ("endless",), 1, "error", "within 5 seconds"),
)


def _twice(fault: Fault) -> Fault:
    """An answer that cannot be read is asked for once more, and the same comes back."""
    return (
        fault._replace(faults=fault.faults * 2, requests=2) if fault.status == "invalid" else fault
    )


OTHERS = tuple(map(_twice, (*F12, *F13, *F14, *F15)))
FAULTS = (*OTHERS, *ENDLESS)
