"""The Judge page without a browser: what its panel is given, and what becomes of what it sends."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

import evalcore.demo
from evalcore.judging.answering.notes import add_note
from evalcore.judging.asking.tasks import TWICE
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Entry, Judge
from evalcore.judging.queueing.queue import queue
from evalcore.judging.queueing.reasons import told_by
from evalcore.judging.storing.judges import remember_judge
from evalcore.judging.storing.shown import shown_to
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import open_workspace
from pages.parts.panels.components import Inbox
from tests.dashboard.graded import write_graded
from tests.dashboard.live import write

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
SUITES = ("release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent")
LIMIT = 150 * 1024
Page = Callable[..., AppTest]


RUN = "release-notes::reverted-commit@v3/-#3"


def copied(suite: str, into: Path) -> Path:
    """Copy one suite of the demo workspace, to be written into; return the folder."""
    for folder in DEMO.glob(f"{suite}*"):
        shutil.copytree(folder, into / folder.name, ignore=shutil.ignore_patterns("reviews"))
    return into


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """Return a copy of a demo suite that may be written into."""
    return copied("release-notes", tmp_path / "demo")


@pytest.fixture
def judge(run: Page) -> Page:
    """Return a function that opens the page as Ana; `run` has set her state folder aside."""

    def opened(workspace: Path, /, **query: str) -> AppTest:
        remember_judge("Ana", None)
        return run("judge", workspace, **query)

    return opened


def panel(app: AppTest) -> dict[str, Any]:
    """Return what the panel is given."""
    assert not app.exception
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return next(data for data in found if "head" in data)


def heard(app: AppTest) -> Inbox:
    """Return where the page finds what was done in its panels."""
    return cast("Inbox", app.session_state[f"kept {Inbox.__module__} {Inbox.__qualname__}"])


def send(app: AppTest, act: str, **what: Any) -> dict[str, Any]:
    """Send an act as the panel does, and return what the panel is given then."""
    task = panel(app)["task"]
    heard(app).acts.append({"act": act, "seq": f"w-{act}", "run": task and task["run"], **what})
    app.run()
    return panel(app)


def answers(task: dict[str, Any], why: str = "Because of its first line.") -> dict[str, Any]:
    """Return the best score for every criterion, as the panel sends it with what it showed."""
    given = [
        {"key": one["key"], "score": one["high"], "rationale": why, "evidence": [], "level": "high"}
        for one in task["criteria"]
    ]
    mine = {key: one["id"] for key, one in task["mine"].items()}
    return {"answers": given, "ids": task["ids"], "basis": task["basis"], "mine": mine}


def records(workspace: Path, kind: str = "eval-judgment") -> list[dict[str, Any]]:
    """Return the records of a type that are on the disk."""
    return [
        json.loads(path.read_text("utf-8"))
        for path in sorted(workspace.glob(f"**/reviews/{kind}/*.json"))
    ]


@pytest.mark.parametrize("suite", SUITES)
def test_a_run_is_judged_before_anything_of_others_is_sent(
    judge: Page, tmp_path: Path, suite: str
) -> None:
    """Then one record a criterion is on the disk, echoed by its id, and the next run is open.

    Opened again, the run shows my scores beside those of the others.
    """
    demo = copied(suite, tmp_path / "demo")
    app = judge(demo, suite=suite)
    before = panel(app)
    sent = "".join(element.proto.json for element in app.get("bidi_component"))
    assert len(sent) < LIMIT
    ws = open_workspace(demo)
    rows = (ws.tables.judgments["run_id"] == before["task"]["run"]).to_numpy().nonzero()[0]
    texts = ws.tables.text("judgments", rows)["rationale"].dropna()
    said = [text for text in texts if len(text) > 12]
    shown = before["task"]["prompt"] + json.dumps(before["task"]["files"], ensure_ascii=False)
    assert not [text for text in said if json.dumps(text)[1:-1] in sent and text not in shown]
    assert before["task"]["others"] == {}
    assert before["task"]["mine"] == {}
    after = send(app, "store", **answers(before["task"]))
    stored = records(demo)
    assert after["answer"] == {"seq": "w-store", "ok": True, "message": ""}
    assert {row["id"] for row in after["receipt"]["rows"]} == {one["id"] for one in stored}
    assert len(stored) == len(before["task"]["criteria"])
    assert after["task"]["run"] != before["task"]["run"]
    assert app.query_params["run"] == after["task"]["run"]
    assert after["head"]["counts"][2]["n"] == 1
    again = send(app, "go", to=before["task"]["run"])
    opinions = [row for rows in again["task"]["others"].values() for row in rows]
    assert {row["who"] for row in opinions} >= {"mine", *(["machine"] if said else [])}


def test_to_send_the_same_twice_is_to_send_it_once(judge: Page, demo: Path) -> None:
    """A second click, or a click after a lost answer, writes nothing and gets the receipt."""
    app = judge(demo, suite="release-notes")
    task = panel(app)["task"]
    given = {"run": task["run"], **answers(task)}
    first = send(app, "store", **given)["receipt"]
    again = send(app, "store", **given)
    assert again["answer"]["ok"] is True
    assert again["receipt"]["rows"] == first["rows"]
    assert len(records(demo)) == len(task["criteria"])


def test_without_a_name_the_run_is_shown_and_nothing_can_be_stored(run: Page, demo: Path) -> None:
    """The panel asks for the name; whoever gives it judges under it from then on."""
    app = run("judge", demo, suite="release-notes")
    found = panel(app)
    assert found["judge"] is None
    assert found["task"]["prompt"]
    refused = send(app, "store", **answers(found["task"]))
    assert refused["answer"]["message"] == "Nothing was stored. Enter your name first."
    assert records(demo) == []
    named = send(app, "be", name="  Ana\nMaria ")
    assert named["judge"]["name"] == "Ana Maria"
    assert any("judging as Ana Maria" in text.value for text in app.text)


def test_a_stale_task_is_refused_with_what_changed(judge: Page, demo: Path) -> None:
    """The old task stays on the screen until the newest is asked for."""
    app = judge(demo, suite="release-notes", run=RUN)
    task = panel(app)["task"]
    runs = open_workspace(demo, cache=False).tables.runs.set_index("run_id")
    outputs = demo / str(runs.loc[RUN, "outputs"])
    (outputs / task["files"][0]["name"]).write_text("Another output.", "utf-8")
    refused = send(app, "store", **answers(task))
    assert refused["answer"]["ok"] is False
    assert refused["answer"]["renew"] is True
    assert "The output changed" in refused["answer"]["changed"][0]
    assert refused["task"]["basis"] == task["basis"]
    assert records(demo) == []
    newest = send(app, "renew", to=task["run"])
    assert newest["task"]["files"][0]["text"] == "Another output."
    assert newest["task"]["basis"] != task["basis"]


def test_an_answer_from_another_tab_is_not_overwritten(judge: Page, demo: Path) -> None:
    """What was judged elsewhere meanwhile is said, and nothing is stored."""
    app = judge(demo, suite="release-notes")
    task = panel(app)["task"]
    other = {**answers(task, "From the other tab."), "run": task["run"]}
    other["ids"] = {key: f"{name[:-4]}ffff" for key, name in task["ids"].items()}
    assert send(app, "store", **other)["answer"]["ok"] is True
    refused = send(app, "store", **{**answers(task), "run": task["run"]})
    assert refused["answer"]["renew"] is True
    assert "in another tab" in refused["answer"]["changed"][0]
    assert len(records(demo)) == len(task["criteria"])


def rival(demo: Path) -> dict[str, Any]:
    """Write a second record beside the first one on the disk, as another machine would have."""
    (path, *_) = sorted(demo.glob("**/reviews/eval-judgment/*.json"))
    value: dict[str, Any] = json.loads(path.read_text("utf-8"))
    value["id"] = f"{value['id'][:-4]}0000"
    value["createdAt"] = "2026-01-01T00:00:00Z"
    value["fields"] |= {"rationale": "From another machine."}
    path.with_name(f"{value['id']}.json").write_text(json.dumps(value), "utf-8")
    return value


def test_a_conflict_is_shown_to_its_judge_and_settled_by_judging_again(
    judge: Page, demo: Path
) -> None:
    """The run waits again and says why; the new record replaces both."""
    app = judge(demo, suite="release-notes", run=RUN)
    task = panel(app)["task"]
    send(app, "store", **answers(task))
    other = rival(demo)
    again = send(app, "renew", to=RUN)["task"]
    stale = [one["stale"] for one in again["mine"].values()]
    assert [why for why in stale if why] == [TWICE]
    assert again["state"] == "pending"
    assert any(TWICE in reason for reason in again["reasons"])
    assert [p.code for p in open_workspace(demo).problems if "reviews/" in p.path] == ["conflict"]
    stored = send(app, "store", **answers(again))
    assert stored["answer"]["ok"] is True
    (new,) = [one for one in records(demo) if other["id"] in (one.get("supersedes") or ())]
    assert len(new["supersedes"]) == 2
    settled = send(app, "go", to=RUN)["task"]
    assert [one["stale"] for one in settled["mine"].values() if one["stale"]] == []
    assert [p.code for p in open_workspace(demo).problems if "reviews/" in p.path] == []


def test_a_rival_that_was_not_shown_is_not_replaced(judge: Page, demo: Path) -> None:
    """It came after the page was drawn: the judge looks first, though it is the older one."""
    app = judge(demo, suite="release-notes", run=RUN)
    send(app, "store", **answers(panel(app)["task"]))
    shown = send(app, "go", to=RUN)["task"]
    rival(demo)
    refused = send(app, "store", **answers(shown, "On second thought."))
    assert refused["answer"]["renew"] is True
    assert "in another tab" in refused["answer"]["changed"][0]


def test_undo_takes_back_and_keeps_what_was_typed(judge: Page, demo: Path) -> None:
    """A correction is a new record; the text is there again as a draft."""
    app = judge(demo, suite="release-notes")
    task = panel(app)["task"]
    stored = send(app, "store", **answers(task))["receipt"]
    undone = send(app, "undo", run=task["run"], of=stored["ids"], at=5)
    assert undone["task"]["run"] == task["run"]
    assert undone["task"]["state"] == "draft"
    assert undone["task"]["review"] is False
    draft = undone["task"]["draft"]["answers"][task["criteria"][0]["key"]]
    assert draft["rationale"] == "Because of its first line."
    assert [one["fields"]["score"] for one in records(demo)].count(None) == len(task["criteria"])


def test_a_correction_stays_at_its_run_and_undo_restores_what_was_there(
    judge: Page, demo: Path
) -> None:
    """Only what is different is a new record."""
    app = judge(demo, suite="release-notes")
    run = panel(app)["task"]["run"]
    send(app, "store", **answers(panel(app)["task"]))
    task = send(app, "go", to=run)["task"]
    given = answers(task)
    given["answers"][0] |= {"score": 1, "rationale": "On second thoughts."}
    corrected = send(app, "store", **given)
    assert corrected["task"]["run"] == run
    assert corrected["receipt"]["message"].startswith("Corrected: ")
    assert len(corrected["receipt"]["rows"]) == 1
    restored = send(app, "undo", run=run, of=corrected["receipt"]["ids"])["task"]["mine"]
    assert restored[task["criteria"][0]["key"]]["score"] == task["criteria"][0]["high"]


def test_a_draft_is_kept_and_resumed(judge: Page, demo: Path) -> None:
    """Without a run in the address the last draft opens."""
    app = judge(demo, suite="release-notes")
    later = panel(app)["head"]["next"]
    task = send(app, "go", to=later)["task"]
    key = task["criteria"][0]["key"]
    draft = {
        "run": later,
        "ids": task["ids"],
        "at": 7,
        "answers": {key: {"score": 2, "rationale": "half a sen"}},
    }
    heard(app).draft = draft
    app.run()
    again = panel(judge(demo, suite="release-notes"))
    assert again["task"]["run"] == later
    assert again["task"]["draft"]["answers"][key]["rationale"] == "half a sen"
    assert again["head"]["counts"][1]["n"] == 1


def test_a_draft_of_which_all_was_erased_is_none(judge: Page, demo: Path) -> None:
    """The run waits again as if nothing had been typed."""
    app = judge(demo, suite="release-notes")
    task = panel(app)["task"]
    key = task["criteria"][0]["key"]
    for answers_now in ({key: {"score": 2}}, {}):
        heard(app).draft = {"run": task["run"], "at": 7, "answers": answers_now}
        app.run()
    assert panel(judge(demo, suite="release-notes"))["head"]["counts"][1]["n"] == 0


def test_a_correction_that_was_begun_can_be_dropped(judge: Page, demo: Path) -> None:
    """My stored scores stand."""
    app = judge(demo, suite="release-notes")
    task = panel(app)["task"]
    send(app, "store", **answers(task))
    begun = {"run": task["run"], "at": 7, "answers": {task["criteria"][0]["key"]: {"score": 1}}}
    assert send(app, "go", to=task["run"], draft=begun)["task"]["state"] == "draft"
    dropped = send(app, "drop")["task"]
    assert (dropped["draft"], dropped["state"], dropped["review"]) == (None, "submitted", True)


def test_typing_does_not_send_the_panel_again(judge: Page, demo: Path) -> None:
    """A draft is acknowledged apart; what the panel was given stays as it was."""
    app = judge(demo, suite="release-notes")
    before = panel(app)
    task = before["task"]
    heard(app).draft = {
        "run": task["run"],
        "at": 9,
        "answers": {task["criteria"][0]["key"]: {"score": 2}},
    }
    app.run()
    assert panel(app) == before
    panels = [json.loads(one.proto.json) for one in app.get("bidi_component")]
    assert {"run": task["run"], "at": 9, "why": None} in panels


def test_skipping_goes_on_and_can_be_taken_back(judge: Page, demo: Path) -> None:
    """The reason is in the record."""
    app = judge(demo, suite="release-notes")
    run = panel(app)["task"]["run"]
    skipped = send(app, "skip", reason="not my field")
    assert skipped["task"]["run"] != run
    assert skipped["head"]["counts"][3]["n"] == 1
    assert records(demo, "skip")[0]["fields"]["reason"] == "not my field"
    send(app, "go", to=run)
    assert send(app, "unskip")["task"]["state"] == "pending"


def test_another_name_begins_without_the_receipts_and_drafts_of_the_first(
    judge: Page, demo: Path
) -> None:
    """Both are of whoever wrote them; the same run waits for the other person."""
    app = judge(demo, suite="release-notes")
    run = panel(app)["task"]["run"]
    send(app, "store", **answers(panel(app)["task"]))
    named = send(app, "be", name="Bob")
    assert named["receipt"] is None
    assert named["head"]["counts"][2]["n"] == 0
    opened = send(app, "go", to=run)["task"]
    assert (opened["mine"], opened["others"]) == ({}, {})


def test_notes_and_exclusions_are_stored(judge: Page, demo: Path) -> None:
    """Of the run and of the suite; the same note sent twice is one."""
    app = judge(demo, suite="release-notes")
    send(app, "note", text="Look at the second entry.")
    found = send(app, "note", text="Look at the second entry.")
    assert [note.partition(": ")[2] for note in found["task"]["notes"]] == [
        "Look at the second entry."
    ]
    send(app, "suite-note", text="The cases are easy.")
    assert [one["fields"].get("testRunId") for one in records(demo, "note")] == [
        found["task"]["run"],
        None,
    ]
    run = found["task"]["run"]
    send(app, "exclude", reason="The log is of another run.")
    assert records(demo, "exclusion")[0]["fields"]["testRunId"] == run


def test_a_read_only_workspace_can_be_read(
    judge: Page, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A banner says why nothing can be stored; the run is there, and nothing fails."""
    (demo / "release-notes-workspace/reviews").write_text("not a folder", "utf-8")
    app = judge(demo, suite="release-notes")
    found = panel(app)
    assert "Nothing can be stored" in found["unwritable"]
    assert found["task"]["criteria"]
    refused = send(app, "store", **answers(found["task"]))
    assert refused["answer"]["ok"] is False
    assert refused["task"]["run"] == found["task"]["run"]


