"""Agent-runs whose test-run is not written yet: their runs wait, and become the test-runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.families.reviews.basis import sha256_of
from evalcore.lint.run import check
from evalcore.tables.rows import DocumentRow, RunRow, VersionRow
from evalcore.workspace.opened import open_workspace
from tests.families.records_store import Fields, Opened, a_run, basic, opened, record, write

OUTPUT = {"text": "Dear Ana"}


def agent_run(name: str = "agent", **fields: Any) -> Fields:
    """Return an agent-run of the case `case`, from which the test-run `new` follows."""
    base = {
        "testRunId": "new",
        "testCaseId": "case",
        "promptVersionRef": "reply@2",
        "actualOutput": OUTPUT,
        "status": "completed",
        "startedAt": "2026-02-03T08:00:00Z",
        "durationMs": 1500,
    }
    return record("agent-run", name, {**base, **fields})


def new_runs(store: Opened) -> list[RunRow]:
    """Return the runs beside the one of the basic store."""
    return [row for row in store.all(RunRow) if row.run != "run"]


def test_an_agent_run_waits_as_the_run_of_its_test_run(tmp_path: Path) -> None:
    """Case, version, output and times are known; nothing is said of how good it is."""
    store = opened(tmp_path, agent=agent_run())
    (row,) = new_runs(store)
    assert (row.status, row.origin, row.run) == ("pending", "record", "new")
    assert (row.case_id, row.version, row.duration_s) == ("case", "reply@2", 1.5)
    assert (row.source, row.outputs) == ("agent-run/agent.json", "agent-run/agent.json")
    assert (row.score, row.passed, row.judge) == (None, None, None)
    assert store.reader.problems == []


def test_its_version_is_listed(tmp_path: Path) -> None:
    """Also where nothing else names it."""
    store = opened(tmp_path, agent=agent_run())
    assert [row.version for row in store.all(VersionRow)] == ["reply@1", "reply@2"]


def test_the_test_run_takes_its_place(tmp_path: Path) -> None:
    """It has the same id and the same digest of the output, so what people said stays with it."""
    (before,) = new_runs(opened(tmp_path / "before", agent=agent_run()))
    new = a_run("new", promptVersionRef="reply@2")
    (after,) = new_runs(opened(tmp_path / "after", agent=agent_run(), new=new))
    assert before.run_id == after.run_id
    assert (after.status, after.source) == ("completed", "test-run/new.json")
    held = json.loads((tmp_path / "before/agent-run/agent.json").read_text())
    assert sha256_of(held["fields"]["actualOutput"]) == sha256_of(new["fields"]["actualOutput"])


def test_a_replaced_test_run_is_there(tmp_path: Path) -> None:
    """Its correction stands for it: nothing waits."""
    newer = {**a_run("newer"), "supersedes": "new"}
    store = opened(tmp_path, agent=agent_run(), new=a_run("new"), newer=newer)
    assert [row.run for row in new_runs(store)] == ["newer"]


@pytest.mark.parametrize(
    "fields",
    [
        {"agentId": "a", "toolCallsLog": [], "status": "failed"},
        {"testRunId": None},
        {"testCaseId": None},
        {"actualOutput": None, "output": {"text": "x"}},
        {},
    ],
)
def test_agent_runs_of_other_tools_are_only_listed(tmp_path: Path, fields: Fields) -> None:
    """They are neither runs nor problems, whatever they hold and however often."""
    own = agent_run()["fields"] if fields and "agentId" not in fields else {}
    other = record("agent-run", "agent", {**own, **fields})
    write(tmp_path, {"again/agent.json": other})
    store = opened(tmp_path, agent=other)
    assert new_runs(store) == []
    assert store.reader.problems == []
    assert [row.kind for row in store.all(DocumentRow)].count("agent-run") == 2
    ws = open_workspace(tmp_path, cache=False)
    assert not [each for each in check(ws) if "agent" in each.path]


def test_agent_runs_alone_make_no_store(tmp_path: Path) -> None:
    """They are another toolbox's until a store refers to them."""
    assert Opened(write(tmp_path, {"agent-run/a.json": agent_run()})).plans == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"testRunId": ["new"]}, "wrong-type"),
        ({"testCaseId": {"id": "case"}}, "wrong-type"),
        ({"testCaseId": "nowhere"}, "dangling-reference"),
        ({"testCaseId": 7}, "dangling-reference"),
    ],
)
def test_what_leads_nowhere_is_one_problem_and_no_run(
    tmp_path: Path, fields: Fields, code: str
) -> None:
    """The problem is at the field."""
    store = opened(tmp_path, agent=agent_run(**fields))
    assert new_runs(store) == []
    (problem,) = store.reader.problems
    assert (problem.code, problem.path) == (code, "agent-run/agent.json")
    assert problem.pointer == f"/fields/{next(iter(fields))}"


