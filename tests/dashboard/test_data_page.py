"""The Data page: what was read, what was not, what is wrong, and how to mend it."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from evalcore.memory.store import remember
from evalcore.workspace.opened import open_workspace
from tests.dashboard.live import PHONE, Served, Visit, write, write_alpha
from tests.dashboard.screen import box, fits
from tests.memory.test_answering import ASKED, TASK, message, todo

HOSTILE = "<img src=http://127.0.0.1:9/x.png onerror=alert(1)>![y](http://127.0.0.1:9/y.png)"


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a broken grading, a hostile one, and one whose stored score is wrong."""
    root = tmp_path_factory.mktemp("faulty") / "faulty"
    write_alpha(root)
    folder = root / "alpha-workspace" / "grading"
    (folder / "case-01_v1_run2.json").write_text('{\n  "case_id": "case-01",\n  "results": [\n}\n')
    grading = json.loads((folder / "case-01_v1_run1.json").read_text())
    write(folder / "case-01_v1_run3.json", grading | {"run": 3, "overall_score": 1.0})
    hostile = {"criterion": HOSTILE, "score": HOSTILE, "passed": True, "reasoning": HOSTILE}
    write(folder / "case-01_v1_run4.json", grading | {"run": 4, "results": [hostile]})
    return root


@pytest.fixture
def run_page(run: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Return a function that runs the page on a workspace, without a browser."""
    return partial(run, "data")


def blocks(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the page's panels are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


def messages(app: AppTest) -> list[str]:
    """Return the messages of the problems on the page."""
    groups = [group for block in blocks(app) for group in block.get("groups", [])]
    return [item["message"] for group in groups for item in group["items"]]


def test_a_workspace_with_problems_opens_on_them(
    run_page: Callable[..., AppTest], faulty: Path
) -> None:
    """The worst is first, and the place it speaks of is shown beside it."""
    app = run_page(faulty)
    assert not app.exception
    assert messages(app)[0].startswith("Not valid JSON at line 4")
    shown = [code.value for code in app.code]
    assert shown[0] == "alpha-workspace/grading/case-01_v1_run2.json"
    assert "▸ 4 │ }" in shown[1]


def test_filters_come_from_the_address(run_page: Callable[..., AppTest], faulty: Path) -> None:
    """Severity, code and words narrow the list."""
    app = run_page(faulty, dview="problems", code="derived-mismatch", dq="overall_score is 1")
    assert len(messages(app)) == 1
    assert [text.value for text in app.text_input] == ["overall_score is 1"]


def test_the_raw_place_of_a_problem_is_shown(
    run_page: Callable[..., AppTest], faulty: Path
) -> None:
    """The address names file and pointer; a bare number stands in what is around it."""
    path = "alpha-workspace/grading/case-01_v1_run3.json"
    app = run_page(faulty, dview="problems", file=path, at="/overall_score")
    assert app.code[0].value == f"{path}#/overall_score"
    assert any(text.value == "overall_score is 1.0; around it:" for text in app.text)


def test_a_path_out_of_the_workspace_shows_nothing(
    run_page: Callable[..., AppTest], faulty: Path
) -> None:
    """Whoever edits the address reads no other file."""
    app = run_page(faulty, dview="files", file="../../../../etc/passwd")
    assert not app.exception
    assert not any("root:" in code.value for code in app.code)


@pytest.mark.parametrize(
    ("part", "word", "shown"),
    [("problems", "overall_score", "run3.json"), ("cases", "zebra", "No case matches"),
     ("problems", "zebra", None)],
)  # fmt: skip
def test_a_search_shows_beside_the_list_what_is_in_it(
    run_page: Callable[..., AppTest], faulty: Path, part: str, word: str, shown: str | None
) -> None:
    """The first that matches, or nothing; never what was open before."""
    app = run_page(faulty, dview=part, file="alpha-workspace/history.json")
    app.text_input(key="data-search").set_value(word).run()
    assert not app.exception
    assert "file" not in app.query_params
    beside = " ".join(each.value for each in (*app.code, *app.text))
    assert "history.json" not in beside
    assert shown is None or shown in beside
    assert shown is not None or not app.code


def test_documents_say_what_they_were_taken_for(
    run_page: Callable[..., AppTest], faulty: Path
) -> None:
    """Each with its family and kind, and the counts of all beside them."""
    app = run_page(faulty, dview="files")
    table = next(block for block in blocks(app) if block["t"] == "table")
    taken = {row["cells"][0]["text"]: row["cells"][1]["text"] for row in table["rows"]}
    assert taken["alpha-workspace/history.json"] == "improve history"
    assert any(block.get("label") == "Recognised as" for block in blocks(app))


def test_cases_stand_as_defined(run_page: Callable[..., AppTest], faulty: Path) -> None:
    """The first case is open with its criteria."""
    app = run_page(faulty, dview="cases")
    assert not app.exception
    assert "Says hello by name" in [block.get("title") for block in blocks(app)]


def test_an_empty_folder_says_what_was_looked_for(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """On every part of the page, without an error."""
    folder = tmp_path / "nothing"
    folder.mkdir()
    for part in ("files", "problems", "rules", "cases"):
        app = run_page(folder, dview=part)
        assert not app.exception
        assert any("No evaluation document was found" in text.value for text in app.text)


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served], faulty: Path) -> Served:
    """Serve the faulty workspace."""
    return showing(faulty)


def opened(visit: Visit, **query: str) -> Page:
    """Open the page and wait until the full check has ended."""
    window = visit.open("data", **query)
    expect(window.get_by_text("so far")).to_have_count(0)
    return window


def test_a_problem_is_looked_at_where_it_stands(visit: Visit) -> None:
    """A click shows the place beside the list, and the address says so."""
    window = opened(visit, dview="problems")
    window.get_by_role("link", name=re.compile("overall_score is 1")).click()
    expect(window.get_by_text("overall_score is 1.0; around it:")).to_be_visible()
    expect(window).to_have_url(re.compile(r"at=%2Foverall_score"))
    window.reload()
    expect(window.get_by_text("overall_score is 1.0; around it:")).to_be_visible()


def test_a_filter_is_a_button_with_its_count(visit: Visit) -> None:
    """Pressing it narrows the list and moves nothing under the pointer; again takes it away."""
    window = opened(visit, dview="problems")
    chip = window.get_by_role("link", name=re.compile(r"errors?\s+\d+$"))
    before = box(chip)
    chip.click()
    expect(window).to_have_url(re.compile("severity=error"))
    expect(chip).to_have_attribute("aria-current", "true")
    assert abs(before["y"] - box(chip)["y"]) <= 2
    expect(window.get_by_text(re.compile(r"^\d+ of \d+ problems$"))).to_be_visible()
    chip.click()
    expect(window).not_to_have_url(re.compile("severity"))


def test_the_parts_of_the_page_are_one_press_apart(visit: Visit) -> None:
    """Documents, problems, cases; Back goes to the one before."""
    window = opened(visit, dview="problems")
    window.get_by_role("radio", name=re.compile("Documents")).click()
    expect(window.get_by_role("table", name="Documents")).to_be_visible()
    expect(window).to_have_url(re.compile("dview=files"))
    window.go_back()
    expect(window.get_by_role("region", name="Problems")).to_be_visible()


def test_a_hard_rule_leads_to_the_runs_and_files_behind_it(visit: Visit) -> None:
    """A press opens what breaks it; from there the document and the run are one press away."""
    window = opened(visit, dview="rules")
    window.get_by_role("link", name="Every failed run has its failure").click()
    expect(window).to_have_url(re.compile("rule=failures"))
    broken = window.get_by_role("table", name="What breaks it")
    file = broken.get_by_role("link", name=re.compile(r"\.json$")).first
    path = file.inner_text()
    file.click()
    expect(window).to_have_url(re.compile("dview=files"))
    expect(window.get_by_test_id("stCode").first).to_contain_text(path)
    window = opened(visit, dview="rules", rule="failures")
    broken.get_by_role("link", name=re.compile("^alpha::")).first.click()
    expect(window).to_have_url(re.compile("/gradings.*run="))


def test_hostile_text_is_shown_and_does_nothing(visit: Visit) -> None:
    """Messages, raw documents and definitions load and run nothing."""
    path = "alpha-workspace/grading/case-01_v1_run4.json"
    for part in ("problems", "files"):
        window = opened(visit, dview=part, file=path)
        expect(window.get_by_text("onerror").first).to_be_visible()
    assert visit.foreign_requests() == []
    assert visit.errors == []


def test_a_phone_reads_it_in_one_column(visit: Visit) -> None:
    """No part of the page scrolls sideways."""
    visit.page.set_viewport_size(PHONE)
    for part in ("problems", "files", "rules", "cases"):
        window = opened(visit, dview=part)
        main = window.get_by_test_id("stMain")
        expect(main.get_by_role("region").or_(main.get_by_role("table")).first).to_be_visible()
        assert fits(window)


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A workspace in which a message and a task wait, and hostile text was sent."""
    root = tmp_path / "told"
    write_alpha(root)
    (suite,) = open_workspace(root).tables.suites["suite"]
    fields: dict[str, Any] = {"text": HOSTILE, "subject": HOSTILE, "payload": {"x": HOSTILE}}
    remember(open_workspace(root), str(suite), [message(**fields), todo()])
    return root


def test_messages_are_listed_opened_and_answered(
    run_page: Callable[..., AppTest], told: Path
) -> None:
    """The texts of what is open stand beside the list; an answer is one record."""
    app = run_page(told, dview="messages", message=ASKED)
    assert not app.exception
    (table,) = [block for block in blocks(app) if block["t"] == "table"]
    assert len(table["rows"]) == 2
    assert HOSTILE in json.dumps(blocks(app))
    (field,) = [each for each in app.text_area if each.label == "Your answer"]
    field.set_value("v3 won.")
    (who,) = [each for each in app.text_input if each.label.startswith("Your name")]
    who.set_value("Ana")
    (button,) = [each for each in app.button if each.label == "Answer it"]
    button.click().run()
    assert not app.exception
    (written,) = [
        value["fields"]
        for path in told.rglob("reviews/message/*.json")
        if (value := json.loads(path.read_text("utf-8")))["fields"].get("inReplyTo")
    ]
    assert (written["inReplyTo"], written["text"]) == (ASKED, "v3 won.")


def test_a_task_is_set_done_on_the_page(run_page: Callable[..., AppTest], told: Path) -> None:
    """Under the name of whoever did it, with what resolved it."""
    app = run_page(told, dview="messages", message=TASK)
    (field,) = [each for each in app.text_area if each.label == "What resolved it"]
    field.set_value("Mended.")
    (who,) = [each for each in app.text_input if each.label.startswith("Your name")]
    who.set_value("Ana")
    (button,) = [each for each in app.button if each.label == "Set it done"]
    button.click().run()
    states = {
        json.loads(path.read_text("utf-8"))["fields"]["status"]
        for path in told.rglob("reviews/task/*.json")
    }
    assert states == {"open", "done"}


def test_only_what_waits_is_listed_and_a_message_that_is_gone_is_said(
    run_page: Callable[..., AppTest], told: Path
) -> None:
    app = run_page(told, dview="messages", waits="1")
    (chips,) = [
        block for block in blocks(app) if block["t"] == "links" and block["label"] == "Show"
    ]
    assert [(each["text"], each["n"]) for each in chips["items"]] == [("all", 2), ("open", 2)]
    app = run_page(told, dview="messages", message="gone")
    assert "The message in this address is not in the suite." in [each.value for each in app.text]
