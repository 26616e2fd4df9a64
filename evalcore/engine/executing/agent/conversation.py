"""The loop of a model that executes a case: it is asked, its tools are used, until it is done."""

import re
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from evalcore.engine.activity import Activity, Tell
from evalcore.engine.executing.agent.tools import Tools, Used, definitions
from evalcore.engine.plan import Agent
from evalcore.families.running import RunStatus
from evalcore.models.calls import Answer, Call, Message, Stopped, ToolCall
from evalcore.models.client import complete

MAX_FAULTS: Final = 10
"""So many tools may fail in a row."""
MAX_AT_ONCE: Final = 16
MAX_CHARACTERS: Final = 2_000_000
"""Of all messages together: more than any model takes, and each request sends them all."""

_NO_NAME: Final = re.compile(r"[^a-zA-Z0-9_-]")
_MAX_NAME: Final = 64
_LEFT: Final = f"Not carried out: at most {MAX_AT_ONCE} tools are used at once. Ask again."


class Step(NamedTuple):
    """One answer of the model, and the tools that it used."""

    answer: Answer
    used: tuple[Used, ...] = ()


class Conversation(NamedTuple):
    """How a model carried out a case, step by step; a sentence says why it did not complete."""

    steps: tuple[Step, ...]
    status: RunStatus
    why: str = ""

    @property
    def reply(self) -> str:
        """The last words of the model."""
        return next((each.answer.text for each in self.steps[::-1] if each.answer.text), "")

    @property
    def calls(self) -> int:
        """How often the server was asked."""
        return sum(each.answer.requests for each in self.steps)

    @property
    def tokens(self) -> int | None:
        """Tokens of all steps, as far as the server told; None if it told none."""
        found = [each.answer.tokens for each in self.steps]
        told = [each for each in found if each is not None]
        return sum(told) if told else None

    @property
    def cost_usd(self) -> float | None:
        """US dollars of all steps, as far as they are known."""
        found = [each.answer.cost_usd for each in self.steps]
        known = [each for each in found if each is not None]
        return sum(known) if known else None

    @property
    def model(self) -> str | None:
        """The model as the server named it last."""
        return next((each.answer.model for each in self.steps[::-1] if each.answer.model), None)


class Bounds(NamedTuple):
    """When a conversation has to end (`end` of the clock, after `seconds`), and who is told."""

    end: float
    seconds: float
    retries: int
    stopped: Stopped
    tell: Tell


def converse(
    agent: Agent, opening: Sequence[Message], tools: Tools, bounds: Bounds
) -> Conversation:
    """Let a model work until it answers without using a tool, or cannot go on."""
    messages, steps, failed, streams = list(opening), list[Step](), 0, True
    size = sum(map(_size, messages))
    while len(steps) < agent.steps:
        answer = _asked(agent, messages, tools, bounds, _activity(agent, steps), streams=streams)
        streams = streams and answer.streams
        if answer.status != "completed" or not answer.tool_calls:
            steps.append(Step(answer))
            return Conversation(tuple(steps), *_ended(answer, bounds))
        used = _used(answer, agent, tools, bounds, steps)
        steps.append(Step(answer, used))
        new = _exchanged(answer, used)
        messages += new
        size += sum(map(_size, new))
        failed = _failed_in_a_row(failed, used)
        if (end := _stopped_by(bounds, failed, used, size)) is not None:
            return Conversation(tuple(steps), *end)
    why = f"It was not finished after {agent.steps} steps, the most that this run allows."
    return Conversation(tuple(steps), "length_cut", why)


def _activity(agent: Agent, steps: Sequence[Step]) -> Activity:
    done = Conversation(tuple(steps), "pending")
    return Activity(len(steps) + 1, agent.steps, done.calls, done.tokens, done.cost_usd)