def test_odd_values_beside_leave_the_run(tmp_path: Path) -> None:
    """What cannot be read is missing, each with its problem."""
    odd = agent_run(promptVersionRef=[], durationMs="long", startedAt="yesterday")
    store = opened(tmp_path, agent=odd)
    (row,) = new_runs(store)
    assert (row.version, row.duration_s, row.started_at) == ("reply@1", None, None)
    assert len(store.reader.problems) == 3


def test_of_several_for_one_test_run_the_newest_counts(tmp_path: Path) -> None:
    """The other is named."""
    newest = {**agent_run("b"), "updatedAt": "2026-03-01T08:00:00Z"}
    store = opened(tmp_path, a=agent_run("a"), b=newest)
    (row,) = new_runs(store)
    assert row.source == "agent-run/b.json"
    (problem,) = store.problems("repeated-agent-run")
    assert (problem.path, problem.pointer) == ("agent-run/a.json", "/fields/testRunId")


def test_an_id_that_repeats_is_named_as_in_every_type(tmp_path: Path) -> None:
    """The newer record counts."""
    write(tmp_path, {"more/agent.json": {**agent_run(), "updatedAt": "2026-03-01T08:00:00Z"}})
    store = opened(tmp_path, agent=agent_run())
    (row,) = new_runs(store)
    assert row.source == "more/agent.json"
    assert store.codes == {"duplicate-id"}


@pytest.mark.parametrize("place", ["runs.json", "runs.jsonl", ".minions/ab/cd/agent.json"])
def test_every_form_of_a_store_holds_them(tmp_path: Path, place: str) -> None:
    """The pointer leads to the record."""
    records = [*basic().values(), agent_run()]
    if place.startswith("."):
        for value in records:
            value |= {"minionTypeId": value.pop("type"), "title": ""}
        write(tmp_path, {f".minions/ab/{value['id']}.json": value for value in records[:-1]})
        write(tmp_path, {place: records[-1]})
    else:
        lines = "\n".join(map(json.dumps, records))
        write(tmp_path, {place: lines if place.endswith("l") else records})
    (row,) = new_runs(Opened(tmp_path))
    assert (row.status, row.source) == ("pending", place)
    held = open_workspace(tmp_path, cache=False).raw(place, f"{row.pointer}/fields/actualOutput")
    assert held == OUTPUT


def test_one_that_names_its_test_run_is_held_against_its_shape(tmp_path: Path) -> None:
    """The check says what is wrong; a correct one is clean."""
    write(tmp_path, basic(agent=agent_run()))
    said = check(open_workspace(tmp_path, cache=False))
    assert not [each for each in said if "agent" in each.path]
    write(tmp_path, basic(agent=agent_run(actualOutput="Dear Ana")))
    said = check(open_workspace(tmp_path, cache=False))
    assert ("agent-run/agent.json", "/fields/actualOutput") in [
        (each.path, each.pointer) for each in said
    ]
