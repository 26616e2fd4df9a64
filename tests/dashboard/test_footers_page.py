"""What people can say beside the scores on the Gradings page, without a browser."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx
from streamlit.testing.v1 import AppTest

import evalcore.demo
from evalcore.judging.answering.excluding import exclude, exclusion_of
from evalcore.judging.answering.notes import add_note, notes_of
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import open_workspace
from pages.parts.state import ReaderWorkspace
from tests.judging.notes_and_exclusions import ANA, FOLDER, OTHER, RUN, SUITE, records, small

Run = Callable[..., AppTest]
DEMO = Path(evalcore.demo.__file__).parent / "workspace"
SUITE_BUTTON = "Store the note on the suite"
NOTE = "What should be known about this run"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a workspace with three graded runs."""
    folder = tmp_path / "evals"
    small(folder)
    return folder


@pytest.fixture
def page(run: Run, root: Path) -> AppTest:
    """Return the page with one run open, seen by somebody who gave no name."""
    return run("gradings", root, run=RUN)


def field(app: AppTest, label: str) -> object:
    """Return the text of a field, to be typed into."""
    found = [each for each in (*app.text_area, *app.text_input) if each.label == label]
    assert len(found) == 1, label
    return found[0]


def typed(app: AppTest, label: str, text: str) -> AppTest:
    """Type into a field."""
    field(app, label).input(text)  # type: ignore[attr-defined]
    return app


def named(app: AppTest, button: str, name: str = "Ana") -> AppTest:
    """Type the name into the form of a button; each form asks for it."""
    form = next(each for each in app.button if each.label == button).form_id
    asked = next(each for each in app.text_input if each.form_id == form)
    asked.input(name)
    return app


def clicked(app: AppTest, button: str) -> AppTest:
    """Click on a button."""
    next(each for each in app.button if each.label == button).click().run()
    assert not app.exception
    return app


def says(app: AppTest, words: str) -> bool:
    """Say whether some text of the page begins so."""
    return any(each.value.startswith(words) for each in app.text)


def labels(app: AppTest) -> list[str]:
    """Return the names of the buttons."""
    return [each.label for each in app.button]


def panels(app: AppTest) -> list[dict[str, Any]]:
    """Return what the panels of the page are given."""
    return [json.loads(each.proto.json) for each in app.get("bidi_component")]


def test_a_note_is_stored_under_the_name_that_is_asked_for(page: AppTest, root: Path) -> None:
    """Once: the name is not asked again, and the note stands above the field."""
    typed(named(page, "Store the note"), NOTE, "The axis has no name.")
    clicked(page, "Store the note")
    assert says(page, "The note is stored (record ")
    (note,) = notes_of(records(open_workspace(root, cache=False)), RUN)
    assert note.text == "The axis has no name."
    assert note.author.startswith("ana-")
    assert says(page, "The axis has no name.")
    assert says(page, "Ana · ")
    assert not page.text_input or all("name" not in each.label for each in page.text_input)
    assert field(page, NOTE).value == ""  # type: ignore[attr-defined]


def test_without_a_name_nothing_is_stored(page: AppTest, root: Path) -> None:
    """What was typed stays."""
    clicked(typed(page, NOTE, "Mine."), "Store the note")
    assert says(page, "Nothing was stored. Enter your name")
    assert field(page, NOTE).value == "Mine."  # type: ignore[attr-defined]
    assert records(open_workspace(root, cache=False)) == ()


def test_a_run_is_excluded_only_with_a_reason_and_counts_again(page: AppTest, root: Path) -> None:
    """The control changes with the state of the run."""
    clicked(named(page, "Exclude run"), "Exclude run")
    assert says(page, "Nothing was stored. Say why")
    typed(page, "Why it is excluded", "The network was down.")
    clicked(page, "Exclude run")
    assert says(page, "It is excluded and stays visible")
    ws = open_workspace(root, cache=False)
    found = exclusion_of(records(ws), RUN)
    assert found is not None
    assert found.reason == "The network was down."
    assert "Exclude run" not in labels(page)
    clicked(page, "Include run")
    assert says(page, "It counts again")
    assert exclusion_of(records(ws), RUN) is None


