"""A model that executes, in the form of a new run and on the page of the run; without a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, all_runs
from evalcore.views.runs.again import again
from tests.dashboard.test_judged_again import chosen, given
from tests.engine.agent_script import KEY, playing, use
from tests.engine.test_again import graded
from tests.models.fake_openai import FakeOpenAI, fake_openai

Page = Callable[..., AppTest]
COMMANDS = "May run commands in the sandbox"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on runs in this process, as soon as they are started."""

    def start(folder: RunFolder) -> None:
        work(folder.id)

    monkeypatch.setattr("evalcore.engine.process.start", start)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    with fake_openai() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        playing(server, use(("write_file", {"path": "a.md", "content": "done"})), "done")
        yield server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one case of the family improve."""
    folder = tmp_path / "folder"
    graded(folder, "improve")
    return folder


def _starts(app: AppTest) -> list[Any]:
    return [each for each in app.button if each.label.startswith("Start")]


def test_fields_of_a_model_are_there_with_the_executor_that_is_one(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    """Nothing can be started before a model is named; the form says so."""
    app = run("runs", root, suite="writer", new="1", executor="claude")
    assert COMMANDS not in [each.label for each in app.checkbox]
    chosen(app, "Executed by").set_value("openai").run()
    assert any("No model to execute the cases was given" in each.value for each in app.text)
    assert _starts(app) == []
    assert chosen(app, "Maximum steps per case").value == 30
    assert chosen(app, COMMANDS).value is False
    assert fake.asked == []


def test_the_form_says_where_calls_go_and_warns_of_one_model_for_both(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    """Before anything is called, with the address of the server and never the key."""
    asked = {"executor": "openai", "model": "m-1", "steps": "7"}
    said = given(run("runs", root, suite="writer", new="1", **asked))
    assert f"the model m-1 at {fake.url}" in said
    assert "in at most 7 calls; each costs what that server charges" in said
    assert "favour its own work" not in said
    asked |= {"judge": "model", "judge_models": "m-1"}
    said = given(run("runs", root, suite="writer", new="1", **asked))
    assert "m-1 also judges what it executed and may favour its own work" in said
    assert KEY not in said
    assert fake.asked == []


def test_a_key_that_is_missing_is_said_before_the_start(
    run: Page, root: Path, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    app = run("runs", root, suite="writer", new="1", executor="openai", model="m-1")
    assert "set OPENAI_API_KEY" in given(app)


def test_it_is_started_shown_and_prepared_once_more(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    asked = {"executor": "openai", "model": "m-1", "steps": "7"}
    app = run("runs", root, suite="writer", new="1", **asked)
    (button,) = _starts(app)
    button.click().run()
    said = given(app)
    assert f"executed by the model m-1 at {fake.url}" in said
    assert len(fake.asked) == 2
    (folder, *_) = all_runs(root)
    once_more = again(folder.plan)
    assert {name: once_more[name] for name in asked} == asked
    query = {name: value for name, value in once_more.items() if value is not None}
    prepared = run("runs", root, suite="writer", **query)
    assert chosen(prepared, "Model that executes").value == "m-1"
    assert chosen(prepared, "Maximum steps per case").value == 7