def _asked(
    agent: Agent,
    messages: list[Message],
    tools: Tools,
    bounds: Bounds,
    activity: Activity,
    *,
    streams: bool,
) -> Answer:
    """Ask the model for its next step, telling how much of the answer has come."""

    def heard(size: int) -> None:
        bounds.tell(msgspec.structs.replace(activity, heard=size))

    bounds.tell(activity)
    call = Call(
        messages,
        tools=definitions(tools.offered),
        seconds=max(0.1, min(agent.model.seconds, bounds.end - time.monotonic())),
        retries=bounds.retries,
    )
    return complete(agent.model, call, bounds.stopped, heard if streams else None)


def _used(
    answer: Answer, agent: Agent, tools: Tools, bounds: Bounds, steps: Sequence[Step]
) -> tuple[Used, ...]:
    """Use the tools that an answer asks for, in its order, until the time is over."""
    activity, used = _activity(agent, [*steps, Step(answer)]), list[Used]()
    activity = msgspec.structs.replace(activity, step=len(steps) + 1)
    for each in answer.tool_calls[:MAX_AT_ONCE]:
        if bounds.stopped() or time.monotonic() >= bounds.end:
            break
        bounds.tell(msgspec.structs.replace(activity, tool=named(each)))
        used.append(tools.use(each))
    left = answer.tool_calls[MAX_AT_ONCE:]
    return (*used, *(Used(each, _LEFT, False, _LEFT) for each in left))


def named(call: ToolCall) -> str:
    """Return a tool with what it is used on: `read_file notes.md`."""
    found = _arguments(call)
    subject = next((found[key] for key in ("path", "text", "command") if key in found), "")
    return f"{call.name} {subject}"[:100].strip()


def _arguments(call: ToolCall) -> dict[str, Any]:
    """Return the arguments of a tool; none where they are no JSON object."""
    try:
        found = msgspec.json.decode(call.arguments)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _exchanged(answer: Answer, used: Sequence[Used]) -> list[Message]:
    """Return an answer and what its tools said, as the messages of the next request.

    Arguments that are no JSON are left out, and names that no tool can have are replaced: some
    servers refuse to read back what their own model wrote.
    """
    calls = [
        {
            "id": each.call.id,
            "type": "function",
            "function": {
                "name": _NO_NAME.sub("_", each.call.name)[:_MAX_NAME] or "unknown",
                "arguments": each.call.arguments if _arguments(each.call) else "{}",
            },
        }
        for each in used
    ]
    said: Message = {"role": "assistant", "tool_calls": calls}
    if answer.text:
        said["content"] = answer.text
    told = [{"role": "tool", "tool_call_id": each.call.id, "content": each.answer} for each in used]
    return [said, *told]


def _size(message: Message) -> int:
    return len(str(message))


def _failed_in_a_row(before: int, used: Sequence[Used]) -> int:
    for each in used:
        before = before + 1 if each.failed else 0
    return before


def _stopped_by(
    bounds: Bounds, failed: int, used: Sequence[Used], size: int
) -> tuple[RunStatus, str] | None:
    """Return why a conversation cannot go on after its tools were used; None if it can."""
    if bounds.stopped():
        return "cancelled", "The run was cancelled."
    if time.monotonic() >= bounds.end:
        return "timeout", _late(bounds)
    if failed >= MAX_FAULTS:
        said = f"{failed} uses of tools in a row failed. The last answer was: {used[-1].answer}"
        return "length_cut", said[:400]
    if size > MAX_CHARACTERS:
        return "length_cut", f"The conversation grew beyond {MAX_CHARACTERS:,} characters."
    return None


def _ended(answer: Answer, bounds: Bounds) -> tuple[RunStatus, str]:
    """Return how a case ended with an answer that asks for no tool.

    A server that is slow within the time of the case is a fault of the server, not of the version.
    """
    if answer.status == "timeout":
        is_late = time.monotonic() >= bounds.end
        return ("timeout", _late(bounds)) if is_late else ("error", answer.why)
    if answer.status == "cancelled":
        return "cancelled", "The run was cancelled."
    return answer.status, answer.why


def _late(bounds: Bounds) -> str:
    return f"It was not finished within {bounds.seconds:g} s."
