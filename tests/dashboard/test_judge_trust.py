"""Trust in the judge on the Judge page, and its error on Compare."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from evalcore.judging.model import Judge
from evalcore.workspace.opened import Workspace
from tests.judging.copies import NOTES, copied
from tests.validating.labels import label, same, sample

DEMO = Path(__file__).parents[2] / "evalcore/demo/workspace"
SQL = "sql-helper"
ADA = Judge("ada-1f00", "Ada")
Run = Callable[..., AppTest]


def words(app: AppTest) -> str:
    """Return all that the page's panels are given, as one text."""
    return "\n".join(element.proto.json for element in app.get("bidi_component"))


def blocks(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the sheets of the page are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


def test_a_judged_demo_suite_shows_the_section(run: Run) -> None:
    """The sentence first, then the corrected rate, criteria, scores, confidence, flicker."""
    app = run("judge", DEMO, suite=SQL, view="trust")
    assert not app.exception
    first = blocks(app)[0]
    assert first["t"] == "verdict"
    assert first["text"].startswith("The recorded judge agrees with people on 98 % of 52")
    titles = [block["text"] for block in blocks(app) if block["t"] == "heading"]
    assert titles == [
        "Corrected pass rate",
        "By criterion",
        "By score",
        "Is it right when it is sure?",
        "The same output, judged again",
    ]
    assert "d3: the judge passes 95 % of criteria; corrected for its errors 95 %" in words(app)


def test_a_chosen_version_leads_and_blind_labels_can_be_asked_for(run: Run) -> None:
    """Both are in the address."""
    app = run("judge", DEMO, suite=SQL, view="trust", v="d2", only="independent")
    assert "d2: the judge passes 73 % of criteria; corrected for its errors 66 %" in words(app)
    assert "Blind labels only" in words(app)


def test_sections_lead_to_each_other_and_back(run: Run) -> None:
    """Trust, agreement, judging: the address says which."""
    app = run("judge", DEMO, suite=SQL, view="trust", only="independent")
    app.button(key="judge-to-agreement").click().run()
    assert app.query_params["view"] == "agreement"
    assert "only" not in app.query_params
    app.button(key="judge-back").click().run()
    assert "view" not in app.query_params


def test_a_suite_without_labels_says_the_next_step(run: Run) -> None:
    """What to draw, and where."""
    app = run("judge", DEMO, suite="release-notes", view="trust")
    assert "Nobody has scored what the recorded judge judged" in words(app)
    assert any(block.get("text", "").startswith("Draw one under") for block in blocks(app))


def test_compare_has_the_error_in_its_verdict_when_asked(run: Run, tmp_path: Path) -> None:
    """A box on the page, a parameter in the address; the word is what the error leaves."""
    ws: Workspace = copied(tmp_path / "copy", NOTES)
    for version in ("v0", "v3"):
        label(ws, sample(ws, ADA, 12, version), ADA, same)
    asked = {"suite": NOTES, "a": "v0", "b": "v3"}
    plain = run("compare", ws.root, **asked)
    assert "With the judge's error" not in words(plain)
    plain.checkbox(key="compare-judge-error").check().run()
    assert plain.query_params["error"] == "1"
    assert "With the judge's error: +" in words(plain)
    again = run("compare", ws.root, **asked, error="1")
    assert again.checkbox(key="compare-judge-error").value is True
    assert "B is still better." in words(again)


def test_compare_says_why_the_error_is_not_told(run: Run) -> None:
    """The verdict stays as it is."""
    app = run("compare", DEMO, suite=SQL, a="d1", b="d2", error="1")
    assert "no random sample of side A was judged blind" in words(app)
