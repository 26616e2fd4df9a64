"""The Trends page without a browser: its sentence, its chart, and the runs behind a point."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore.demo
from tests.dashboard.live import write

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
SUITES = ("release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent")
LIMIT = 150 * 1024
HOSTILE = "<img src=x onerror=alert(1)>![y](http://127.0.0.1:9/y.png)"


def sheets(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the page's sheets are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


def table(app: AppTest, label: str) -> dict[str, Any]:
    """Return the table of a label."""
    (found,) = [block for block in sheets(app) if block.get("label") == label]
    return found


def words(app: AppTest) -> str:
    """Return all sentences and headings of the sheets, one a line."""
    return "\n".join(block["text"] for block in sheets(app) if "text" in block)


def graded(root: Path, passes: list[bool], text: str = "Names the month") -> None:
    """Write one iteration a value, of one case."""
    for at, passed in enumerate(passes):
        grading = {
            "expectations": [{"text": text, "passed": passed, "evidence": "“May”"}],
            "summary": {"passed": int(passed), "failed": int(not passed), "total": 1},
        }
        folder = root / f"x-workspace/iteration-{at + 1}/eval-1/with_skill"
        write(folder / "grading.json", grading)


@pytest.fixture
def run_page(run: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Return a function that runs the page on a workspace, without a browser."""
    return partial(run, "trends")


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("over", ["versions", "benchmark-runs"])
def test_every_family_has_trends(run_page: Callable[..., AppTest], suite: str, over: str) -> None:
    """A sentence first, a chart or why there is none, the points, and little to send."""
    app = run_page(DEMO, suite=suite, over=over)
    assert not app.exception
    found = sheets(app)
    assert found[0]["text"].endswith(".")
    charts = app.get("plotly_chart")
    if suite == "release-notes" and over == "benchmark-runs":
        assert not charts
        assert "No benchmark run of this suite has a value for this." in found[0]["text"]
    else:
        assert len(charts) == 1
        assert table(app, "Points")["rows"]
    assert sum(len(element.proto.json) for element in app.get("bidi_component")) < LIMIT


def test_the_sentence_says_direction_and_figures(run_page: Callable[..., AppTest]) -> None:
    """Early, as three iterations are few; the alert names both figures."""
    app = run_page(DEMO, suite="commit-helper")
    assert sheets(app)[0]["text"] == (
        "Pass rate of with_skill is improving over the last 3 versions: 48 % → 97 % "
        "(early: fewer than 5)."
    )
    alert = sheets(run_page(DEMO, suite="release-notes"))[2]
    assert alert["text"] == (
        "Could be noise: share of runs passed fell from 81 % (v1) to 58 % (v2)."
    )
    assert alert["link"]["query"] == {"a": "v1", "b": "v2"}


def test_a_point_lists_its_runs_with_the_chart_in_view(run_page: Callable[..., AppTest]) -> None:
    """The worst case first, each a link to its evidence; the chart is still there."""
    app = run_page(DEMO, suite="release-notes", point="v2")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
    rows = table(app, "Runs of v2")["rows"]
    assert len(rows) == 28
    values = [row["cells"][3]["text"] for row in rows]
    assert values[0] == "0 %"
    assert values == sorted(values, key=lambda text: int(text.split()[0]))
    assert rows[0]["cells"][1]["link"]["page"] == "gradings"
    assert "run" in rows[0]["cells"][1]["link"]["query"]


def test_what_is_not_there_is_said(run_page: Callable[..., AppTest]) -> None:
    """An unknown metric falls back to the headline, an unknown point opens nothing."""
    app = run_page(DEMO, suite="release-notes", metric="speed", point="v9")
    assert not app.exception
    said = "\n".join(text.value for text in app.text)
    assert "There is no metric 'speed'." in said
    assert "The point in this link has no value here" in said


def test_stored_trends_are_beside_computed_ones(run_page: Callable[..., AppTest]) -> None:
    """Seed 001's records keep scores of their own, which are those of their runs here."""
    app = run_page(DEMO, suite="support-agent", over="benchmark-runs")
    assert "The stored trend of" not in words(app)
    assert "the same as the scores of their runs" in json.dumps(sheets(app))


def test_beyond_forty_versions_the_newest_are_drawn(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """The sentence counts what is outside, a slider moves the range, and the address keeps it."""
    graded(tmp_path, [True] * 45)
    app = run_page(tmp_path)
    assert not app.exception
    assert "Not drawn: the 5 oldest versions." in words(app)
    assert app.slider[0].value == (6, 45)
    app.slider[0].set_value((1, 10)).run()
    assert not app.exception
    assert app.query_params["from"] == "iteration-1"
    assert app.query_params["to"] == "iteration-10"
    assert "Not drawn: the 35 newest versions." in words(app)


@pytest.mark.parametrize("versions", [1, 2])
def test_a_few_versions_are_too_early(
    run_page: Callable[..., AppTest], tmp_path: Path, versions: int
) -> None:
    """One point is drawn all the same."""
    graded(tmp_path, [True] * versions)
    app = run_page(tmp_path)
    assert not app.exception
    assert "too early to see a direction" in sheets(app)[0]["text"]
    assert len(app.get("plotly_chart")) == 1


def test_a_suite_without_runs_says_so(run_page: Callable[..., AppTest], tmp_path: Path) -> None:
    """No chart is drawn."""
    prompts = [{"id": 1, "prompt": "When?", "expected_output": "May", "expectations": []}]
    write(tmp_path / "x/evals/evals.json", {"skill_name": "x", "evals": prompts})
    app = run_page(tmp_path)
    assert not app.exception
    assert "No version of this suite has a value for this." in words(app)
    assert not app.get("plotly_chart")


def test_a_hostile_criterion_stays_plain_data(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """It is offered and followed as text only."""
    graded(tmp_path, [True, False, True], HOSTILE)
    app = run_page(tmp_path, metric=f"criterion:expectation:{HOSTILE}")
    assert not app.exception
    assert not any("onerror" in markdown.value for markdown in app.markdown)
    (chart,) = app.get("plotly_chart")
    assert "<img" not in chart.proto.spec
