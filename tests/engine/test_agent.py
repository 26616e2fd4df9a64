"""A model executes cases: by tools in a fresh folder, and each way to end is a status."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from evalcore.engine.activity import activity_of
from evalcore.engine.executing.agent import conversation
from evalcore.engine.executing.agent.conversation import MAX_AT_ONCE, MAX_FAULTS
from evalcore.engine.kept import tries_of
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, runs_dir
from evalcore.errors import CannotRun
from evalcore.sandbox.bubblewrap import missing
from tests.engine.agent_script import KEY, OPENAI, playing, told, use
from tests.engine.conftest import Made, opened, planned, ran
from tests.engine.judging_model import verdicts
from tests.models.fake_openai import Body, FakeOpenAI, fake_openai

CANARY = "CANARY-4471"
HIDDEN = (
    "writer/evals/secret.md",
    "writer/.git/config",
    "writer/reviews/x.json",
    "writer/eval/benchmark.json",
    "writer-workspace/skill-snapshot/SKILL.md",
)
RUN = "writer-workspace/iteration-1/eval-1/with_skill/run-1"
WRITE = use(("write_file", {"path": "out.txt", "content": "done\n"}), text="I write it.")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """A server that the client's own variables name, with a key that must never be seen."""
    with fake_openai() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server


def executed(root: Path, **asked: Any) -> RunFolder:
    """Let the model `m-1` execute the cases of a folder."""
    return ran(root, OPENAI, **{"executing": "m-1", **asked})


def writing_before(fake: FakeOpenAI, fault: str) -> Callable[[Body], Body]:
    """Return a step that writes a file, after which the server fails."""

    def step(_: Body) -> Body:
        fake.faults.append(fault)
        return WRITE

    return step


def ended(folder: RunFolder) -> tuple[str, str]:
    """Return how the first test run ended, and why."""
    execution = folder.progress().runs[0].execution
    assert execution is not None
    return execution.status, execution.why


def test_what_a_model_writes_and_says_is_written_and_graded(made: Made, fake: FakeOpenAI) -> None:
    """Outputs, transcript, time and grading are in the family's places; tokens are added up."""
    root = made("Write it.")
    playing(fake, WRITE, "It is done.")
    folder = executed(root)
    one = folder.progress().runs[0]
    assert one.has_grading
    assert (root / RUN / "outputs/out.txt").read_text() == "done\n"
    assert json.loads((root / RUN / "grading.json").read_text())["summary"]["pass_rate"] == 1.0
    assert json.loads((root / RUN / "timing.json").read_text())["total_tokens"] == 240
    assert one.execution is not None
    assert (one.execution.model, one.execution.calls, one.execution.tokens) == ("fake-1", 2, 240)
    assert one.execution.cost_usd is None
    text = (root / RUN / "transcript.md").read_text()
    for part in ("## Step 1", "I write it.", "write_file", "It is done.", "100 tokens in"):
        assert part in text


def test_its_answer_alone_is_judged_where_it_writes_no_file(made: Made, fake: FakeOpenAI) -> None:
    playing(fake, "It is done.")
    assert executed(made("Say it.")).progress().runs[0].has_grading


def test_commands_run_in_the_sandbox_where_the_plan_allows_them(
    made: Made, fake: FakeOpenAI
) -> None:
    """What one leaves is an output; what it finds is the case's folder and no environment."""
    if reason := missing():
        pytest.skip(reason)
    root = made("Write it.")
    command = "echo done > out.txt; pwd; env; ls"
    playing(fake, use(("run_command", {"command": command})), "done")
    folder = executed(root, commands=True)
    assert folder.plan.agent is not None and folder.plan.agent.commands
    assert (root / RUN / "outputs/out.txt").read_text() == "done\n"
    assert "/work" in told(fake)[0]
    assert KEY not in told(fake)[0]


