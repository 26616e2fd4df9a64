"""`evalcore mcp`: a client of the SDK asks a server of its own process, as an agent does."""

import builtins
import json
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from evalcore.cli.agent_server import server
from evalcore.cli.agent_tools import NOTICE, AgentTools
from evalcore.cli.opening import Followed
from evalcore.demo import packaged
from evalcore.workspace.opened import open_workspace
from tests.cli.agents import Agent, Told, connected, run_apart, told
from tests.cli.command import ROOT, environment
from tests.cli.conftest import Invoke
from tests.cli.suites import worse

READING = [
    "list_suites",
    "list_problems",
    "failing_runs",
    "run_evidence",
    "run_steps",
    "compare_versions",
]
RUN = "invoice-extractor::1@iteration-3/with_skill#3"


def asked(root: Path, *calls: tuple[str, dict[str, Any]], write: bool = False) -> list[Told]:
    """Return what the tools of a folder answer, in this process."""

    async def run() -> list[Told]:
        made = server(AgentTools(Followed(root)), write=write)
        async with Client(made) as client:
            return [told(await client.call_tool(name, given)) for name, given in calls]

    return run_apart(run)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """Return a copy of the demo that may be written to."""
    return Path(shutil.copytree(packaged(), tmp_path / "demo"))


def test_an_agent_reads_the_demo(tmp_path: Path, demo: Path) -> None:
    """From the suites to what an agent did in a failing run, each answer by the names before."""

    async def talk(agent: Agent) -> None:
        assert agent.said.server_info.name == "evalcore"
        assert NOTICE in (agent.said.instructions or "")
        assert [tool.name for tool in agent.tools] == READING
        suites = (await agent.ask("list_suites")).data["suites"]
        assert {"release-notes", "invoice-extractor"} < {each["suite"] for each in suites}
        problems = (await agent.ask("list_problems", severity="error")).data["problems"]
        assert [each["code"] for each in problems] == ["half-written"]
        found = await agent.ask("compare_versions", suite="commit-helper")
        assert found.data["verdict"]["word"] == "better on these cases"
        assert found.data["sentence"].startswith("iteration-3 passes more than iteration-2")
        failing = await agent.ask("failing_runs", suite="invoice-extractor", version="iteration-3")
        first = failing.data["failures"][0]
        assert first["failed_criteria"][0]["criterion"] == "structural:S7"
        assert first["run"] == RUN
        seen = (await agent.ask("run_evidence", run_id=RUN)).data
        assert seen["prompt"].startswith("Turn evals/files/invoice-0417.txt into invoice.json")
        assert seen["criteria"][0]["word"] == "failed"
        assert seen["criteria"][0]["quotes"][0]["location"] == "transcript.md, line 5"
        steps = (await agent.ask("run_steps", run_id=RUN)).data["steps"]
        assert [step["tool"] for step in steps if step["kind"] == "tool_call"][:2] == ["Read"] * 2
        one = (await agent.ask("run_steps", run_id=RUN, position=1)).data["step"]
        assert one == steps[1]

    before = {path: path.read_bytes() for path in demo.rglob("*") if path.is_file()}
    connected(demo, tmp_path, talk)
    assert {path: path.read_bytes() for path in demo.rglob("*") if path.is_file()} == before


def test_every_tool_says_that_it_only_reads(tmp_path: Path) -> None:
    """The one that writes is not even listed, and called all the same it stores nothing."""
    root = worse(tmp_path)
    (wrong,) = asked(root, ("send_to_judging", {"runs": ["x"]}))
    assert wrong.wrong
    assert "There is no tool 'send_to_judging'. There is: list_suites" in wrong.data["error"]
    assert not [*root.rglob("reviews")]
    for write, number in ((False, 6), (True, 7)):
        made = server(AgentTools(Followed(root)), write=write)
        tools = run_apart(made.list_tools)
        hints = [tool.annotations for tool in tools if tool.annotations is not None]
        assert [hint.read_only_hint for hint in hints] == [True] * 6 + [False] * (number - 6)
        assert all(tool.description for tool in tools)


def test_two_servers_send_runs_to_judging(tmp_path: Path, demo: Path) -> None:
    """At once and again: nothing is overwritten, and the run waits on the page Judge."""
    runs = [RUN, "release-notes::reverted-commit@v3/-#3"]
    records: list[str] = []

    async def send(agent: Agent) -> None:
        assert [tool.name for tool in agent.tools] == [*READING, "send_to_judging"]
        first = await agent.ask("send_to_judging", runs=runs, reason="The reason looks wrong.")
        records.extend(first.data["written"])
        again = await agent.ask("send_to_judging", runs=runs)
        assert again.data == {"said": "2 runs already waited.", "written": []}

    async def both(agent: Agent) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(send, agent)
            group.start_soon(_in_thread, demo, tmp_path, send)

    connected(demo, tmp_path, both, "--write")
    assert len(records) == len(set(records)) >= 2
    for path in records:
        fields = json.loads((demo / path).read_text("utf-8"))["fields"]
        assert fields["testRunId"] in runs
        assert fields["reason"] == "The reason looks wrong."
    requests = open_workspace(demo, cache=False).tables.requests
    assert set(requests["run_id"]) >= set(runs)
    assert "agent" in set(requests["author"])


