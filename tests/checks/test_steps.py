"""Expectations about steps are decided from a transcript; without one they are not run."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from evalcore.checks.outcome import Outcome, not_run
from evalcore.checks.produced import Produced
from evalcore.checks.steps import OF_STEPS
from evalcore.checks.structural import check
from evalcore.steps.model import NO_STEPS, Steps
from evalcore.steps.reading import read_steps


def outcome(steps: Steps, **fields: Any) -> Outcome:
    """Return the outcome of an expectation about steps."""
    produced = Produced(Path(), "none", 1)
    return check(fields, produced, None, lambda _: not_run("No script."), steps)


def transcript(*calls: tuple[str, Any, bool], said: str = "Done.") -> bytes:
    """Return a transcript of calls (tool, arguments, failed), each in a turn of its own."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Go."}]
    for at, (tool, asked, failed) in enumerate(calls):
        id_ = f"t{at}"
        used = {"type": "tool_use", "id": id_, "name": tool, "input": asked}
        gave = {"type": "tool_result", "tool_use_id": id_, "content": "x", "is_error": failed}
        messages += [{"role": "assistant", "content": [used]}, {"role": "user", "content": [gave]}]
    return orjson.dumps([*messages, {"role": "assistant", "content": said}])


RUN = read_steps(
    transcript(
        ("Skill", {"skill": "docs:invoices"}, False),
        ("Read", {"file_path": "/work/in/march.csv"}, False),
        ("Bash", {"command": "python sum.py < out/totals.json"}, True),
        ("Write", {"file_path": "/work/out/report.md", "content": "# March"}, False),
        ("Read", {"file_path": "/work/in/gone.csv"}, True),
        ("str_replace_based_edit_tool", {"command": "view", "path": "notes.md"}, False),
    )
)


@pytest.mark.parametrize(
    ("fields", "passed"),
    [
        ({"type": "used_tool", "tool": "read"}, True),
        ({"type": "used_tool", "tool": "*edit*"}, True),
        ({"type": "used_tool", "tool": "web*"}, False),
        ({"type": "used_tool", "tool": "Bash", "match": "sum.py"}, True),
        ({"type": "used_tool", "tool": "Bash", "match_regex": r"sum\.\w+"}, True),
        ({"type": "used_tool", "tool": "Bash", "match": "rm"}, False),
        ({"type": "not_used_tool", "tool": "Bash", "match": "rm"}, True),
        ({"type": "not_used_tool", "tool": "Bash"}, False),
        ({"type": "used_skill"}, True),
        ({"type": "used_skill", "skill": "invoices"}, True),
        ({"type": "used_skill", "skill": "voices"}, False),
        ({"type": "tool_order", "tools": ["Read", "Write"]}, True),
        ({"type": "tool_order", "tools": ["Read", "Write", "Read"]}, True),
        ({"type": "tool_order", "tools": ["Write", "Skill"]}, False),
        ({"type": "max_steps", "count": 7}, True),
        ({"type": "max_steps", "count": 6}, False),
        ({"type": "max_steps", "count": 1, "tool": "Read"}, False),
        ({"type": "max_tool_errors", "count": 2}, True),
        ({"type": "max_tool_errors", "count": 1}, False),
        ({"type": "max_tool_errors", "count": 0, "tool": "Write"}, True),
        ({"type": "read_file", "pattern": "in/*.csv"}, True),
        ({"type": "read_file", "pattern": "notes.md"}, True),
        ({"type": "read_file", "pattern": "gone.csv"}, False),
        ({"type": "read_file", "pattern": "report.md"}, False),
        ({"type": "read_file", "pattern": "totals.json"}, None),
        ({"type": "wrote_file", "pattern": "*.md"}, True),
        ({"type": "wrote_file", "pattern": "notes.md"}, False),
    ],
)
def test_an_expectation_about_steps_is_decided(fields: dict[str, Any], passed: bool | None) -> None:
    """A failed call uses its tool, but reads and writes nothing; a command may have."""
    found = outcome(RUN, **fields)
    assert found.passed is passed
    assert found.status == ("not_run" if passed is None else None)
    assert found.evidence.endswith((".", "…"))


def test_the_evidence_names_the_turn() -> None:
    """So that it is found in the transcript."""
    found = outcome(RUN, type="used_tool", tool="Bash")
    assert found.evidence == "Turn 3: Bash “python sum.py < out/totals.json”. It failed."


EXAMPLES: dict[str, dict[str, Any]] = {
    "used_tool": {"tool": "x"},
    "not_used_tool": {"tool": "x"},
    "used_skill": {},
    "tool_order": {"tools": ["x"]},
    "max_steps": {"count": 100},
    "max_tool_errors": {"count": 100},
    "read_file": {"pattern": "x"},
    "wrote_file": {"pattern": "x"},
}


@pytest.mark.parametrize("kind", OF_STEPS)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"1. Read the list.\n2. Wrote it.\n",
        b'[{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Done."}]',
        transcript(("Read", {}, False))[:-1] + b', {"kind": "new"}]',
    ],
    ids=["none", "prose", "words only", "read in part"],
)
def test_what_the_transcript_does_not_tell_is_not_run(kind: str, data: bytes) -> None:
    """Never failed, and never passed."""
    found = outcome(read_steps(data), type=kind, **EXAMPLES[kind])
    assert (found.passed, found.status) == (None, "not_run")


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "used_tool"},
        {"type": "used_tool", "tool": 1},
        {"type": "used_tool", "tool": "x", "match": "a", "match_regex": "b"},
        {"type": "used_tool", "tool": "x", "match_regex": "("},
        {"type": "not_used_tool", "tool": ""},
        {"type": "used_skill", "skill": " "},
        {"type": "tool_order", "tools": "Read"},
        {"type": "tool_order", "tools": []},
        {"type": "tool_order", "tools": [1]},
        {"type": "max_steps"},
        {"type": "max_steps", "count": -1},
        {"type": "max_tool_errors", "count": True},
        {"type": "read_file"},
        {"type": "read_file", "pattern": "/etc/*"},
        {"type": "wrote_file", "pattern": ["a"]},
        {"type": "used_tool", "tool": "Bash", "pattern": "^rm"},
        {"type": "not_used_tool", "tool": "Bash", "match_regexp": "sum"},
        {"type": "used_skill", "name_of_skill": "voices"},
        {"type": "tool_order", "tools": ["Read"], "match": "gone"},
        {"type": "max_steps", "count": 7, "tools": ["Bash"]},
        {"type": "max_tool_errors", "count": 2, "Tool": "Read"},
        {"type": "read_file", "pattern": "notes.md", "not": True},
    ],
)
def test_a_faulty_expectation_about_steps_is_invalid(fields: dict[str, Any]) -> None:
    """Also where there are no steps: it is the expectation that is wrong."""
    assert outcome(NO_STEPS, **fields).status == "invalid"
    assert outcome(RUN, **fields).status == "invalid"


def test_a_field_that_a_rule_does_not_have_is_named() -> None:
    """A misspelt field must not make a strict rule hold; what all criteria have is none."""
    found = outcome(RUN, type="used_tool", tool="Bash", pattern="^rm")
    fields = "match, match_any, match_regex, tool"
    assert found.evidence == f"used_tool has no field “pattern”; its fields are {fields}."
    said = {"id": "S1", "description": "d", "critical": True, "weight": 2, "_why": "x"}
    assert outcome(RUN, type="used_tool", tool="Bash", **said, match=None).passed is True
