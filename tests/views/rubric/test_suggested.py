"""A suggestion that speaks of tools stands with the rule that it asks for."""

import json
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.checks.steps import check_steps
from evalcore.rubrics.suggestions import suggestions
from evalcore.steps.model import NO_STEPS
from evalcore.views.blocks.plain import as_json
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.suggested import suggestion_blocks
from tests.families.build import write


def said(root: Path, reason: str) -> list[str]:
    """Return the sentences about the only suggestion, when it is open."""
    feedback = {"suggestions": [{"assertion": "a", "reason": reason}]}
    grading = {"expectations": [{"text": "a", "passed": True, "evidence": "b"}]}
    made = write(
        root,
        {"w/iteration-1/e/with_skill/run-1/grading.json": grading | {"eval_feedback": feedback}},
    )
    ws = open_workspace(made, cache=False)
    suite = str(ws.tables.suites["suite"][0])
    (one,) = suggestions(ws, suite)
    blocks = as_json(suggestion_blocks(ws, suite, RubricView(suggestion=one.key)))
    return [block["text"] for block in blocks if block["t"] == "say"]


def test_the_rule_can_be_taken_into_evals(tmp_path: Path) -> None:
    """It has the form of structural expectations, and is not run without steps."""
    texts = said(tmp_path, "Nothing checks that it never used the Write tool.")
    rule = next(json.loads(text) for text in texts if text.startswith("{"))
    assert (rule["type"], rule["tool"], rule["critical"]) == ("used_tool", "Write", False)
    assert check_steps(rule["type"], rule, NO_STEPS).passed is None


@pytest.mark.parametrize("reason", ["It is vague.", "Use a scale of 1 to 5."])
def test_other_suggestions_have_none(tmp_path: Path, reason: str) -> None:
    """A guess is only made of words that speak of tools."""
    assert not any(text.startswith("{") for text in said(tmp_path, reason))
