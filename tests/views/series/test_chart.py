"""A metric as a chart: which places and lines are drawn, in which words, and what is left out."""

from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evalcore.trends.metrics import HEADLINE, Metric
from evalcore.views.series.chart import MAX_DRAWN, MAX_SERIES, Drawn, Request, drawn
from evalcore.views.series.words import MetricWords, metric_words
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run, followed


def of(ws: Workspace, **given: object) -> Drawn:
    """Return what is drawn of the only suite."""
    found = drawn(ws, made.SUITE, Request(**given))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_what_was_never_measured_has_no_chart(tmp_path: Path) -> None:
    """Not even an empty one."""
    assert drawn(followed(tmp_path, [None]), made.SUITE, Request()) is None
    assert drawn(followed(tmp_path, [0.5]), made.SUITE, Request(Metric("cost"))) is None


def test_the_newest_forty_places_are_drawn(tmp_path: Path) -> None:
    """Of 41 one is left out, and said; a range moves them, never beyond the ends."""
    ws = followed(tmp_path, [0.5] * (MAX_DRAWN + 1))
    found = of(ws)
    assert (found.first, found.last, found.total) == (2, 41, 41)
    assert found.chart.sentence.endswith("Not drawn: the 1 oldest version.")
    found = of(ws, first=1, last=2)
    assert found.chart.labels == ("v0", "v1")
    assert found.chart.sentence.endswith("Not drawn: the 39 newest versions.")
    assert (of(ws, first=99, last=99).first, of(ws, first=1, last=41).first) == (41, 2)
    whole = of(followed(tmp_path, [0.5] * MAX_DRAWN))
    assert "Not drawn" not in whole.chart.sentence


def test_at_most_seven_lines_are_drawn(tmp_path: Path) -> None:
    """The others are named, and may be chosen instead."""
    rows = [
        made.run(run_id=f"x{at}", configuration=f"side-{at}", fraction=0.5)
        for at in range(MAX_SERIES + 1)
    ]
    ws = followed(tmp_path, [], made.version("v0", 0), *rows)
    found = of(ws)
    assert (len(found.chart.series), found.others) == (MAX_SERIES, ("side-7",))
    assert [name for name, _ in of(ws, names=("side-7",)).lines] == ["side-7"]
    assert len(of(ws, names=("unknown",)).lines) == MAX_SERIES


def test_a_point_says_what_its_document_states_otherwise(tmp_path: Path) -> None:
    """Within what the document prints they agree."""
    ws = made.workspace(
        tmp_path,
        made.suite("iterations")._replace(headline="pass rate"),
        made.version("v0", 0),
        made.run(run_id="a", benchmark_run="one", fraction=0.5),
        made.run(run_id="b", benchmark_run="two", fraction=0.333),
        benchmark_run("one", 1, pass_rate=0.75),
        benchmark_run("two", 2, pass_rate=0.33),
    )
    one, two = of(ws, over="benchmark-runs").chart.series[0].points
    assert "its document states 75 %" in one.hover
    assert "states" not in two.hover


def test_benchmark_runs_stand_at_their_dates(tmp_path: Path) -> None:
    """Two of one line on one day stand each at its own place."""
    runs = [made.run(run_id=name, benchmark_run=name, fraction=0.5) for name in ("a", "b")]
    ws = followed(tmp_path, [], *runs, benchmark_run("a", 2), benchmark_run("b", 1))
    assert of(ws, over="benchmark-runs").chart.labels == ("2026-05-01", "2026-05-02")
    ws = followed(tmp_path, [], *runs, benchmark_run("a", 1), benchmark_run("b", 1))
    assert of(ws, over="benchmark-runs").chart.labels == ("a", "b")


def test_a_point_knows_its_version(tmp_path: Path) -> None:
    """Description, commit and date; a long description is cut."""
    version = made.version("v0", 0)._replace(
        description="shorter " * 40,
        git_hash="c03e8815fd6274b9910",
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
    ws = followed(tmp_path, [], version, made.run(fraction=0.5))
    hover = of(ws).chart.series[0].points[0].hover.splitlines()
    assert hover[0] == "v0: 50 % over 1 case, 1 run"
    assert hover[1].startswith("shorter")
    assert len(hover[1]) == 120
    assert hover[2:] == ["commit c03e8815fd62", "2 Mar 2026, 00:00 UTC"]


@given(st.floats(1e-6, 1e9))
def test_an_axis_of_amounts_ends_above_the_highest(highest: float) -> None:
    """At a round number, less than three times as far."""
    axis = MetricWords(Metric("tokens"), "", None).axis([highest])
    assert highest * (1 - 1e-9) <= axis.high <= 3 * highest
    assert axis.ticks[0][0] == 0.0


def test_a_score_is_shown_on_its_scale(tmp_path: Path) -> None:
    """Of 5, with its interval; as a share of the maximum where scales differ."""
    words = MetricWords(Metric("score"), "", 5.0)
    assert words.value(0.668) == "3.34 of 5"
    assert words.likely((0.5, 0.8)) == ", likely between 2.50 and 4.00"
    assert MetricWords(Metric("score"), "", None).value(0.668) == "67 %"
    ws = followed(tmp_path, [0.5])
    assert metric_words(ws, made.SUITE, HEADLINE).value(None) == "not scored"


def test_a_criterion_is_named_by_what_it_stands_for(tmp_path: Path) -> None:
    """Where its cases agree; else by its own name, which is cut if it is long."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.criterion("c1", description="Names the month"),
        made.criterion("c2", description="Names the month"),
        made.criterion("c2", description="Names the year", case_id="b"),
        made.criterion("c2", description="Names the month", case_id="c"),
    )
    names = [
        metric_words(ws, made.SUITE, Metric("criterion", "expectation", name)).criterion
        for name in ("c1", "c2", "x" * 5000)
    ]
    assert names[:2] == ["“Names the month”", "“c2”"]
    assert len(names[2]) == 92


def test_a_criterion_says_whether_it_is_passed_or_scored(tmp_path: Path) -> None:
    """One with a pass mark is followed by who passes it, also where it has a scale."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.run(run_id="r1"),
        made.judgment("checked", True),
        made.judgment("rated", None, score=4.0, fraction=0.8, status="scored"),
    )
    names = [
        metric_words(ws, made.SUITE, Metric("criterion", "expectation", name)).name
        for name in ("checked", "rated")
    ]
    assert names == ["share passing “checked”", "mean score of “rated”"]
