"""Directions and alerts in words: the figures, the early ones, and the words of amounts."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore.statistics.trend import trend as trend_of
from evalcore.trends.benchmarks import StoredPoint, StoredTrend, stored_trends
from evalcore.trends.directions import directions
from evalcore.trends.metrics import HEADLINE, Metric
from evalcore.views.blocks.page import Heading, Links, Table, Verdict
from evalcore.views.blocks.paging import page_of
from evalcore.views.series.words import metric_words
from evalcore.views.trends.alerts import (
    alert_blocks,
    alert_text,
    current_alerts,
    listed_alerts,
)
from evalcore.views.trends.directions import (
    direction_blocks,
    direction_sentence,
    stored_sentence,
    stored_table,
)
from evalcore.views.trends.page import offered_metrics
from evalcore.views.trends.state import View, toggled
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import followed, trend_point


def sentence(ws: Workspace, metric: Metric = HEADLINE) -> str:
    """Return the direction of the only line."""
    (told,) = directions(ws, made.SUITE, metric, "versions")
    return direction_sentence(metric_words(ws, made.SUITE, metric), told, "versions", alone=True)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5], "is improving over the last 5 versions: 10 % → 50 %."),
        (
            [0.5, 0.4, 0.3],
            "is degrading over the last 3 versions: 50 % → 30 % (early: fewer than 5).",
        ),
        ([0.50, 0.52, 0.51, 0.5, 0.54], "is stable over the last 5 versions: 50 % → 54 %."),
        (
            [0.6, 0.8, 0.55, 0.85, 0.7],
            "has no clear direction over the last 5 versions: 60 %, 80 %, 55 %, 85 %, 70 %.",
        ),
        ([0.5], "too early to see a direction. 1 version has a value; three are needed."),
    ],
)
def test_the_sentence_of_a_direction(tmp_path: Path, values: list[float], said: str) -> None:
    """What it is, over how many points, from where to where."""
    assert sentence(followed(tmp_path, values)).endswith(said)


def test_tokens_rise_and_fall(tmp_path: Path) -> None:
    """They are coloured neither better nor worse."""
    rows = [
        made.run(run_id=f"t{at}", version=f"v{at}", run="2", tokens=1000 * (at + 1))
        for at in range(3)
    ]
    ws, metric = followed(tmp_path, [0.5] * 3, *rows), Metric("tokens")
    assert sentence(ws, metric).startswith("Tokens per run is rising over the last 3 versions")
    told = directions(ws, made.SUITE, metric, "versions")
    (block,) = direction_blocks(metric_words(ws, made.SUITE, metric), told, "versions")
    assert block.word == ""  # type: ignore[attr-defined]


def test_an_escalation_is_said(tmp_path: Path) -> None:
    """Seven falling versions."""
    ws = followed(tmp_path, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3])
    told = directions(ws, made.SUITE, HEADLINE, "versions")
    (block,) = direction_blocks(metric_words(ws, made.SUITE, HEADLINE), told, "versions")
    assert block.word == "worse"  # type: ignore[attr-defined]
    assert "escalate" in block.rest  # type: ignore[attr-defined]


def test_alerts_are_sentences_with_both_figures(tmp_path: Path) -> None:
    """The count of the sidebar is that of the newest points in the same list."""
    ws = followed(tmp_path, [1.0, 0.5, 0.9, 0.8])
    found, total = listed_alerts(ws, made.SUITE, HEADLINE, "versions")
    assert total == 2
    assert found[0].sentence == ("pass_rate fell from 90 % (v2) to 80 % (v3).")
    assert alert_text(found[0]) == f"Newest, could be noise: {found[0].sentence}"
    assert current_alerts(ws, made.SUITE) == sum(each.alert.current for each in found) == 1
    assert current_alerts(followed(tmp_path, [1.0]), made.SUITE) == 0


def test_older_alerts_are_listed_on_demand(tmp_path: Path) -> None:
    """Three at first, and a link that says how many there are."""
    ws = followed(tmp_path, [1.0, 0.5] * 5)
    for view, most, said in ((View(), 3, 2), (View(alerts=True), 40, None)):
        found = alert_blocks(*listed_alerts(ws, made.SUITE, HEADLINE, "versions", most=most), view)
        assert [block.items[0].n for block in found if isinstance(block, Links)] == [said]
        assert sum(isinstance(block, Verdict) for block in found) == min(most, 5)


DISAGREES = "The stored trend of quality states improving, its 5 points say degrading."


@pytest.mark.parametrize(("step", "said"), [(-0.1, DISAGREES), (0.1, "")])
def test_a_stored_direction_is_said_where_it_disagrees(
    tmp_path: Path, step: float, said: str
) -> None:
    """Beside the one of its own points; where both are the same there is nothing to say."""
    points = [trend_point(at, 0.5 + at * step / 2) for at in range(1, 6)]
    (found,) = stored_trends(followed(tmp_path, [], *points), made.SUITE)
    assert stored_sentence(found) == said


WITH_RUNS = ["Stored trend", "When", "Stored score", "Of its runs"]


@pytest.mark.parametrize(
    ("stated", "hint", "columns"),
    [
        (0.75, "the same as the scores of their runs", WITH_RUNS[:3]),
        (0.9, "", WITH_RUNS),
    ],
)
def test_scores_of_runs_stand_beside_stored_ones_where_any_differs(
    stated: float, hint: str, columns: list[str]
) -> None:
    """A column of equal numbers is a line above the table."""
    point = StoredPoint(datetime(2026, 5, 1, tzinfo=UTC), stated, 0.75)
    trend = StoredTrend("t1", "quality", "stable", trend_of([stated]), (point,), "t1.json")
    heading, table = stored_table([trend])
    assert isinstance(heading, Heading)
    assert isinstance(table, Table)
    assert (heading.hint, [text for text, _ in table.head]) == (hint, columns)
    assert {len(row.cells) for row in table.rows} == {len(columns)}


def test_stored_scores_without_a_run_of_their_date_say_so_once() -> None:
    """Instead of in each row."""
    point = StoredPoint(None, 0.75, None)
    trend = StoredTrend("t1", "quality", "stable", trend_of([0.75]), (point,), "t1.json")
    heading, _ = stored_table([trend])
    assert isinstance(heading, Heading)
    assert heading.hint == "no run has their dates"


def test_the_address_holds_the_view() -> None:
    """Names of lines may hold anything; invalid values are ignored."""
    view = View("tokens", "benchmark-runs", ("a,b", "ü %"), "v1", "v9", "v3", 2, 3, True)
    assert View.of(view.parameters()) == view
    assert View.of({}) == View()
    assert View.of({"over": "nights", "page": "-3", "lines": ","}) == View()


def test_pages_end_at_the_last() -> None:
    """Nothing is one page."""
    assert page_of(9, 0, 10)[:2] == (1, 1)
    assert page_of(9, 11, 10)[:2] == (2, 2)
    assert toggled(("a", "b"), "a") == ("b",)
    assert toggled(("a",), "b") == ("a", "b")


def test_many_metrics_are_narrowed_by_a_text() -> None:
    """At most 100 are offered, always with the chosen one; the rest is counted."""
    names = {"headline": "Pass rate"} | {f"criterion:x:{n}": f"Criterion {n}" for n in range(300)}
    offered, left = offered_metrics(names, Metric("criterion", "x", "299"), "")
    assert (len(offered), left, offered[0]) == (101, 200, "criterion:x:299")
    offered, left = offered_metrics(names, HEADLINE, "criterion 29")
    assert (len(offered), left) == (12, 289)
