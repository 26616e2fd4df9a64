"""What is asked of a model, and what came of it: values without a key."""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

Message = dict[str, Any]

CallStatus = Literal[
    "completed",
    "refused",
    "length_cut",
    "rate_limited",
    "timeout",
    "cancelled",
    "error",
]

Form = Literal["schema", "text"]
"""How an answer was asked for: by a JSON schema, or in words where the server takes none."""


class Call(msgspec.Struct, frozen=True):
    """One request: messages, and a JSON schema for the answer or tools that the model may use.

    `seconds` bounds all of it, tries after an error (`retries`) included.
    """

    messages: list[Message]
    schema: dict[str, Any] | None = None
    tools: list[dict[str, Any]] = []
    seconds: float = 120.0
    retries: int = 2


class ToolCall(msgspec.Struct, frozen=True):
    """A tool that a model asks for; `arguments` is the JSON text that it wrote."""

    id: str
    name: str
    arguments: str


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a call; `text` is kept as it came, whatever its status.

    `requests` is how often the server was asked, `code` the HTTP status of an error, `model` what
    the server says that it is. `streams` is false where the server refused to answer in pieces.
    """

    status: CallStatus
    why: str = ""
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    form: Form = "text"
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
    requests: int = 0
    streams: bool = True
    code: int | None = None

    @property
    def tokens(self) -> int | None:
        """All tokens of the call; None if the server does not tell."""
        if self.tokens_in is None and self.tokens_out is None:
            return None
        return (self.tokens_in or 0) + (self.tokens_out or 0)


Stopped = Callable[[], bool]
