"""Judging stored outputs again in the dashboard: prepared, started, shown; without a browser."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, all_runs
from evalcore.views.runs.again import again
from tests.engine.conftest import opened
from tests.engine.test_again import graded, records, rules

Page = Callable[..., AppTest]
PATIENCE = 30.0
AGAIN = "Judge runs again that have a grading"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one run that passed, and rules that it does not pass now."""
    folder = tmp_path / "folder"
    graded(folder, "improve")
    rules(folder, "improve", 'contains "nowhere"')
    return folder


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on runs in this process, as soon as they are started."""

    def start(folder: RunFolder) -> None:
        work(folder.id)

    monkeypatch.setattr("evalcore.engine.process.start", start)


def given(app: AppTest) -> str:
    """Return everything that the panels of a page are given."""
    assert not app.exception
    return "".join(each.proto.json for each in app.get("bidi_component"))


def until(words: str, visit: Callable[[], AppTest]) -> str:
    """Visit a page until its panels are given some words: what was written is seen in a while."""
    end = time.monotonic() + PATIENCE
    while words not in (said := given(visit())):
        assert time.monotonic() < end, said
    return said


def chosen(app: AppTest, label: str) -> Any:
    """Return the value of the field with a label."""
    (field,) = (
        each
        for each in (*app.selectbox, *app.multiselect, *app.checkbox, *app.number_input)
        if each.label == label
    )
    return field


def test_the_choice_is_offered_with_stored_outputs_only(run: Page, root: Path) -> None:
    """Without it the form says that everything has a grading; with it, what will be judged."""
    app = run("runs", root, suite="writer", new="1", executor="claude")
    assert AGAIN not in [each.label for each in app.checkbox]
    chosen(app, "Executed by").set_value("stored").run()
    assert any("There is no stored output without a grading" in each.value for each in app.text)
    assert [each for each in app.button if each.label.startswith("Judge")] == []
    chosen(app, AGAIN).check().run()
    said = given(app)
    assert "1 test run of 1 case: v0." in said
    assert "Stored outputs are judged again by rules" in said
    assert "no calls, no cost" in said
    assert "writer-workspace/reviews/eval-judgment/" in said
    assert [each.label for each in app.button if each.label.startswith("Judge")] == [
        "Judge 1 stored output"
    ]


def test_a_choice_that_was_not_drawn_is_usual_again(run: Page, root: Path) -> None:
    """Ticked and unticked, versions are those that a new run would have."""
    app = run("runs", root, suite="writer", new="1", executor="stored")
    chosen(app, AGAIN).check().run()
    assert chosen(app, "Versions").value == ["v0"]
    assert chosen(app, "Runs per case").disabled
    chosen(app, AGAIN).uncheck().run()
    assert chosen(app, "Versions").value == ["v0"]
    assert chosen(app, "Runs per case").value == 1


def test_people_are_sent_to_their_page(run: Page, root: Path) -> None:
    """The form says why it cannot be started."""
    app = run("runs", root, suite="writer", new="1", executor="stored", again="1", judge="human")
    assert any("on the Judge page" in each.value for each in app.text)
    assert [each for each in app.button if each.label.startswith("Judge")] == []


def test_it_is_started_shown_and_prepared_once_more(run: Page, root: Path) -> None:
    """The page of the run says what was stored, that of the test run where it differs."""
    app = run("runs", root, suite="writer", new="1", executor="stored", again="1")
    (button,) = (each for each in app.button if each.label.startswith("Judge"))
    button.click().run()
    said = given(app)
    assert "judged again by rules" in said
    assert "records written" in said
    assert "2 criteria of 1 test run stored as separate records" in said
    (folder, _) = all_runs(root)
    assert len(records(root)) == 2
    asked = again(folder.plan)
    assert {name: asked[name] for name in ("executor", "again", "versions", "judge")} == {
        "executor": "stored",
        "again": "1",
        "versions": "v0",
        "judge": "rules",
    }
    query = {name: value for name, value in asked.items() if value is not None}
    prepared = run("runs", root, suite="writer", **query)
    assert chosen(prepared, AGAIN).value is True
    name = str(opened(root).tables.runs["run_id"][0])
    page = until("judged again by", lambda: run("gradings", root, suite="writer", run=name))
    assert "judged again by evalcore-rules (rule): 2 criteria, 1 not as recorded" in page
    assert json.dumps("1 of 5, recorded: 5 of 5")[1:-1] in page
    assert "evalcore-rules (rule)" in page
    assert "judged by people" not in page
