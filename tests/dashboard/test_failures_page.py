"""The Failures page without a browser: what it hands to its panels, and what its forms store."""

import json
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.counting.choices import suite_ids
from evalcore.demo import packaged
from evalcore.engine.process import work
from evalcore.engine.store import all_runs
from evalcore.failures.detail import described
from evalcore.views.failures.state import FailuresState, View, opened
from evalcore.workspace.opened import open_workspace
from tests.dashboard.graded import write_graded
from tests.engine.explaining_model import KEY, explaining

SUITES = ("release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent")
LIMIT = 150 * 1024
PATIENCE = 30.0


def blocks(app: AppTest, kind: str) -> list[dict[str, Any]]:
    """Return all blocks of a kind that the page's panels are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    every = [block for data in found for block in data.get("blocks", [])]
    every += [row for block in every if block["t"] == "filters" for row in block["rows"]]
    return [block for block in every if block["t"] == kind]


def rows(app: AppTest) -> list[dict[str, Any]]:
    """Return the rows of the list."""
    return [row for table in blocks(app, "table") for row in table["rows"]]


def sent(app: AppTest, row: int = 0) -> dict[str, str]:
    """Return what the link of a row of the list asks for."""
    query = rows(app)[row]["cells"][0]["link"]["query"]
    return {name: value for name, value in query.items() if value is not None}


@pytest.fixture
def run_page(run: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Return a function that runs the page on a workspace, without a browser."""
    return partial(run, "failures")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a copy of the demo's store: ten recorded failures, one of a run that is not there."""
    shutil.copytree(packaged() / "support-agent", tmp_path / "own" / "support-agent")
    return tmp_path / "own"


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("group", [{}, {"group": "cause"}])
def test_every_family_has_its_failures(
    run_page: Callable[..., AppTest], suite: str, group: dict[str, str]
) -> None:
    """The sentence, the list, the evidence beside it, and little to send."""
    app = run_page(packaged(), suite=suite, **group)
    assert not app.exception
    assert blocks(app, "say")[0]["text"].endswith(".")
    assert rows(app)
    assert blocks(app, "links")
    assert sum(len(item.proto.json) for item in app.get("bidi_component")) < LIMIT


def test_the_sentence_counts_runs_types_and_what_is_resolved(
    run_page: Callable[..., AppTest],
) -> None:
    """A store may know of more failures than of failed runs."""
    app = run_page(packaged(), suite="support-agent")
    assert blocks(app, "say")[0]["text"] == (
        "7 of 34 runs failed; 10 failures are known: 6 wrong output, 2 hallucinations, "
        "1 format error, 1 timeout. 7 resolved."
    )


def test_a_filter_lists_as_many_as_its_chip_says(run_page: Callable[..., AppTest]) -> None:
    """Counts and lists come from one function."""
    app = run_page(packaged(), suite="support-agent", state="open")
    chips = [item for line in blocks(app, "links") for item in line["items"] if item.get("on")]
    assert [(chip["text"], chip.get("n")) for chip in chips] == [
        ("Newest first", None),
        ("open", 3),
    ]
    assert [block["on"] for block in blocks(app, "filters")] == [1]
    assert len(rows(app)) == 3


def test_a_guess_says_so_and_a_record_does_not(run_page: Callable[..., AppTest]) -> None:
    """Until a person says it, every type is a guess on screen."""
    app = run_page(packaged(), suite="commit-helper")
    assert all("guess" in row["cells"][1]["sub"] for row in rows(app))
    assert any("This is a guess, because" in block["text"] for block in blocks(app, "say"))
    told = run_page(packaged(), suite="support-agent")
    assert not any("guess" in row["cells"][1]["sub"] for row in rows(told))


def test_a_record_of_no_run_says_which_run_it_names(run_page: Callable[..., AppTest]) -> None:
    """It is listed and opened like the others."""
    app = run_page(packaged(), suite="support-agent")
    at = next(at for at, row in enumerate(rows(app)) if row["cells"][0]["sub"] == "run is missing")
    opened = run_page(packaged(), suite="support-agent", **sent(app, at))
    assert not opened.exception
    said = [block["text"] for block in blocks(opened, "say")]
    assert any("run-2026-02-12-invoice-copy, which is not in this folder" in text for text in said)


def test_an_unknown_failure_in_the_address_is_said(run_page: Callable[..., AppTest]) -> None:
    """The list stays."""
    app = run_page(packaged(), suite="support-agent", failure="elsewhere")
    assert any("no longer in the suite" in text.value for text in app.text)
    assert rows(app)


def test_nothing_failed_is_a_sentence(run_page: Callable[..., AppTest]) -> None:
    """No filters, no empty table."""
    app = run_page(packaged(), suite="support-agent", v="support-reply@2.0.0")
    assert not app.exception
    assert blocks(app, "say")[0]["text"].startswith("None of ")
    assert not blocks(app, "links")


def _store(app: AppTest, button: str) -> AppTest:
    for field in app.text_input:
        if field.label.startswith("Your name"):
            field.input("Ana")
    next(each for each in app.button if each.label == button).click()
    return app.run()


def _records(root: Path) -> list[dict[str, Any]]:
    found = root.rglob("reviews/eval-failure/*.json")
    return sorted((json.loads(path.read_text()) for path in found), key=lambda each: each["id"])


