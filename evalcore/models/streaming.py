"""An answer that comes in pieces: put together as they come, so that a fault loses none of them."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

Heard = Callable[[int], None]
"""Told, with each piece, how many characters of an answer have come."""

MAX_TEXT: Final = 1_000_000
MAX_TOOL_CALLS: Final = 64
_TEXTS: Final = ("text", "output_text")
"""The types of parts of an answer that hold what the model says."""


class Pieces:
    """The pieces of one answer, and whether any came.

    `finish` is the server's word for why it ended, once it did.
    """

    def __init__(self, heard: Heard) -> None:
        self.begun = False
        self.finish: str | None = None
        self._heard = heard
        self._texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self._calls: list[SimpleNamespace] = []
        self._by_index: dict[Any, SimpleNamespace] = {}
        self._usage: Any = None
        self._model: str | None = None
        self._size = 0

    @property
    def text(self) -> str:
        """What the model said so far."""
        return "".join(self._texts["content"])

    def take(self, chunk: Any) -> None:
        """Add a piece; the client does not check that it has the form of one."""
        self.begun = True
        self._usage = getattr(chunk, "usage", None) or self._usage
        model = getattr(chunk, "model", None)
        self._model = model if isinstance(model, str) else self._model
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return
        delta, finish = getattr(choices[0], "delta", None), _text(choices[0], "finish_reason")
        for name, parts in self._texts.items():
            parts.append(self._counted(text_in(getattr(delta, name, None))))
        calls = getattr(delta, "tool_calls", None)
        for each in calls if isinstance(calls, list) else ():
            self._take_call(each)
        self.finish = finish or self.finish
        self._heard(self._size)

    def _take_call(self, piece: Any) -> None:
        """Add to a tool call; servers that number none, or all alike, begin one with its id."""
        index, number = getattr(piece, "index", None), getattr(piece, "id", None)
        asked = getattr(piece, "function", None)
        known = self._by_index.get(index if isinstance(index, int) else None)
        if known is None or (number and known.id and number != known.id):
            if len(self._calls) >= MAX_TOOL_CALLS:
                return
            known = SimpleNamespace(id=None, name="", parts=[])
            self._calls.append(known)
            self._by_index[index if isinstance(index, int) else None] = known
        known.id = known.id or number
        known.name = known.name or _text(asked, "name")
        known.parts.append(self._counted(_text(asked, "arguments")))

    def _counted(self, text: str) -> str:
        room = max(MAX_TEXT - self._size, 0)
        self._size += len(text)
        return text[:room]

    def completion(self) -> SimpleNamespace:
        """Return the whole answer, in the form of one that came at once."""
        calls = [
            SimpleNamespace(
                id=each.id,
                function=SimpleNamespace(name=each.name, arguments="".join(each.parts)),
            )
            for each in self._calls
        ]
        message = SimpleNamespace(
            content=self.text, refusal="".join(self._texts["refusal"]), tool_calls=calls
        )
        choice = SimpleNamespace(finish_reason=self.finish, message=message)
        return SimpleNamespace(choices=[choice], usage=self._usage, model=self._model)


def text_in(content: Any) -> str:
    """Return the text of what a server sent: a text, parts of one, or a JSON object as its text.

    Parts that hold no text, as what a model thought, are left out.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (each for each in content if _is_said(each))
        return "".join(map(text_in, parts))
    if not isinstance(content, dict):
        return ""
    if _is_said(content) and isinstance(content.get("text"), str):
        return str(content["text"])
    try:
        return json.dumps(content, ensure_ascii=False)
    except RecursionError:
        return ""  # no answer is so deep


def _is_said(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, dict) and part.get("type", "text") in _TEXTS)


def _text(value: Any, name: str) -> str:
    found = getattr(value, name, None)
    return found if isinstance(found, str) else ""
