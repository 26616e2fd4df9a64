"""`evalcore run --executor openai`: a model executes the cases of each family of the demo."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.demo import packaged
from tests.cli.conftest import Invoke
from tests.engine.agent_script import playing, use
from tests.engine.judging_model import verdicts
from tests.models.fake_openai import Body, FakeOpenAI, fake_openai

pytestmark = pytest.mark.usefixtures("worked_here")

KEY = "sk-canary-run-44"
WRITE = use(("list_files", {}), ("write_file", {"path": "answer.md", "content": "done\n"}))


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """A server that executes with tools and judges without; the client's variables name it."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    with fake_openai() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        playing(server, WRITE, "It is done.")
        work = server.reply

        def reply(body: Body) -> str | Body:
            return work(body) if "tools" in body else json.dumps(verdicts(body))

        server.reply = reply
        yield server


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copytree(packaged(), tmp_path / "demo"))


def _checked(invoke: Invoke, root: Path) -> Any:
    return json.loads(invoke("check", root, "--json").stdout)


def _problems(checked: Any) -> set[tuple[str, str, str]]:
    """Return the problems without their counts, which grow with the runs.

    That a criterion passes with and without the skill is what this judge says, and no fault.
    """
    found = {(each["path"], each["pointer"], each["code"]) for each in checked["problems"]}
    return {each for each in found if each[2] != "does-not-discriminate"}


@pytest.mark.parametrize("family", ["improve", "iterations", "rubric", "descriptions", "records"])
def test_a_model_executes_and_another_judges_each_family(
    invoke: Invoke, fake: FakeOpenAI, demo: Path, family: str
) -> None:
    """The documents of the run read back without anything new to complain of, and no key."""
    before = _checked(invoke, demo)
    suite = next(each["suite"] for each in before["suites"] if each["family"] == family)
    done = invoke(
        *("run", demo, "--suite", suite, "--executor", "openai", "--model", "m-1"),
        *("--judge", "model", "--judge-model", "m-2", "--runs", "1", "--json"),
    )
    value = json.loads(done.stdout)
    assert (done.exit_code, value["state"], value["unscored"]) == (0, "finished", 0)
    assert value["statuses"] == {"completed": value["runs"]}
    assert (value["executor_model"], value["models"]) == ("m-1", ["m-2"])
    assert value["calls"] == len(fake.asked)
    assert sum("tools" in each.body for each in fake.asked) == 2 * value["runs"]
    assert value["tokens"] == 120 * value["calls"]
    assert _problems(_checked(invoke, demo)) <= _problems(before)
    texts = [each for each in demo.parent.rglob("*") if each.is_file()]
    assert not [each for each in texts if KEY.encode() in each.read_bytes()]


def test_before_the_start_it_is_said_what_goes_where_and_that_it_costs(
    invoke: Invoke, fake: FakeOpenAI, demo: Path
) -> None:
    asked = ("run", demo, "--suite", "sql-helper", "--executor", "openai", "--model", "m-1")
    done = invoke(*asked, "--max-steps", "5", "--dry-run")
    assert done.exit_code == 0
    for part in (f"the model m-1 at {fake.url}", "in at most 40 calls", "costs what that server",
                 "price is not configured"):  # fmt: skip
        assert part in done.stdout
    assert "may favour its own work" not in done.stdout
    assert fake.asked == []
    own = invoke(*asked, "--judge", "model", "--judge-model", "m-1", "--dry-run", "--json")
    agent = json.loads(own.stdout)["agent"]
    assert (agent["base_url"], agent["judges_itself"]) == (fake.url, True)
    assert any("may favour its own work" in each for each in agent["notes"])


def test_commands_without_a_sandbox_are_left_out_and_that_is_said(
    invoke: Invoke, fake: FakeOpenAI, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("run", demo, "--suite", "sql-helper", "--executor", "openai", "--model", "m-1")
    monkeypatch.setattr("evalcore.engine.planning_models.missing", lambda: "There is none here.")
    done = invoke(*asked, "--allow-commands", "--dry-run")
    assert "It cannot run commands. There is none here." in done.stdout
    assert "sandboxed commands" not in done.stdout
    monkeypatch.setattr("evalcore.engine.planning_models.missing", lambda: None)
    done = invoke(*asked, "--allow-commands", "--dry-run")
    assert "sandboxed commands" in done.stdout


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--executor", "openai"), "No model to execute the cases was given"),
        (("--executor", "demo", "--model", "m-1"), "--judge-model"),
        (("--executor", "openai", "--model", "m", "--judge", "model"), "--judge-model"),
    ],
)
def test_a_model_that_is_not_named_or_named_for_nothing_is_wrong_usage(
    invoke: Invoke, fake: FakeOpenAI, demo: Path, given: tuple[str, ...], why: str
) -> None:
    done = invoke("run", demo, "--suite", "sql-helper", *given)
    assert done.exit_code == 2
    assert why in done.stderr
    assert fake.asked == []


def test_what_the_server_refuses_ends_with_1_and_can_go_on(
    invoke: Invoke, fake: FakeOpenAI, demo: Path
) -> None:
    fake.faults = ["status 429 86400"]
    asked = ("run", demo, "--suite", "sql-helper", "--executor", "openai", "--model", "m-1")
    done = invoke(*asked, "--concurrency", "1", "--json")
    value = json.loads(done.stdout)
    assert done.exit_code == 1
    assert value["statuses"]["rate_limited"] == 1
    assert "(429)" in value["problems"][0]["why"]
    again = invoke("run", "--resume", value["id"], "--json")
    assert json.loads(again.stdout)["statuses"].get("rate_limited") is None


def test_the_executor_is_listed(invoke: Invoke, fake: FakeOpenAI) -> None:
    assert "openai" in invoke("executors").stdout