def test_a_guess_is_classified_resolved_and_reopened(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Each click is a record that replaces the one before."""
    root = write_graded(tmp_path / "post")
    app = run_page(root)
    kind = next(each for each in app.selectbox if each.label == "Type")
    kind.set_value("hallucination")
    app = _store(app, "Store my classification")
    (first,) = _records(root)
    assert not app.exception
    assert (first["fields"]["failureType"], first["fields"]["severity"]) == (
        "hallucination",
        "major",
    )
    assert first["fields"]["testRunId"].startswith("letters::")
    assert any("Stored (record" in text.value for text in app.text)


def test_what_is_resolved_is_so_on_the_page_at_once(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """The counts have it, though the folder has not been looked at since."""
    root = write_graded(tmp_path / "post")
    app = run_page(root)
    before = [chip for line in blocks(app, "links") for chip in line["items"]]
    app = _store(app, "Mark as resolved")
    assert any("what resolved it: who reads it later" in text.value for text in app.text)
    assert not _records(root)
    next(each for each in app.text_area if each.label == "What resolved it").set_value("Retried.")
    app = _store(app, "Mark as resolved")
    assert not app.exception
    after = {chip["text"]: chip.get("n") for line in blocks(app, "links") for chip in line["items"]}
    opened = next(chip["n"] for chip in before if chip["text"] == "open")
    assert (after["open"], after["resolved"]) == (opened - 1, 1)


def test_a_failure_of_a_store_is_opened_again(
    run_page: Callable[..., AppTest], store: Path
) -> None:
    """The record replaces the store's own and keeps what it says."""
    app = run_page(store, state="resolved")
    app = _store(app, "Reopen")
    (record,) = _records(store)
    assert not app.exception
    assert isinstance(record["supersedes"], str)
    assert "resolvedAt" not in record["fields"]
    assert record["fields"]["description"]
    ws = open_workspace(store, cache=False)
    (suite,) = suite_ids(ws)
    view = View(failure=record["supersedes"])
    place = opened(FailuresState(ws, suite, None, None, view, "recorded"))
    assert place is not None
    (found,) = described(ws, suite, [place])
    assert (found.failure_id, found.resolved_at, found.origin) == (record["id"], None, "person")


def buttons(app: AppTest) -> dict[str, Any]:
    """Return the buttons of the page by label."""
    return {each.label: each for each in app.button}


def seen(visit: Callable[[], AppTest]) -> AppTest:
    """Visit a page until it lists something: what was written is seen in a while."""
    end = time.monotonic() + PATIENCE
    while not rows(app := visit()):
        assert time.monotonic() < end
    return app


def test_a_button_records_what_nobody_recorded(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Nobody has to give a name; then there is nothing left to record, and who says it is shown."""
    for name in ("release-notes", "release-notes-workspace"):
        shutil.copytree(packaged() / name, tmp_path / "notes" / name)
    app = run_page(tmp_path / "notes", suite="release-notes")
    buttons(app)["Record 30 failures"].click().run()
    assert not app.exception
    assert len(list((tmp_path / "notes").rglob("reviews/eval-failure/*.json"))) == 30
    app = seen(lambda: run_page(tmp_path / "notes", suite="release-notes", origin="rule"))
    assert not [label for label in buttons(app) if label.startswith("Record")]
    assert len(rows(app)) == 15
    assert "recorded as a rule guessed it" in " ".join(e["text"] for e in blocks(app, "say"))


def test_a_model_is_asked_from_the_page_and_a_person_corrects_it(
    run: Callable[..., AppTest],
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The form says what is called before; what the model said is shown as a model's word."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUDGE_KEY", KEY)
    monkeypatch.setattr("evalcore.engine.process.start", lambda folder: work(folder.id))
    with explaining(tmp_path / "config/models.toml") as fake:
        app = run("failures", store, suite="support-agent", state="open")
        links = {each.proto.label: each.proto.query_string for each in app.get("page_link")}
        assert "form=failures" in links["Ask a model why …"]
        assert "failed=" in links["Ask a model why"]
        app = run("runs", store, suite="support-agent", new="1", form="failures")
        assert f"2 calls to {fake.url}" in " ".join(each["text"] for each in blocks(app, "say"))
        assert fake.asked == []
        buttons(app)["Ask: 2 calls"].click().run()
    (folder,) = all_runs(store)
    told = run("runs", store, suite="support-agent", id=folder.id)
    assert "2 failures explained." in [each["text"] for each in blocks(told, "say")]
    app = seen(lambda: run("failures", store, suite="support-agent", origin="model"))
    assert len(rows(app)) == 2
    assert "as the model fake-1 says" in " ".join(each["text"] for each in blocks(app, "say"))
    assert "Store my classification" in buttons(app)


def test_the_form_says_where_nothing_is_left_to_ask(
    run: Callable[..., AppTest], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a run that did not fail is none to ask about."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    app = run("runs", store, suite="support-agent", new="1", form="failures", failed="elsewhere")
    assert not app.exception
    assert any("elsewhere" in each.value for each in app.text)
    assert not [label for label in buttons(app) if label.startswith("Ask")]