def test_the_end_of_the_queue_says_what_is_left(judge: Page, tmp_path: Path) -> None:
    """Not that all is done, when something was skipped."""
    write_graded(tmp_path / "two", cases=1)
    app = judge(tmp_path / "two", c="with_skill", v="iteration-2")
    assert panel(app)["head"]["position"] == "1 of 3"
    send(app, "skip", reason="")
    for _ in range(2):
        found = send(app, "store", **answers(panel(app)["task"]))
    assert found["task"] is None
    assert found["end"]["title"] == "Nothing is left for you to judge now."
    assert "1 run that you skipped has no score of yours." in found["end"]["lines"]
    shown = send(app, "filter", state="skipped")
    assert shown["task"]["state"] == "skipped"


def test_an_empty_folder_says_that_it_is_empty(judge: Page, tmp_path: Path) -> None:
    """There is no suite, so no panel either."""
    (tmp_path / "empty").mkdir()
    app = judge(tmp_path / "empty")
    assert not app.exception
    assert any(text.value.endswith("empty is empty.") for text in app.text)


def test_a_run_of_the_address_that_is_not_there_opens_the_first(judge: Page, demo: Path) -> None:
    """Nothing fails, and the address says what is shown."""
    app = judge(demo, suite="release-notes", run="release-notes::gone@v1/-#1", state="pending")
    assert app.query_params["run"] == panel(app)["task"]["run"]


