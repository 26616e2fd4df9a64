"""What the Runs page says of runs: how far they are, what went wrong, what a new one will do."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from evalcore.engine.activity import Activity
from evalcore.engine.estimate import estimate
from evalcore.engine.journal import (
    Begun,
    Ended,
    Executed,
    Failed,
    Journal,
    Judged,
    Started,
    Written,
)
from evalcore.engine.plan import Executor, Limits, Plan, Template
from evalcore.engine.planning import Request, make_plan
from evalcore.engine.progress import Progress, progress_of
from evalcore.engine.scripts_of_workspace import not_allowed
from evalcore.engine.store import RunFolder, new_run
from evalcore.errors import CannotRun
from evalcore.families.graded import Graded, Verdict
from evalcore.families.running import Execution, RunStatus
from evalcore.sandbox.trust import allow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Heading, Say, Table
from evalcore.views.blocks.plain import as_json
from evalcore.views.runs.again import again, can_go_on, can_retry, next_links
from evalcore.views.runs.detail import head_blocks, journal_blocks, runs_blocks, written_blocks
from evalcore.views.runs.form import (
    TYPED,
    chosen_executor,
    executor_label,
    file_blocks,
    offered,
    plan_blocks,
    plan_of,
    start_words,
    waiting_scripts,
)
from evalcore.views.runs.listing import NOTHING, listing_blocks, running_now
from evalcore.views.runs.state import View, opened, runs_of
from evalcore.views.runs.words import activity_words, limit_words
from evalcore.workspace.opened import Workspace, open_workspace

AT = "2026-11-23T10:00:00.000Z"
FAKE = Executor("fake", "command", Template(command=("true",)), "yours")
Make = Callable[..., Path]


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A suite of three cases that has never run."""
    for name in ("STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"EVALCORE_{name}_DIR", str(tmp_path / name.lower()))
    skill = tmp_path / "folder" / "writer"
    (skill / "evals").mkdir(parents=True)
    (skill / "SKILL.md").write_text("Write.")
    evals = [
        {
            "id": n,
            "name": f"case {n}",
            "prompt": "Go",
            "expectations": ['contains "a"', 'contains "b"'],
        }
        for n in (1, 2, 3)
    ]
    value = {"skill_name": "writer", "evals": evals}
    (skill / "evals" / "evals.json").write_text(json.dumps(value))
    return open_workspace(tmp_path / "folder", cache=False)


def planned(ws: Workspace, executor: Executor = FAKE) -> RunFolder:
    """Plan a run of all three cases with the skill."""
    request = Request(executor=executor, configurations=("with_skill",))
    return new_run(make_plan(ws, "writer", request))


def executed(index: int, status: RunStatus = "completed", why: str = "") -> Executed:
    """Return the event of an executed test run."""
    return Executed(AT, index, Execution(status, why, seconds=2.0, tokens=10, cost_usd=0.5))


def words(blocks: list[Block]) -> str:
    """Return everything that blocks say."""
    return json.dumps(as_json(blocks), ensure_ascii=False)


def far(
    plan: Plan, *more: Begun | Started | Executed | Judged | Written | Failed | Ended
) -> Progress:
    """Return how far a run is by some events after its beginning."""
    return progress_of(plan, [Begun(AT, 1, "here"), *more])


def test_without_runs_the_list_says_what_a_run_is(ws: Workspace) -> None:
    """It is the first thing that a newcomer reads on this page."""
    (said,) = listing_blocks([], None)
    assert isinstance(said, Say)
    assert said.text == NOTHING


def test_a_run_that_went_through_with_faults_did_not_just_finish(ws: Workspace) -> None:
    """Its state is marked as a fault in the list and in its head."""
    folder = planned(ws)
    journal = Journal(folder.path)
    for event in (Begun(AT, 1), executed(0, "error", "Broken."), Ended(AT, "finished")):
        journal.add(event)
    journal.close()
    assert "finished with errors" in words(listing_blocks([folder], folder))
    heading = head_blocks(folder.plan, folder.progress(), "finished")[0]
    assert isinstance(heading, Heading)
    assert (heading.text, heading.hint) == ("writer: finished with errors", "0 of 3 done")


def test_the_head_counts_each_status_and_what_was_used(ws: Workspace) -> None:
    """Tokens and money are those that executors told."""
    plan = planned(ws).plan
    found = far(plan, Started(AT, 0, 1), executed(0), Started(AT, 1, 1), executed(1, "timeout"))
    said = words(head_blocks(plan, found, "running"))
    assert "1 completed, 1 ran out of time, 1 not started." in said
    assert "2 calls · 20 tokens · $1.00" in said


def test_a_case_in_work_is_being_executed_only_while_the_run_goes_on(ws: Workspace) -> None:
    """Afterwards its try was in vain."""
    plan = planned(ws).plan
    found = far(plan, Started(AT, 0, 1))
    assert "running" in words(runs_blocks(plan, found, "running"))
    assert "running" not in words(runs_blocks(plan, found, "interrupted"))


def test_a_model_in_work_tells_its_step_tool_and_tokens(ws: Workspace) -> None:
    """Of a run that goes on, and for the test run that is in work."""
    plan = planned(ws).plan
    found = far(plan, Started(AT, 0, 1))
    told = Activity(4, 30, 5, 12_300, tool="read_file notes.md")
    said = words(runs_blocks(plan, found, "running", doing={0: told, 1: told}))
    assert said.count("step 4 of 30: read_file notes.md · 12,300 tokens so far") == 1
    ended = words(runs_blocks(plan, found, "interrupted", doing={0: told}))
    assert "step 4" not in ended


@pytest.mark.parametrize(
    ("activity", "said"),
    [
        (Activity(1, 30), "step 1 of 30: waiting for the model"),
        (Activity(1, 30, heard=1), "step 1 of 30: the model answers, 1 character"),
        (Activity(2, 30, tokens=0), "step 2 of 30: waiting for the model · 0 tokens so far"),
    ],
)
def test_what_a_model_is_doing_is_said_in_words(activity: Activity, said: str) -> None:
    """Tokens that nobody told are not said."""
    assert activity_words(activity) == said


@pytest.mark.parametrize("steps", ["0", "501", "x", "²", "9" * 5_000])
def test_a_number_of_steps_out_of_range_is_ignored(steps: str) -> None:
    """The address may hold anything."""
    assert View.of({"steps": steps}).steps is None
    assert View.of({"steps": "500"}).steps == 500


def test_runs_with_a_fault_come_first_with_the_reason(ws: Workspace) -> None:
    """A failed write outranks everything."""
    plan = planned(ws).plan
    found = far(plan, executed(0), executed(1, "error", "It broke."), Failed(AT, 2, "Disk full."))
    table = runs_blocks(plan, found, "finished")[0]
    assert isinstance(table, Table)
    assert [row.cells[0].text.partition(" ·")[0] for row in table.rows] == [
        "case 2",
        "case 3",
        "case 1",
    ] or [row.cells[1].sub for row in table.rows][:2] == ["It broke.", "Disk full."]


def test_a_graded_run_says_how_many_criteria_passed_and_how_many_are_open(ws: Workspace) -> None:
    """What no rule decided is said beside it."""
    plan = planned(ws).plan
    verdicts = (
        Verdict("expectation", "a", True, 1.0, "Found."),
        Verdict("expectation", "b", None, None, "Open."),
    )
    found = far(plan, executed(0), Judged(AT, 0, Graded("r", "heuristic", AT, verdicts)))
    assert "1 of 2 passed, 1 undecided" in words(runs_blocks(plan, found, "running"))


def test_nothing_is_said_of_a_run_that_is_hidden_from_the_judge(ws: Workspace) -> None:
    """How it ended, what passed and why would tell of its scores."""
    plan = planned(ws).plan
    verdicts = (Verdict("expectation", "a", False, 0.0, "Wrong."),)
    graded = Graded("r", "heuristic", AT, verdicts)
    found = far(plan, executed(0, "timeout", "Too slow."), Judged(AT, 0, graded))
    hidden = {plan.runs[0].run_id}
    blocks = [
        *head_blocks(plan, found, "running", hidden),
        *runs_blocks(plan, found, "running", hidden),
        *journal_blocks(plan, found, hidden),
    ]
    said = words(blocks)
    assert "1 hidden until you have judged" in said
    assert not any(word in said for word in ("time", "slow", "0 of 1", "decided"))


def test_the_journal_is_newest_first(ws: Workspace) -> None:
    """Each event is a sentence with its time."""
    plan = planned(ws).plan
    table = journal_blocks(plan, far(plan, Started(AT, 0, 1), executed(0)))[1]
    assert isinstance(table, Table)
    told = [row.cells[1].text for row in table.rows]
    assert told[0] == "case 1 · iteration-1 with_skill · run 1: completed."
    assert told[2] == "Process 1 on here began (threads)."
    assert table.rows[0].cells[0].text == "10:00:00"


def test_nothing_written_is_no_list_of_files(ws: Workspace) -> None:
    """An empty fold would say that there is something."""
    plan = planned(ws).plan
    assert written_blocks(far(plan)) == []


def test_a_stopped_run_can_go_on_and_a_faulty_one_can_be_tried_again(ws: Workspace) -> None:
    """A finished one needs neither."""
    plan = planned(ws).plan
    stopped = far(plan, executed(0), Ended(AT, "cancelled"))
    assert can_go_on(stopped, "cancelled")
    assert not can_go_on(stopped, "finished")
    assert can_retry(far(plan, executed(0, "error")))
    assert can_retry(far(plan, executed(0), Failed(AT, 0, "Disk full.")))
    assert not can_retry(far(plan, executed(0), executed(1, "timeout")))


def test_again_fills_in_what_an_earlier_run_did(ws: Workspace) -> None:
    """Cases, configurations, how often, by what; the version is the next one then."""
    query = again(planned(ws).plan)
    view = View.of({name: value for name, value in query.items() if value is not None})
    assert view == View(
        new=True,
        configurations=("with_skill",),
        cases=("1", "2", "3"),
        n=1,
        executor="fake",
        judge="rules",
    )


@pytest.mark.parametrize("n", ["0", "-1", "x", "1001", "9" * 30])
def test_a_number_of_runs_out_of_range_is_ignored(n: str) -> None:
    """The address may hold anything."""
    assert View.of({"n": n}).n is None


def test_the_newest_run_is_open_unless_the_address_says_another(ws: Workspace) -> None:
    """With the form open, none is."""
    first, second = planned(ws), planned(ws)
    folders = [second, first]
    assert opened(folders, View()) is second
    assert opened(folders, View(id=first.id)) is first
    assert opened(folders, View(id="gone")) is None
    assert opened(folders, View(new=True)) is None


def test_the_form_offers_what_the_suite_has(ws: Workspace) -> None:
    """Cases by name, the next iteration, both configurations, and the executors."""
    found = offered(ws, "writer")
    assert found.cases == ("all", "failing", "chosen")
    assert found.case_ids == {"1": "case 1", "2": "case 2", "3": "case 3"}
    assert found.versions == ("iteration-1",)
    assert found.configurations == ("with_skill", "without_skill")
    assert {"stored", "demo", "claude"} <= found.executors.keys()


def test_a_plan_says_what_runs_by_what_and_where_it_writes(ws: Workspace) -> None:
    """Before anything is started."""
    found = offered(ws, "writer")
    found.executors["fake"] = FAKE
    filled = Request(
        executor=found.executors["fake"],
        versions=("iteration-1",),
        configurations=("with_skill",),
        runs=2,
    )
    plan = plan_of(ws, "writer", filled)
    said = words(plan_blocks(ws, plan, estimate(ws.tables, plan)))
    assert "6 test runs of 3 cases: iteration-1 with_skill." in said
    assert "Runs true as your user, with network access, in a fresh copy of each case." in said
    assert "no earlier run of this suite was measured" in said
    title, files = file_blocks(plan)
    assert title == "33 files will be written"
    assert "writer-workspace/iteration-1/eval-1/with_skill/run-1/grading.json" in words(files)


def test_the_button_says_how_many_runs_it_starts(ws: Workspace) -> None:
    """And what they will cost, where that is known."""
    plan = planned(ws).plan
    from evalcore.engine.estimate import Estimate  # noqa: PLC0415 - only here

    assert start_words(plan, Estimate(3, 0, None, None, None)) == "Start 3 runs"
    assert start_words(plan, Estimate(3, 4, 1.0, 5.0, 1.8)) == "Start 3 runs (about $1.80)"


def test_only_a_run_with_a_process_is_running_now(ws: Workspace) -> None:
    """One that is only planned, or of another workspace, is not."""
    folder = planned(ws)
    assert running_now(ws.root) == []
    with folder.lock():
        (now,) = running_now(ws.root)
        assert (now.id, now.done, now.total, now.share) == (folder.id, 0, 3, 0.0)
        assert running_now(ws.root.parent) == []


def scripted(ws: Workspace) -> Workspace:
    """Let a case name a script that writes what is not seen."""
    path = ws.root / "writer/evals/evals.json"
    value = json.loads(path.read_text())
    check = {"id": "S1", "type": "custom_script", "description": "x", "critical": False}
    value["evals"][0]["structural_expectations"] = [{**check, "script": "sh check.sh # \u202e"}]
    path.write_text(json.dumps(value))
    (ws.root / "writer/check.sh").write_bytes(b"echo \xff\x07\n")
    return open_workspace(ws.root, cache=False)


def test_the_form_shows_the_bytes_of_what_waits_for_permission(ws: Workspace) -> None:
    """With what the script runs, and nothing in it unseen, until it is allowed."""
    plan = planned(scripted(ws)).plan
    (text, inner) = waiting_scripts(plan)
    assert (text[0].endswith("evals.json"), text[1]) == (True, "sh check.sh # \\u202e")
    assert inner == (f"{ws.root}/writer/check.sh, called by it", "echo \\xff\\u0007\n")
    for command in not_allowed(plan):
        allow(command)
    assert list(waiting_scripts(plan)) == []


def test_a_run_that_ended_leads_to_what_it_left_to_people(ws: Workspace) -> None:
    """Not while it goes on; the test runs that have a grading wait for nobody."""
    plan = planned(ws).plan
    done = [each for at in range(3) for each in (executed(at), Written(AT, at, (), graded=at == 2))]
    going_on, ended = far(plan, *done), far(plan, *done, Ended(AT, "finished"))
    assert next_links(ws, plan, going_on, "running") == []
    (judge,) = next_links(ws, plan, ended, "finished")
    assert (judge.text, judge.link.page) == ("Judge these 2", "judge")
    assert judge.link.query["reason"] == "requested"


def test_a_run_that_ended_leads_to_the_comparison_with_the_version_before(ws: Workspace) -> None:
    """Once its version has scores, and another one to compare it with."""
    base = ws.root / "writer-workspace"
    for iteration, passed in ((1, False), (2, True)):
        said = [{"text": f'contains "{one}"', "passed": passed, "evidence": ""} for one in "ab"]
        for case in ("eval-1", "eval-2"):
            place = base / f"iteration-{iteration}" / case / "with_skill"
            place.mkdir(parents=True)
            (place / "grading.json").write_text(json.dumps({"expectations": said}))
    found = open_workspace(ws.root, cache=False)
    plan = planned(found).plan
    ended = far(plan, *(executed(at) for at in range(3)), Ended(AT, "finished"))
    assert next_links(found, plan, ended, "finished") == []  # iteration-3 has no scores yet
    place = base / "iteration-3" / "eval-1" / "with_skill"
    place.mkdir(parents=True)
    (place / "grading.json").write_text(json.dumps({"expectations": said}))
    (compare,) = next_links(open_workspace(ws.root, cache=False), plan, ended, "finished")
    assert compare.text == "Compare with iteration-2, with_skill"
    assert compare.link.query["a"] == "iteration-2@with_skill"
    assert compare.link.query["b"] == "iteration-3@with_skill"


def test_the_form_never_opens_on_what_can_do_nothing(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored outputs only where some wait; programs that are not installed stand last."""
    monkeypatch.setenv("PATH", "")
    found = offered(ws, "writer")
    assert found.usual_way == TYPED
    assert found._replace(waits=True).usual_way == "stored"
    assert found._replace(is_demo=True, waits=True).usual_way == "demo"
    own = {"mine": FAKE, **found.executors}
    assert found._replace(executors=own, is_demo=True).usual_way == "mine"
    assert found._replace(executors=own, missing={"mine": "gone"}).usual_way != "mine"
    assert found.ways.index(TYPED) < found.ways.index("claude")
    assert executor_label(found, "claude") == "claude · not installed"
    with pytest.raises(
        CannotRun, match="Install Claude Code, then start evalcore again; or choose"
    ):
        chosen_executor(found, "claude", "")


def test_the_runs_of_the_suite_stand_before_others(ws: Workspace) -> None:
    """And the newest of them is the one that is open."""
    own, newer = planned(ws), planned(ws)
    plan = json.loads((newer.path / "plan.json").read_bytes())
    (newer.path / "plan.json").write_text(json.dumps(plan | {"suite": "another"}))
    newest = RunFolder(newer.path)
    assert newest.id > own.id
    assert [each.id for each in runs_of(ws, "writer")] == [own.id, newest.id]
    assert [each.id for each in runs_of(ws, "another")] == [newest.id, own.id]


def test_a_limit_says_by_how_much_it_can_be_passed(ws: Workspace) -> None:
    """What is in work goes on: that many cases at most."""
    request = Request(executor=FAKE, configurations=("with_skill",))
    plan = make_plan(ws, "writer", request)
    assert limit_words(plan) == []
    for at_once, words_ in ((2, "2 cases use."), (9, "3 cases use."), (1, "1 case uses.")):
        limits = Limits(concurrency=at_once, cost_usd=0.01)
        limited = make_plan(ws, "writer", replace(request, limits=limits))
        assert limit_words(limited)[0].endswith(f"passed by what {words_}")


def test_what_waits_for_people_says_for_which_criteria(ws: Workspace) -> None:
    """Those that nothing decided, by name."""
    plan = planned(ws).plan
    judged = Graded("", "heuristic", AT, tuple(
        Verdict("expectation", name, passed, 1.0, "") for name, passed in (("a", True), ("b", None))
    ), (), gate=True)  # fmt: skip
    found = far(plan, executed(0), Judged(AT, 0, judged), Written(AT, 0, (), graded=False))
    assert "1 of 2 passed, 1 undecided; people decide b" in words(
        runs_blocks(plan, found, "finished")
    )
