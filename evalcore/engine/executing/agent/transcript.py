"""The transcript of a model that executed a case: each step with its words, tools and tokens."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from evalcore.engine.executing.agent.conversation import Conversation, Step
from evalcore.engine.executing.agent.tools import Used
from evalcore.steps.markdown import CUT, without_marks

MAX_SAID: Final = 20_000
MAX_ARGUMENTS: Final = 4_000
MAX_ANSWER: Final = 4_000
MAX_TRANSCRIPT: Final = 2_000_000

_TICKS: Final = re.compile("`+")


def transcript(found: Conversation) -> str:
    """Return a conversation as a text to read.

    What was read of a file is counted and not repeated; everything else is cut where it is long.
    """
    parts = [part for at, each in enumerate(found.steps, 1) for part in _step(at, each)]
    if found.why:
        parts.append(f"**Ended:** {found.status.replace('_', ' ')}. {found.why}")
    text = "\n\n".join(parts)
    if len(text) > MAX_TRANSCRIPT:
        text = f"{text[:MAX_TRANSCRIPT]}\n\n{CUT}"
    return f"{text}\n"


def _step(number: int, step: Step) -> Iterator[str]:
    answer = step.answer
    yield f"## Step {number}"
    if answer.text.strip():
        yield without_marks(_cut(answer.text.strip(), MAX_SAID))
    for each in step.used:
        yield from _tool(each)
    used = "tokens not reported"
    if answer.tokens is not None:
        used = f"{answer.tokens_in or 0:,} tokens in, {answer.tokens_out or 0:,} out"
    yield f"*{used}, {answer.seconds:.1f} s*"


def _tool(used: Used) -> Iterator[str]:
    yield f"**{used.call.name[:100]}**{' (refused)' if used.failed else ''}"
    yield _fenced(_asked(used.call.arguments))
    yield _fenced(_cut(used.shown, MAX_ANSWER))


def _asked(arguments: str) -> str:
    """Return the arguments of a tool, of which long texts are cut, so that they stay JSON."""
    if len(arguments) <= MAX_ARGUMENTS:
        return arguments
    try:
        found = msgspec.json.decode(arguments, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _cut(arguments, MAX_ARGUMENTS)
    short = {
        name: _cut(value, MAX_ARGUMENTS) if isinstance(value, str) else value
        for name, value in found.items()
    }
    return _cut(msgspec.json.encode(short).decode(), 8 * MAX_ARGUMENTS)


def _fenced(text: str) -> str:
    """Return a text between marks that it does not hold itself."""
    longest = max((len(each[0]) for each in _TICKS.finditer(text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}\n{text}\n{mark}"


def _cut(text: str, limit: int) -> str:
    left = len(text) - limit
    return text if left <= 0 else f"{text[:limit]}\n[{left:,} more characters]"