def test_whatever_a_window_sends_nothing_fails(judge: Page, demo: Path) -> None:
    """An act that makes no sense is answered, and nothing is stored."""
    app = judge(demo, suite="release-notes")
    for did in (
        {"act": "gone"},
        {"act": "store", "run": "no-run"},
        {"act": 5},
        {"act": "go", "to": 7},
        {"act": "undo", "of": "all"},
    ):
        heard(app).acts.append({"seq": "x", **did})
        app.run()
        assert panel(app)["task"]
    assert records(demo) == []


def test_a_suite_without_runs_has_nothing_to_judge(judge: Page, tmp_path: Path) -> None:
    """And says what would bring something."""
    evals = {"skill_name": "x", "evals": [{"id": 1, "prompt": "Hi", "expectations": ["Greets"]}]}
    write(tmp_path / "new/x/evals/evals.json", evals)
    assert panel(judge(tmp_path / "new"))["end"]["title"] == (
        "There is no run to judge in this suite yet."
    )


def test_what_is_too_long_is_refused_with_its_length(judge: Page, demo: Path) -> None:
    """The panel knows the limits; what comes over them all the same is not cut to fit."""
    app = judge(demo, suite="release-notes")
    found = panel(app)
    assert found["limits"] == LIMITS._asdict()
    task, run = found["task"], found["task"]["run"]
    given = answers(task)
    given["answers"][0]["rationale"] = "x" * (LIMITS.rationale + 1)
    refused = send(app, "store", run=run, **given)["answer"]["message"]
    assert "has 20,001 characters, at most 20,000 are stored. Shorten it." in refused
    refused = send(app, "note", run=run, text="x" * (LIMITS.note + 1))["answer"]["message"]
    assert "The note has 10,001 characters" in refused
    assert records(demo) == []


