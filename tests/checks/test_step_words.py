"""What graders say of tools, files and skills is proposed as a rule; other words are not."""

from typing import Any

import pytest

from evalcore.checks.step_words import step_rule

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("No assertion checks that it used the Grep tool.", {"type": "used_tool", "tool": "Grep"}),
    ("It should call `search_orders` first.", {"type": "used_tool", "tool": "search_orders"}),
    ("The agent must not use the Write tool.", {"type": "not_used_tool", "tool": "Write"}),
    ("It answered without calling Bash.", {"type": "not_used_tool", "tool": "Bash"}),
    ("Nothing tells whether the skill was used.", {"type": "used_skill"}),
    (
        "Check that it uses the commit-helper skill",
        {"type": "used_skill", "skill": "commit-helper"},
    ),
    (
        "The run never read references/style.md.",
        {"type": "read_file", "pattern": "references/style.md"},
    ),
    ("It never opened SKILL.md at all", {"type": "read_file", "pattern": "SKILL.md"}),
    ("Assert that it wrote `out/report.md`", {"type": "wrote_file", "pattern": "out/report.md"}),
    ("Require Read before Write.", {"type": "tool_order", "tools": ["Read", "Write"]}),
    ("It should need at most 12 tool calls.", {"type": "max_steps", "count": 12}),
    ("The run should end without tool errors", {"type": "max_tool_errors", "count": 0}),
    (
        "Nobody checks that it ran `pytest -q`",
        {"type": "used_tool", "tool": "*", "match": "pytest -q"},
    ),
]


@pytest.mark.parametrize(("words", "rule"), ASKED)
def test_words_about_tools_are_a_rule(words: str, rule: dict[str, Any]) -> None:
    """What is missed is asked for; what must not be is forbidden."""
    assert step_rule(words) == rule


@pytest.mark.parametrize(
    "words",
    [
        "",
        "The chart without labels passes every structural check for the second time.",
        "Useful tools are listed in the answer.",
        "Use a stricter criterion for the summary.",
        "Read the output again: it is too long.",
        "Write shorter assertions.",
        "The report should be read by a person before it is sent.",
        "It calls the customer by name.",
    ],
)
def test_other_words_are_none(words: str) -> None:
    """A suggestion about the output is for a reader."""
    assert step_rule(words) is None
