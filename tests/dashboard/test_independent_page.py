"""Start an independent batch, judge it, or give it up: without a browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.hiding import hidden_runs
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import Workspace, open_workspace
from tests.dashboard.test_footers_page import clicked, labels, says
from tests.dashboard.test_judge_page import answers, panel, records, send
from tests.judging.copies import judged
from tests.judging.notes_and_exclusions import BASELINE, BEN, OTHER, RUN, SUITE, small

Page = Callable[..., AppTest]
ASKED = (RUN, BASELINE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a workspace with three graded runs."""
    folder = tmp_path / "evals"
    small(folder)
    return folder


@pytest.fixture
def ana(run: Page) -> Judge:
    """Return the only judge of this machine."""
    del run  # it sets the state folder aside
    return remember_judge("Ana", None)


def workspace(root: Path) -> Workspace:
    """Open the folder as it is now."""
    return open_workspace(root, cache=False)


def asked(root: Path, judge: Judge) -> None:
    """Ask a judge to judge two of the runs independently."""
    start_batch(workspace(root), chosen(ASKED, 3), Judges((judge.id,)), BEN)


def batch(root: Path) -> list[dict[str, Any]]:
    """Return the fields of the records of batches."""
    return [record["fields"] for record in records(root, "independent-batch")]


def opened_box(app: AppTest) -> AppTest:
    """Open the batches of the Judge page."""
    app.session_state["judge-batch"] = True
    return app.run()


def test_a_random_batch_is_started_on_the_judge_page(run: Page, root: Path, ana: Judge) -> None:
    """For whom is named, out of how many is on record, and the judge's queue begins with it."""
    app = opened_box(run("judge", root, suite=SUITE))
    (number,) = app.number_input
    assert number.label == "How many of 3 runs, drawn at random"
    number.set_value(2)
    (judges,) = (each for each in app.multiselect if each.label == "Judges")
    judges.set_value([ana.id])
    app.run()
    clicked(app, "Ask for independent scores of 2 runs")
    assert says(app, f"{ana.name} will judge 2 runs independently (2 of 3, drawn at random).")
    fields = batch(root)
    assert len({each["testRunId"] for each in fields}) == len(fields) == 2
    assert {(each["drawn"], each["outOf"], *each["judges"]) for each in fields} == {
        ("random", 3, ana.id)
    }
    first = panel(run("judge", root, suite=SUITE))
    assert first["head"]["batch"] == "0 of 2 independently"
    assert first["task"]["reasons"][0].startswith(f"independent batch · from {ana.name}")


def test_without_judges_nothing_is_started(run: Page, root: Path, ana: Judge) -> None:
    """The reason is said where the button is."""
    del ana
    app = clicked(
        opened_box(run("judge", root, suite=SUITE)), "Ask for independent scores of 3 runs"
    )
    assert says(app, "Nothing was stored. Say who is to judge them.")
    assert batch(root) == []


def test_the_batches_say_how_far_each_judge_is(run: Page, root: Path, ana: Judge) -> None:
    """Who asked, for how many, and what each has judged."""
    asked(root, ana)
    app = opened_box(run("judge", root, suite=SUITE))
    sheets = "".join(each.proto.json for each in app.get("bidi_component"))
    assert BEN.name in sheets
    assert f"{ana.name} 0 of 2" in sheets
    assert "2 of 3, chosen" in sheets


def test_what_the_filters_leave_is_sent_to_named_judges(run: Page, root: Path, ana: Judge) -> None:
    """Instead of to anybody; a judge may be new here."""
    app = run("gradings", root, suite=SUITE)
    (judges,) = (each for each in app.multiselect if each.label.startswith("Independently"))
    judges.set_value([ana.id])
    app.run()
    clicked(app, "Send these 2 runs")
    assert says(app, f"{ana.name} will judge 2 runs independently.")
    assert {each["testRunId"] for each in batch(root)} == {RUN, OTHER}
    assert {each["drawn"] for each in batch(root)} == {"chosen"}
    assert records(root, "approval-request") == []


def test_a_hidden_run_is_given_up_in_one_click(run: Page, root: Path, ana: Judge) -> None:
    """Gradings says what that does, offers nothing else, and shows the run then."""
    asked(root, ana)
    app = run("gradings", root, suite=SUITE, run=RUN)
    assert says(app, "Your judgment of it is then not independent, and that is recorded.")
    assert not {"Exclude run", "Store the note"} & set(labels(app))
    assert not [each for each in app.get("page_link") if each.proto.label == "Judge this run"]
    clicked(app, "Show it anyway")
    assert says(app, "It is shown; that you gave it up is on record")
    assert "Exclude run" in labels(app)
    assert set(hidden_runs(workspace(root), SUITE, ana)) == {BASELINE}
    (given_up,) = records(root, "reveal")
    assert (given_up["createdBy"], given_up["fields"]["testRunId"]) == (ana.id, RUN)


def test_a_run_is_given_up_on_the_judge_page(run: Page, root: Path, ana: Judge) -> None:
    """It stays open there, with its column; its judgment says what could be seen since."""
    asked(root, ana)
    app = run("judge", root, suite=SUITE, run=RUN)
    task = panel(app)["task"]
    assert (task["column"], task["reveal"] != "") == ("", True)
    assert RUN not in json.dumps(panel(app))
    after = send(app, "reveal")
    assert after["answer"]["message"].startswith("It is shown like any other run now.")
    assert (after["task"]["run"], after["task"]["column"]) == (RUN, "iteration-1 · with_skill")
    assert after["task"]["reveal"] == ""
    assert panel(app)["head"]["batch"] == "0 of 2 independently"


