"""How far judges agree, on the Judge page, and deciding between them."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.judging.model import Answer, Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import Workspace, open_workspace
from tests.judging.copies import SUPPORT, copied, judged, records, taken

CLEO = Judge("cleo-0c31", "Cleo")
SECRET = "It never says by when the money arrives"
Shown = Callable[..., AppTest]


@pytest.fixture
def show(run: Callable[..., AppTest], ws: Workspace) -> Shown:
    """Return a function that shows the section of the support suite, without a browser."""
    return partial(run, "judge", ws.root, suite=SUPPORT, view="agreement")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a copy of the support suite of the demo, without what two people judged in it."""
    root = copied(tmp_path / "copy", SUPPORT).root
    shutil.rmtree(root / SUPPORT / "reviews")
    return open_workspace(root, cache=False)


@pytest.fixture
def me(run: Callable[..., AppTest]) -> Judge:
    """Return the only judge that this machine knows."""
    return remember_judge("Ada", None)


def runs(ws: Workspace, count: int) -> list[str]:
    """Return some runs of the suite that are asked the same three criteria."""
    found = ws.tables.runs["run_id"].astype(str)
    return [run for run in found if "support-reply" in run][:count]


def scores(ws: Workspace, run: str, judge: Judge, score: float, why: str = "As it reads.") -> None:
    """Let a judge give every criterion of a run one score."""
    given = [Answer(each.key, score, why) for each in taken(ws, run, judge).criteria]
    judged(ws, run, judge, given)


def blocks(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the sheets of the page are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


def words(app: AppTest) -> str:
    """Return all that the page's panels are given, as one text."""
    return "\n".join(element.proto.json for element in app.get("bidi_component"))


def adjudications(ws: Workspace) -> list[Any]:
    """Return the adjudications on the disk."""
    return [each for each in records(ws, SUPPORT) if each.type == "adjudication"]


def decide(app: AppTest, score: float, why: str) -> AppTest:
    """Fill in the form and send it."""
    app.radio[0].set_value(score)
    app.text_area[0].set_value(why)
    (send,) = [each for each in app.button if each.label == "Store the score that counts"]
    return send.click().run()


def test_a_suite_that_few_have_judged_says_what_is_missing(show: Shown) -> None:
    """The demo's own records hold scores of two people, none of them of the same criterion."""
    app = show()
    assert not app.exception
    first, step = blocks(app)[:2]
    assert first["text"] == "2 judges, no run judged by both yet: 10 criteria with one score each."
    assert step["text"] == "Agreement shows once two judges have scored the same run."
    assert "None waits" not in words(app)


def test_the_section_begins_with_a_sentence_of_numbers(
    show: Shown, ws: Workspace, me: Judge
) -> None:
    """Judges, criteria, pairs and alpha; every row of every table says its n."""
    for at, run in enumerate(runs(ws, 4)):
        scores(ws, run, me, at % 4)
        scores(ws, run, CLEO, at % 4 + (at == 3))
    found = blocks(show())
    assert found[0]["t"] == "verdict"
    said = found[0]["text"]
    assert "scored 12 of the same criteria: they gave the same score in 75 % of 12 pairs" in said
    assert ", alpha 0.9" in said
    tables = {block["label"]: block for block in found if block["t"] == "table"}
    assert set(tables) == {"By criterion", "By pair of judges", "Largest disagreements"}
    for label in ("By criterion", "By pair of judges"):
        assert tables[label]["head"][-1] == ["n", True]
        assert all(row["cells"][-1]["text"][0].isdigit() for row in tables[label]["rows"])


def test_nothing_of_a_run_that_i_have_yet_to_judge_reaches_the_browser(
    show: Shown, ws: Workspace, me: Judge
) -> None:
    """Two others disagree: I learn that one run waits, not which, nor their scores or reasons."""
    mine, theirs = runs(ws, 2)
    for judge, score in ((CLEO, 0), (Judge("dan-2222", "Dan"), 5)):
        scores(ws, theirs, judge, score, SECRET)
    scores(ws, mine, me, 3)
    app = show()
    assert SECRET not in words(app)
    assert theirs not in words(app)
    assert any(
        "3 of them in 1 run that you have yet to judge whole" in block.get("text", "")
        for block in blocks(app)
    )
    asked = show(settle=theirs, on="rubric:crit-tone")
    assert SECRET not in words(asked)
    assert not asked.text_area


def test_a_decision_is_stored_and_echoed(show: Shown, ws: Workspace, me: Judge) -> None:
    """What was said is shown beside the form; the receipt says what is on the disk."""
    (run,) = runs(ws, 1)
    scores(ws, run, me, 1)
    scores(ws, run, CLEO, 5, SECRET)
    app = show(settle=run, on="rubric:crit-tone")
    assert SECRET in words(app)
    app = decide(app, 4.0, "Both have a point.")
    assert not app.exception
    (record,) = adjudications(ws)
    assert (record.fields["score"], record.fields["judgedBy"]) == (4, me.id)
    said = "\n".join(text.value for text in app.text)
    assert "Stored: 4 of 5" in said and "Both have a point." in said and record.id in said
    assert not app.text_area
    assert "settle" not in app.query_params


def test_a_reason_is_required(show: Shown, ws: Workspace, me: Judge) -> None:
    """Nothing is stored without one."""
    (run,) = runs(ws, 1)
    scores(ws, run, me, 1)
    scores(ws, run, CLEO, 5)
    app = decide(show(settle=run, on="rubric:crit-tone"), 4.0, " ")
    assert any("Say why this score counts" in text.value for text in app.text)
    assert adjudications(ws) == []


def test_a_judgment_that_came_while_i_typed_stops_the_form(
    show: Shown, ws: Workspace, me: Judge
) -> None:
    """What changed is said, what I typed stays, and the new score is there to weigh."""
    (run,) = runs(ws, 1)
    scores(ws, run, me, 1)
    scores(ws, run, CLEO, 5)
    app = show(settle=run, on="rubric:crit-tone")
    scores(ws, run, Judge("dan-2222", "Dan"), 2, SECRET)
    app = decide(app, 4.0, "Both have a point.")
    assert any("dan-2222 scored this meanwhile" in text.value for text in app.text)
    assert adjudications(ws) == []
    assert SECRET in words(app)
    assert app.text_area[0].value == "Both have a point."
    decide(app, 3.0, "All three have a point.")
    (record,) = adjudications(ws)
    assert len(record.fields["judgmentIds"]) == 3


def test_what_is_decided_is_not_offered_again(show: Shown, ws: Workspace, me: Judge) -> None:
    """An old address says so."""
    (run,) = runs(ws, 1)
    scores(ws, run, me, 1)
    scores(ws, run, CLEO, 5)
    decide(show(settle=run, on="rubric:crit-tone"), 4.0, "Both have a point.")
    app = show(settle=run, on="rubric:crit-tone")
    assert any("Nothing to decide any more" in text.value for text in app.text)
    assert not app.text_area