def test_a_second_click_during_the_reading_leaves_the_page_current(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit ends the run that takes in what was stored at its next access to the state."""
    show_newest, clicks = ReaderWorkspace.show_newest, iter(["again"])

    def interrupted(reader: ReaderWorkspace) -> None:
        if next(clicks, None):
            run = get_script_run_ctx()
            assert run is not None
            raise RerunException(
                RerunData(query_string=run.query_string, page_script_hash=run.page_script_hash)
            )
        show_newest(reader)

    typed(named(page, "Exclude run"), "Why it is excluded", "The network was down.")
    monkeypatch.setattr(ReaderWorkspace, "show_newest", interrupted)
    clicked(page, "Exclude run")
    assert not list(clicks)
    assert says(page, "It is excluded and stays visible")
    (filters,) = (data["filters"] for data in panels(page) if "filters" in data)
    assert [(each["key"], each["n"]) for each in filters if each["key"] == "excluded"] == [
        ("excluded", 1)
    ]


def test_what_the_filters_leave_is_sent(page: AppTest, root: Path) -> None:
    """The runs of the column in focus, each once; what waits already is counted."""
    named(page, "Send these 2 runs")
    clicked(page, "Send these 2 runs")
    assert says(page, "2 runs were sent.")
    asked = {each.fields["testRunId"] for each in records(open_workspace(root, cache=False))}
    assert asked == {RUN, OTHER}
    clicked(page, "Send these 2 runs")
    assert says(page, "2 runs already waited.")
    assert len(records(open_workspace(root, cache=False))) == 2


def test_a_note_about_the_suite_stands_apart(page: AppTest, root: Path) -> None:
    """It is about no run."""
    named(typed(page, "What should be known about this suite", "Old evals."), SUITE_BUTTON)
    clicked(page, SUITE_BUTTON)
    ws = open_workspace(root, cache=False)
    assert [each.text for each in notes_of(records(ws), None)] == ["Old evals."]
    assert notes_of(records(ws), RUN) == ()


def test_a_note_is_corrected_by_its_author(run: Run, root: Path) -> None:
    """Another's is not offered."""
    ws = open_workspace(root, cache=False)
    add_note(ws, SUITE, RUN, "Theirs.", Judge("ben-77c0", "Ben"))
    me = remember_judge("Ana", None)
    assert not run("gradings", root, run=RUN).checkbox
    add_note(ws, SUITE, RUN, "Mien.", me)
    app = run("gradings", root, run=RUN)
    app.checkbox[0].check()
    clicked(typed(app, NOTE, "Mine."), "Store the note")
    assert [each.text for each in notes_of(records(ws), RUN)] == ["Theirs.", "Mine."]


def test_a_criterion_is_asked_for_below_an_output(run: Run, root: Path) -> None:
    """It is stored as a suggestion, under the name of who wrote it."""
    remember_judge("Ana", None)
    app = run("gradings", root, run=RUN)
    clicked(typed(app, "What this case should be judged by", "Names the cell"), "Ask for it")
    (kept,) = (root / FOLDER / "reviews/suggestion-decision").glob("*.json")
    fields = json.loads(kept.read_text("utf-8"))["fields"]
    assert (fields["text"], fields["decision"]) == ("Names the cell", "asked")


def test_a_folder_that_cannot_be_written_says_why(run: Run, root: Path) -> None:
    """In place of each form; everything else is shown as ever."""
    (root / FOLDER / "reviews").write_text("", "utf-8")
    app = run("gradings", root, run=RUN)
    assert not app.exception
    assert sum(each.value.startswith("Nothing can be stored: ") for each in app.text) == 5
    assert "Store the note" not in labels(app)


def test_notes_are_shown_as_text_only(run: Run, root: Path) -> None:
    """Neither Markdown nor HTML of a record comes near the page."""
    ws = open_workspace(root, cache=False)
    bad = "<img src=x onerror=alert(1)> **bold** ![](http://127.0.0.1:9/x)"
    add_note(ws, SUITE, RUN, bad, Judge(bad[:40], "x"))
    exclude(ws, RUN, bad, Judge(bad[:40], "x"))
    app = run("gradings", root, run=RUN)
    assert says(app, bad)
    assert not any("onerror" in each.value for each in app.markdown)
    assert not any("onerror" in each.label for each in app.button)


def test_feedback_is_offered_where_a_loop_reads_it(run: Run, tmp_path: Path) -> None:
    """Of iterations and rubrics, not of the others; nothing is written by looking."""
    root = tmp_path / "demo"
    shutil.copytree(DEMO, root, ignore=shutil.ignore_patterns("reviews"))
    ws = open_workspace(root, cache=False)
    first = {
        str(suite): str(run)
        for suite, run in zip(ws.tables.runs["suite"], ws.tables.runs["run_id"], strict=True)
    }
    offered = set()
    for suite, run_id in first.items():
        app = run("gradings", root, suite=suite, run=run_id)
        assert not app.exception
        if any(each.proto.popover.label.startswith("feedback.json") for each in app.get("popover")):
            offered.add(suite)
        assert load_reviews(review_folder(ws, suite)) == ()
    assert offered == {"commit-helper", "error-messages", "invoice-extractor"}


def test_feedback_is_written_after_it_was_shown(run: Run, root: Path) -> None:
    """The file holds the notes of its iteration."""
    add_note(open_workspace(root, cache=False), SUITE, RUN, "The axis has no name.", ANA)
    app = run("gradings", root, run=RUN)
    app.session_state["aside-feedback"] = True
    app.run()
    assert any("eval-1-with_skill-run-1" in each.value for each in app.code)
    assert not (root / FOLDER / "iteration-1/feedback.json").exists()
    clicked(app, "Write this file")
    written = json.loads((root / FOLDER / "iteration-1/feedback.json").read_text("utf-8"))
    assert written["reviews"][0]["feedback"] == "The axis has no name."
    assert says(app, "Written: 3 reviews.")