def test_commands_that_are_planned_are_needed(
    made: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without a sandbox runs none of it: without commands it would be another case."""
    monkeypatch.setattr("evalcore.engine.planning_models.missing", lambda: None)
    folder = planned(made("x"), OPENAI, executing="m-1", commands=True)
    monkeypatch.setattr("evalcore.engine.executing.agent.execute.missing", lambda: "No sandbox.")
    work(folder.id)
    assert ended(folder) == ("not_run", "No sandbox.")
    assert fake.asked == []


def test_without_a_sandbox_commands_are_not_offered_and_the_plan_says_why(
    made: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalcore.engine.planning_models.missing", lambda: "No sandbox.")
    playing(fake, "done")
    folder = executed(made("x"), commands=True)
    assert folder.plan.agent is not None
    assert (folder.plan.agent.commands, folder.plan.agent.no_commands) == (False, "No sandbox.")
    assert ended(folder) == ("completed", "")
    names = [each["function"]["name"] for each in fake.asked[0].body["tools"]]
    assert names == ["list_files", "read_file", "search_text", "write_file"]


def test_it_is_told_of_the_skill_and_its_files_as_agents_are(made: Made, fake: FakeOpenAI) -> None:
    root = made("Write it.")
    (root / "writer/references").mkdir()
    (root / "writer/references/style.md").write_text("Short.")
    playing(fake, use(("read_file", {"path": "skill/writer/references/style.md"})), "done")
    executed(root)
    system = fake.asked[0].body["messages"][0]["content"]
    for part in ("Name: writer", "Use when", "Write.", "skill/writer/references/style.md"):
        assert part in system
    assert "evals" not in system
    assert told(fake) == ["Short."]


def test_without_skill_nothing_of_it_is_there(made: Made, fake: FakeOpenAI) -> None:
    playing(fake, use(("list_files", {})), "done")
    executed(made("Write it."), configurations=("without_skill",))
    assert "skill" not in fake.asked[0].body["messages"][0]["content"]
    assert told(fake) == ["There are no files."]


def test_files_of_the_skill_cannot_be_written_and_are_no_outputs(
    made: Made, fake: FakeOpenAI
) -> None:
    playing(
        fake, use(("write_file", {"path": "skill/writer/SKILL.md", "content": "Mine."})), "done"
    )
    root = made("Change it.")
    executed(root)
    assert "it is the skill" in told(fake)[0]
    outputs = [each.read_text() for each in (root / RUN / "outputs").rglob("*") if each.is_file()]
    assert "Mine." not in "".join(outputs)


def test_it_finds_no_answer_however_it_looks(made: Made, fake: FakeOpenAI) -> None:
    """It lists, searches and reads all it can; no expectation, grading or version is among it."""
    root = made("look", expectations=[f"It says {CANARY}."])
    for path in HIDDEN:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(CANARY)
    outside = ("..", "/", "../..", str(root), str(runs_dir()), "/proc/self/cwd", "skill/../..")
    tools = ("list_files", "read_file", "search_text")
    tries = [(name, {"path": path, "text": "CANARY"}) for path in outside for name in tools]

    def read_all(body: Body) -> Body:
        listed = next(each["content"] for each in body["messages"] if each["role"] == "tool")
        names = [line.partition(" (")[0] for line in listed.splitlines()]
        return use(*(("read_file", {"path": name}) for name in names))

    everything = use(("list_files", {}), ("search_text", {"text": "CANARY"}))
    playing(
        fake, everything, read_all, use(*tries[:9]), use(*tries[9:18]), use(*tries[18:]), "done"
    )
    executed(root)
    assert "Write." in "".join(told(fake))  # it did read what it may
    assert CANARY not in json.dumps([each.body for each in fake.asked])


@pytest.mark.parametrize(
    ("fault", "status", "why"),
    [
        ("refuse", "refused", "refused to answer"),
        ("finish content_filter", "refused", "content filter"),
        ("finish length", "length_cut", "limit of length"),
        ("long context_length_exceeded", "length_cut", "longer than m-1 takes"),
    ],
)
def test_a_failure_of_the_version_keeps_what_was_made_and_fails_every_criterion(
    made: Made, fake: FakeOpenAI, fault: str, status: str, why: str
) -> None:
    root = made("Write it.")

    playing(fake, writing_before(fake, fault))
    folder = executed(root)
    assert ended(folder)[0] == status
    assert why in ended(folder)[1]
    assert (root / RUN / "outputs/out.txt").read_text() == "done\n"
    assert json.loads((root / RUN / "grading.json").read_text())["summary"]["passed"] == 0
    assert status.replace("_", " ") in (root / RUN / "transcript.md").read_text()


def test_the_limit_of_steps_is_a_failure_of_the_version(made: Made, fake: FakeOpenAI) -> None:
    root = made("Write it.")
    playing(fake, WRITE)
    folder = executed(root, steps=3)
    assert ended(folder) == (
        "length_cut",
        "It was not finished after 3 steps, the most that this run allows.",
    )
    assert len(fake.asked) == 3
    assert json.loads((root / RUN / "grading.json").read_text())["summary"]["passed"] == 0


def test_an_answer_in_the_last_step_counts(made: Made, fake: FakeOpenAI) -> None:
    playing(fake, WRITE, WRITE, "done")
    assert ended(executed(made("Write it."), steps=3)) == ("completed", "")


def test_the_time_of_a_case_covers_all_steps(made: Made, fake: FakeOpenAI) -> None:
    root = made("Write it.")
    playing(fake, writing_before(fake, "hang"))
    folder = executed(root, limits={"seconds": 2.0})
    assert ended(folder) == ("timeout", "It was not finished within 2 s.")
    assert (root / RUN / "outputs/out.txt").exists()


@pytest.mark.parametrize(
    ("faults", "status", "requests"),
    [
        (["status 429 86400"], "rate_limited", 1),
        (["status 500"] * 9, "error", 2),
        (["echo 401"], "error", 1),
        (["status 404"], "error", 1),
        (["cut half"] * 9, "error", 2),
    ],
)
def test_a_server_that_fails_decides_nothing_and_resuming_asks_again(
    made: Made, fake: FakeOpenAI, faults: list[str], status: str, requests: int
) -> None:
    """Tried again in the call, never by executing the case once more; nothing is written."""
    root = made("Write it.")
    fake.faults = list(faults)
    playing(fake, WRITE, "done")
    folder = executed(root, limits={"retries": 1})
    assert ended(folder)[0] == status
    assert len(fake.asked) == requests
    assert not (root / RUN).exists()
    fake.faults = []
    work(folder.id)
    assert ended(folder) == ("completed", "")
    assert tries_of(folder, 0) == 2
    before = len(fake.asked)
    work(folder.id)
    assert len(fake.asked) == before


def test_a_slow_server_is_no_failure_of_the_version(
    made: Made, fake: FakeOpenAI, tmp_path: Path
) -> None:
    """The time of one call is over, that of the case is not."""
    config = tmp_path / "config/models.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(f'[endpoints.slow]\nbase_url = "{fake.url}"\nseconds = 0.5\n')
    fake.faults = ["hang"]
    status, why = ended(executed(made("x"), executing="slow/m"))
    assert (status, "within 0.5 seconds" in why) == ("error", True)


def test_without_its_key_nothing_is_asked(
    made: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    status, why = ended(executed(made("x")))
    assert (status, "OPENAI_API_KEY" in why) == ("not_run", True)
    assert fake.asked == []


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("delete_file", {"path": "a"}, "There is no tool 'delete_file'"),
        ("delete a file!", {"path": "a"}, "There is no tool 'delete a file!'"),
        ("run_command", {"command": "ls"}, "There is no tool 'run_command'"),
        ("read_file", '{"path": "a', "cannot be read"),
        ("read_file", "[]", "cannot be read"),
        ("read_file", {}, "cannot be read"),
        ("read_file", {"path": 7}, "cannot be read"),
        ("read_file", {"path": "a", "offset": -1}, "cannot be read"),
        ("read_file", "[" * 20_000, "cannot be read"),
        ("read_file", {"path": "gone.txt"}, "There is no file gone.txt"),
    ],
)
def test_a_tool_that_cannot_do_it_says_so_and_the_case_goes_on(
    made: Made, fake: FakeOpenAI, name: str, arguments: Any, why: str
) -> None:
    playing(fake, use((name, arguments)), "done")
    assert ended(executed(made("x"))) == ("completed", "")
    assert why in told(fake)[0]
    sent = fake.asked[-1].body["messages"][2]["tool_calls"][0]["function"]
    assert isinstance(json.loads(sent["arguments"]), dict)
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", sent["name"])


def test_too_many_faults_of_tools_in_a_row_end_the_case(made: Made, fake: FakeOpenAI) -> None:
    bad: tuple[str, Any] = ("read_file", {"path": "gone"})
    good: tuple[str, Any] = ("list_files", {})
    nearly = use(*[bad] * (MAX_FAULTS - 1), good)
    playing(fake, nearly, nearly, use(*[bad] * MAX_FAULTS), "done")
    status, why = ended(executed(made("x")))
    assert status == "length_cut"
    assert "There is no file gone" in why
    assert len(fake.asked) == 3


def test_a_conversation_that_grows_too_large_ends_the_case(
    made: Made, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each request sends all of it."""
    monkeypatch.setattr(conversation, "MAX_CHARACTERS", 20_000)
    large = use(("write_file", {"path": "a.txt", "content": "x" * 7_000}))
    playing(fake, large)
    status, why = ended(executed(made("x")))
    assert (status, len(fake.asked)) == ("length_cut", 3)
    assert "grew beyond 20,000 characters" in why


def test_only_so_many_tools_are_used_at_once(made: Made, fake: FakeOpenAI) -> None:
    """What is left is answered too, and is no fault of a tool."""
    more = MAX_FAULTS + 1
    playing(fake, use(*[("list_files", {})] * (MAX_AT_ONCE + more)), "done")
    assert ended(executed(made("x"))) == ("completed", "")
    answers = ["Not carried out" in each for each in told(fake)]
    assert answers == [False] * MAX_AT_ONCE + [True] * more


def test_calls_tokens_and_money_of_every_step_count_against_the_limits(
    made: Made, fake: FakeOpenAI, tmp_path: Path
) -> None:
    config = tmp_path / "config/models.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("[models.priced]\nmodel = 'm-1'\ninput_usd = 2.0\noutput_usd = 10.0\n")
    playing(fake, WRITE, "done")
    limits = {"calls": 2, "concurrency": 1}
    folder = executed(made("a", "b"), executing="priced", limits=limits)
    found = folder.progress()
    assert (found.calls, found.tokens, folder.state()) == (2, 240, "budget_stopped")
    assert found.cost_usd == pytest.approx(2 * (100 * 2.0 + 20 * 10.0) / 1e6)
    assert len(fake.asked) == 2


def test_cancelling_now_ends_the_call_in_work(made: Made, fake: FakeOpenAI) -> None:
    root = made("x")
    folder = planned(root, OPENAI, executing="m-1")

    may_answer, has_answered = Event(), Event()

    def stop(_: Body) -> str:
        folder.ask_to_stop("now")
        may_answer.wait(10)
        has_answered.set()
        return "too late"

    playing(fake, WRITE, stop)
    work(folder.id)
    assert not has_answered.is_set()
    may_answer.set()
    assert ended(folder)[0] == "cancelled"
    assert folder.state() == "cancelled"
    assert not (root / RUN).exists()


def test_what_it_is_doing_is_told_while_it_goes_on(made: Made, fake: FakeOpenAI) -> None:
    """In the run's folder, until the case has ended."""
    folder = planned(made("x"), OPENAI, executing="m-1", steps=7)
    seen = []

    def look(body: Body) -> str | Body:
        seen.append(activity_of(folder.path, 0))
        return WRITE if len(body["messages"]) == 2 else "done"

    fake.reply = look
    work(folder.id)
    first, second = seen
    assert first is not None and second is not None
    assert (first.step, first.steps, first.calls, first.tokens) == (1, 7, 0, None)
    assert (second.step, second.calls, second.tokens) == (2, 1, 120)
    assert activity_of(folder.path, 0) is None


def test_the_key_is_in_no_file_and_no_message(made: Made, fake: FakeOpenAI) -> None:
    """Not even if the server sends it back as an answer, an error or the argument of a tool."""
    root = made("a", "b", "c")
    echo = use(("write_file", {"path": "k.txt", "content": KEY}), text=KEY)
    fake.faults = ["key", "echo 401"]
    playing(fake, echo, "done")
    executed(root, limits={"concurrency": 1})
    texts = [each for each in root.parent.rglob("*") if each.is_file()]
    assert len(texts) > 5
    assert not [each for each in texts if KEY.encode() in each.read_bytes()]
    assert KEY not in json.dumps([each.body for each in fake.asked])


def test_a_model_that_judges_its_own_work_is_known_before_and_remarked_after(
    made: Made, fake: FakeOpenAI
) -> None:
    def judge_or_work(body: Body) -> str:
        return "done" if "tools" in body else json.dumps(verdicts(body))

    fake.reply = judge_or_work
    folder = executed(made("x", expectations=["Good."]), judge="model", models=("m-1",))
    assert folder.plan.judges_itself
    judging = folder.progress().judgings[0]
    assert not executed(made("x"), judge="model", models=("m-2",)).plan.judges_itself
    assert folder.progress().calls == 2
    assert judging.calls == 1


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"executing": ""}, "No model to execute the cases was given"),
        ({"executing": "m", "steps": 0}, "1 to 500 steps"),
        ({"executing": "m", "steps": 501}, "1 to 500 steps"),
    ],
)
def test_what_cannot_be_planned_is_said(
    made: Made, fake: FakeOpenAI, asked: dict[str, Any], why: str
) -> None:
    with pytest.raises(CannotRun, match=why):
        planned(made("x"), OPENAI, **asked)


def test_a_model_for_an_executor_that_is_none_is_refused(made: Made) -> None:
    with pytest.raises(CannotRun, match="--judge-model"):
        planned(made("x"), executing="m-1")


def test_the_usual_model_that_executes_is_configured(
    made: Made, fake: FakeOpenAI, tmp_path: Path
) -> None:
    config = tmp_path / "config/models.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("executor = 'mine'\n[models.mine]\nmodel = 'm-7'\n")
    executed(made("x"), executing="")
    assert fake.asked[0].body["model"] == "m-7"


def test_what_it_leaves_opens_without_a_problem(made: Made, fake: FakeOpenAI) -> None:
    root = made("a", "b")
    playing(fake, WRITE, "done")
    executed(root)
    assert opened(root).tables.problems.empty
