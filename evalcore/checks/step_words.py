"""The rule about steps that a grader's words ask for: of tools, files and skills."""

import re
from collections.abc import Callable
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
_QUOTED: Final = r"[`\"“]([^`\"“”\n]{2,200})[`\"”]"
_NUMBER: Final = r"(\d{1,6})"
_MUST_NOT: Final = r"(?:(?:must|should|may|ought to|can) ?not|cannot|without|avoids?|no)"

Fields = dict[str, Any]


def step_rule(words: str) -> Fields | None:
    """Return a structural expectation about steps that some words ask for; None if they ask none.

    What a grader misses ("never read SKILL.md") is asked for; only what must not be is forbidden.
    """
    text = " ".join(words[:MAX_WORDS].split())
    for pattern, make in _FORMS:
        found = pattern.search(text)
        if found is None:
            continue
        fields = make([group for group in found.groups() if group])
        OF_STEPS[fields["type"]](fields)  # raises for one that could not be decided
        return fields
    return None


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _of(kind: str, *names: str) -> Callable[[list[str]], Fields]:
    return lambda groups: {"type": kind, **dict(zip(names, groups, strict=False))}


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[list[str]], Fields]], ...]] = (
    (
        _form(rf"{_TOOL} (?:comes |is (?:used|called) |runs )?before (?:the )?{_TOOL}"),
        lambda groups: {"type": "tool_order", "tools": groups[:2]},
    ),
    (
        _form(rf"\b(?:at most|no more than|up to|within) {_NUMBER} (?:tool calls|steps)\b"),
        lambda groups: {"type": "max_steps", "count": int(groups[0])},
    ),
    (
        _form(rf"\b(?:at most|no more than) {_NUMBER} (?:tool )?errors\b"),
        lambda groups: {"type": "max_tool_errors", "count": int(groups[0])},
    ),
    (
        _form(r"\b(?:no|without(?: any)?) (?:tool (?:errors?|fail\w*)|failed tool calls?)\b"),
        lambda _: {"type": "max_tool_errors", "count": 0},
    ),
    (
        _form(rf"\b{_MUST_NOT}(?: ever)? (?:{_USES}|call(?:s|ed|ing)?|invok\w+|run) {_TOOL}"),
        _of("not_used_tool", "tool"),
    ),
    (
        _form(
            rf"\b(?:{_USES}|activat\w+|invok\w+|trigger\w*) "
            rf"(?:the )?[`\"“']?({_NAME})[`\"”']? skill\b"
        ),
        _of("used_skill", "skill"),
    ),
    (
        _form(
            r"\bskill (?:(?:is|was|has been|must be|should be) )?(?:never |not )?"
            rf"{_USED}\b"
        ),
        _of("used_skill"),
    ),
    (
        _form(
            rf"\b(?:read|reads|reading|open|opens|opened|consult\w*|look\w* (?:at|into)) {_PATH}"
        ),
        _of("read_file", "pattern"),
    ),
    (
        _form(rf"\b(?:writ(?:e|es|ing)|wrote|edit(?:s|ed)?|creates?|created|saves?|saved) {_PATH}"),
        _of("wrote_file", "pattern"),
    ),
    (
        _form(rf"\b(?:{_USES}|call(?:s|ed|ing)?|invok\w+) {_TOOL}"),
        _of("used_tool", "tool"),
    ),
    (
        _form(rf"\b(?:run|runs|ran|running|execut\w+) (?:the command )?{_QUOTED}"),
        lambda groups: {"type": "used_tool", "tool": "*", "match": groups[0]},
    ),
)
"""What words ask for, the most particular first."""
