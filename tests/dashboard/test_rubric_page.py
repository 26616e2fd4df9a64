"""The Rubric page without a browser: the map, one criterion, and the runs behind a cell."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore.demo

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
    assert title == "Its 3 judgments in iteration-3, with_skill"
    (table,) = [block for block in sheets(app) if block.get("label") == title]
    given = [row["cells"][2]["text"] for row in table["rows"]]
    assert given == ["2.00 of 5", "2.00 of 5", "4.00 of 5"]
    assert all(row["cells"][0]["link"]["query"]["run"] for row in table["rows"])
    assert all(row["cells"][3]["text"] for row in table["rows"])


def test_a_link_to_a_criterion_that_is_gone_says_so(run: Callable[..., AppTest]) -> None:
    """Never another one in its place; the same for a version."""
    app = run("rubric", DEMO, suite="invoice-extractor", criterion="rubric:nothing")
    assert any("has no score here" in block.get("text", "") for block in sheets(app))
    app = run(
        "rubric", DEMO, suite="invoice-extractor", criterion="rubric:fidelity", at="iteration-9"
    )
    assert any("no column called iteration-9" in block.get("text", "") for block in sheets(app))