async def _in_thread(root: Path, home: Path, talk: Callable[[Agent], Awaitable[None]]) -> None:
    await anyio.to_thread.run_sync(lambda: connected(root, home, talk, "--write"))


def test_a_file_that_changed_between_two_calls_is_seen(tmp_path: Path) -> None:
    """And one that was added, and that the folder is gone."""
    root = worse(tmp_path)
    grading = root / "iteration-2/eval-00/with_skill/grading.json"

    async def talk(agent: Agent) -> None:
        async def failing() -> Any:
            answer = await agent.ask("failing_runs", suite=".", version="iteration-2")
            return answer.data["failures"]

        assert len(await failing()) == 14
        shutil.copy(root / "iteration-1/eval-00/with_skill/grading.json", grading)
        assert len(await failing()) == 13
        new = root / "iteration-2/eval-99/with_skill/grading.json"
        new.parent.mkdir(parents=True)
        shutil.copy(root / "iteration-2/eval-01/with_skill/grading.json", new)
        assert len(await failing()) == 14
        root.rename(tmp_path / "away")
        gone = await agent.ask("list_suites")
        assert gone.wrong
        assert "Name the folder that holds your evaluations." in gone.data["error"]
        (tmp_path / "away").rename(root)
        assert len(await failing()) == 14

    connected(root, tmp_path, talk)


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("compare_versions", {}, "suite: Field required. Call it again with what its schema"),
        ("compare_versions", {"suite": "x"}, "There is no suite 'x'. There is: ."),
        ("compare_versions", {"suite": ".", "a": "iteration-1"}, "Name both sides, A and B"),
        ("compare_versions", {"suite": ".", "a": "x", "b": "y"}, "There is no version 'x'"),
        ("failing_runs", {"suite": "x"}, "There is no suite 'x'"),
        ("failing_runs", {"suite": ".", "version": "iteration-3"}, "Did you mean 'iteration-2'?"),
        ("failing_runs", {"suite": ".", "scores": "mine"}, "scores: Input should be 'recorded'"),
        ("failing_runs", {"suit": "."}, "There is no argument 'suit': failing_runs has suite,"),
        ("run_evidence", {"run_id": ".::eval-00@iteration-1/with_skill#2"}, "Did you mean '.::"),
        ("run_steps", {"run_id": ".::eval-00@iteration-1/with_skill#1", "position": 3}, "has 0"),
        ("run_steps", {"run_id": "x", "position": -1}, "position: Input should be greater"),
        ("list_problems", {"cursor": "7"}, "This cursor is of another list. Ask without"),
        ("list_suites", {"cursor": "1.0.0a1b2c3d"}, "This cursor is of another list."),
        ("send_to_judging", {"runs": []}, "runs: List should have at least 1 item"),
        ("send_to_judging", {"runs": ["x"]}, "There is no run 'x'"),
        ("send_to_judging", {"runs": ["x"], "reason": "x" * 1_001}, "at most 1000 characters"),
        ("list_everything", {}, "There is no tool 'list_everything'. There is: list_suites"),
    ],
)
def test_what_cannot_be_answered_names_the_next_step(
    invoke: Invoke, tmp_path: Path, tool: str, given: dict[str, Any], said: str
) -> None:
    """As an answer that says that it is an error, not as a fault of the connection."""
    del invoke  # it sets the folders of this machine aside
    (wrong,) = asked(worse(tmp_path), (tool, given), write=True)
    assert wrong.wrong
    assert wrong.value.keys() == {"notice", "data"}
    assert said in wrong.data["error"]


def test_a_fault_of_its_own_tells_nothing_and_ends_nothing(
    invoke: Invoke,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its words are on standard error; the next question is answered."""
    del invoke

    def broken(*_: object) -> None:
        raise RuntimeError("a secret of the process")

    monkeypatch.setattr("evalcore.cli.agent_tools.find.failures", broken)
    wrong, fine = asked(worse(tmp_path), ("failing_runs", {"suite": "."}), ("list_suites", {}))
    assert wrong.wrong
    assert wrong.data["error"].startswith("evalcore could not answer, by a fault of its own")
    assert "a secret" in caplog.text
    assert not fine.wrong


def test_a_folder_that_is_none_is_said_at_once(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("mcp", tmp_path / "nowhere")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "does not exist. Name the folder that holds your evaluations." in done.stderr


def test_without_the_extra_it_says_what_to_install(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else of the program needs it."""
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.partition(".")[0] in ("mcp", "mcp_types"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])
        return real(name, *more)

    monkeypatch.delitem(sys.modules, "evalcore.cli.agent_server")
    monkeypatch.setattr(builtins, "__import__", without)
    done = invoke("mcp", tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert 'pip install "evalcore-workspace[mcp]"' in done.stderr


def test_no_other_command_imports_the_sdk(tmp_path: Path) -> None:
    """Nor does `--help`, which lists it."""
    script = (
        "import sys, evalcore.cli.main as m\n"
        "from typer.testing import CliRunner\n"
        "assert 'mcp' in CliRunner().invoke(m.app, ['--help']).stdout\n"
        f"assert CliRunner().invoke(m.app, ['check', {str(worse(tmp_path))!r}]).exit_code == 0\n"
        "assert not {'mcp', 'mcp_types'} & sys.modules.keys()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