def test_notes_that_are_shown_in_part_say_so(judge: Page, demo: Path) -> None:
    """The earlier ones are counted, and the end of a long one names its length."""
    ws, me = open_workspace(demo, cache=False), remember_judge("Ana", None)
    for number in range(22):
        add_note(ws, "release-notes", RUN, f"{number} {'x' * 700}", me)
    notes = panel(judge(demo, suite="release-notes", run=RUN))["task"]["notes"]
    assert notes[0] == "2 earlier notes: see the run in Gradings"
    assert len(notes) == 21
    assert notes[-1].endswith("… (cut, 600 of 703 characters)")


def test_a_judgment_says_which_scores_its_judge_was_shown(
    judge: Page, run: Page, demo: Path
) -> None:
    """None as long as only the Judge page was open; the recorded ones after another page was."""
    quiet = [one.run_id for one in waiting(demo) if not told_by(one.why)]
    assert seen_in(judge, demo, quiet[0]) == {()}
    run("gradings", demo, suite="release-notes")
    assert seen_in(judge, demo, quiet[1]) == {("recorded",)}


def test_a_reason_that_tells_of_the_scores_is_noted_in_the_judgment(
    judge: Page, demo: Path
) -> None:
    """Though no other page was open."""
    loud = next(one.run_id for one in waiting(demo) if told_by(one.why))
    assert seen_in(judge, demo, loud) == {("recorded",)}


