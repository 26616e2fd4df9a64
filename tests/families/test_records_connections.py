"""What a store names of other toolboxes is followed where it holds their records."""

from pathlib import Path

import pytest

from evalcore.lint import check
from evalcore.problems import Problem
from evalcore.workspace.opened import open_workspace
from tests.families.records_store import Fields, a_case, a_run, basic, record, write

CODES = ("dangling-reference", "not-followed", "unknown-type")


def found(root: Path, **replaced: Fields | None) -> list[Problem]:
    """Return the problems of a store that are about its references."""
    ws = open_workspace(write(root, basic(**replaced)), cache=False)
    return [problem for problem in check(ws) if problem.code in CODES]


def agent_run(name: str, **fields: object) -> Fields:
    """Return what an agent did, with the log of its tools."""
    return record("agent-run", name, {"agentId": "writer", "toolCallsLog": [], **fields})


def prompt(name: str, **fields: object) -> Fields:
    """Return a version of the prompt `reply`."""
    return record("prompt-version", name, {"name": "reply", "version": 1, **fields})


def test_a_type_that_the_store_does_not_hold_is_one_note(tmp_path: Path) -> None:
    """It says how many records name one, at the first of them."""
    again = a_run("again", agentRunId="ar-2")
    notes = {each.message: each for each in found(tmp_path, again=again)}

    assert {each.code for each in notes.values()} == {"not-followed"}
    assert {each.severity for each in notes.values()} == {"info"}
    (of_runs,) = (each for each in notes.values() if "agent-run" in each.message)
    assert of_runs.message.startswith("2 records name one of the type agent-run (here 'ar-")
    assert of_runs.pointer == "/fields/agentRunId"


@pytest.mark.parametrize(
    ("replaced", "field"),
    [
        ({"other": agent_run("ar-9")}, "agentRunId"),
        ({"other": record("skill-definition", "other", {"name": "Reply"}),
          "case": a_case(skillId="gone")}, "skillId"),
        ({"other": prompt("p", version=9)}, "promptVersionRef"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_among_the_records_dangles(
    tmp_path: Path, replaced: dict[str, Fields | None], field: str
) -> None:
    """Where the store holds records of the type, each name must be one of them."""
    dangling = [each for each in found(tmp_path, **replaced) if each.code == "dangling-reference"]

    assert dangling
    assert {each.pointer for each in dangling} == {f"/fields/{field}"}
    assert {each.severity for each in dangling} == {"warning"}


def test_what_is_among_the_records_is_no_problem(tmp_path: Path) -> None:
    """An agent-run by its id, a prompt by its id or by its name with its version."""
    whole = {
        "ar": agent_run("ar-1"),
        "skill": record("skill-definition", "skill", {"promptRef": "reply@1"}),
        "case": a_case(skillId="skill", promptVersionRef="p-1"),
        "p": prompt("p-1"),
    }

    assert found(tmp_path, **whole) == []


def test_a_prompt_that_a_skill_names_is_looked_for_too(tmp_path: Path) -> None:
    """Its definition has a promptRef."""
    skill = record("skill-definition", "skill", {"promptRef": "reply@7"})
    dangling = found(tmp_path, skill=skill, p=prompt("p-1"), case=a_case(skillId="skill"))

    assert ("/fields/promptRef", "dangling-reference") in {
        (each.pointer, each.code) for each in dangling
    }


def test_agent_runs_that_were_written_for_test_runs_ask_for_no_others(tmp_path: Path) -> None:
    """New runs bring their own; those of older test-runs are still elsewhere."""
    own = agent_run("ar-2", testRunId="again", testCaseId="case", actualOutput={"text": "Hello"})
    problems = found(tmp_path, own=own, again=a_run("again", agentRunId="ar-2"))

    of_runs = [each for each in problems if each.pointer == "/fields/agentRunId"]
    assert [(each.code, each.severity) for each in of_runs] == [("not-followed", "info")]
    assert of_runs[0].message.startswith("A record names one of the type agent-run (here 'ar-1')")


@pytest.mark.parametrize(
    "kind",
    ["skill-definition", "prompt", "prompt-version", "proposal-draft", "task", "memory-item",
     "approval-request", "message"],
)  # fmt: skip
def test_records_of_other_toolboxes_are_of_a_known_type(tmp_path: Path, kind: str) -> None:
    """With their package before the name, too."""
    other = {"minionTypeId": f"minions-skills-{kind}", "title": "x", "type": None}
    problems = found(
        tmp_path, one=record(kind, "one", {"name": "x"}), two=record(kind, "two", {}, **other)
    )

    assert [each for each in problems if each.code == "unknown-type"] == []


def test_names_of_any_form_break_nothing(tmp_path: Path) -> None:
    """A list, a number and an object are no names."""
    odd = [record("prompt-version", f"p{at}", {"name": value, "ref": value, "version": value})
           for at, value in enumerate(([1], 7, {"a": 1}, None))]  # fmt: skip

    found(tmp_path, **{each["id"]: each for each in odd}, case=a_case(skillId=["x"]))