def test_judging_a_hidden_run_sees_nothing_of_it_before(run: Page, root: Path, ana: Judge) -> None:
    """Though Gradings of the suite was shown meanwhile; then it is shown beside the others."""
    asked(root, ana)
    run("gradings", root, suite=SUITE, run=RUN)
    app = run("judge", root, suite=SUITE, run=RUN)
    after = send(app, "store", **answers(panel(app)["task"]))
    assert after["answer"]["ok"]
    assert after["head"]["batch"] == "1 of 2 independently"
    stored = records(root)
    assert stored
    assert {record["fields"]["testRunId"] for record in stored} == {RUN}
    assert all(record["evalcore"]["seen"] == [] for record in stored)


def told(app: AppTest) -> str:
    """Return what the open run says of itself."""
    return " ".join(panel(app)["task"]["reasons"])


def test_who_saw_scores_is_told_before_judging(run: Page, root: Path, ana: Judge) -> None:
    """When the batch is started, to whoever starts it; and on the task."""
    run("gradings", root, suite=SUITE, run=RUN)
    app = opened_box(run("judge", root, suite=SUITE))
    assert not [each for each in app.text if "will not count as independent" in each.value]
    (judges,) = (each for each in app.multiselect if each.label == "Judges")
    judges.set_value([ana.id])
    app.run()
    (words,) = (each.value for each in app.text if "saw scores of this suite" in each.value)
    assert words.startswith(f"{ana.name} saw scores of this suite on ")
    assert "their labels of runs that had scores then will not count as independent" in words
    asked(root, ana)
    app = run("judge", root, suite=SUITE)
    assert "You saw scores of this suite on " in told(app)
    send(app, "store", **answers(panel(app)["task"]))
    assert {tuple(each["evalcore"]["seen"]) for each in records(root)} == {("recorded",)}


def test_who_saw_scores_only_while_they_were_hidden_is_told_nothing(
    run: Page, root: Path, ana: Judge
) -> None:
    """What is shown of the suite since the batch began leaves its runs out."""
    asked(root, ana)
    run("gradings", root, suite=SUITE)
    assert "You saw" not in told(run("judge", root, suite=SUITE))


def test_undo_opens_an_independent_task_again(run: Page, root: Path, ana: Judge) -> None:
    """Hidden as before, counted as not judged; what could be seen meanwhile stays on record."""
    asked(root, ana)
    judged(workspace(root), RUN, BEN)
    app = run("judge", root, suite=SUITE, run=RUN)
    key = panel(app)["task"]["run"]
    stored = send(app, "store", **answers(panel(app)["task"]))
    assert stored["head"]["batch"] == "1 of 2 independently"
    after = send(app, "undo", run=key)
    assert after["answer"]["ok"]
    assert after["head"]["batch"] == "0 of 2 independently"
    assert (after["task"]["run"], after["task"]["column"], after["task"]["others"]) == (key, "", {})
    assert RUN not in json.dumps(panel(app))
    assert "disagree" not in told(app)
    assert "You saw scores of this suite on " in told(app)
    assert after["head"]["position"] != "not in this list"
    assert set(hidden_runs(workspace(root), SUITE, ana)) == set(ASKED)
    again = send(app, "store", **answers(panel(app)["task"]))
    assert again["head"]["batch"] == "1 of 2 independently"
    mine = [each for each in records(root) if each["createdBy"] == ana.id and "supersedes" in each]
    assert mine[-1]["evalcore"]["seen"] == ["recorded", "others"]


def test_a_run_that_is_not_hidden_was_seen(run: Page, root: Path, ana: Judge) -> None:
    """The same walk without a batch: the recorded scores were there to see."""
    del ana
    run("gradings", root, suite=SUITE, run=RUN)
    app = run("judge", root, suite=SUITE, run=RUN)
    send(app, "store", **answers(panel(app)["task"]))
    assert all(record["evalcore"]["seen"] == ["recorded"] for record in records(root))


def test_a_draft_of_a_hidden_run_is_kept_under_its_own_name(
    run: Page, root: Path, ana: Judge
) -> None:
    """What was typed is there again when the page is opened anew."""
    asked(root, ana)
    app = run("judge", root, suite=SUITE, run=RUN)
    task = panel(app)["task"]
    key = task["criteria"][0]["key"]
    given = {key: {"score": 1, "rationale": "So far.", "evidence": [], "level": None}}
    draft = {"run": task["run"], "ids": task["ids"], "answers": given, "at": 5, "basis": None}
    send(app, "go", to=None, draft=draft)
    again = panel(run("judge", root, suite=SUITE))["task"]
    assert again["run"] == task["run"]
    assert again["draft"]["run"] == task["run"]
    assert again["draft"]["answers"][key]["rationale"] == "So far."


def test_agreement_says_how_many_runs_are_left_out(run: Page, root: Path, ana: Judge) -> None:
    """For who has yet to judge them."""
    asked(root, ana)
    app = run("judge", root, suite=SUITE, view="agreement")
    sheets = "".join(each.proto.json for each in app.get("bidi_component"))
    assert "2 runs are hidden until you have judged them." in sheets
