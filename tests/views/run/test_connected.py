"""What a run or a case of a store names of other tools is shown beside it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from evalcore.counting import named_records
from evalcore.views.run import case as connected
from evalcore.views.run.case import NOT_HERE, NOT_SEEN, connected_blocks
from evalcore.workspace.opened import Workspace, open_workspace
from tests.families.records_store import Fields, a_case, a_run, basic, record, write
from tests.judging.copies import NOTES, NOTES_RUN, copied

AGENT_RUN = record(
    "agent-run", "ar-1", {"agentId": "writer", "status": "ok", "toolCallsLog": [{}, {}]}
)
PROMPT = record(
    "prompt-version", "p-1", {"name": "reply", "version": 1, "content": "Be <b>kind</b>."}
)
SKILL = record("skill-definition", "s-1", {"name": "Reply", "promptRef": "reply@1"})


def store(root: Path, **replaced: Fields | None) -> Workspace:
    """Open the basic store with some records replaced or added."""
    return open_workspace(write(root, basic(**replaced)), cache=False)


def of_run(ws: Workspace) -> list[dict[str, Any]]:
    """Return the blocks beside the first run."""
    return of(ws, "runs")


def of_case(ws: Workspace) -> list[dict[str, Any]]:
    """Return the blocks beside the first case."""
    return of(ws, "cases")


def of(ws: Workspace, table: str) -> list[dict[str, Any]]:
    """Return the blocks beside the first row of a table."""
    row = getattr(ws.tables, table).iloc[0]
    found = connected_blocks(ws, ".", str(row["source"]), str(row["pointer"]))
    return [msgspec.to_builtins(block) for block in found]


def said(blocks: list[dict[str, Any]], title: str) -> tuple[list[str], str]:
    """Return the tags and the text of the note of a title."""
    (found,) = (block for block in blocks if block.get("title") == title)
    return found["tags"], found["texts"][0]["text"]


def places(blocks: list[dict[str, Any]]) -> list[str]:
    """Return the documents that are named."""
    return [block["path"] for block in blocks if block["t"] == "source"]


def test_an_agent_run_says_who_ran_and_how_often_a_tool_was_called(tmp_path: Path) -> None:
    """With the place of its document."""
    blocks = of_run(store(tmp_path, ar=AGENT_RUN))

    assert said(blocks, "Agent run") == (["ar-1"], "writer; ok; 2 tool calls in its log")
    assert places(blocks) == ["agent-run/ar.json"]


def test_the_text_of_a_prompt_version_is_shown_as_text(tmp_path: Path) -> None:
    """Found by its name with its version, as a run names it."""
    blocks = of_run(store(tmp_path, p=PROMPT))

    assert said(blocks, "Prompt version") == (["reply@1"], "reply")
    assert [block["text"] for block in blocks if block["t"] == "prompt"] == ["Be <b>kind</b>."]


def test_a_skill_leads_on_to_its_prompt(tmp_path: Path) -> None:
    """By its promptRef."""
    ws = store(tmp_path, s=SKILL, p=PROMPT, case=a_case(skillId="s-1", promptVersionRef=None))
    blocks = of_case(ws)

    assert said(blocks, "Skill") == (["s-1"], "Reply")
    assert said(blocks, "Prompt of the skill")[0] == ["reply@1"]
    assert places(blocks) == ["skill-definition/s.json", "prompt-version/p.json"]


def test_a_prompt_that_skill_and_case_name_is_shown_once(tmp_path: Path) -> None:
    """The case names the version that its skill has."""
    ws = store(tmp_path, s=SKILL, p=PROMPT, case=a_case(skillId="s-1", promptVersionRef="p-1"))
    blocks = of_case(ws)

    assert said(blocks, "Prompt version") == (["p-1"], "reply")
    assert len([block for block in blocks if block["t"] == "prompt"]) == 1


def test_what_the_store_does_not_hold_says_so(tmp_path: Path) -> None:
    """The name stands there all the same."""
    assert said(of_run(store(tmp_path)), "Agent run") == (["ar-1"], NOT_HERE)


def test_records_in_one_file_have_their_places(tmp_path: Path) -> None:
    """A list of records is looked through, each at its pointer."""
    whole = [*basic().values(), AGENT_RUN]
    write(tmp_path, {"all.json": whole})
    blocks = of_run(open_workspace(tmp_path, cache=False))

    (place,) = (block for block in blocks if block["t"] == "source")
    assert (place["path"], place["pointer"]) == ("all.json", f"/{len(whole) - 1}")


def test_beyond_the_bound_a_record_is_found_by_the_name_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one is said not to have been seen, which is not the same as not being here."""
    for module in (connected, named_records):
        monkeypatch.setattr(module, "MOST_READ", 1)
    others = {f"a{at}": record("agent-run", f"x{at}", {}) for at in range(3)}
    ws = store(tmp_path, **others, **{"ar-1": AGENT_RUN})
    assert said(of_run(ws), "Agent run")[1].startswith("writer")

    ws = store(tmp_path / "other", **others, zz=AGENT_RUN)
    assert said(of_run(ws), "Agent run")[1] == NOT_SEEN


def test_a_run_that_names_nothing_has_nothing_beside_it(tmp_path: Path) -> None:
    """Nor has a run of another family."""
    bare = a_run(agentRunId=None, promptVersionRef=None)
    assert of_run(store(tmp_path / "store", run=bare, case=a_case(promptVersionRef=None))) == []

    (tmp_path / "notes").mkdir()
    ws = copied(tmp_path / "notes", NOTES)
    run = ws.tables.runs.set_index("run_id").loc[NOTES_RUN]
    assert connected_blocks(ws, NOTES, str(run["source"]), str(run["pointer"])) == []


@pytest.mark.parametrize("odd", [["ar-1"], 7, {"a": 1}, "", "../../etc/passwd"])
def test_names_of_any_form_break_nothing(tmp_path: Path, odd: object) -> None:
    """They are looked up among names, never opened."""
    blocks = of_run(store(tmp_path, run=a_run(agentRunId=odd), ar=AGENT_RUN))

    assert all("etc/passwd" not in path for path in places(blocks))
