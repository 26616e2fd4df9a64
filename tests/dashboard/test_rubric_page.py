"""The Rubric page without a browser: the map, one criterion, and the runs behind a cell."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore.demo
from evalcore.rubrics.suggestions import suggestions
from evalcore.workspace.opened import open_workspace

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
SUITES = ("release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent")
LIMIT = 150 * 1024


def sheets(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the page's sheets are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


@pytest.mark.parametrize("suite", SUITES)
def test_every_family_has_its_criteria(run: Callable[..., AppTest], suite: str) -> None:
    """A sentence, the map, and the criteria of the newest version."""
    app = run("rubric", DEMO, suite=suite)
    assert not app.exception
    kinds = [block["t"] for block in sheets(app)]
    assert {"verdict", "heat", "table"} <= set(kinds)
    sent = sum(len(element.proto.json) for element in app.get("bidi_component"))
    assert sent < LIMIT


def test_a_cell_opens_the_judgments_behind_it(run: Callable[..., AppTest]) -> None:
    """Worst first, each with its run, its score and the judge's words."""
    query = {"suite": "invoice-extractor", "criterion": "rubric:chart_clarity"}
    app = run("rubric", DEMO, **query, at="iteration-3@with_skill")
    (title,) = [b["text"] for b in sheets(app) if b["t"] == "heading" and "judgment" in b["text"]]
    assert title == "3 judgments in iteration-3, with_skill"
    (table,) = [block for block in sheets(app) if block.get("label") == title]
    given = [row["cells"][1]["text"] for row in table["rows"]]
    assert given == ["2.00 of 5", "2.00 of 5", "4.00 of 5"]
    assert all(row["cells"][0]["link"]["query"]["run"] for row in table["rows"])
    assert all(row["cells"][2]["text"] for row in table["rows"])


def test_a_link_to_a_criterion_that_is_gone_says_so(run: Callable[..., AppTest]) -> None:
    """Never another one in its place; the same for a version."""
    app = run("rubric", DEMO, suite="invoice-extractor", criterion="rubric:nothing")
    assert any("has no score here" in block.get("text", "") for block in sheets(app))
    app = run(
        "rubric", DEMO, suite="invoice-extractor", criterion="rubric:fidelity", at="iteration-9"
    )
    assert any("no column called iteration-9" in block.get("text", "") for block in sheets(app))


def test_a_suggestion_is_decided_once_and_leaves_the_count(
    run: Callable[..., AppTest], tmp_path: Path
) -> None:
    """The form stores a record beside the suite; the page reads it back, the sidebar counts it."""
    for name in (SUITES[3], f"{SUITES[3]}-workspace"):
        shutil.copytree(DEMO / name, tmp_path / "own" / name)
    ws = open_workspace(tmp_path / "own", cache=False)
    (suite,) = ws.tables.suites["suite"]
    before = suggestions(ws, suite)
    assert before[0].state == "open"
    app = run("rubric", tmp_path / "own", suite=suite, suggestion=before[0].key)
    assert not app.exception
    (who, *_) = [field for field in app.text_input if field.label.startswith("Your name")]
    who.set_value("Ana")
    (why,) = [field for field in app.text_area if field.label.startswith("What will be done")]
    why.set_value("S4 asks for the date now.")
    (button,) = [button for button in app.button if button.label == "Accept"]
    assert "12 of 21 suggestions open" in json.dumps(sheets(app))
    button.click()
    app.run()
    assert not app.exception
    assert "11 of 21 suggestions open" in json.dumps(sheets(app))
    assert not [button for button in app.button if button.label == "Accept"]
    now = suggestions(open_workspace(tmp_path / "own", cache=False), suite)
    (one,) = [each for each in now if each.key == before[0].key]
    assert (one.state, one.decisions[0].reason) == ("accepted", "S4 asks for the date now.")
    assert sum(each.state == "open" for each in now) == 11
    (record,) = (tmp_path / "own").rglob("reviews/suggestion-decision/*.json")
    assert json.loads(record.read_text("utf-8"))["fields"]["target"] == before[0].target


def test_a_link_to_a_suggestion_that_is_gone_says_so(run: Callable[..., AppTest]) -> None:
    """And offers no form for it."""
    app = run("rubric", DEMO, suite="invoice-extractor", suggestion="nothing")
    assert any("no longer in the folder" in block.get("text", "") for block in sheets(app))
    assert not [button for button in app.button if button.label == "Accept"]
