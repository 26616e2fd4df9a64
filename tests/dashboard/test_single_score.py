"""One criterion scored where its evidence is read, on Gradings."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import Workspace
from pages.parts.panels.components import Inbox
from tests.dashboard.live import Served, Visit, write_alpha
from tests.judging.copies import NOTES, NOTES_RUN, copied, judged, records

WHY = "It names the step and the version."
Page = Callable[..., AppTest]


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a copy of the release notes of the demo."""
    return copied(tmp_path / "copy", NOTES)


@pytest.fixture
def page(run: Page, ws: Workspace) -> AppTest:
    """Return the page with one run open."""
    return run("gradings", ws.root, suite=NOTES, run=NOTES_RUN)


def evidence(app: AppTest) -> dict[str, Any]:
    """Return what the panel of the evidence is given."""
    assert not app.exception
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return next(data for data in found if "score" in data and "blocks" in data)


def send(app: AppTest, **changed: Any) -> dict[str, Any]:
    """Send the best score of the first criterion as the panel does; return the reply."""
    forms = evidence(app)["score"]
    item = next(iter(forms["items"].values()))
    shown = {name: forms[name] for name in ("run", "ids", "basis", "mine")}
    score = {"key": item["key"], "score": item["high"], "rationale": WHY, "name": ""}
    kept = f"kept {Inbox.__module__} {Inbox.__qualname__}"
    inbox = cast("Inbox", app.session_state[kept])
    inbox.acts.append({"seq": f"w-{len(inbox.known)}", "score": shown | score | changed})
    app.run()
    told: dict[str, Any] = evidence(app)["score"].get("told", {})
    return told


def test_a_score_is_one_record_with_a_receipt(run: Page, ws: Workspace) -> None:
    """Under the judge's name; that the judge saw the recorded scores is noted."""
    remember_judge("Ada", None)
    page = run("gradings", ws.root, suite=NOTES, run=NOTES_RUN)
    told = send(page)
    (record,) = records(ws, NOTES)
    assert told["ok"]
    assert f"receipt {record.id}" in told["text"]
    assert (record.fields["rationale"], record.created_by[:4]) == (WHY, "ada-")
    assert record.basis["seen"] == ["recorded"]
    assert evidence(page)["score"]["judge"] == "Ada"


def test_a_score_is_refused_as_on_the_judge_page(ws: Workspace, page: AppTest) -> None:
    """Without a name, without a reason, off the scale, or of what has changed since."""
    assert "Enter your name" in send(page)["text"]
    remember_judge("Ada", None)
    assert "has no rationale" in send(page, rationale=" ")["text"]
    assert "Nothing was stored" in send(page, score=99)["text"]
    assert "Nothing was stored" in send(page, basis={"output": "0" * 64})["text"]
    assert records(ws, NOTES) == ()


def test_what_is_hidden_from_a_judge_cannot_be_scored_here(
    run: Page, ws: Workspace, page: AppTest
) -> None:
    """Neither by a form nor by an act from a window in which nobody was named before."""
    ada = remember_judge("Ada", "another browser")
    start_batch(ws, chosen((NOTES_RUN,), 1), Judges((ada.id,)), Judge("ben-1", "Ben"))
    count = len(records(ws, NOTES))
    assert send(page, name="Ada") == {}
    remember_judge("Ada", None)
    hidden = run("gradings", ws.root, suite=NOTES, run=NOTES_RUN)
    assert evidence(hidden)["score"] == {}
    assert len(records(ws, NOTES)) == count


def test_a_score_corrects_the_one_before(run: Page, ws: Workspace) -> None:
    """The form begins with what is stored."""
    judged(ws, NOTES_RUN, remember_judge("Ada", None))
    count = len(records(ws, NOTES))
    app = run("gradings", ws.root, suite=NOTES, run=NOTES_RUN)
    item = next(iter(evidence(app)["score"]["items"].values()))
    assert item["mine"]["score"] == item["high"]
    assert send(app, score=item["low"])["ok"]
    assert len(records(ws, NOTES)) == count + 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write one case in two versions."""
    root = tmp_path_factory.mktemp("single") / "alpha"
    write_alpha(root)
    return root


@pytest.fixture(scope="module")
def dashboard(serve: Callable[[Path], Served], folder: Path) -> Served:
    """Serve it, to be written into."""
    found = serve(folder)
    found.let_in()
    return found


def test_three_actions_store_a_score_beside_the_recorded_one(visit: Visit, folder: Path) -> None:
    """Score, why, store: the file is there when the receipt is, and no recorded number moves."""
    page = visit.open("gradings", suite="alpha", v="v1")
    form = page.locator(".scoring").first
    expect(form.locator(".choice").first).to_be_visible()
    assert all(box.bounding_box()["height"] >= 24 for box in form.locator(".choice").all())  # type: ignore[index]
    cells = page.locator(".list tbody .number")
    before, score = cells.all_inner_texts(), page.locator("article .score").first.inner_text()
    form.locator(".choice").first.click()
    form.locator("input[type=text]").fill("Ada")  # only the first time
    form.locator("textarea").fill(WHY)
    form.get_by_role("button", name="Store my score").click()
    told = page.locator(".scoring .told").first
    expect(told).to_contain_text("Stored: ")
    (stored,) = folder.glob("**/reviews/eval-judgment/*.json")
    expect(told).to_contain_text(stored.stem)
    mine = page.locator(".person").first
    for _ in ("at once", "after a reload"):
        expect(mine).to_contain_text("Ada")
        expect(mine).to_contain_text("UTC")
        expect(mine).to_contain_text(WHY)
        assert page.locator("article .score").first.inner_text() == score
        assert [text.replace("✎", "").strip() for text in cells.all_inner_texts()] == before
        page.reload()


def test_what_is_typed_is_a_draft_as_on_the_judge_page(visit: Visit, folder: Path) -> None:
    """It survives a reload, Judge goes on with it, and what is stored is no draft any more."""
    before = len([*folder.glob("**/reviews/eval-judgment/*.json")])
    page = visit.open("gradings", suite="alpha", v="v1")
    form = page.locator(".scoring").first
    form.locator(".choice").nth(1).click()
    form.locator("textarea").fill("Begun here.")
    for _ in range(2):
        page.reload()
        expect(form.locator("input:checked")).to_have_count(1)
        expect(form.locator("textarea")).to_have_value("Begun here.")
    key = str(form.get_attribute("data-key"))
    run = str(
        page.evaluate("Object.keys(localStorage).find((each) => /^evalcore-judge/.test(each))")
    )
    page = visit.open("judge", suite="alpha", run=run.rpartition(" ")[2])
    expect(page.locator(f"[data-key='{key}'] textarea")).to_have_value("Begun here.")
    page = visit.open("gradings", suite="alpha", v="v1")
    form.locator("textarea").fill("Begun there, ended here.")
    form.get_by_role("button", name="Store my score").click()
    expect(form.locator(".told")).to_contain_text("Stored: ")
    assert len([*folder.glob("**/reviews/eval-judgment/*.json")]) == before + 1
    assert "Begun" not in str(page.evaluate("JSON.stringify(localStorage)"))
