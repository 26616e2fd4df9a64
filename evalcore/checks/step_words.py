"""The rule about steps that a grader's words ask for: of tools, files and skills."""

import re
from typing import Any, Final

from evalcore.checks.steps import OF_STEPS

MAX_WORDS: Final = 2_000
_NAME: Final = r"[A-Za-z][\w.:-]{1,60}"
_TOOL: Final = (
    rf"(?:the )?(?:[`\"“']({_NAME})[`\"”'](?: tools?)?|({_NAME}) tools?\b"
    # Without a mark a name is told from a word by its capital.
    r"|((?-i:Read|Write|Edit|MultiEdit|Bash|Grep|Glob|WebFetch|WebSearch|Task|TodoWrite))\b)"
)
_PATH: Final = (
    r"(?:the |its )?(?:file )?[`\"“']?((?:[\w*.-]+/)*[\w*-]+\."
    r"(?:md|txt|jsonl?|ya?ml|toml|csv|py|sh|html?|css|[jt]sx?|sql|xml))\b[`\"”']?"
)
_USED: Final = r"(?:used|activated|invoked|triggered|loaded)"
_USES: Final = r"us(?:e|es|ed|ing)"
_CALLS: Final = r"(?:call(?:s|ed|ing)?|invok\w+)"
_MOST: Final = r"(?:at most|no more than|up to|within)"
_QUOTED: Final = r"[`\"“]([^`\"“”\n]{2,200})[`\"”]"
_NUMBER: Final = r"(\d{1,6})"
_MUST_NOT: Final = r"(?:(?:must|should|may|ought to|can) ?not|cannot|without|avoids?|no)"


def step_rule(words: str) -> dict[str, Any] | None:
    """Return a structural expectation about steps that some words ask for; None if they ask none.

    What a grader misses ("never read SKILL.md") is asked for; only what must not be is forbidden.
    """
    text = " ".join(words[:MAX_WORDS].split())
    for pattern, kind, name in _FORMS:
        found = pattern.search(text)
        if found is None:
            continue
        groups = [group for group in found.groups() if group]
        fields: dict[str, Any] = {"type": kind}
        if name == "count":
            fields[name] = int(groups[0]) if groups else 0
        elif name == "tools":
            fields[name] = groups[:2]
        else:
            fields |= {"tool": "*"} if name == "match" else {}
            fields |= {name: groups[0]} if groups else {}
        OF_STEPS[kind](fields)  # raises for one that could not be decided
        return fields
    return None


_FORMS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), kind, name)
    for pattern, kind, name in (
        (rf"{_TOOL} (?:comes |is (?:used|called) |runs )?before {_TOOL}", "tool_order", "tools"),
        (rf"\b{_MOST} {_NUMBER} (?:tool calls|steps)\b", "max_steps", "count"),
        (rf"\b{_MOST} {_NUMBER} (?:tool )?errors\b", "max_tool_errors", "count"),
        (
            r"\b(?:no|without(?: any)?) (?:tool errors?|failed tool calls?)\b",
            "max_tool_errors",
            "count",
        ),
        (rf"\b{_MUST_NOT}(?: ever)? (?:{_USES}|{_CALLS}|run) {_TOOL}", "not_used_tool", "tool"),
        (
            rf"\b(?:{_USES}|activat\w+|{_CALLS}) (?:the )?[`\"“']?({_NAME})[`\"”']? skill\b",
            "used_skill",
            "skill",
        ),
        (
            rf"\bskill (?:(?:is|was|has been|must be) )?(?:never |not )?{_USED}\b",
            "used_skill",
            "skill",
        ),
        (
            rf"\b(?:read(?:s|ing)?|open(?:s|ed)?|consult\w*|look\w* (?:at|into)) {_PATH}",
            "read_file",
            "pattern",
        ),
        (
            rf"\b(?:writ(?:e|es|ing)|wrote|edit(?:s|ed)?|created?s?|saved?s?) {_PATH}",
            "wrote_file",
            "pattern",
        ),
        (rf"\b(?:{_USES}|{_CALLS}) {_TOOL}", "used_tool", "tool"),
        (rf"\b(?:runs?|ran|running|execut\w+) (?:the command )?{_QUOTED}", "used_tool", "match"),
    )
)
"""What words ask for: their form, the type of the rule and its field; the most particular first."""
