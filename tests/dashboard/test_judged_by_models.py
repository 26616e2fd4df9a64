"""A model judges from the dashboard: from a run's page, from a new run, without a browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, all_runs
from tests.dashboard.test_judged_again import chosen, given, until
from tests.engine.conftest import opened, ran
from tests.engine.judging_model import KEY, configured, verdicts
from tests.engine.people import FAMILIES
from tests.engine.test_again import graded
from tests.models.fake_openai import FakeOpenAI

Page = Callable[..., AppTest]
LINK = "Judge by a model"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("JUDGE_KEY", KEY)
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    with configured(tmp_path) as server:
        yield server


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on runs in this process, as soon as they are started."""

    def start(folder: RunFolder) -> None:
        work(folder.id)

    monkeypatch.setattr("evalcore.engine.process.start", start)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one graded run."""
    folder = tmp_path / "folder"
    graded(folder, "improve")
    return folder


def link(app: AppTest, label: str) -> dict[str, str]:
    """Return the address parameters of a link on a page; none without the link."""
    found = [each.proto for each in app.get("page_link") if each.proto.label == label]
    query = found[0].query_string if found else ""
    return {name: values[0] for name, values in parse_qs(query).items()}


def test_the_page_of_a_graded_run_leads_to_a_second_judgment_by_a_model(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    """The form is filled in; the start says how much, where to, and what stays."""
    name = opened(root).tables.runs["run_id"].iloc[0]
    query = link(run("gradings", root, run=name), LINK)
    assert (query["executor"], query["judge"], query["again"]) == ("stored", "model", "1")
    query.pop("w", None)
    app = run("runs", root, **query)
    assert chosen(app, "Models that judge").value == ["small"]
    said = given(app)
    assert f"1 call to {fake.url}" in said
    assert "as separate records; the gradings stay unchanged" in said
    assert KEY not in said
    assert fake.asked == []


def test_what_a_panel_with_controls_said_stands_on_the_page_of_its_run(
    run: Page, root: Path, fake: FakeOpenAI
) -> None:
    """Started from the form: two models, controls, what they showed, and the scores beside."""
    name = opened(root).tables.runs["run_id"].iloc[0]
    app = run("runs", root, suite="writer", new="1", executor="stored", judge="model", again="1")
    chosen(app, "Models that judge").set_value(["small", "other"]).run()
    chosen(app, "Controls").set_value(1).run()
    chosen(app, "Repeats").set_value(2).run()
    (start,) = (each for each in app.button if each.label.startswith("Judge"))
    start.click().run()
    (folder,) = (each for each in all_runs(root) if each.plan.again)
    said = until("Judged once more unchanged", lambda: run("runs", root, id=folder.id))
    assert "the models fake-1 at" in said
    assert len(fake.asked) == 2 * 2 + 4
    until("fake-1 + fake-2", lambda: run("gradings", root, run=name))


def test_outputs_that_wait_for_people_can_be_given_to_a_model(
    run: Page, tmp_path: Path, fake: FakeOpenAI
) -> None:
    """From the page of the run that made them; they get a grading and are not judged again."""
    root = tmp_path / "waiting"
    FAMILIES["improve"](root)
    folder = ran(root, configurations=(), runs=1, judge="human")
    app = run("runs", root, suite="writer", id=folder.id)
    button = next(each for each in app.button if each.label == "Judge its outputs with a model")
    button.click().run()
    assert chosen(app, "Models that judge").value == ["small"]
    assert not chosen(app, "Judge runs again that have a grading").value
    name = opened(root).tables.runs["run_id"].iloc[0]
    assert "again" not in link(run("gradings", root, run=name), LINK)


def test_answers_of_a_model_are_shown_as_text(run: Page, root: Path, fake: FakeOpenAI) -> None:
    """Whatever they hold: only a panel, which writes text, gets them."""
    fake.reply = lambda body: json.dumps(verdicts(body, score="<img src=x onerror=alert(1)>"))
    folder = ran(root, None, configurations=(), runs=1, judge="model", models=("small",))
    app = run("runs", root, suite="writer", id=folder.id)
    assert "onerror=alert(1)" in given(app)
    others = (*app.markdown, *app.get("html"), *app.text, *app.caption)
    assert all("onerror" not in str(each.proto) for each in others)