def waiting(demo: Path) -> tuple[Entry, ...]:
    """Return the queue of a judge before anybody has judged."""
    return queue(open_workspace(demo), "release-notes", Judge("", ""), ()).entries


def seen_in(judge: Page, demo: Path, name: str) -> set[tuple[str, ...]]:
    """Judge a run on the page, and return what its records say was seen before."""
    known = {one["id"] for one in records(demo)}
    app = judge(demo, suite="release-notes", run=name)
    send(app, "store", **answers(panel(app)["task"]))
    new = [one for one in records(demo) if one["id"] not in known]
    assert new
    return {tuple(one["evalcore"]["seen"]) for one in new}


@pytest.mark.parametrize("page", ["overview", "gradings", "compare"])
def test_pages_with_scores_note_whom_they_are_shown_to(
    judge: Page, run: Page, demo: Path, page: str
) -> None:
    """Of the suite on the page."""
    judge(demo, suite="release-notes")
    reviews = review_folder(open_workspace(demo), "release-notes")
    ana = remember_judge("Ana", None)
    assert shown_to(reviews, ana.id) == ()
    run(page, demo, suite="release-notes")
    assert len(shown_to(reviews, ana.id)) == 1


def test_a_document_that_is_read_is_noted_of_its_suite(judge: Page, run: Page, demo: Path) -> None:
    """The list of documents alone shows no score."""
    judge(demo, suite="release-notes")
    reviews = review_folder(open_workspace(demo), "release-notes")
    ana = remember_judge("Ana", None)
    run("data", demo, suite="release-notes", dview="files")
    assert shown_to(reviews, ana.id) == ()
    (path,) = demo.glob("*/grading/reverted-commit_v3_run3.json")
    run("data", demo, suite="release-notes", dview="files", file=str(path.relative_to(demo)))
    assert len(shown_to(reviews, ana.id)) == 1


def test_agreement_on_the_judge_page_is_noted_too(judge: Page, demo: Path) -> None:
    """It shows what others said."""
    judge(demo, suite="release-notes", view="agreement")
    reviews = review_folder(open_workspace(demo), "release-notes")
    assert len(shown_to(reviews, remember_judge("Ana", None).id)) == 1
