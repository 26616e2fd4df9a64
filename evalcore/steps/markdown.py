"""Transcripts in Markdown: evalcore's own, and those whose headings name who speaks."""

import re
from typing import Final

from evalcore.steps.collecting import Collector
from evalcore.steps.messages import arguments_of
from evalcore.steps.model import Kind, Spent

_HEADING: Final = re.compile(r"#{1,6}[ \t]+(\S.{0,200}?)[ \t]*#*")
_STEP: Final = re.compile(r"step \d+", re.IGNORECASE)
_TOOL: Final = re.compile(r"\*\*([^*\n]{1,100})\*\*( \(refused\))?")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})[^`\n]*")
_SPENT: Final = re.compile(
    r"\*(?:tokens not reported|(\d[\d,]{0,20}) tokens in, (\d[\d,]{0,20}) out), ([\d.]{1,20}) s\*"
)
_ENDED: Final = re.compile(r"\*\*Ended:\*\* .*")
_CALL: Final = re.compile(
    r"(?:tool(?: call| use)?|called|calling)[: ]+[`*]*([\w.:/-]{1,100})[`*]*", re.IGNORECASE
)
_SPEAKERS: Final[dict[str, Kind]] = {
    "system": "system",
    "user": "user",
    "human": "user",
    "prompt": "user",
    "eval prompt": "user",
    "task": "user",
    "assistant": "assistant",
    "agent": "assistant",
    "model": "assistant",
    "claude": "assistant",
    "response": "assistant",
    "final response": "assistant",
    "final answer": "assistant",
    "thinking": "thinking",
    "reasoning": "thinking",
    "error": "error",
}
_RESULTS: Final = frozenset({"tool result", "tool output", "tool response", "result", "output"})
MARKED: Final = re.compile(
    r"^(?=(?:#{1,6}[ \t]|\*\*[^*\n]+\*\*(?: \(refused\))?$|\*.* s\*$|\\))", re.MULTILINE
)
"""The lines of what a model says that a reader could take for the marks of a transcript."""


def without_marks(text: str) -> str:
    """Return a text of which no line looks like a mark of a transcript; the reader restores it."""
    return MARKED.sub(r"\\", text)


CUT: Final = "[The transcript is longer and is cut here.]"
"""How evalcore's own transcript ends where it is not whole."""


def markdown(out: Collector, text: str) -> bool:
    """Take in the steps of a transcript in Markdown; say whether its headings name any."""
    whole = text.rstrip()
    if whole.endswith(CUT):
        is_one = markdown(out, whole.removesuffix(CUT))
        out.unknown(CUT)
        return is_one
    lines = text.split("\n")
    heads = [each[1].strip(" :*`").lower() for line in lines if (each := _HEADING.fullmatch(line))]
    if any(map(_STEP.fullmatch, heads)) and any(map(_SPENT.fullmatch, lines)):
        _own(out, lines)
    elif any(head in _SPEAKERS or _CALL.match(head) for head in heads):
        _spoken(out, lines)
    else:
        return False
    return True


def _own(out: Collector, lines: list[str]) -> None:
    """Take in a transcript of evalcore's executor: each step with its words, tools and tokens."""
    out.has_tools = True
    said, used, at = list[str](), list[tuple[str, str, str | None, bool]](), 0

    def told(tokens: float | None = None) -> None:
        """Add a step, of which the tokens stand at its end."""
        out.message(f"step {at}", None, Spent(tokens))
        out.say("assistant", "\n".join(said).strip("\n"))
        for number, (tool, asked, given, failed) in enumerate(used):
            id_ = f"{at}/{number}"
            out.call(id_, tool, arguments_of({"arguments": asked}))
            if given is not None:
                out.result(id_, given, failed=failed)
        said.clear()
        used.clear()

    while at < len(lines):
        line = lines[at]
        at += 1
        if spent := _SPENT.fullmatch(line):
            told(sum(int(each.replace(",", "")) for each in spent.group(1, 2) if each) or None)
        elif _ENDED.fullmatch(line):
            told()
            out.say("error", line.replace("*", ""))
        elif (tool := _TOOL.fullmatch(line)) and (asked := _fenced(lines, at)):
            given = _fenced(lines, asked[1])
            used.append((tool[1], asked[0], given[0] if given else None, bool(tool[2])))
            at = given[1] if given else asked[1]
        elif not ((head := _HEADING.fullmatch(line)) and _STEP.fullmatch(head[1])):
            said.append(line.removeprefix("\\"))
    if said or used:
        told()


def _fenced(lines: list[str], at: int) -> tuple[str, int] | None:
    """Return the text of the fence that comes next, and the line behind it; None if none does."""
    while at < len(lines) and not lines[at]:
        at += 1
    mark = _FENCE.fullmatch(lines[at]) if at < len(lines) else None
    if mark is None:
        return None
    try:
        end = lines.index(mark[1], at + 1)
    except ValueError:
        end = len(lines)  # it is cut in the middle
    return "\n".join(lines[at + 1 : end]), end + 1


def _spoken(out: Collector, lines: list[str]) -> None:
    """Take in a transcript whose headings say who speaks, which tool is used and what it gave."""
    kind: Kind = "text"
    body, at, calls = list[str](), 0, 0
    tool: str | None = None

    def told() -> None:
        nonlocal calls, tool
        text = "\n".join(body).strip("\n")
        body.clear()
        if tool is not None:
            calls += 1
            out.call(f"call {calls}", tool, arguments_of({"arguments": text}))
            tool = None
        elif kind == "tool_result":
            out.result(f"call {calls}", text, failed=None)
        elif kind == "text" and text:
            out.unknown(text)
        else:
            out.message()
            out.say(kind, text)

    while at < len(lines):
        head = _HEADING.fullmatch(lines[at])
        word = head[1].strip(" :*`").lower() if head else ""
        call = _CALL.match(head[1].strip(" :*")) if head else None
        if word in _SPEAKERS or word in _RESULTS or call:
            told()
            tool = call[1] if call and word not in _RESULTS else None
            kind = "tool_result" if word in _RESULTS else _SPEAKERS.get(word, "text")
        elif fence := _fenced(lines, at) if lines[at].startswith(("```", "~~~")) else None:
            body.append(fence[0])
            at = fence[1]
            continue
        else:
            body.append(lines[at])
        at += 1
    told()
